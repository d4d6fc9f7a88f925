// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/toolchain/scratch.h"
#include "toolchain/workspace/draft_store.h"

#include <QDir>
#include <QProcess>
#include <QRegularExpression>
#include <QTest>

#include <unistd.h>

using namespace warpwright;

namespace {

/// As another process would have written it that has died since; or, with `owner`, one that lives.
void disown(const DraftStore &store, const QString &owner = QStringLiteral("999999999.1")) {
    const QDir folder(store.folder());
    for (const QString &name :
         folder.entryList({QStringLiteral("*-%1.*.draft").arg(::getpid())}, QDir::Files))
        QVERIFY(QFile::rename(folder.filePath(name), folder.filePath(name.section(u'-', 0, 0) + u'-' + owner +
                                                                     QStringLiteral(".draft"))));
}

Draft draftOf(const QString &file, const QString &text) {
    return {file, text, QStringLiteral("base\n"), "hash", QDateTime::currentDateTimeUtc()};
}

} // namespace

class TestDraftStore : public QObject {
    Q_OBJECT

private slots:
    void init() {
        QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin does not support)")));
    }

    void bringsBackWhatADeadProcessLeft() {
        const Scratch scratch;
        const DraftStore store(scratch.path(QStringLiteral("state/drafts")));
        const Draft draft = draftOf(QStringLiteral("/w/kernels/a b.cu"), QStringLiteral("µ \"x\"\n\\\t\n"));
        QVERIFY(store.write(draft).hasValue());
        QVERIFY(store.recoverable().empty()); // ours
        disown(store);
        QCOMPARE(store.recoverable(), std::vector<Draft>{draft});
        store.remove(draft.file);
        QVERIFY(store.recoverable().empty());
        QVERIFY(QDir(store.folder()).isEmpty());
    }

    void leavesTheDraftsOfALivingProcessAlone() {
        const Scratch scratch;
        const DraftStore store(scratch.path());
        QProcess other;
        other.start(fakeTool(), {QStringLiteral("--hang")});
        QVERIFY(other.waitForStarted());
        QFile stat(QStringLiteral("/proc/%1/stat").arg(other.processId()));
        QVERIFY(stat.open(QIODevice::ReadOnly));
        const QByteArray facts = stat.readAll();
        const QByteArray start = facts.mid(facts.lastIndexOf(')') + 2).split(' ').value(19);
        QVERIFY(store.write(draftOf(QStringLiteral("/a"), QStringLiteral("theirs"))).hasValue());
        disown(store, QStringLiteral("%1.%2").arg(other.processId()).arg(QString::fromLatin1(start)));
        QVERIFY(store.recoverable().empty());
        store.remove(QStringLiteral("/a"));
        QCOMPARE(QDir(store.folder()).entryList(QDir::Files).size(), 1);
        other.kill();
        other.waitForFinished();
        QCOMPARE(store.recoverable().size(), 1U);
    }

    void doesNotTakeAReusedPidForTheOwner() {
        const Scratch scratch;
        const DraftStore store(scratch.path());
        QVERIFY(store.write(draftOf(QStringLiteral("/a"), QStringLiteral("old"))).hasValue());
        disown(store, QStringLiteral("%1.1").arg(::getpid())); // started at another time
        QCOMPARE(store.recoverable().size(), 1U);
    }

    void takesTheYoungestOfAFile() {
        const Scratch scratch;
        const DraftStore store(scratch.path());
        Draft draft = draftOf(QStringLiteral("/a"), QStringLiteral("new"));
        QVERIFY(store.write(draft).hasValue());
        disown(store, QStringLiteral("999999999.1"));
        draft.text = QStringLiteral("older");
        draft.time = draft.time.addSecs(-60);
        QVERIFY(store.write(draft).hasValue());
        disown(store, QStringLiteral("999999998.1"));
        QVERIFY(store.write(draftOf(QStringLiteral("/b"), QStringLiteral("b"))).hasValue());
        disown(store);
        const auto drafts = store.recoverable();
        QCOMPARE(drafts.size(), 2U);
        QCOMPARE(drafts[0].text, QStringLiteral("new"));
        QCOMPARE(drafts[1].file, QStringLiteral("/b"));
    }

    void passesOverWhatIsNoDraft() {
        const Scratch scratch;
        scratch.write(QStringLiteral("abc-1.1.draft"), "{\"format\": 7}");
        scratch.write(QStringLiteral("abd-1.1.draft"), "half {");
        scratch.write(QStringLiteral("strange.draft"), "");
        QVERIFY(DraftStore(scratch.path()).recoverable().empty());
    }

    void saysThatItCannotWrite() {
        const Scratch scratch;
        scratch.write(QStringLiteral("drafts"), "a file in the way");
        const auto written = DraftStore(scratch.path(QStringLiteral("drafts")))
                                 .write(draftOf(QStringLiteral("/a"), QStringLiteral("x")));
        QVERIFY2(written.message().contains(QLatin1String("a file is in the way")),
                 qPrintable(written.message()));
    }
};

QObject *makeTestDraftStore() {
    return new TestDraftStore;
}

#include "tst_draft_store.moc"
