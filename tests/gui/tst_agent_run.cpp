// SPDX-License-Identifier: GPL-3.0-or-later
// A run in the window beside the hunks: messages, bets, the answers of Step, what banner and tree
// say, conflicts.
#include "app/ide/agent/message_link.h"
#include "app/ide/editing/candidate_panel.h"
#include "app/ide/results/verdict_banner.h"
#include "app/ide/review/conflict_view.h"
#include "tests/gui/review_world.h"
#include "tests/toolchain/run_test_classes.h"
#include "toolchain/history/iteration_store.h"
#include "widgets/review/hunk_marks.h"

#include <QAbstractButton>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPlainTextEdit>
#include <QRegularExpression>
#include <QTest>

#include <algorithm>
#include <map>

using namespace warpwright;

namespace {

QStringList rowsOf(const ReviewWorld &world) {
    const auto *list = world.window.find<QListView>("iterationsList");
    QStringList rows;
    for (int row = 0; row < list->model()->rowCount(); ++row)
        rows << list->model()->index(row, 0).data().toString();
    return rows;
}

bool hasHiddenCell(const VerdictBanner &banner) {
    return std::any_of(banner.cells().begin(), banner.cells().end(),
                       [](const VerdictBanner::Cell &cell) { return cell.value == QLatin1String("hidden"); });
}

/// Types in the middle of the line that the second hunk wants to change.
void typeInTheSecondHunk(const ReviewWorld &world) {
    CodeEditor *editor = world.editor();
    const qsizetype at = editor->content().toUtf8().indexOf("for (int row");
    editor->SendScintilla(QsciScintillaBase::SCI_GOTOPOS, static_cast<unsigned long>(at));
    editor->insert(QStringLiteral("/* mine */ "));
}

/// WARPWRIGHT_PICTURES=DIR keeps the window as it stands.
void take(const ReviewWorld &world, const char *name) {
    const QString folder = qEnvironmentVariable("WARPWRIGHT_PICTURES");
    if (folder.isEmpty())
        return;
    QTest::qWait(300);
    for (const char *theme : {"light", "dark"}) {
        world.window.useTheme(theme);
        QTest::qWait(200);
        QVERIFY(world.window.window->grab().save(QStringLiteral("%1/%2-%3.png").arg(folder, name, theme)));
    }
}

} // namespace

class TestAgentRun : public QObject {
    Q_OBJECT

    static bool isScored(const ReviewWorld &world, const QString &proposal) {
        const Session *session = world.session();
        return session != nullptr && session->state() == SessionState::Scored &&
               session->review() != nullptr && session->review()->proposal().id == proposal;
    }

private slots:
    void initTestCase() { NEED_TOOL(!CliWorld::python().isEmpty(), "a Python environment with torch"); }

    void messagesWaitForTheNextRequest() {
        ReviewWorld world(3);
        QVERIFY(world.window.open(world.window.folder));
        QVERIFY(world.begin());
        QVERIFY(world.waitsForReview());
        auto *box = world.window.find<QPlainTextEdit>("messageBox");
        QVERIFY(box->isEnabled());
        QTest::keyClicks(box, QStringLiteral("try warps"));
        QTest::keyClick(box, Qt::Key_Return);
        QTest::keyClicks(box, QStringLiteral("shared memory first"));
        QTest::keyClick(box, Qt::Key_Return, Qt::ControlModifier);
        QTest::keyClicks(box, QStringLiteral("forget this one"));
        QTest::keyClick(box, Qt::Key_Return);
        QCOMPARE(world.session()->messages(),
                 QStringList({"shared memory first", "try warps", "forget this one"}));
        // One is changed, one is taken back.
        auto *row = world.window.find<QWidget>("queued1");
        QVERIFY(row != nullptr);
        QTest::mouseClick(row->findChild<QAbstractButton *>("editQueued"), Qt::LeftButton);
        auto *field = row->findChild<QLineEdit *>();
        field->setText(QStringLiteral("try two warps"));
        QTest::keyClick(field, Qt::Key_Return);
        QTest::mouseClick(world.window.find<QWidget>("queued3")->findChild<QAbstractButton *>("removeQueued"),
                          Qt::LeftButton);
        QCOMPARE(world.session()->messages(), QStringList({"shared memory first", "try two warps"}));
        take(world, "messages");
        QVERIFY(!world.said().contains("cannot read messages"));
        QVERIFY(world.answerAllAndGoOn(world.actions().rejectAllHunks));
        QTRY_VERIFY(world.session()->messages().isEmpty() && world.panel().view().queue.empty());
        QVERIFY2(world.said().contains("you: shared memory first\nyou: try two warps"),
                 qPrintable(world.said()));
        QTRY_VERIFY2(world.said().contains("cannot read messages"), qPrintable(world.said()));

        // What was not sent, and what was not read, outlive the run.
        QVERIFY(world.waitsForReview());
        QTest::keyClicks(box, QStringLiteral("one more"));
        QTest::keyClick(box, Qt::Key_Return);
        QTest::keyClicks(box, QStringLiteral("half a sen"));
        QVERIFY(world.stop());
        QCOMPARE(box->toPlainText(), QStringLiteral("half a sen"));
        QCOMPARE(world.panel().view().queue.size(), std::size_t(1));
        QVERIFY2(world.said().contains("1 message not read"), qPrintable(world.said()));
        world.window.reopen();
        QVERIFY(world.window.open(world.window.folder));
        QTRY_COMPARE(world.panel().unsent(), QStringLiteral("one more\nhalf a sen"));
    }

    void aQueuedMessageGoesWithTheNextRun() {
        ReviewWorld world;
        QVERIFY(world.window.open(world.window.folder));
        QVERIFY(world.begin());
        QVERIFY(world.waitsForReview());
        emit world.panel().queueAsked(QStringLiteral("wait for me"));
        QVERIFY(world.stop());
        QVERIFY(world.begin());
        QVERIFY(world.waitsForReview());
        QVERIFY2(world.said().contains("you: wait for me"), qPrintable(world.said()));
        QVERIFY(world.panel().view().queue.empty());
        QVERIFY(world.stop());
    }

    void aResultIsHiddenUntilTheBet() {
        ReviewWorld world;
        QVERIFY(world.window.open(world.window.folder));
        world.actions().betsFirst->setChecked(true);
        QVERIFY(world.begin());
        QVERIFY(world.waitsForReview() && world.isMeasured());
        QTRY_VERIFY(world.panel().view().proposal->asksBet);
        QTRY_COMPARE(world.panel().view().ledger.front().measured, QStringLiteral("hidden"));
        QCOMPARE(world.panel().view().proposal->measured.state, ShownFigure::Hidden);
        // Nor what is predicted: it would only be copied.
        QCOMPARE(world.panel().view().proposal->predicted.state, ShownFigure::Hidden);
        QCOMPARE(world.panel().view().ledger.front().expected, QStringLiteral("hidden"));
        QVERIFY(world.panel().view().ledger.front().promised.isEmpty());
        QCOMPARE(world.panel().view().ledger.front().range, QStringLiteral("hidden"));
        for (const VerdictBanner::Cell &cell : world.window.banner()->cells())
            QVERIFY2(!cell.value.contains(QRegularExpression(QStringLiteral("\\d"))), qPrintable(cell.value));
        QVERIFY(hasHiddenCell(*world.window.banner()));
        take(world, "bet-hidden");
        auto *field = world.window.find<QLineEdit>("betField");
        QVERIFY(field->isVisible());
        // What is no number is said, and stays to be mended.
        field->setText(QStringLiteral("a lot"));
        QTest::keyClick(field, Qt::Key_Return);
        QVERIFY(world.session()->isResultHidden());
        QCOMPARE(field->text(), QStringLiteral("a lot"));
        field->setText(QStringLiteral("\u22125 \u00b5s"));
        QTest::keyClick(field, Qt::Key_Return);
        QVERIFY(!world.session()->isResultHidden());
        const ProposalView shown = *world.panel().view().proposal;
        QVERIFY(shown.measured.state != ShownFigure::Hidden && !shown.asksBet);
        QVERIFY(shown.predicted.state != ShownFigure::Hidden);
        QVERIFY2(shown.bet.contains("5"), qPrintable(shown.bet));
        QVERIFY(!hasHiddenCell(*world.window.banner()));
        QTRY_COMPARE(world.panel().view().ledger.size(), std::size_t(2));
        const LedgerLine mine = world.panel().view().ledger.back();
        QCOMPARE(mine.who, QStringLiteral("you"));
        QCOMPARE(mine.expected, QStringLiteral("1.05×")); // 100 to 95
        QCOMPARE(mine.mark, LedgerLine::Hit);
        QVERIFY(mine.isGranted);
        QCOMPARE(mine.range, QStringLiteral("0.96–1.17×"));
        take(world, "bet-placed");
        QVERIFY(!world.actions().bet->isEnabled());
        // The next one is hidden again, and can be shown without a bet.
        QVERIFY(world.answerAllAndGoOn(world.actions().acceptAllHunks));
        QTRY_VERIFY(world.session()->isResultHidden());
        QVERIFY(world.waitsForReview() && world.isMeasured());
        QTRY_VERIFY(world.window.find<QAbstractButton>("revealButton")->isVisible());
        world.window.find<QAbstractButton>("revealButton")->click();
        QVERIFY(!world.session()->isResultHidden() && !world.session()->hasBet());
        QVERIFY(world.stop());
        world.actions().betsFirst->setChecked(false);
    }

    void switchedOffInTheMiddleWhatIsHiddenIsShown() {
        ReviewWorld world;
        QVERIFY(world.window.open(world.window.folder));
        world.actions().betsFirst->trigger();
        QTRY_VERIFY(world.window.toasts().contains(QStringLiteral("Bet before results")));
        QVERIFY2(world.window.toasts().contains(QStringLiteral("On:")), qPrintable(world.window.toasts()));
        QVERIFY(world.begin());
        QVERIFY(world.waitsForReview() && world.isMeasured());
        QVERIFY(world.session()->isResultHidden());
        world.actions().betsFirst->trigger();
        QVERIFY(!world.session()->isResultHidden());
        QTRY_VERIFY(world.window.toasts().contains(QStringLiteral("Off:")));
        QTRY_VERIFY(!world.window.toasts().contains(QStringLiteral("On:")));
        QTRY_VERIFY(world.panel().view().proposal->measured.state != ShownFigure::Hidden);
        QVERIFY(world.stop());
    }

    void whatIsExpectedInWordsIsSaidOnceThePersonHasBet() {
        ReviewWorld world(0);
        world.addStep(world.base + "// fake judge: times=80,220,150\n",
                      {{"prediction", {{"timeRatio", 0.8}, {"words", "a fifth less"}}}});
        QVERIFY(world.window.open(world.window.folder));
        world.actions().betsFirst->setChecked(true);
        QVERIFY(world.begin());
        QVERIFY(world.waitsForReview() && world.isMeasured());
        QTRY_VERIFY(world.said().contains(QStringLiteral("Proposal 1")));
        QVERIFY2(!world.said().contains(QStringLiteral("a fifth less")), qPrintable(world.said()));
        world.session()->showResult(QStringLiteral("asked for"));
        QTRY_VERIFY2(world.said().contains(QStringLiteral("Expected of proposal 1: a fifth less")),
                     qPrintable(world.said()));
        QVERIFY(world.stop());
        world.actions().betsFirst->setChecked(false);
    }

    void aBetIsAskedForWhileItIsMeasured() {
        ReviewWorld world(1, "slow=verify:1500");
        QVERIFY(world.window.open(world.window.folder));
        QVERIFY(world.begin());
        QVERIFY(world.waitsForReview());
        QTRY_VERIFY(world.panel().view().proposal && world.panel().view().proposal->canBet);
        QTRY_VERIFY(world.window.find<QAbstractButton>("askBetButton")->isVisible());
        world.window.find<QAbstractButton>("askBetButton")->click();
        QVERIFY(world.session()->isResultHidden());
        auto *field = world.window.find<QLineEdit>("betField");
        QTRY_VERIFY(field->isVisible());
        QTest::keyClicks(field, QStringLiteral("3"));
        QTest::keyClick(field, Qt::Key_Return);
        QVERIFY(!world.session()->hasBet()); // 3 what?
        QTest::keyClicks(field, QStringLiteral("x"));
        QTest::keyClick(field, Qt::Key_Return);
        QVERIFY(world.session()->hasBet());
        QTRY_COMPARE(world.panel().view().ledger.back().who, QStringLiteral("you"));
        QCOMPARE(world.panel().view().ledger.back().mark, LedgerLine::Open);
        // Not measured yet: it can be changed, and taken back.
        QVERIFY(world.actions().bet->isEnabled() && field->isVisible());
        field->clear();
        QTest::keyClick(field, Qt::Key_Return);
        QVERIFY(!world.session()->hasBet() && world.session()->isResultHidden());
        QVERIFY(world.stop());
    }

    void stepWaitsForKeepBranchOrRevert() {
        // Each in lines of its own, so that a step fits whatever became of those before it.
        ReviewWorld world(3);
        QByteArray text = world.base;
        for (const auto &[step, change] :
             std::map<int, std::pair<QByteArray, QByteArray>>{{1, {"#include <cmath>", "// step 1"}},
                                                              {2, {"for (int c = 0;", "/* step 2 */"}},
                                                              {3, {"}\n", "// step 3"}}}) {
            text.replace(change.first,
                         step == 3 ? QByteArray("}\n// step 3\n") : change.second + '\n' + change.first);
            world.window.cli.write(QStringLiteral("%1/0%2-step/%3")
                                       .arg(world.script)
                                       .arg(step)
                                       .arg(QLatin1String(ReviewWorld::kernelFile)),
                                   text);
        }
        QVERIFY(world.window.open(world.window.folder));
        QVERIFY(world.window.editor(QStringLiteral("model_new.py")) != nullptr);
        auto *candidate = world.window.window->findChild<CandidatePanel *>();
        QCOMPARE(candidate->currentFile(), QStringLiteral("model_new.py"));
        QVERIFY(world.begin(SessionMode::Step));
        QVERIFY(world.waitFor(SessionState::Scored));
        // What the step has changed is in sight.
        QCOMPARE(candidate->currentFile(), QLatin1String(ReviewWorld::kernelFile));
        QTRY_VERIFY(world.actions().branchStep->isEnabled());
        QVERIFY(world.onDisk().contains("step 1"));
        auto *branch = world.window.find<QAbstractButton>("branchStepButton");
        QTRY_VERIFY(branch->isVisible());
        QVERIFY(!world.window.find<QAbstractButton>("acceptAllButton")->isVisible());
        QTRY_COMPARE(world.window.word(), QStringLiteral("Proposal 1"));
        take(world, "step");
        branch->click();
        QCOMPARE(world.onDisk(), world.base);
        QTRY_VERIFY_WITH_TIMEOUT(isScored(world, "p2"), 60000);
        QVERIFY(world.onDisk().contains("step 2") && !world.onDisk().contains("step 1"));
        QTRY_VERIFY(world.actions().undoStep->isEnabled());
        world.trigger(world.actions().undoStep);
        QTRY_VERIFY_WITH_TIMEOUT(isScored(world, "p3"), 60000);
        QTRY_VERIFY(world.actions().keepStep->isEnabled());
        const QByteArray kept = world.onDisk();
        QVERIFY(kept.contains("step 3") && !kept.contains("step 2"));
        world.trigger(world.actions().keepStep);
        QTRY_VERIFY_WITH_TIMEOUT(!world.agent().isRunning(), 60000);
        QCOMPARE(world.onDisk(), kept);
        QTRY_COMPARE_WITH_TIMEOUT(world.editor()->content().toUtf8(), kept, 10000);
        QCOMPARE(IterationStore(world.window.folder + "/.warpwright").list().value().size(), std::size_t(4));
        QVERIFY2(!world.window.toasts().contains("A file changed"), qPrintable(world.window.toasts()));
    }

    void bannerAndTreeTellOfTheProposal() {
        ReviewWorld world;
        QVERIFY(world.window.open(world.window.folder));
        QVERIFY(world.begin());
        QVERIFY(world.waitsForReview() && world.isMeasured());
        world.trigger(world.actions().acceptHunk); // the text in the editor is another now
        QTRY_COMPARE(world.window.word(), QStringLiteral("Proposal 1 under review"));
        QTRY_VERIFY(!world.window.banner()->cells().empty());
        QVERIFY2(world.window.banner()->cells().front().label.contains("beside iteration 1"),
                 qPrintable(world.window.banner()->cells().front().label));
        // What it was counted from stands beside it.
        QVERIFY2(world.window.banner()->cells().front().label.contains(" at 100"),
                 qPrintable(world.window.banner()->cells().front().label));
        QVERIFY(world.window.banner()->below().contains("2 of 3 hunks left"));
        QTRY_COMPARE(rowsOf(world).size(), 2);
        QVERIFY2(rowsOf(world)[1].startsWith("Proposal 1, proposed on iteration 1"),
                 qPrintable(rowsOf(world)[1]));
        QCOMPARE(world.window.window->bench().iterations().size(), std::size_t(1));
        // Answered, it is an iteration, and the next one stands below that.
        world.trigger(world.actions().acceptAllHunks);
        QTRY_VERIFY(world.actions().run->isEnabled());
        world.trigger(world.actions().run);
        QTRY_COMPARE_WITH_TIMEOUT(rowsOf(world).size(), 3, 60000);
        QTRY_VERIFY2(rowsOf(world)[2].startsWith("Proposal 2, proposed on iteration 2"),
                     qPrintable(rowsOf(world)[2]));
        QVERIFY(world.stop());
        // What nobody had decided on stays to be looked at, by that name.
        QTRY_COMPARE(rowsOf(world).size(), 3);
        QVERIFY2(rowsOf(world)[2].contains("not decided: the run ended"), qPrintable(rowsOf(world)[2]));
        QTRY_COMPARE(world.window.word(), QStringLiteral("Pass"));
    }

    void aConflictShowsItsThreeTexts() {
        ReviewWorld world;
        QVERIFY(world.window.open(world.window.folder));
        QVERIFY(world.begin());
        QVERIFY(world.waitsForReview());
        QTRY_COMPARE(world.editor()->decorator<HunkMarks>().hunks().size(), std::size_t(3));
        auto *view = world.window.find<ConflictView>("conflictView");
        QVERIFY(!view->isVisible() && !world.actions().takeMine->isEnabled());
        typeInTheSecondHunk(world);
        QTRY_COMPARE(world.session()->review()->count().conflict, 1);
        world.editor()->decorator<HunkMarks>().goTo(2);
        QTRY_VERIFY(view->isVisible());
        QCOMPARE(view->hunk(), 2);
        const auto side = [&world](const char *name) {
            return world.window.find<QPlainTextEdit>(name)->toPlainText();
        };
        QVERIFY(!side("conflictSide0").contains("mine") && side("conflictSide0").contains("for (int row"));
        QVERIFY(side("conflictSide1").contains("/* mine */"));
        QVERIFY(side("conflictSide2").contains("/* 1 */") && !side("conflictSide2").contains("mine"));

        // Mine, and taken back.
        QVERIFY(world.actions().takeMine->isEnabled());
        world.trigger(world.actions().takeMine);
        QTRY_COMPARE(world.session()->review()->count().conflict, 0);
        QVERIFY(
            world.session()->review()->textsUnanswered().at(ReviewWorld::kernelFile).contains("/* mine */"));
        QVERIFY(!view->isVisible());
        QTest::keyClick(world.editor(), Qt::Key_Z, Qt::ControlModifier);
        QTRY_COMPARE(world.session()->review()->count().conflict, 1);
        world.editor()->decorator<HunkMarks>().goTo(2);
        QTRY_VERIFY(view->isVisible());

        // The merge is written, put off, and there again.
        world.trigger(world.actions().editMerge);
        auto *merge = world.window.find<QPlainTextEdit>("mergeText");
        QTRY_VERIFY(merge->isVisible());
        QVERIFY(merge->toPlainText().contains("/* mine */") && merge->toPlainText().contains("/* 1 */"));
        const QString merged = side("conflictSide2").replace("/* 1 */", "/* both */");
        merge->setPlainText(merged);
        take(world, "conflict");
        QTest::keyClick(merge, Qt::Key_Escape);
        QVERIFY(!merge->isVisible());
        world.trigger(world.actions().editMerge);
        QCOMPARE(merge->toPlainText(), merged);
        QTest::keyClick(merge, Qt::Key_Return, Qt::ControlModifier);
        QTRY_COMPARE(world.session()->review()->count().conflict, 0);
        QCOMPARE(world.session()->review()->hunk(2)->state, HunkState::Edited);
        QTRY_VERIFY(world.editor()->content().contains("/* both */"));
        QVERIFY(!world.editor()->content().contains("/* mine */"));
        QVERIFY(world.stop());
    }

    void aMergeThatWasBegunIsNotLost() {
        ReviewWorld world;
        QVERIFY(world.window.open(world.window.folder));
        QVERIFY(world.begin());
        QVERIFY(world.waitsForReview());
        QTRY_COMPARE(world.editor()->decorator<HunkMarks>().hunks().size(), std::size_t(3));
        typeInTheSecondHunk(world);
        QTRY_COMPARE(world.session()->review()->count().conflict, 1);
        world.editor()->decorator<HunkMarks>().goTo(2);
        QTRY_VERIFY(world.actions().editMerge->isEnabled());
        world.trigger(world.actions().editMerge);
        world.window.find<QPlainTextEdit>("mergeText")->setPlainText(QStringLiteral("hours of work"));
        QVERIFY(world.stop());
        QVERIFY2(world.said().contains("hours of work"), qPrintable(world.said()));
    }

    void linksLeadToPlacesAndIterations() {
        QCOMPARE(messageLink("kernels/a.cu:12"), (MessageLink{"kernels/a.cu", 12, 0, 0}));
        QCOMPARE(messageLink("kernels/a.cu:12:3"), (MessageLink{"kernels/a.cu", 12, 3, 0}));
        QCOMPARE(messageLink("kernels/my%20a.cu#L7"), (MessageLink{"kernels/my a.cu", 7, 0, 0}));
        QCOMPARE(messageLink("file:model.py"), (MessageLink{"model.py", 0, 0, 0}));
        QCOMPARE(messageLink("iteration:3"), (MessageLink{{}, 0, 0, 3}));
        QCOMPARE(messageLink("Iteration 14"), (MessageLink{{}, 0, 0, 14}));
        for (const char *nowhere : {"https://example.org/a.cu:12", "mailto:a@example.org", "#top", ""})
            QVERIFY2(!messageLink(nowhere).isKnown(), nowhere);

        ReviewWorld world;
        QVERIFY(world.window.open(world.window.folder));
        QVERIFY(world.window.check());
        QVERIFY(world.begin());
        QVERIFY(world.waitsForReview());
        QVERIFY2(world.said().contains("script: **Proposal 1, step 1.** Because **it helps**"),
                 qPrintable(world.said()));
        emit world.panel().linkActivated(QStringLiteral("kernels/gate.cpp:5"));
        const auto cursorLine = [&world] {
            int line = -1, column = -1;
            world.editor()->getCursorPosition(&line, &column);
            return line + 1;
        };
        QTRY_COMPARE(cursorLine(), 5);
        emit world.panel().linkActivated(QStringLiteral("iteration:99"));
        QTRY_VERIFY2(world.window.toasts().contains("no iteration 99"), qPrintable(world.window.toasts()));
        emit world.panel().linkActivated(QStringLiteral("https://example.org"));
        QTRY_VERIFY2(world.window.toasts().contains("leads out of the workspace"),
                     qPrintable(world.window.toasts()));
        QVERIFY(world.stop());
    }
};

QObject *makeTestAgentRun() {
    return new TestAgentRun;
}

#include "tst_agent_run.moc"
