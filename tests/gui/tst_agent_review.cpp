// SPDX-License-Identifier: GPL-3.0-or-later
// A series of patches reviewed in the window with clicks and keys, measured by the fake judge.
#include "app/ide/editing/candidate_panel.h"
#include "app/ide/layout/dock.h"
#include "app/ide/results/verdict_banner.h"
#include "profiler_views/hunk_contributions_view.h"
#include "tests/gui/review_world.h"
#include "tests/toolchain/run_test_classes.h"
#include "toolchain/history/iteration_store.h"
#include "widgets/editor/change_marks.h"
#include "widgets/editor/code_editor.h"
#include "widgets/frame/tab_strip.h"
#include "widgets/review/hunk_marks.h"

#include <QAbstractItemView>
#include <QDir>
#include <QFile>
#include <QLineEdit>
#include <QSet>
#include <QTest>

#include <algorithm>

using namespace warpwright;

class TestAgentReview : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { NEED_TOOL(!CliWorld::python().isEmpty(), "a Python environment with torch"); }

    // Where less room is left the iterations become a rail: the agent's pane is where a review is answered.
    void theAgentsPaneStaysWhileItWorks() {
        ReviewWorld world;
        QVERIFY(world.window.open(world.window.folder));
        auto *agents = world.window.find<Dock>("agentDock");
        auto *iterations = world.window.find<Dock>("iterationsDock");
        world.window.window->resize(1600, 1000);
        QTRY_VERIFY(!agents->isFolded());
        QVERIFY(world.begin());
        QVERIFY(world.waitsForReview());
        world.window.window->resize(1300, 900);
        QTRY_VERIFY(iterations->isFolded());
        QVERIFY(!agents->isFolded());
        QVERIFY(world.stop());
        world.window.window->resize(1600, 1000);
        QTRY_VERIFY(!iterations->isFolded());
        world.window.window->resize(1300, 900);
        QTRY_VERIFY(agents->isFolded());
    }

    void hunksAreAnsweredByKeysAndButtons() {
        ReviewWorld world;
        QVERIFY(world.window.open(world.window.folder));
        QVERIFY(world.begin());
        QVERIFY(world.waitsForReview());
        CodeEditor *editor = world.editor();
        QTRY_COMPARE(editor->decorator<HunkMarks>().hunks().size(), std::size_t(3));
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
        QCOMPARE(editor->decorator<HunkMarks>().current(), 2);
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
        QTRY_VERIFY(!world.editor()->decorator<HunkMarks>().hunks().empty());
        world.trigger(world.actions().rejectAllHunks);
        QTRY_VERIFY(world.actions().run->isEnabled() || world.session()->review()->count().conflict > 0);
        world.window.window->agent().stop();
        QTRY_VERIFY_WITH_TIMEOUT(!world.window.window->agent().isRunning(), 30000);
        QCOMPARE(world.onDisk(), written);
        QVERIFY(world.editor()->decorator<HunkMarks>().hunks().empty());
        QTRY_VERIFY(world.actions().check->isEnabled());
        const auto history = IterationStore(world.window.folder + "/.warpwright").list().value();
        QVERIFY(history.size() >= 2);
        QCOMPARE(history.back().iteration.author.name, QStringLiteral("script"));
        QTRY_COMPARE(world.window.window->bench().iterations().size(), history.size());
    }

    void aReasonIsAskedBehindTheKeyAndNeverInTheWay() {
        ReviewWorld world;
        QVERIFY(world.window.open(world.window.folder));
        QVERIFY(world.begin());
        QVERIFY(world.waitsForReview());
        QTRY_COMPARE(world.editor()->decorator<HunkMarks>().hunks().size(), std::size_t(3));
        auto *field = world.window.find<QLineEdit>("reasonField");
        QVERIFY(!field->isVisible());
        const auto reasonOf = [&world](int hunk) {
            return world.session()->review()->hunk(hunk)->reason;
        };
        const int rejected = world.editor()->decorator<HunkMarks>().current();
        world.trigger(world.actions().rejectHunk);
        QVERIFY(field->isVisible());
        // The next one can be answered at once.
        QVERIFY(world.editor()->decorator<HunkMarks>().current() != rejected);
        QTest::keyClicks(field, QStringLiteral("it loses precision"));
        QTest::keyClick(field, Qt::Key_Return);
        QVERIFY(!field->isVisible());
        QCOMPARE(reasonOf(rejected), QStringLiteral("it loses precision"));
        // The next answer keeps what stands in the field; Esc leaves it out.
        const int second = world.editor()->decorator<HunkMarks>().current();
        world.trigger(world.actions().rejectHunk);
        QTest::keyClicks(field, QStringLiteral("slower"));
        const int third = world.editor()->decorator<HunkMarks>().current();
        world.trigger(world.actions().rejectHunk);
        QCOMPARE(reasonOf(second), QStringLiteral("slower"));
        QTest::keyClicks(field, QStringLiteral("never mind"));
        QTest::keyClick(field, Qt::Key_Escape);
        QVERIFY(!field->isVisible());
        QVERIFY(reasonOf(third).isEmpty());
    }

    void theFieldForAReasonMovesNoHunk() {
        ReviewWorld world;
        QVERIFY(world.window.open(world.window.folder));
        QVERIFY(world.begin());
        QVERIFY(world.waitsForReview());
        CodeEditor *editor = world.editor();
        QTRY_COMPARE(editor->decorator<HunkMarks>().hunks().size(), std::size_t(3));
        const auto top = [&world, editor] {
            return editor->mapTo(world.window.window.get(), QPoint()).y();
        };
        const int before = top();
        world.trigger(world.actions().rejectHunk);
        auto *field = world.window.find<QLineEdit>("reasonField");
        QTRY_VERIFY(field->isVisible());
        QTRY_VERIFY(field->mapTo(world.window.window.get(), QPoint()).y() > before + editor->height() - 1);
        QCOMPARE(top(), before);
        const int height = editor->height();
        QTest::keyClick(field, Qt::Key_Return);
        QVERIFY(!field->isVisible());
        QTest::qWait(50);
        QCOMPARE(top(), before);
        QCOMPARE(editor->height(), height); // for the next one
    }

    void anEditThatChangesNothingTakesNothing() {
        ReviewWorld world;
        QVERIFY(world.window.open(world.window.folder));
        QVERIFY(world.begin());
        QVERIFY(world.waitsForReview());
        CodeEditor *editor = world.editor();
        QTRY_COMPARE(editor->decorator<HunkMarks>().hunks().size(), std::size_t(3));
        const int edited = editor->decorator<HunkMarks>().current();
        world.trigger(world.actions().editHunk);
        QVERIFY(editor->content().contains("// step 1"));
        QCOMPARE(world.session()->review()->count().edited, 0);
        QCOMPARE(world.session()->review()->count().open, 3);
        // What is changed in it counts, until it is taken back.
        const int line = world.session()->review()->hunk(edited)->start;
        editor->insertAt(QStringLiteral("/* mine */ "), line, 0);
        QTRY_COMPARE(world.session()->review()->count().edited, 1);
        QCOMPARE(world.session()->review()->count().open, 2);
        editor->undo();
        QTRY_COMPARE(world.session()->review()->count().open, 3);
        world.trigger(world.actions().rejectAllHunks);
        QCOMPARE(world.session()->review()->count().rejected, 3);
        QVERIFY(!editor->content().contains("// step 1"));
    }

    void whatChangesOnDiskLeavesTheAnswers() {
        ReviewWorld world;
        QVERIFY(world.window.open(world.window.folder));
        QVERIFY(world.begin());
        QVERIFY(world.waitsForReview());
        CodeEditor *editor = world.editor();
        QTRY_COMPARE(editor->decorator<HunkMarks>().hunks().size(), std::size_t(3));
        world.trigger(world.actions().acceptHunk);
        QTRY_COMPARE(world.session()->review()->count().accepted, 1);
        world.trigger(world.actions().rejectHunk);
        QTRY_COMPARE(world.session()->review()->count().rejected, 1);
        QVERIFY(editor->content().contains("// step 1"));
        QFile file(world.window.folder + QLatin1Char('/') + ReviewWorld::kernelFile);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(world.base + "// by another program\n");
        file.close();
        QTRY_VERIFY(editor->content().contains("by another program"));
        QTest::qWait(300);
        QVERIFY(editor->content().contains("// step 1"));
        QCOMPARE(world.session()->review()->count().accepted, 1);
        QCOMPARE(world.session()->review()->count().rejected, 1);
        QCOMPARE(world.session()->review()->count().edited, 0);
    }

    void filesThatComeAndGoAreReadWhereAllOthersAre() {
        ReviewWorld world(0);
        const QString made = QStringLiteral("kernels/more_binding.cpp");
        const QByteArray text = "// more\nint more() {\n    return 1;\n}\n";
        world.addStep(world.base + "// fake judge: times=12000,22000,15000\n");
        world.window.cli.write(world.script + "/01-step/" + made, text);
        world.addStep(world.base + "// fake judge: times=90,220,150\n", {{"deleted", {made.toStdString()}}});
        const auto *panel = world.window.window->findChild<CandidatePanel *>();
        const auto tabs = [panel] {
            QStringList names;
            for (int tab = 0; tab < panel->tabs()->count(); ++tab)
                names << panel->tabs()->tabToolTip(tab);
            return names;
        };
        QVERIFY(world.window.open(world.window.folder));
        const QStringList before = tabs();
        QVERIFY(world.begin());
        QVERIFY(world.waitsForReview());

        // Its tab is there before it is, and each hunk in its turn has the keys.
        QTRY_COMPARE(tabs(), before + QStringList{made});
        QSet<QString> seen;
        for (const int id : world.session()->review()->hunkIds()) {
            Q_UNUSED(id);
            seen << panel->currentFile();
            QVERIFY(panel->currentEditor()->decorator<HunkMarks>().current() > 0);
            world.trigger(world.actions().nextHunk);
        }
        QCOMPARE(seen, (QSet<QString>{made, ReviewWorld::kernelFile}));
        CodeEditor *editor = world.window.editor(made);
        QCOMPARE(editor->decorator<HunkMarks>().hunks().size(), std::size_t(1));
        QCOMPARE(editor->decorator<HunkMarks>().hunks().front().title,
                 QStringLiteral("new file more_binding.cpp"));
        QCOMPARE(editor->content(), QString());
        world.trigger(world.actions().acceptAllHunks);
        QCOMPARE(editor->content().toUtf8(), text);
        QVERIFY(!QFile::exists(world.window.folder + '/' + made)); // nothing is written yet

        // Times are told in one unit, that of the longer one.
        QVERIFY(world.isMeasured());
        const ProposalView shown = world.agent().proposal().value();
        QCOMPARE(shown.unit, QStringLiteral("ms"));
        QCOMPARE(shown.measured.value, QStringLiteral("+11.9"));
        QVERIFY2(shown.measured.spread.endsWith(" ms"), qPrintable(shown.measured.spread));
        QCOMPARE(shown.wouldBe.value, QStringLiteral("12.0"));

        // Written, it is a file as any other; taken away by the next step, it has no tab and raises no alarm.
        QTRY_VERIFY(world.actions().run->isEnabled());
        world.trigger(world.actions().run);
        QTRY_COMPARE_WITH_TIMEOUT(bytesOf(world.window.folder + '/' + made), text, 30000);
        QTRY_COMPARE(world.session()->review() == nullptr ? QString()
                                                          : world.session()->review()->proposal().id,
                     QStringLiteral("p2"));
        QTRY_COMPARE(tabs().count(made), 1);
        QTRY_COMPARE(world.window.editor(made)->decorator<HunkMarks>().hunks().size(), std::size_t(1));
        QCOMPARE(world.window.editor(made)->content().toUtf8(), text);
        QCOMPARE(world.window.editor(made)->decorator<HunkMarks>().hunks().front().title,
                 QStringLiteral("delete more_binding.cpp"));
        QVERIFY(world.answerAllAndGoOn(world.actions().acceptAllHunks));
        QTRY_VERIFY_WITH_TIMEOUT(!world.window.window->agent().isRunning(), 60000);
        QTRY_COMPARE(tabs(), before);
        QVERIFY(!QFile::exists(world.window.folder + '/' + made));
        QVERIFY2(!world.window.toasts().contains("deleted or moved"), qPrintable(world.window.toasts()));
        const QDir drafts(world.window.folder + "/.warpwright/drafts");
        for (const QString &draft : drafts.entryList(QDir::Files))
            QVERIFY(!bytesOf(drafts.filePath(draft)).contains("more_binding.cpp\""));
        QVERIFY2(world.said().contains("The text is iteration 3 now: 90"), qPrintable(world.said()));
    }

    void aKernelAndItsCallAreAnsweredTogether() {
        ReviewWorld world(0);
        world.addStep(world.base + "int used = moreRows();\n// fake judge: times=90,220,150\n");
        world.window.cli.write(world.script + "/01-step/kernels/more_binding.cpp",
                               "int moreRows() { return 1; }\n");
        QVERIFY(world.window.open(world.window.folder));
        QVERIFY(world.begin());
        QVERIFY(world.waitsForReview());
        QTRY_VERIFY(world.agent().proposal().has_value());
        QVERIFY2(world.agent().proposal()->hunks.front().together.contains("with hunk"),
                 qPrintable(world.agent().proposal()->hunks.front().together));
        const ProposalReview &review = *world.session()->review();
        QCOMPARE(review.count().total(), 2);
        world.trigger(world.actions().acceptHunk);
        QCOMPARE(world.session()->review()->count().accepted, 2);
        QVERIFY2(world.actions().undoDecision->isEnabled(),
                 qPrintable(world.actions().undoDecision->property("whyDisabled").toString()));
        world.trigger(world.actions().undoDecision); // one decision, in both files
        QTRY_COMPARE(world.session()->review()->count().accepted, 0);
        // A part can be taken on purpose.
        world.trigger(world.actions().acceptHunkOnly);
        QCOMPARE(world.session()->review()->count().accepted, 1);
        QVERIFY(world.stop());
    }

    void whatIsMadeOfANewFileIsNotLostWithTheRun() {
        ReviewWorld world(0);
        const QString made = QStringLiteral("kernels/more_binding.cpp");
        world.addStep(world.base + "// fake judge: times=90,220,150\n");
        world.window.cli.write(world.script + "/01-step/" + made, "int more() { return 1; }\n");
        QVERIFY(world.window.open(world.window.folder));
        QVERIFY(world.begin());
        QVERIFY(world.waitsForReview());
        CodeEditor *editor = world.window.editor(made);
        QTRY_COMPARE(editor->decorator<HunkMarks>().hunks().size(), std::size_t(1));
        editor->decorator<HunkMarks>().goTo(editor->decorator<HunkMarks>().hunks().front().id);
        world.trigger(world.actions().editHunk);
        editor->insert(QStringLiteral("// of mine\n"));
        QVERIFY(world.stop());
        QVERIFY2(world.said().contains("// of mine"), qPrintable(world.said()));
        QVERIFY(!QFile::exists(world.window.folder + '/' + made));
    }

    void aStepShowsTheFileThatItMakes() {
        ReviewWorld world(0);
        const QString made = QStringLiteral("kernels/add_binding.cpp"); // before the others
        world.addStep(world.base + "// fake judge: times=90,220,150\n");
        world.window.cli.write(world.script + "/01-step/" + made, "int add() { return 1; }\n");
        QVERIFY(world.window.open(world.window.folder));
        QVERIFY(world.begin(SessionMode::Step));
        QVERIFY(world.waitFor(SessionState::Scored));
        const auto *panel = world.window.window->findChild<CandidatePanel *>();
        QTRY_COMPARE(panel->currentFile(), made);
        QVERIFY2(world.said().contains("is applied as iteration 2"), qPrintable(world.said()));
        // What it has changed is marked until it is answered.
        CodeEditor *editor = world.editor();
        QTRY_COMPARE(editor->decorator<ChangeMarks>().lines(),
                     std::vector<int>{static_cast<int>(world.base.count('\n')) + 1});
        world.trigger(world.actions().undoStep);
        QTRY_VERIFY_WITH_TIMEOUT(!world.agent().isRunning(), 30000);
        QVERIFY2(world.said().contains("is reverted: the text is iteration 1 again"),
                 qPrintable(world.said()));
        QTRY_VERIFY(!panel->isOnDisk(made));
        QTRY_VERIFY(editor->decorator<ChangeMarks>().lines().empty());
    }

    void saysWhatItIsAtBeforeAnythingIsProposed() {
        ReviewWorld world(1);
        world.window.tell(QStringLiteral("intext slow=verify:2"));
        QVERIFY(world.window.open(world.window.folder));
        QVERIFY(!world.agent().work());
        QVERIFY(world.begin());
        QTRY_VERIFY_WITH_TIMEOUT(world.agent().work().has_value(), 30000);
        QTRY_COMPARE_WITH_TIMEOUT(world.window.word(), QStringLiteral("Verifying"), 60000);
        QVERIFY(!world.window.banner()->cells().empty());
        // Bar, tree and Verify tell whose measurement it is, and what it found as soon as it is there.
        auto *tree = world.window.find<QAbstractItemView>("iterationsList");
        QVERIFY(tree != nullptr);
        const auto row = [tree] {
            return tree->model()->index(0, 0).data().toString();
        };
        QTRY_VERIFY2(row().contains("being measured by the run"), qPrintable(row()));
        auto *status = world.window.find<QWidget>("statusLine");
        QVERIFY2(status->accessibleName().startsWith("Verifying: "), qPrintable(status->accessibleName()));
        QVERIFY2(world.said().contains("Iteration 1 is measured first"), qPrintable(world.said()));
        QVERIFY(world.waitsForReview());
        QVERIFY(!world.agent().work());
        QTRY_VERIFY(world.window.word().startsWith("Proposal 1"));
        QTRY_VERIFY(!row().contains("being measured by the run") && !row().contains("Not checked"));
        QVERIFY(world.stop());
    }

    void creditsNoHunkOfCommentsWithAGain() {
        ReviewWorld world;
        QVERIFY(world.window.open(world.window.folder));
        QVERIFY(world.begin());
        QVERIFY(world.waitsForReview());
        QTRY_VERIFY_WITH_TIMEOUT(world.session()->evidence() != nullptr, 60000);
        world.trigger(world.actions().measureHunks);
        auto *view = world.window.find<HunkContributionsView>("hunksView");
        // What the fake judge reads is a comment: it is measured, and no gain is said of it.
        const auto third = [view] {
            const auto &said = view->sentences();
            const auto found =
                std::find_if(said.begin(), said.end(), [](const auto &one) { return one.hunk == 3; });
            return found == said.end() ? QString() : found->head;
        };
        QTRY_COMPARE_WITH_TIMEOUT(third(), QStringLiteral("Hunk 3 changes no code"), 90000);
        world.window.window->agent().stop();
        QTRY_VERIFY_WITH_TIMEOUT(!world.window.window->agent().isRunning(), 30000);
        QVERIFY(view->sentences().empty());
    }

    void autoGoesByItselfAndItsIterationsAreShown() {
        ReviewWorld world(3);
        QVERIFY(world.window.open(world.window.folder));
        QVERIFY(world.begin(SessionMode::Auto));
        QTRY_VERIFY_WITH_TIMEOUT(!world.window.window->agent().isRunning(), 120000);
        QVERIFY2(world.onDisk().contains("times=85"), world.onDisk());
        QTRY_COMPARE_WITH_TIMEOUT(world.window.window->bench().iterations().size(), std::size_t(4), 10000);
        QTRY_VERIFY(world.editor()->content().contains("// step 3"));
        QVERIFY2(!world.window.toasts().contains("A file changed"), qPrintable(world.window.toasts()));
    }

    void undoInAutoTakesWhatWasTypedAndNotTheRunsText() {
        ReviewWorld world(2, "slow=verify:2");
        QVERIFY(world.window.open(world.window.folder));
        CodeEditor *editor = world.editor();
        QVERIFY(world.begin(SessionMode::Auto));
        QVERIFY(QTest::qWaitFor(
            [&world] { return world.session() != nullptr && world.session()->review() != nullptr; }, 60000));
        QVERIFY(!world.onDisk().contains("// step 1"));
        editor->insertAt(QStringLiteral("Y"), 7, 0); // far from what the steps change
        QTRY_VERIFY_WITH_TIMEOUT(!world.agent().isRunning(), 120000);
        const QByteArray written = world.onDisk();
        QVERIFY(written.contains("// step 2") && !written.contains("\nY"));
        QTRY_VERIFY(editor->content().contains("// step 2"));
        QVERIFY(editor->content().contains("\nY"));
        editor->undo();
        QCOMPARE(editor->content().toUtf8(), written);
        editor->undo();
        QCOMPARE(editor->content().toUtf8(), written);
    }

    void aFileIsRevertedToTheDiskAndToAnIteration() {
        ReviewWorld world(1);
        QVERIFY(world.window.open(world.window.folder));
        QVERIFY(world.begin(SessionMode::Auto));
        QTRY_VERIFY_WITH_TIMEOUT(!world.agent().isRunning(), 120000);
        CodeEditor *editor = world.editor();
        QTRY_VERIFY(editor->content().contains("// step 1"));
        const QString after = editor->content();
        QVERIFY(!world.actions().takeShownText->isEnabled());
        editor->insertAt(QStringLiteral("// typed\n"), 0, 0);
        world.trigger(world.actions().revertFile);
        QCOMPARE(editor->content(), after);
        editor->undo();
        QVERIFY(editor->content().startsWith("// typed"));
        editor->undo();
        world.window.window->bench().showIteration(1);
        QTRY_VERIFY(world.actions().takeShownText->isEnabled());
        QVERIFY(!world.actions().revertFile->isEnabled());
        world.trigger(world.actions().takeShownText);
        QTRY_COMPARE(editor->content().toUtf8(), world.base);
        QTRY_VERIFY(!world.window.window->bench().shown().isEarlier);
        QVERIFY(world.onDisk() != world.base); // not saved
        editor->undo();
        QCOMPARE(editor->content(), after);
    }

    void stopLeavesTheTextAsItWas() {
        ReviewWorld world;
        QVERIFY(world.window.open(world.window.folder));
        QVERIFY(world.begin());
        QVERIFY(world.waitsForReview());
        world.trigger(world.actions().stop);
        QTRY_VERIFY_WITH_TIMEOUT(!world.window.window->agent().isRunning(), 30000);
        QCOMPARE(world.onDisk(), world.base);
        QTRY_VERIFY(world.editor()->decorator<HunkMarks>().hunks().empty());
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
                QVERIFY(world.begin());
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
