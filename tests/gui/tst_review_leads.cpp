// SPDX-License-Identifier: GPL-3.0-or-later
// What a review leads to: answers with their reasons beside each hunk, a button that goes on when all is
// answered, and keys that answer nothing that is behind another page.
#include "app/ide/agent/proposal_card.h"
#include "app/ide/agent/way_back.h"
#include "app/ide/editing/candidate_panel.h"
#include "app/ide/results/build_panel.h"
#include "app/ide/results/verdict_banner.h"
#include "app/ide/results/verify_page.h"
#include "app/ide/review/proposal_face.h"
#include "tests/gui/review_world.h"
#include "tests/toolchain/run_test_classes.h"
#include "toolchain/history/iteration_store.h"
#include "widgets/editor/code_editor.h"
#include "widgets/frame/tab_strip.h"
#include "widgets/review/hunk_head.h"
#include "widgets/review/hunk_marks.h"

#include <QAbstractButton>
#include <QLineEdit>
#include <QTableView>
#include <QTest>

#include <algorithm>

using namespace warpwright;

namespace {

using Row = ProposalView::Hunk;

/// A window in which a proposal of three hunks waits for its review.
struct WaitingWorld : ReviewWorld {
    using ReviewWorld::ReviewWorld;

    bool comes() {
        return window.open(window.folder) && begin() && waitsForReview() &&
               QTest::qWaitFor([this] { return editor()->decorator<HunkMarks>().hunks().size() == 3; },
                               10000);
    }
    [[nodiscard]] ReviewCount count() const { return session()->review()->count(); }
    [[nodiscard]] std::vector<Row> rows() const {
        return agent().proposal() ? agent().proposal()->hunks : std::vector<Row>();
    }
    [[nodiscard]] QAbstractButton *button(const char *name) const {
        return window.find<QAbstractButton>(name);
    }
    /// On the tab of the proposal's file.
    [[nodiscard]] bool hasDot() const {
        const TabStrip *tabs = window.window->findChild<CandidatePanel *>()->tabs();
        for (int tab = 0; tab < tabs->count(); ++tab)
            if (tabs->tabToolTip(tab) == QLatin1String(kernelFile))
                return tabs->tabData(tab).toList().value(2).toBool();
        return false;
    }
};

} // namespace

class TestReviewLeads : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { NEED_TOOL(!CliWorld::python().isEmpty(), "a Python environment with torch"); }

    void aReasonStandsBesideItsHunk() {
        WaitingWorld world;
        QVERIFY(world.comes());
        const int rejected = world.editor()->decorator<HunkMarks>().current();
        world.trigger(world.actions().rejectHunk);
        auto *field = world.window.find<QLineEdit>("reasonField");
        QTest::keyClicks(field, QStringLiteral("it loses precision"));
        QTest::keyClick(field, Qt::Key_Return);
        const auto shown = [&world, rejected] {
            for (const ShownHunk &hunk : world.editor()->decorator<HunkMarks>().hunks())
                if (hunk.id == rejected)
                    return hunk;
            return ShownHunk();
        };
        QTRY_COMPARE(shown().remark, QString("it loses precision"));
        const auto isSaid = [&world] {
            const auto heads = world.editor()->findChildren<HunkHead *>();
            return std::any_of(heads.begin(), heads.end(), [](const HunkHead *head) {
                return head->accessibleName().contains(QStringLiteral("it loses precision"));
            });
        };
        QTRY_VERIFY(isSaid());
        QTRY_COMPARE(world.rows().at(0).answer, QString("rejected: it loses precision"));
        QCOMPARE(world.rows().at(0).mark, Row::Rejected);
        QCOMPARE(world.rows().at(1).mark, Row::Open);
        QVERIFY(world.rows().at(1).answer.isEmpty());
        world.trigger(world.actions().acceptHunk);
        QTRY_COMPARE(world.rows().at(1).mark, Row::Accepted);
        // Taken back, nothing is said of it any more.
        world.trigger(world.actions().undoDecision);
        QTRY_COMPARE(world.rows().at(1).mark, Row::Open);
        QVERIFY(world.stop());
    }

    void whatIsAllAnsweredIsAppliedFromTheReview_data() {
        QTest::addColumn<QByteArray>("button");
        QTest::newRow("above the editor") << QByteArray("goOnButton");
        QTest::newRow("in the card") << QByteArray("cardGoOnButton");
    }

    void whatIsAllAnsweredIsAppliedFromTheReview() {
        QFETCH(QByteArray, button);
        WaitingWorld world;
        QVERIFY(world.comes());
        QAbstractButton *goOn = world.button(button.constData());
        QVERIFY(goOn != nullptr && !goOn->isVisible());
        QVERIFY(world.actions().rejectAllHunks->isEnabled());
        world.trigger(world.actions().acceptAllHunks);
        QTRY_VERIFY(goOn->isVisible() && goOn->isEnabled());
        QCOMPARE(goOn->text(), QString("Apply and go on"));
        QVERIFY(!world.actions().acceptAllHunks->isEnabled() && !world.actions().rejectAllHunks->isEnabled());
        QVERIFY(!world.button("acceptRestButton")->isVisible());
        QCOMPARE(world.onDisk(), world.base);
        goOn->click();
        QTRY_VERIFY_WITH_TIMEOUT(world.onDisk().contains("times=95"), 60000);
        QVERIFY(world.waitsForReview()); // the next one
        QTRY_VERIFY(!goOn->isVisible());
        QTRY_VERIFY(world.actions().acceptAllHunks->isEnabled());
        QVERIFY(world.stop());
    }

    void whatIsTypedAfterARejectionIsSavedAndChecked_data() {
        QTest::addColumn<bool>("isPartAccepted");
        QTest::addColumn<bool>("isStopped");
        QTest::newRow("the run came to its end") << false << false;
        QTest::newRow("it was stopped") << false << true;
        QTest::newRow("a part was taken") << true << false;
        QTest::newRow("a part was to be taken, and it was stopped") << true << true;
    }

    void whatIsTypedAfterARejectionIsSavedAndChecked() {
        QFETCH(bool, isPartAccepted);
        QFETCH(bool, isStopped);
        WaitingWorld world(1);
        QVERIFY(world.comes());
        if (isPartAccepted)
            world.trigger(world.actions().acceptHunk);
        world.trigger(world.actions().rejectAllHunks);
        QTRY_VERIFY_WITH_TIMEOUT(world.actions().run->isEnabled(), 30000);
        if (isStopped)
            QVERIFY(world.stop());
        else
            world.trigger(world.actions().run);
        QTRY_VERIFY_WITH_TIMEOUT(!world.agent().isRunning(), 120000);
        CodeEditor *editor = world.editor();
        QVERIFY(editor->decorator<HunkMarks>().hunks().empty());
        QCOMPARE(editor->content().contains("// step 1"), isPartAccepted);
        QTRY_COMPARE(world.hasDot(), isPartAccepted && isStopped); // nobody has written that part
        editor->insertAt(QStringLiteral("// mine\n"), 0, 0);
        QVERIFY(world.hasDot());
        QVERIFY(world.window.saves(world.kernel, editor->content()));
        QTRY_VERIFY(!world.hasDot());

        // The next check has what is typed after that, and says nothing of another text.
        editor->insertAt(QStringLiteral("// mine, too\n"), 0, 0);
        QVERIFY(world.hasDot());
        const QByteArray typed = editor->content().toUtf8();
        QTRY_VERIFY_WITH_TIMEOUT(world.actions().check->isEnabled(), 60000);
        QVERIFY(world.window.check());
        QCOMPARE(world.onDisk(), typed);
        QVERIFY(!world.hasDot());
        const IterationStore history(world.window.folder + QStringLiteral("/.warpwright"));
        const auto checked = history.texts(world.window.window->bench().shown().iteration);
        QVERIFY2(checked.hasValue(), qPrintable(checked.message()));
        QCOMPARE(checked.value().at(WaitingWorld::kernelFile), typed);
    }

    // What is wrong with a proposal is seen while one decides which hunk of it is, and whose text it is of.
    void aProposalThatFailsShowsItsOwnErrors() {
        ReviewWorld world(0);
        QByteArray text = world.base;
        text.replace("#include <cmath>", "#include <cmath>\n#include <cstddef>");
        world.addStep(text + "// fake judge: verdict=wrong\n");
        QVERIFY(world.window.open(world.window.folder));
        auto *build = world.window.find<BuildPanel>("buildPane");
        const auto headed = [build] {
            const auto *head = build->verify().findChild<SectionHead *>(QStringLiteral("textHead"));
            return head->isHidden() ? QString() : head->accessibleName();
        };
        QVERIFY(headed().isEmpty());
        QVERIFY(world.begin());
        QVERIFY(world.waitsForReview());
        QVERIFY(world.isMeasured());
        QTRY_COMPARE(headed(), QString("Of proposal 1, all of its hunks"));
        QTRY_COMPARE(build->currentPage(), 1);
        const auto *message = build->verify().findChild<QWidget *>(QStringLiteral("verifyMessage"));
        QVERIFY(!message->isHidden());
        const auto *worst = build->verify().findChild<QTableView *>(QStringLiteral("worstTable"));
        QStringList cells;
        for (int column = 0; column < worst->model()->columnCount(); ++column)
            cells << worst->model()->index(0, column).data().toString();
        QVERIFY2(!worst->isHidden() && cells.contains("1.5"), qPrintable(cells.join(' ')));
        const Workbench &bench = world.window.window->bench(); // what is on the disk is another text
        QTRY_VERIFY(bench.shown().evaluation.has_value());
        QVERIFY(bench.shown().evaluation->verdict != Verdict::Wrong);

        // The check on the card leads to its page.
        QTRY_COMPARE(world.editor()->decorator<HunkMarks>().hunks().size(), std::size_t(2));
        QVERIFY(build->showPage(QStringLiteral("console")));
        auto *face = world.window.find<ProposalFace>("proposalFace");
        QTest::mouseClick(face, Qt::LeftButton, {}, QPoint(24, 10));
        QCOMPARE(build->currentPage(), 0);

        // Without the hunk that is wrong it is a verdict on another text than the one that is written.
        world.editor()->decorator<HunkMarks>().goTo(world.session()->review()->hunkIds().back());
        world.trigger(world.actions().rejectHunkOnly);
        QTRY_COMPARE(headed(), QString("Of proposal 1, as proposed, without your answers"));
        QVERIFY(world.agent().proposal()->isAsProposed);
        const auto isSaid = [&world] {
            const auto &shown = world.window.banner()->cells();
            return std::any_of(shown.begin(), shown.end(), [](const VerdictBanner::Cell &cell) {
                return cell.value == QLatin1String("failed") &&
                       cell.label == QLatin1String("verification, as proposed");
            });
        };
        QTRY_VERIFY(isSaid());
        world.trigger(world.actions().acceptAllHunks);
        QTRY_VERIFY(world.actions().run->isEnabled());
        QCOMPARE(world.agent().proposal()->progress, QString("all answered: Go on writes it and checks it"));
        std::vector<ProposalView> shown;
        QObject until;
        QObject::connect(&world.agent(), &AgentController::runChanged, &until, [&world, &shown] {
            if (const auto now = world.agent().proposal();
                now && now->progress.endsWith(QLatin1String("what you accepted")))
                shown.push_back(*now);
        });
        world.trigger(world.actions().run);
        QTRY_VERIFY_WITH_TIMEOUT(!world.agent().isRunning(), 60000);
        QVERIFY(!shown.empty());
        for (const ProposalView &now : shown)
            QVERIFY(now.checks.back().state == ProposalView::Check::Running && !now.isAsProposed);
        QVERIFY(headed().isEmpty());
        QVERIFY(world.onDisk().contains("<cstddef>") && !world.onDisk().contains("verdict=wrong"));
    }

    // It was accepted all the same, and no move is left: one act leads back.
    void aRunThatEndsOnAWrongTextLeadsBack() {
        ReviewWorld world(0);
        world.addStep(world.base + "// fake judge: verdict=wrong\n");
        QVERIFY(world.window.open(world.window.folder));
        auto *back = world.window.find<WayBack>("backToSound");
        QVERIFY(back != nullptr && !back->leads());
        QVERIFY(world.begin());
        QVERIFY(world.waitsForReview());
        QVERIFY(world.answerAllAndGoOn(world.actions().acceptAllHunks));
        QTRY_VERIFY_WITH_TIMEOUT(!world.agent().isRunning(), 60000);
        QTRY_VERIFY2(world.said().contains("is iteration 2 now, and it gives a wrong result"),
                     qPrintable(world.said()));
        QTRY_VERIFY(back->leads());
        QCOMPARE(back->text(), QString("Back to iteration 1, the last that passed"));
        world.trigger(back);
        QTRY_COMPARE_WITH_TIMEOUT(world.onDisk(), world.base, 20000);
        QTRY_VERIFY(!back->leads());
        QCOMPARE(world.window.window->bench().liveIteration(), 1);
    }

    void whatTheCompilersSayDoesNotWaitForTheMeasurement() {
        WaitingWorld world;
        QVERIFY(world.window.open(world.window.folder));
        const Workbench &bench = world.window.window->bench();
        bool isEarly = false;
        QObject until;
        QObject::connect(&bench, &Workbench::compiledTextChanged, &until, [&world, &bench, &isEarly] {
            const bool isMeasured = world.session() == nullptr || world.session()->evaluation();
            isEarly = isEarly || (bench.compiledText() != nullptr && !isMeasured);
        });
        QVERIFY(world.begin());
        QVERIFY(world.waitsForReview());
        QVERIFY(isEarly);
        QVERIFY(world.stop());
    }

    void keysAnswerNothingThatIsBehindAPage() {
        WaitingWorld world;
        QVERIFY(world.comes());
        const QList<QAction *> answers{world.actions().acceptHunk,     world.actions().rejectHunk,
                                       world.actions().editHunk,       world.actions().acceptAllHunks,
                                       world.actions().rejectAllHunks, world.actions().acceptHunkOnly};
        for (QAction *answer : answers) {
            world.window.window->showSettings();
            QTRY_VERIFY(!world.editor()->isVisible());
            world.trigger(answer);
            QTRY_VERIFY2(world.editor()->isVisible(), qPrintable(answer->objectName()));
            QCOMPARE(world.count().unanswered(), 3);
        }
        world.trigger(world.actions().acceptHunk); // now it is seen
        QCOMPARE(world.count().accepted, 1);
        QVERIFY(world.stop());
    }
};

QObject *makeTestReviewLeads() {
    return new TestReviewLeads;
}

#include "tst_review_leads.moc"
