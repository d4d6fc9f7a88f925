// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/editing/draft_keeper.h"
#include "tests/toolchain/scratch.h"

#include <QFile>
#include <QSignalSpy>
#include <QTest>

using namespace warpwright;

/// A file stands where the folder of drafts is to be: nothing can be written until it has gone.
class TestDraftKeeper : public QObject {
    Q_OBJECT

    struct Blocked {
        Scratch scratch;
        QString text = QStringLiteral("typed");
        QString inTheWay = scratch.write(QStringLiteral("state"), "a file");
        QString folder = scratch.path(QStringLiteral("state/drafts"));
        DraftKeeper keeper{
            DraftStore(folder),
            [this] {
                return Draft{QStringLiteral("/w/a.cu"), text, {}, {}, QDateTime::currentDateTimeUtc()};
            },
            nullptr};
        QSignalSpy failed{&keeper, &DraftKeeper::failed};
        QSignalSpy written{&keeper, &DraftKeeper::written};

        [[nodiscard]] QString kept() const {
            const std::optional<Draft> draft = DraftStore(folder).find(QStringLiteral("/w/a.cu"));
            return draft ? draft->text : QString();
        }
    };

private slots:
    void whatCouldNotBeWrittenIsTriedAgainThoughNobodyTypes() {
        Blocked blocked;
        blocked.keeper.changed();
        QTRY_COMPARE(blocked.failed.size(), 1);
        QVERIFY(QFile::remove(blocked.inTheWay));
        QTRY_COMPARE_WITH_TIMEOUT(blocked.written.size(), 1, 10000);
        QCOMPARE(blocked.kept(), QStringLiteral("typed"));
        QCOMPARE(blocked.failed.size(), 1); // told once
    }

    void aFlushThatFailsIsTriedAgain() {
        Blocked blocked;
        blocked.keeper.changed();
        QVERIFY(!blocked.keeper.flush());
        QVERIFY(!blocked.keeper.flush()); // not «nothing to do»
        QVERIFY(QFile::remove(blocked.inTheWay));
        QVERIFY(blocked.keeper.flush());
        QCOMPARE(blocked.kept(), QStringLiteral("typed"));
    }

    void whatIsSavedNeedsNoDraftAnyMore() {
        Blocked blocked;
        blocked.keeper.changed();
        QVERIFY(!blocked.keeper.flush());
        blocked.keeper.settle(QStringLiteral("/w/a.cu"));
        QVERIFY(blocked.keeper.flush()); // a window that closes is held up by nothing
        QTest::qWait(3000);
        QCOMPARE(blocked.written.size(), 0);
    }
};

QObject *makeTestDraftKeeper() {
    return new TestDraftKeeper;
}

#include "tst_draft_keeper.moc"
