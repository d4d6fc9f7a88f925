// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/record/recordings.h"
#include "app/ide/kit/actions.h"
#include "app/ide/layout/window_state.h"
#include "app/ide/lesson/bet_controller.h"
#include "app/ide/lesson/guide_page.h"
#include "app/ide/lesson/lesson_page.h"
#include "app/ide/lesson/lesson_strip.h"
#include "app/ide/lesson/readme_view.h"
#include "app/ide/lesson/step_look.h"
#include "app/ide/results/verdict_banner.h"
#include "profiler_views/lesson/lesson_times_view.h"
#include "tests/ide/pages/page_world.h"
#include "tests/toolchain/places.h"
#include "tests/toolchain/scratch.h"

#include <QAbstractButton>
#include <QAction>
#include <QCheckBox>
#include <QLabel>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>

using namespace warpwright;

namespace {

DataFolders foldersOf(const Scratch &scratch) {
    DataFolders folders = scratch.folders();
    folders.resources = sourceFolder("/resources");
    return folders;
}

/// Of a lesson that was just laid out.
LessonContents fresh(const Scratch &scratch) {
    const DataFolders folders = foldersOf(scratch);
    const Lesson lesson = findLesson(folders.resources, QStringLiteral("softmax")).value();
    const QString folder = beginLesson(lesson, folders.data, folders.resources).value();
    const Workspace workspace = Workspace::open(folder, folders).value();
    return lessonContents(workspace, folders).value();
}

/// Of a lesson's recording, opened as a person would.
LessonContents recordedLesson(const Scratch &scratch, const QString &name) {
    const DataFolders folders = foldersOf(scratch);
    for (const Recording &recording : listRecordings(folders.resources))
        if (recording.name == name) {
            const OpenedRecording opened = openRecordingCopy(recording, folders.data).value();
            const Workspace workspace = Workspace::open(opened.folder, folders).value();
            return lessonContents(workspace, folders).value();
        }
    qFatal("there is no such recording");
}

int leftOf(const QWidget &page, const QWidget *part) {
    return part->mapTo(&page, QPoint(part->contentsRect().left(), 0)).x();
}

QScrollBar *barOf(LessonPage &page) {
    return page.findChild<QScrollArea *>()->verticalScrollBar();
}

} // namespace

class TestLessonPage : public QObject {
    Q_OBJECT

private slots:
    void init() { failOnOurWarnings(); }

    void aWorkspaceThatIsNoLessonHasNone() {
        const Scratch scratch;
        scratch.writeModel(QStringLiteral("plain"));
        const DataFolders folders = foldersOf(scratch);
        const auto workspace = Workspace::open(scratch.path(QStringLiteral("plain")), folders);
        QVERIFY2(workspace.hasValue(), qPrintable(workspace.message()));
        QVERIFY(!lessonContents(workspace.value(), folders));
    }

    void tellsWhatItIsForBeforeAnythingHasRun() {
        const Scratch scratch;
        const LessonContents contents = fresh(scratch);
        QCOMPARE(contents.lesson.name, QStringLiteral("softmax"));
        QVERIFY(!contents.isRecording && !contents.story.hasBegun() && contents.promise.isEmpty());
        Actions actions;
        LessonPage page(houseLook(), actions);
        page.setContents(contents);
        showAt(page);
        QCOMPARE(child<QLabel>(page, "lessonPagePlace")->text(), QStringLiteral("7 steps"));
        QString goals;
        for (const QLabel *label : child<QWidget>(page, "lessonGoals")->findChildren<QLabel *>())
            goals += label->text() + QLatin1Char('\n');
        QVERIFY2(goals.contains(contents.lesson.goals.front()) &&
                     !goals.contains(QStringLiteral("recorded on")),
                 qPrintable(goals)); // what may come is not told before the bets
        QVERIFY(page.chart().isEmpty());
        // What a step taught is not told before it is decided.
        for (int step = 1; step <= 7; ++step) {
            QVERIFY(child<QWidget>(page, qPrintable(QStringLiteral("lessonRow-%1").arg(step))) != nullptr);
            QVERIFY(child<QWidget>(page, qPrintable(QStringLiteral("lessonTaught-%1").arg(step))) == nullptr);
        }
        takePictures(page, QStringLiteral("lesson-fresh"));
    }

    // While the first text is measured nothing else on the page moves.
    void saysWhatItsRunDoes() {
        const Scratch scratch;
        Actions actions;
        LessonPage page(houseLook(), actions);
        page.setContents(fresh(scratch));
        showAt(page);
        const auto isSaid = [&page](const QString &words) {
            for (const QLabel *label : page.findChildren<QLabel *>())
                if (label->text().contains(words))
                    return true;
            return false;
        };
        const QString nothing = QStringLiteral("nothing was measured yet");
        QVERIFY(isSaid(nothing));
        const QString judge =
            QStringLiteral("The judge is compiled once for this machine: step 40 of 135, about 3 min left");
        page.setWork(workText(
            {QStringLiteral("open"), judgeBuildStep(QStringLiteral("about 3 min left")), 40, 135, 0, {}}));
        QVERIFY(isSaid(judge) && !isSaid(nothing));
        page.setContents(fresh(scratch)); // it is read anew while it runs
        QVERIFY(isSaid(judge));
        page.setWork({});
        QVERIFY(isSaid(nothing) && !isSaid(judge));
    }

    void itsReadmeIsAPageWhoseFilesCanBeOpened() {
        const Scratch scratch;
        Actions actions;
        LessonPage page(houseLook(), actions);
        page.setContents(fresh(scratch));
        showAt(page);
        auto *readme = child<ReadmeView>(page, "lessonReadme");
        QVERIFY(readme->toPlainText().contains(QStringLiteral("Where you begin")));
        QVERIFY(
            readme->text().contains(QStringLiteral("[`kernels/softmax_rows.cu`](kernels/softmax_rows.cu)")));
        QVERIFY(readme->height() > 100);
        const QSignalSpy opened(&page, &LessonPage::linkActivated);
        emit readme->anchorClicked(QUrl(QStringLiteral("kernels/softmax_rows.cu")));
        QCOMPARE(opened.size(), 1);
        QCOMPARE(opened[0][0].toString(), QStringLiteral("kernels/softmax_rows.cu"));
    }

    void onlyFilesBecomeLinks_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("linked");
        QTest::newRow("a file") << "see `model.py`."
                                << "see [`model.py`](model.py).";
        QTest::newRow("a word") << "`ROWS` in it"
                                << "`ROWS` in it";
        QTest::newRow("a link already") << "[`model.py`](https://a.example)"
                                        << "[`model.py`](https://a.example)";
        QTest::newRow("outside") << "`../model.py` and `/etc/passwd`"
                                 << "`../model.py` and `/etc/passwd`";
        QTest::newRow("two") << "`model.py`, `model.py`"
                             << "[`model.py`](model.py), [`model.py`](model.py)";
        QTest::newRow("a block") << "```\nmodel.py\n```"
                                 << "```\nmodel.py\n```";
    }
    void onlyFilesBecomeLinks() {
        QFETCH(const QString, text);
        const Scratch scratch;
        scratch.writeModel(QStringLiteral("here"));
        scratch.writeModel();
        QTEST(withLinkedFiles(text, scratch.path(QStringLiteral("here"))), "linked");
    }

    void theRecordingOfALessonIsToldWhole() {
        const Scratch scratch;
        const LessonContents contents = recordedLesson(scratch, QStringLiteral("softmax"));
        QVERIFY(contents.isRecording && contents.story.hasEnded() && !contents.readme.isEmpty());
        Actions actions;
        LessonPage page(houseLook(), actions);
        page.setContents(contents);
        showAt(page);
        for (const LessonStep &step : contents.story.steps()) {
            const auto *taught =
                child<QLabel>(page, qPrintable(QStringLiteral("lessonTaught-%1").arg(step.number)));
            QVERIFY2(taught != nullptr && taught->text().contains(step.taught), qPrintable(step.title));
            QVERIFY(child<QLabel>(page, qPrintable(QStringLiteral("lessonResult-%1").arg(step.number)))
                        ->text()
                        .contains(QStringLiteral("predicted")));
        }
        QVERIFY(!page.chart().isEmpty());
        QVERIFY2(page.chart().summary().contains(contents.story.device()),
                 qPrintable(page.chart().summary()));
        QCOMPARE(page.chart().model().rowCount(), 8);
        // A hunk of the fourth step was rejected: the bar is that of the text that was kept.
        const std::vector<LessonStep> &steps = contents.story.steps();
        QVERIFY(steps[3].state == LessonStep::State::KeptInPart && steps[4].before);
        QVERIFY(steps[4].before != steps[3].after);
        QVERIFY(lessonTimes(contents).steps[4].measured == steps[4].before);
        const QSignalSpy asked(&page, &LessonPage::exportAsked);
        for (const char *kind : {"png", "svg", "csv"})
            child<QAbstractButton>(page, qPrintable(QStringLiteral("lessonExport-") + QLatin1String(kind)))
                ->click();
        QCOMPARE(asked.size(), 3);
        takePictures(page, QStringLiteral("lesson-recorded"));
        page.revealStep(7);
        const auto *last = child<QWidget>(page, "lessonRow-7");
        QTRY_VERIFY(!last->visibleRegion().isEmpty());
        const QSignalSpy closed(&page, &LessonPage::closed);
        child<QAbstractButton>(page, "lessonClose")->click();
        QCOMPARE(closed.size(), 1);
    }

    void theTimesStandBelowAndTheClosingPictureFirst() {
        const Scratch scratch;
        Actions actions;
        LessonPage page(houseLook(), actions);
        page.setContents(fresh(scratch));
        showAt(page, 1280, 720);
        const auto *steps = child<QWidget>(page, "lessonSteps");
        const auto *closing = child<QWidget>(page, "lessonClosing");
        QTRY_VERIFY(closing->y() > steps->y());
        auto *jump = child<QAbstractButton>(page, "lessonToChart");
        QVERIFY(jump->isHidden()); // nothing is measured
        page.setContents(recordedLesson(scratch, QStringLiteral("softmax")));
        QTRY_VERIFY(closing->y() < steps->y() && closing->y() < child<QWidget>(page, "lessonGoals")->y());
        QVERIFY(!jump->isHidden() && jump->text() == QStringLiteral("Closing picture"));
        QTRY_VERIFY(barOf(page)->maximum() > 400);
        barOf(page)->setValue(400);
        jump->click();
        QTRY_COMPARE(barOf(page)->value(), 0);
    }

    void eachWorkspaceKeepsThePlaceThatItsPageWasReadAt() {
        const Scratch scratch;
        const LessonContents one = recordedLesson(scratch, QStringLiteral("softmax"));
        const LessonContents other = recordedLesson(scratch, QStringLiteral("gemm"));
        QVERIFY(!one.workspace.isEmpty() && one.workspace != other.workspace);
        Actions actions;
        LessonPage page(houseLook(), actions);
        page.setContents(one);
        showAt(page, 1280, 720);
        QTRY_VERIFY(barOf(page)->maximum() > 500);
        barOf(page)->setValue(500);
        page.setContents(one); // read again: whoever reads keeps the place
        QCOMPARE(barOf(page)->value(), 500);
        page.setContents(other);
        QTRY_COMPARE(barOf(page)->value(), 0);
        page.hide();
        page.setContents(one);
        page.show();
        QTRY_COMPARE(barOf(page)->value(), 500);
    }

    void whatIsToldOfAStepBeginsWhereItsTitleDoes() {
        const Scratch scratch;
        Actions actions;
        LessonPage page(houseLook(), actions);
        page.setContents(recordedLesson(scratch, QStringLiteral("softmax")));
        showAt(page, 1280, 720);
        auto *row = child<QWidget>(page, "lessonRow-1");
        const auto labels = row->findChildren<QLabel *>();
        QVERIFY(labels.size() >= 3);
        for (const QLabel *label : labels)
            QTRY_COMPARE(leftOf(page, label), leftOf(page, labels.front()));
        // Of a step to come one line says all.
        page.setContents(fresh(scratch));
        QTest::qWait(1); // the rows before are gone
        const auto *result = child<QLabel>(page, "lessonResult-1");
        QTRY_VERIFY(result->text() == QStringLiteral("to come") && result->isVisible());
        QTRY_COMPARE(result->mapTo(&page, result->rect().center()).y(),
                     result->parentWidget()->findChild<QLabel *>()->mapTo(&page, QPoint()).y() +
                         result->parentWidget()->findChild<QLabel *>()->rect().center().y());
    }

    void whatCannotBeBegunSaysWhy() {
        const Scratch scratch;
        Actions actions;
        LessonPage page(houseLook(), actions);
        page.setContents(fresh(scratch));
        showAt(page);
        const auto *why = child<QLabel>(page, "lessonWhyNot");
        QVERIFY(child<QWidget>(page, "lesson-beginLesson")->isVisible() && !why->isVisible());
        QVERIFY(!child<QWidget>(page, "lesson-continueRun")->isVisible());
        Actions::setReason(actions.beginLesson, QStringLiteral("a check is running"));
        QTRY_VERIFY(why->isVisible());
        QCOMPARE(why->text(), QStringLiteral("Begin the lesson: a check is running"));
        Actions::setReason(actions.beginLesson, {});
        QTRY_VERIFY(!why->isVisible());
        // Somebody else's run is watched, or followed by oneself.
        page.setContents(recordedLesson(scratch, QStringLiteral("gemm")));
        QVERIFY(!child<QWidget>(page, "lesson-beginLesson")->isVisible());
        QVERIFY(!child<QWidget>(page, "betSwitch")->isVisible());
        QCOMPARE(child<QAbstractButton>(page, "lesson-beginLessonAnew")->text(),
                 QStringLiteral("Follow it yourself…"));
    }

    void betsAreSwitchedOnThePageAndAnywhere() {
        const Scratch scratch;
        WindowState state(scratch.path(QStringLiteral("window.json")));
        Actions actions;
        BetController bets(actions, state);
        const QSignalSpy told(&bets, &BetController::told);
        LessonPage page(houseLook(), actions);
        page.setContents(fresh(scratch));
        showAt(page);
        const auto *box = child<QCheckBox>(page, "betSwitchBox");
        QVERIFY(box->isVisible() && !box->isChecked());
        bets.setLesson(true);
        QVERIFY(box->isChecked() && actions.betsFirst->isChecked() && told.isEmpty());
        QCOMPARE(actions.betsFirst->text(), QStringLiteral("Bet before results: on"));
        child<QCheckBox>(page, "betSwitchBox")->click();
        QVERIFY(!box->isChecked() && !actions.betsFirst->isChecked());
        QCOMPARE(actions.betsFirst->text(), QStringLiteral("Bet before results: off"));
        QVERIFY(told.size() == 1 && told[0][1].toString().startsWith(QStringLiteral("Off")));
        bets.setLesson(false);
        actions.betsFirst->trigger();
        QVERIFY(box->isChecked() && told.size() == 2);
        // Each is kept by itself.
        bets.setLesson(true);
        QVERIFY(!box->isChecked());
        Actions later;
        BetController again(later, state);
        QVERIFY(later.betsFirst->isChecked());
        again.setLesson(true);
        QVERIFY(!later.betsFirst->isChecked());
    }

    void whileAPersonBetsNoNumberOfTheStepIsTold() {
        const Scratch scratch;
        LessonContents contents = fresh(scratch);
        const Json proposal{{"proposal", "p1"},
                            {"title", contents.story.steps()[0].title.toStdString()},
                            {"iteration", 1},
                            {"prediction", {{"timeRatio", 0.5}, {"before", 100.0}}},
                            {"hunks", Json::array()}};
        contents.story.take(QStringLiteral("run-began"), Json{{"mode", "review"}});
        contents.story.take(QStringLiteral("proposal"), proposal);
        contents.story.take(QStringLiteral("result-hidden"), Json{{"proposal", "p1"}});
        Actions actions;
        LessonPage page(houseLook(), actions);
        page.setContents(contents);
        showAt(page);
        QCOMPARE(child<QLabel>(page, "lessonResult-1")->text(),
                 QStringLiteral("numbers hidden until you bet · waits for you"));
        const StepTimes hidden = lessonTimes(contents).steps[1];
        QVERIFY(!hidden.expected && !hidden.measured && !hidden.bet);
        contents.story.take(QStringLiteral("run-stopped"), Json::object());
        page.setContents(contents);
        QTest::qWait(1); // the rows before are gone
        QCOMPARE(child<QLabel>(page, "lessonPagePlace")->text(), QStringLiteral("stopped at step 1 of 7"));
        QVERIFY(child<QLabel>(page, "lessonResult-1")->text().contains(QStringLiteral("stopped here")));
    }

    void whatWasKeptThoughItIsSlowerHasNoGreenMark() {
        LessonStep step;
        step.state = LessonStep::State::Kept;
        step.verdict = Verdict::Pass;
        step.measured = TimeRatio{0.64, 0.63, 0.65};
        QCOMPARE(QString::fromLatin1(lookOf(step).token), QStringLiteral("verdict.pass"));
        step.measured = TimeRatio{1.0089, 1.0027, 1.0157};
        QCOMPARE(QString::fromLatin1(lookOf(step).token), QStringLiteral("verdict.inconclusive"));
        QCOMPARE(QString::fromLatin1(lookOf(step).icon), QStringLiteral("warning"));
    }

    // On the scale of the bar that it is held against, whatever the text before took in its own check.
    void barBetAndPredictionAreOfOneRun() {
        const Scratch scratch;
        LessonContents contents = fresh(scratch);
        const auto timed = [](double median, const char *hash) {
            return Json{{"id", hash},
                        {"startedAt", "2026-11-29T20:00:00.000Z"},
                        {"verdict", "pass"},
                        {"device", "a device"},
                        {"textHash", hash},
                        {"candidate",
                         {{"median", median},
                          {"low", median - 1000},
                          {"high", median + 1000},
                          {"samples", 8},
                          {"live", true}}}};
        };
        Json after = timed(53500, "two");
        after["beside"] = {
            {"textHash", "one"},
            {"before", {{"median", 138000}, {"low", 130000}, {"high", 146000}, {"samples", 8}}},
            {"value", 0.395},
            {"low", 0.35},
            {"high", 0.5}};
        contents.story.take("run-began", Json{{"mode", "review"}});
        contents.story.take("evaluation",
                            Json{{"of", "iteration"}, {"iteration", 1}, {"summary", timed(113000, "one")}});
        contents.story.take("proposal",
                            Json{{"proposal", "p1"},
                                 {"title", contents.story.steps()[0].title.toStdString()},
                                 {"iteration", 1},
                                 {"prediction", {{"timeRatio", 0.3}, {"beforeMicroseconds", 113000}}},
                                 {"hunks", Json::array()}});
        contents.story.take(
            "bet", Json{{"proposal", "p1"},
                        {"by", "person"},
                        {"prediction", {{"timeRatio", 53.0 / 113}, {"beforeMicroseconds", 113000}}}});
        contents.story.take(
            "evaluation", Json{{"of", "proposal"}, {"proposal", "p1"}, {"iteration", 1}, {"summary", after}});
        const std::vector<StepTimes> shown = lessonTimes(contents).steps;
        QCOMPARE(shown[0].measured->medianMicroseconds, 113000.0);
        QVERIFY(shown[1].bet && qAbs(shown[1].bet->medianMicroseconds - 53.0 / 113 * 138000) < 1e-6);
        QVERIFY(shown[1].expected && qAbs(shown[1].expected->medianMicroseconds - 41400) < 1e-6);
        QVERIFY(qAbs(shown[1].measured->medianMicroseconds - 0.395 * 138000) < 1e-6);
        QVERIFY(shown[1].base && *shown[1].base == 138000);
        QCOMPARE(shown[1].factor, QStringLiteral("2.53×"));
        Actions actions;
        LessonPage page(houseLook(), actions);
        page.setContents(contents);
        showAt(page);
        const QString result = child<QLabel>(page, "lessonResult-1")->text();
        QVERIFY2(result.contains(QStringLiteral("predicted 41.4")), qPrintable(result));
        const QString hit = child<QLabel>(page, "lessonHit-1")->text();
        QVERIFY2(hit.contains(QStringLiteral("predicted from 113 ms, its own check")), qPrintable(hit));
        const QString bet = child<QLabel>(page, "lessonBet-1")->text();
        QVERIFY2(bet.contains(QStringLiteral("you bet 2.13× (")), qPrintable(bet));
    }

    void aLessonWithoutReadmeSaysThatItHasNone() {
        const Scratch scratch;
        LessonContents contents = fresh(scratch);
        contents.readme.clear();
        Actions actions;
        LessonPage page(houseLook(), actions);
        page.setContents(contents);
        showAt(page);
        QVERIFY(child<ReadmeView>(page, "lessonReadme")->isVisible());
        QVERIFY(child<ReadmeView>(page, "lessonReadme")
                    ->toPlainText()
                    .contains(QStringLiteral("write start/README.md")));
    }

    void theStripShowsEachStep() {
        const Scratch scratch;
        Actions actions;
        QWidget window;
        LessonStrip strip(houseLook(), actions.showLesson, &window);
        QVERIFY(strip.isHidden());
        strip.setContents(recordedLesson(scratch, QStringLiteral("gemm")));
        QVERIFY(!strip.isHidden());
        strip.resize(312, strip.sizeHint().height());
        const QSignalSpy picked(&strip, &LessonStrip::stepPicked);
        auto *last = child<QAbstractButton>(strip, "lessonStep-7");
        QVERIFY2(last->accessibleName().contains(QStringLiteral("left out: wrong")),
                 qPrintable(last->accessibleName()));
        QVERIFY(strip.minimumSizeHint().width() <= 312);
        last->click();
        QCOMPARE(picked.size(), 1);
        QCOMPARE(picked[0][0].toInt(), 7);
        QVERIFY(!strip.grab().isNull());
        strip.setContents(std::nullopt);
        QVERIFY(strip.isHidden());
        LessonContents stopped = fresh(scratch);
        stopped.story.take(QStringLiteral("proposal"),
                           Json{{"proposal", "p1"},
                                {"title", stopped.story.steps()[0].title.toStdString()},
                                {"iteration", 1},
                                {"hunks", Json::array()}});
        stopped.story.rest();
        strip.setContents(stopped);
        QCOMPARE(child<QLabel>(strip, "lessonPlace")->text(),
                 QStringLiteral("Lesson: stopped at step 1 of 7"));
        QVERIFY(child<QAbstractButton>(strip, "lessonStep-1")
                    ->accessibleName()
                    .contains(QStringLiteral("stopped here")));
        strip.setContents(fresh(scratch));
        QCOMPARE(child<QLabel>(strip, "lessonPlace")->text(), QStringLiteral("Lesson: 7 steps"));
        QCOMPARE(child<QAbstractButton>(strip, "lessonStep-1")->accessibleName(),
                 QStringLiteral("Step 1: A block for a row"));
    }

    void theGuideIsAPage() {
        Actions actions;
        GuidePage page(houseLook(), QStringLiteral("How to write a lesson"), actions.openLesson);
        page.showText(QString::fromUtf8(textOf(sourceFolder("/resources/lessons/WRITING.md"))));
        showAt(page);
        QVERIFY(page.findChild<ReadmeView *>()->toPlainText().contains(QStringLiteral("Step by step")));
        takePictures(page, QStringLiteral("lesson-guide"));
        auto *tries = child<QAbstractButton>(page, "guideTries");
        showAt(page, 1000, 400);
        page.setFocusProxy(tries); // as where the mistakes of a lesson are told
        page.setFocus();
        QCOMPARE(page.focusWidget(), static_cast<QWidget *>(tries));
        auto *bar = page.findChild<QScrollArea *>()->verticalScrollBar();
        QTRY_VERIFY(bar->maximum() > 0);
        QTest::keyClick(tries, Qt::Key_Down);
        QVERIFY(bar->value() > 0 && page.focusWidget() == tries);
    }
};

QObject *makeTestLessonPage() {
    return new TestLessonPage;
}

#include "tst_lesson_page.moc"
