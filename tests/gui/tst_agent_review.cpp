// SPDX-License-Identifier: GPL-3.0-or-later
// A series of patches reviewed in the window with clicks and keys, measured by the fake judge.
#include "profiler_views/hunk_contributions_view.h"
#include "tests/gui/review_world.h"
#include "tests/toolchain/run_rooms.h"
#include "toolchain/iteration_store.h"
#include "widgets/code_editor.h"
#include "widgets/hunk_marks.h"

#include <QTest>

using namespace warpwright;

class TestAgentReview : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { NEED_TOOL(!CliWorld::python().isEmpty(), "a Python environment with torch"); }

    void hunksAreAnsweredByKeysAndButtons() {
        ReviewWorld world;
        QVERIFY(world.window.open(world.window.folder));
        world.window.window->agent().beginScript(world.script);
        QVERIFY(world.waitsForReview());
        CodeEditor *editor = world.editor();
        QTRY_COMPARE(editor->hunkMarks().hunks().size(), std::size_t(3));
        QCOMPARE(world.onDisk(), world.base);
        QVERIFY(!world.actions().check->isEnabled());
        QVERIFY(world.actions().acceptHunk->isEnabled());

        // The first is accepted by its key, taken back by the editor's undo, and given again.
        editor->setFocus();
        const QByteArray before = editor->content().toUtf8();
        world.trigger(world.actions().acceptHunk);
        QCOMPARE(world.session()->review()->count().accepted, 1);
        QVERIFY(editor->content().contains("// step 1"));
        QTest::keyClick(editor, Qt::Key_Z, Qt::ControlModifier);
        QTRY_COMPARE(world.session()->review()->count().accepted, 0);
        QCOMPARE(editor->content().toUtf8(), before);
        QTest::keyClick(editor, Qt::Key_Y, Qt::ControlModifier);
        QTRY_COMPARE(world.session()->review()->count().accepted, 1);

        // An answer leads to the next hunk. The second is rejected; what the person types stays.
        QCOMPARE(editor->hunkMarks().current(), 2);
        world.trigger(world.actions().rejectHunk);
        QCOMPARE(world.session()->review()->count().rejected, 1);
        editor->SendScintilla(QsciScintillaBase::SCI_GOTOPOS, 0);
        editor->insert(QStringLiteral("// mine\n"));
        QTRY_VERIFY(world.session()->review()->texts().at(ReviewWorld::kernelFile).startsWith("// mine\n"));
        QCOMPARE(world.onDisk(), world.base); // nothing is written yet
        world.trigger(world.actions().acceptAllHunks);
        QCOMPARE(world.session()->review()->count().unanswered(), 0);
        QTRY_VERIFY(world.actions().run->isEnabled());
        QTRY_VERIFY_WITH_TIMEOUT(world.session()->evidence() != nullptr, 60000);
        world.trigger(world.actions().run);
        QTRY_VERIFY_WITH_TIMEOUT(world.onDisk() != world.base, 30000);
        const QByteArray written = world.onDisk();
        QVERIFY(written.startsWith("// mine\n") && written.contains("// step 1") &&
                !written.contains("/* 1 */") && written.contains("times=95"));
        QVERIFY(world.waitsForReview()); // the next one
        QTRY_VERIFY(world.editor()->content().toUtf8() == written);

        // All of it is rejected, and the run ends by itself.
        QTRY_VERIFY(!world.editor()->hunkMarks().hunks().empty());
        world.trigger(world.actions().rejectAllHunks);
        QTRY_VERIFY(world.actions().run->isEnabled() || world.session()->review()->count().conflict > 0);
        world.window.window->agent().stop();
        QTRY_VERIFY_WITH_TIMEOUT(!world.window.window->agent().isRunning(), 30000);
        QCOMPARE(world.onDisk(), written);
        QVERIFY(world.editor()->hunkMarks().hunks().empty());
        QTRY_VERIFY(world.actions().check->isEnabled());
        const auto history = IterationStore(world.window.folder + "/.warpwright").list().value();
        QVERIFY(history.size() >= 2);
        QCOMPARE(history.back().iteration.author.name, QStringLiteral("script"));
        QTRY_COMPARE(world.window.window->bench().iterations().size(), history.size());
    }

    void saysWhichHunkCarriesTheGain() {
        ReviewWorld world;
        QVERIFY(world.window.open(world.window.folder));
        world.window.window->agent().beginScript(world.script);
        QVERIFY(world.waitsForReview());
        QTRY_VERIFY_WITH_TIMEOUT(world.session()->evidence() != nullptr, 60000);
        world.trigger(world.actions().measureHunks);
        auto *view = world.window.find<HunkContributionsView>("hunksView");
        QTRY_VERIFY_WITH_TIMEOUT(!view->sentences().empty() && view->sentences()[0].hunk == 3, 90000);
        QVERIFY2(view->sentences()[0].head.contains("carries"), qPrintable(view->sentences()[0].head));
        world.window.window->agent().stop();
        QTRY_VERIFY_WITH_TIMEOUT(!world.window.window->agent().isRunning(), 30000);
        QVERIFY(view->sentences().empty());
    }

    void autoGoesByItselfAndItsIterationsAreShown() {
        ReviewWorld world(3);
        QVERIFY(world.window.open(world.window.folder));
        world.window.window->agent().beginScript(world.script, SessionMode::Auto);
        QTRY_VERIFY_WITH_TIMEOUT(!world.window.window->agent().isRunning(), 120000);
        QVERIFY2(world.onDisk().contains("times=85"), world.onDisk());
        QTRY_COMPARE_WITH_TIMEOUT(world.window.window->bench().iterations().size(), std::size_t(4), 10000);
        QTRY_VERIFY(world.editor()->content().contains("// step 3"));
        QVERIFY2(!world.window.toasts().contains("A file changed"), qPrintable(world.window.toasts()));
    }

    void stopLeavesTheTextAsItWas() {
        ReviewWorld world;
        QVERIFY(world.window.open(world.window.folder));
        world.window.window->agent().beginScript(world.script);
        QVERIFY(world.waitsForReview());
        world.trigger(world.actions().stop);
        QTRY_VERIFY_WITH_TIMEOUT(!world.window.window->agent().isRunning(), 30000);
        QCOMPARE(world.onDisk(), world.base);
        QTRY_VERIFY(world.editor()->hunkMarks().hunks().empty());
        QVERIFY(world.actions().tuneScript->isEnabled());
    }

    void isSeen() {
        const QString pictures = qEnvironmentVariable("WARPWRIGHT_PICTURES");
        if (pictures.isEmpty())
            QSKIP("WARPWRIGHT_PICTURES names no folder");
        ReviewWorld world;
        QVERIFY(world.window.open(world.window.folder));
        for (const char *theme : {"dark", "light"}) {
            world.window.useTheme(theme);
            if (!world.window.window->agent().isRunning())
                world.window.window->agent().beginScript(world.script);
            QVERIFY(world.waitsForReview());
            QTRY_VERIFY_WITH_TIMEOUT(world.session()->evidence() != nullptr, 60000);
            if (theme == QByteArray("dark")) {
                world.trigger(world.actions().measureHunks);
                world.trigger(world.actions().acceptHunk);
            }
            QTest::qWait(6000);
            QVERIFY(
                world.window.window->grab().save(QStringLiteral("%1/review-%2.png").arg(pictures, theme)));
        }
        world.window.window->agent().stop();
        QTRY_VERIFY_WITH_TIMEOUT(!world.window.window->agent().isRunning(), 30000);
    }
};

QObject *makeTestAgentReview() {
    return new TestAgentReview;
}

#include "tst_agent_review.moc"
