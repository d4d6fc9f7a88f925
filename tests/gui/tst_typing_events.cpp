// SPDX-License-Identifier: GPL-3.0-or-later
// What typing costs the window's thread in a file of 5,000 lines: its longest event.
#include "app/ide/shell/bench/event_meter.h"
#include "app/ide/shell/bench/typing_cost.h"
#include "tests/gui/language_world.h"
#include "widgets/editor/code_editor.h"
#include "widgets/popups/completion_list.h"

#include <QApplication>
#include <QClipboard>
#include <QTest>

using namespace warpwright;

namespace {

constexpr int restMs = 400; // the slowest timer that typing starts, and the pool's answers
/// The goal is 16 ms. A debug build under sanitizers or beside other tests has this, and no more.
constexpr double mostMs = 100;

EventMeter &meter() {
    return *static_cast<EventMeter *>(QCoreApplication::instance());
}

} // namespace

class TestTypingEvents : public QObject {
    Q_OBJECT

    std::unique_ptr<LanguageWorld> m_world;

    /// What `act` and all that follows from it costs.
    template <typename Act>
    void measure(const QString &phase, Act act) const {
        QCoreApplication::processEvents();
        meter().beginPhase(phase);
        act();
        QTest::qWait(restMs);
        meter().beginPhase({});
    }
    void keys(const QString &text) const {
        for (const QChar sign : text) {
            if (sign == u'\n')
                m_world->key(Qt::Key_Return);
            else
                m_world->type(sign);
            QTest::qWait(20); // its drawing, and the timers of an instant
        }
    }

private slots:
    void initTestCase() {
        m_world = std::make_unique<LanguageWorld>();
        QVERIFY(m_world->isReady());
        const QString many = longKernelFile(5000);
        m_world->gate->applyEdits({{1, 0, many}});
        QVERIFY(m_world->gate->lineCount() > 5000);
        m_world->stand(2501, 1); // inside a kernel
        QTest::qWait(1500);
    }
    void cleanupTestCase() {
        meter().beginPhase({});
        m_world.reset();
    }

    void noEventOfTypingIsLong_data() {
        QTest::addColumn<QString>("what");
        for (const char *what :
             {"letters", "brackets", "newlines", "a paste", "undo", "carets", "completion"})
            QTest::newRow(what) << QString::fromLatin1(what);
    }
    void noEventOfTypingIsLong() {
        QFETCH(QString, what);
        LanguageWorld &world = *m_world;
        CodeEditor &editor = *world.gate;
        const QString before = editor.content();
        world.stand(2501, 1);
        QTest::qWait(restMs);
        measure(what, [&] {
            if (what == QLatin1String("letters")) {
                keys(QStringLiteral("// letters of a comment"));
            } else if (what == QLatin1String("brackets")) {
                keys(QStringLiteral("f((a[{1}]) + {}"));
                for (int i = 0; i < 8; ++i) {
                    world.key(Qt::Key_Left);
                    QTest::qWait(20);
                }
            } else if (what == QLatin1String("newlines")) {
                keys(QStringLiteral("\n\nif (a) {\nb();\n}\n"));
            } else if (what == QLatin1String("a paste")) {
                QApplication::clipboard()->setText(longKernelFile(200));
                world.key(Qt::Key_V, Qt::ControlModifier);
            } else if (what == QLatin1String("undo")) {
                QApplication::clipboard()->setText(longKernelFile(200));
                world.key(Qt::Key_V, Qt::ControlModifier);
                QTest::qWait(restMs);
                world.key(Qt::Key_Z, Qt::ControlModifier);
                QTest::qWait(restMs);
                world.key(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
            } else if (what == QLatin1String("carets")) {
                keys(QStringLiteral("row row row row row "));
                world.stand(2501, 1);
                for (int i = 0; i < 5; ++i) {
                    world.key(Qt::Key_D, Qt::ControlModifier);
                    QTest::qWait(20);
                }
                keys(QStringLiteral("many()"));
            } else {
                keys(QStringLiteral("gate"));
                QVERIFY(world.listIsShown());
                world.key(Qt::Key_Down);
                QTest::qWait(50);
                world.key(Qt::Key_Escape);
            }
        });
        QVERIFY(editor.content() != before);
        const EventMeter::Worst worst = meter().phases().value(what);
        qInfo("%s: the longest of %lld events took %.1f ms (%s), %lld more than 16 ms", qPrintable(what),
              worst.events, worst.ms, qPrintable(worst.event), worst.over16ms);
        for (const QString &one : worst.tooLong)
            qInfo("    %s", qPrintable(one));
        while (editor.isUndoAvailable() && editor.content() != before)
            editor.undo();
        QTest::qWait(restMs); // what was undone brings its cursors back behind it
        QCOMPARE(editor.content(), before);
        QVERIFY2(worst.ms < mostMs, qPrintable(worst.event));
    }
};

QObject *makeTestTypingEvents() {
    return new TestTypingEvents;
}

#include "tst_typing_events.moc"
