// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/start/doctor_panel.h"
#include "app/ide/start/doctor_rows.h"
#include "app/ide/start/judge_notice.h"
#include "app/ide/start/problem_list.h"
#include "app/ide/start/start_page.h"
#include "app/ide/start/start_rows.h"
#include "tests/ide/pages/page_world.h"
#include "tests/toolchain/places.h"
#include "tests/toolchain/scratch.h"

#include <QAbstractButton>
#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
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

RecentWorkspace recent(const QString &path, Verdict verdict, double speedUp = 0, bool isStale = false) {
    RecentWorkspace workspace;
    workspace.path = path;
    workspace.name = path.section(QLatin1Char('/'), -1);
    workspace.lastOpened = QDateTime::currentDateTime();
    EvaluationSummary summary;
    summary.verdict = verdict;
    if (speedUp > 0)
        summary.eager = SpeedUp{speedUp, speedUp * 0.99, speedUp * 1.01, QStringLiteral("eager")};
    workspace.latest = summary;
    workspace.isStale = isStale;
    return workspace;
}

std::vector<RecentWorkspace> someRecent() {
    std::vector<RecentWorkspace> list{
        recent(QStringLiteral("/home/a/kernels/rms_norm_residual"), Verdict::Pass, 3.5),
        recent(QStringLiteral("/home/a/kernels/softmax_rows"), Verdict::Wrong),
        recent(QStringLiteral("/home/a/work/gemm_bias_gelu"), Verdict::Pass, 1.31, true),
        recent(QStringLiteral("/home/a/a/very/long/way/down/the/folders/of/a/course/layer_norm"),
               Verdict::Inconclusive, 1.04),
        recent(QStringLiteral("/home/a/work/gone"), Verdict::Pass, 2),
        recent(QStringLiteral("/home/a/work/new"), Verdict::NotRun)};
    list[4].isMissing = true;
    list[5].latest.reset();
    list[2].lastOpened = list[2].lastOpened.addDays(-1);
    return list;
}

DoctorFinding finding(const char *name, FindingStatus status, const char *version, const char *message = "",
                      const char *remedy = "", bool isNeeded = true) {
    return {QString::fromUtf8(name),    status, isNeeded,
            QString::fromUtf8(version), {},     QString::fromUtf8(message),
            QString::fromUtf8(remedy)};
}

std::vector<DoctorFinding> someFindings() {
    using enum FindingStatus;
    return {finding("g++", Ok, "12.2.0"),
            finding("nvcc", Ok, "13.0.88"),
            finding("ptxas", Ok, "13.0.88"),
            finding("Python with torch", Missing, "", "Cannot find torch in \"/usr/bin/python3\".",
                    "Set the Python path in Settings > Toolchain."),
            finding("device cpu", Ok, "AMD EPYC 9354 32-Core Processor"),
            finding("NVIDIA driver", Missing, "", "This machine has an NVIDIA device, but no driver answers.",
                    "sudo apt-get install nvidia-driver   (Ubuntu: sudo ubuntu-drivers install)", false),
            finding("wall: bwrap", Missing, "", "Not installed.", "sudo apt install bubblewrap", false),
            finding("wall", Unsure, "", "This version runs a candidate without a sandbox.", "", false),
            finding("git", Ok, "2.39.5"),
            finding("disk for data", Ok, "42.1 GiB free")};
}

} // namespace

class TestStartPage : public QObject {
    Q_OBJECT
private slots:
    void init() { failOnOurWarnings(); }

    void offersTheThreeWaysToBeginByClickAndByKey() {
        const Scratch scratch;
        StartPage page(houseLook(), foldersOf(scratch));
        page.setExaminesOnShow(false);
        page.setKeys(QStringLiteral("Ctrl+O"), QStringLiteral("Ctrl+N"), QStringLiteral("Ctrl+Shift+O"));
        const QSignalSpy open(&page, &StartPage::openDialogAsked);
        const QSignalSpy fresh(&page, &StartPage::newAsked);
        const QSignalSpy problem(&page, &StartPage::problemAsked);
        QSignalSpy filled(&page, &StartPage::filled);
        showAt(page);
        QVERIFY(!filled.isEmpty() || filled.wait());
        page.activateWindow();
        page.setFocus(Qt::TabFocusReason);
        QTRY_COMPARE(QGuiApplication::focusObject(), child<QWidget>(page, "startOpen"));
        QTest::keyClick(child<QWidget>(page, "startOpen"), Qt::Key_Return);
        QCOMPARE(open.size(), 1);
        QTest::keyClick(child<QWidget>(page, "startOpen"), Qt::Key_Tab);
        QCOMPARE(QGuiApplication::focusObject(), child<QWidget>(page, "startNew"));
        QTest::keyClick(child<QWidget>(page, "startNew"), Qt::Key_Space);
        QCOMPARE(fresh.size(), 1);
        QTest::mouseClick(child<QWidget>(page, "startProblem"), Qt::LeftButton);
        QCOMPARE(problem.size(), 1);
        const QSignalSpy agents(&page, &StartPage::agentsAsked);
        QTest::mouseClick(child<QWidget>(page, "startAgents"), Qt::LeftButton);
        QCOMPARE(agents.size(), 1);
    }

    void everyControlHasAName() {
        const Scratch scratch;
        StartPage page(houseLook(), foldersOf(scratch));
        page.setExaminesOnShow(false);
        page.showRecent(someRecent());
        page.showSamples(listSamples(sourceFolder("/resources")));
        page.doctor().show(someFindings());
        for (const QAbstractButton *button : page.findChildren<QAbstractButton *>())
            QVERIFY2(!button->accessibleName().isEmpty() || !button->text().isEmpty(),
                     qPrintable(button->objectName()));
    }

    void callsARecordingARecording() {
        RecentWorkspace recorded = recent(QStringLiteral("/home/a/data/recordings/gemm"), Verdict::Pass, 5.2);
        recorded.isRecording = true;
        const RecentRow row(houseLook(), recorded, nullptr);
        const QString words = row.accessibleDescription();
        QVERIFY2(words.contains(QStringLiteral("a recording, its best Pass")) &&
                     words.contains(QStringLiteral("5.20× against eager")),
                 qPrintable(words));
    }

    void opensARecentWorkspaceAndForgetsAMissingOne() {
        const Scratch scratch;
        const DataFolders folders = foldersOf(scratch);
        scratch.writeModel(QStringLiteral("one"));
        const RecentWorkspaces known(folders);
        QVERIFY(known.opened(scratch.path(QStringLiteral("one"))).hasValue());
        QVERIFY(known.opened(scratch.path(QStringLiteral("gone"))).hasValue());
        StartPage page(houseLook(), folders);
        page.setExaminesOnShow(false);
        QSignalSpy filled(&page, &StartPage::filled);
        const QSignalSpy opened(&page, &StartPage::openAsked);
        showAt(page);
        QVERIFY(!filled.isEmpty() || filled.wait());
        const auto rows = page.findChildren<RecentRow *>();
        QCOMPARE(rows.size(), 2);
        QVERIFY(rows[0]->accessibleDescription().contains(QStringLiteral("moved or removed")));
        QTest::mouseClick(rows[1], Qt::LeftButton, {}, QPoint(20, 20));
        QCOMPARE(opened.size(), 1);
        QCOMPARE(opened[0][0].toString(), scratch.path(QStringLiteral("one")));
        QTest::mouseClick(rows[0]->findChild<QAbstractButton *>(), Qt::LeftButton);
        QTRY_COMPARE(known.list().size(), 1U);
        QTRY_COMPARE(page.findChildren<RecentRow *>().size(), 1);
        QCOMPARE(opened.size(), 1);
    }

    void listsSamplesAndThoseBrokenOnPurpose() {
        const Scratch scratch;
        StartPage page(houseLook(), foldersOf(scratch));
        page.setExaminesOnShow(false);
        QSignalSpy filled(&page, &StartPage::filled);
        const QSignalSpy asked(&page, &StartPage::sampleAsked);
        showAt(page);
        QVERIFY(!filled.isEmpty() || filled.wait());
        QCOMPARE(page.findChildren<SampleCard *>().size(), 6);
        QCOMPARE(page.findChildren<BrokenRow *>().size(), 3);
        QTest::mouseClick(child<QWidget>(page, "sample-softmax-rows"), Qt::LeftButton);
        QTest::keyClick(child<QWidget>(page, "sample-broken-wrong"), Qt::Key_Return);
        QCOMPARE(asked.size(), 2);
        QCOMPARE(asked[1][0].toString(), QStringLiteral("broken-wrong"));
        QCOMPARE(child<BrokenRow>(page, "sample-broken-wrong")->accessibleName(),
                 QStringLiteral("Wrong result"));
    }

    void theDoctorIsBroughtIntoSight() {
        const Scratch scratch;
        StartPage page(houseLook(), foldersOf(scratch));
        page.setExaminesOnShow(false);
        QSignalSpy filled(&page, &StartPage::filled);
        showAt(page, 700, 500); // all below one another
        QTRY_VERIFY_WITH_TIMEOUT(!filled.isEmpty(), 20000);
        const QWidget &doctor = page.doctor();
        const auto top = [&] {
            return doctor.mapTo(&page, QPoint()).y();
        };
        QTRY_VERIFY(top() >= page.height());
        page.revealDoctor();
        page.refresh(); // lists that are read anew do not push it away
        QVERIFY(filled.wait(20000));
        const auto isInSight = [&] {
            return top() >= 0 && top() + std::min(doctor.height(), page.height() / 2) <= page.height();
        };
        QTRY_VERIFY2(isInSight(), qPrintable(QString::number(top())));
    }

    void lessonsAreBroughtIntoSightAndTheFirstHasTheKeys() {
        const Scratch scratch;
        StartPage page(houseLook(), foldersOf(scratch));
        page.setExaminesOnShow(false);
        QSignalSpy filled(&page, &StartPage::filled);
        const QSignalSpy asked(&page, &StartPage::lessonAsked);
        showAt(page);
        page.revealLessons(); // also while the rows are still being read
        const auto *card = child<QWidget>(page, "startLessons");
        const auto first = [card]() -> QWidget * {
            for (QWidget *row : card->findChildren<QWidget *>())
                if (row->objectName().startsWith("lesson-") && !row->isHidden())
                    return row;
            return nullptr;
        };
        QTRY_VERIFY(first() != nullptr && page.focusWidget() == first());
        // Rows that are made anew do not take the keys away.
        page.revealLessons();
        QVERIFY(filled.wait());
        QTRY_VERIFY(first() != nullptr && page.focusWidget() == first());
        QTest::keyClick(first(), Qt::Key_Return);
        QCOMPARE(asked.size(), 1);
        // In another folder, or another lesson: both can be asked for here.
        const QSignalSpy elsewhere(&page, &StartPage::lessonElsewhereAsked);
        const QSignalSpy own(&page, &StartPage::ownLessonAsked);
        QCOMPARE(first()->actions().size(), 1);
        first()->actions().front()->trigger();
        QCOMPARE(elsewhere.size(), 1);
        QCOMPARE(elsewhere[0][0], asked[0][0]);
        child<QAbstractButton>(page, "startOwnLesson")->click();
        QCOMPARE(own.size(), 1);
    }

    void whatWasLeftIsOfferedAboveTheRecentOnes() {
        const Scratch scratch;
        StartPage page(houseLook(), foldersOf(scratch));
        const QSignalSpy asked(&page, &StartPage::continueAsked);
        QVERIFY(!child<QWidget>(page, "startLeft")->isVisibleTo(&page));
        LeftWork lesson;
        lesson.path = QStringLiteral("/data/lessons/softmax");
        lesson.name = QStringLiteral("softmax");
        lesson.left.run = QStringLiteral("20260101");
        lesson.left.step = 3;
        lesson.steps = 7;
        page.showLeft({lesson});
        auto *row = child<QAbstractButton>(page, "left-softmax");
        QVERIFY(row->isVisibleTo(&page));
        row->click();
        QCOMPARE(asked.size(), 1);
        QCOMPARE(asked[0][0].toString(), lesson.path);
        QCOMPARE(asked[0][1].toBool(), true);
        // What runs in this window was not left.
        page.setAtWork(lesson.path);
        QVERIFY(!child<QWidget>(page, "startLeft")->isVisibleTo(&page));
        page.setAtWork({});
        QVERIFY(child<QWidget>(page, "startLeft")->isVisibleTo(&page));
        page.showLeft({});
        QVERIFY(!child<QWidget>(page, "startLeft")->isVisibleTo(&page));
    }

    void saysWhySamplesAreMissing() {
        const Scratch scratch;
        StartPage page(houseLook(), foldersOf(scratch));
        page.showSamples(listSamples(scratch.path(QStringLiteral("nowhere"))));
        bool isSaid = false;
        for (const QLabel *label : page.findChildren<QLabel *>())
            isSaid = isSaid || label->text().contains(QStringLiteral("nowhere"));
        QVERIFY(isSaid);
    }

    void doctorLeadsWithWhatHasToBeMended() {
        const std::vector<DoctorRow> rows = doctorRows(someFindings());
        QCOMPARE(rows[0].name, QStringLiteral("Python with torch"));
        QCOMPARE(rows[0].kind, DoctorRow::Kind::ToMend);
        QVERIFY(rows[0].isPython);
        QCOMPARE(rows[0].remark, QStringLiteral("needed for checks"));
        QCOMPARE(rows.back().name, QStringLiteral("Sandbox"));
        QCOMPARE(rows.back().remark, QStringLiteral("good to know"));
        QVERIFY(rows[0].command.isEmpty());
        QCOMPARE(rows[1].name, QStringLiteral("Compilers"));
        QCOMPARE(rows[1].text, QStringLiteral("g++ 12.2.0, nvcc 13.0.88, ptxas"));
        const auto driver = std::find_if(rows.begin(), rows.end(), [](const DoctorRow &row) {
            return row.name == QLatin1String("NVIDIA driver");
        });
        QVERIFY(driver != rows.end());
        QCOMPARE(driver->command, QStringLiteral("sudo apt-get install nvidia-driver"));
        QCOMPARE(driver->advice, QStringLiteral("Ubuntu: sudo ubuntu-drivers install"));
        QCOMPARE(doctorSummary(rows), QStringLiteral("3 in order, 1 to fix, 2 to know"));
        QVERIFY(doctorReport(someFindings()).contains(QStringLiteral("bubblewrap")));
    }

    void doctorsCommandsAreCopied() {
        const Scratch scratch;
        StartPage page(houseLook(), foldersOf(scratch));
        page.setExaminesOnShow(false);
        page.doctor().show(someFindings());
        showAt(page);
        const QSignalSpy setUp(&page, &StartPage::setUpAsked);
        QTest::mouseClick(child<QWidget>(page, "doctorCopyCommand"), Qt::LeftButton);
        QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("sudo apt-get install nvidia-driver"));
        QTest::mouseClick(child<QWidget>(page, "doctorSetUp"), Qt::LeftButton);
        QCOMPARE(setUp.size(), 1);
        QTest::mouseClick(child<QWidget>(page, "doctorCopy"), Qt::LeftButton);
        QVERIFY(QGuiApplication::clipboard()->text().contains(QStringLiteral("AMD EPYC")));
    }

    void doctorLooksWhenThePageIsFirstSeenAndCanBeStopped() {
        const Scratch scratch;
        DataFolders folders = foldersOf(scratch);
        StartPage page(houseLook(), folders);
        Settings settings;
        settings.python = scratch.writeProgram(QStringLiteral("slow"), "#!/bin/sh\nexec sleep 30\n");
        page.setSettings(settings);
        showAt(page);
        QTRY_VERIFY(page.doctor().isExamining());
        auto *button = child<QAbstractButton>(page, "doctorAgain");
        QCOMPARE(button->text(), QStringLiteral("Stop"));
        QTest::mouseClick(button, Qt::LeftButton);
        QVERIFY(!page.doctor().isExamining());
        QCOMPARE(button->text(), QStringLiteral("Look at this machine"));
    }

    void scrollsWhereTheScreenIsSmall() {
        const Scratch scratch;
        StartPage page(houseLook(), foldersOf(scratch));
        page.setExaminesOnShow(false);
        page.doctor().show(someFindings());
        QSignalSpy filled(&page, &StartPage::filled);
        showAt(page, 1280, 720);
        QVERIFY(!filled.isEmpty() || filled.wait());
        page.showRecent(someRecent());
        auto *area = page.findChild<QScrollArea *>();
        QTRY_VERIFY(area->verticalScrollBar()->maximum() > 0);
        page.resize(1600, 932); // what a window of 1600 x 1000 leaves
        page.showRecent({});
        QTRY_COMPARE(area->verticalScrollBar()->maximum(), 0);
        page.showRecent(someRecent());
        page.resize(1280, 720);
        QTRY_VERIFY(area->verticalScrollBar()->maximum() > 0);
        QVERIFY(area->widget()->width() <= area->viewport()->width()); // never cut at the right
        QWidget *last = child<QWidget>(page, "sample-broken-hang");
        last->setFocus(Qt::TabFocusReason);
        area->ensureWidgetVisible(last);
        QVERIFY(area->viewport()->rect().intersects(
            QRect(last->mapTo(area->viewport(), QPoint()), last->size())));
    }

    void writesTimesAsPeopleDo() {
        const QDateTime now(QDate(2026, 11, 21), QTime(15, 0));
        QCOMPARE(whenText(QDateTime(QDate(2026, 11, 21), QTime(9, 5)), now), QStringLiteral("09:05"));
        QCOMPARE(whenText(QDateTime(QDate(2026, 11, 20), QTime(23, 0)), now), QStringLiteral("yesterday"));
        QCOMPARE(whenText(QDateTime(QDate(2026, 3, 2), QTime(9, 5)), now), QStringLiteral("2 Mar"));
        QCOMPARE(whenText(QDateTime(QDate(2025, 3, 2), QTime(9, 5)), now), QStringLiteral("Mar 2025"));
    }

    void picksAProblemByTyping() {
        const Scratch scratch;
        const QByteArray model = textOf(scratch.writeModel(QStringLiteral("any")));
        QVERIFY(!model.isEmpty());
        scratch.write(QStringLiteral("kb/level1/1_Square_matmul.py"), model);
        scratch.write(QStringLiteral("kb/level1/23_Softmax.py"), model);
        scratch.write(QStringLiteral("kb/level2/7_Gemm_Softmax.py"), model);
        scratch.write(QStringLiteral("kb/level2/util.py"), "x = 1\n");
        ProblemList list(houseLook());
        QSignalSpy listed(&list, &ProblemList::listed);
        const QSignalSpy picked(&list, &ProblemList::problemPicked);
        list.open(scratch.path(QStringLiteral("kb")));
        showAt(list, 700, 500);
        QTRY_VERIFY(!listed.isEmpty());
        listed.clear();
        QCOMPARE(list.shownCount(), 3);
        auto *filter = child<QLineEdit>(list, "problemFilter");
        QTest::keyClicks(filter, QStringLiteral("softmax"));
        QCOMPARE(list.shownCount(), 2);
        QTest::keyClick(filter, Qt::Key_Down);
        QTest::keyClick(filter, Qt::Key_Return);
        QCOMPARE(picked.size(), 1);
        QCOMPARE(picked[0][0].toString(), scratch.path(QStringLiteral("kb/level2/7_Gemm_Softmax.py")));
        const QSignalSpy closed(&list, &ProblemList::closed);
        QTest::keyClick(filter, Qt::Key_Escape);
        QCOMPARE(closed.size(), 1);
        filter->clear();
        takePictures(list, QStringLiteral("problems"));
        list.open(scratch.path(QStringLiteral("nowhere")));
        QTRY_VERIFY(!listed.isEmpty());
        listed.clear();
        QCOMPARE(list.shownCount(), 0);
    }

    void looksAsItShould() {
        const Scratch scratch;
        StartPage page(houseLook(), foldersOf(scratch));
        page.setExaminesOnShow(false);
        page.setKeys(QStringLiteral("Ctrl+O"), QStringLiteral("Ctrl+N"), QStringLiteral("Ctrl+Shift+O"));
        QSignalSpy filled(&page, &StartPage::filled);
        showAt(page);
        QVERIFY(!filled.isEmpty() || filled.wait());
        takePictures(page, QStringLiteral("start-empty"));
        page.showRecent(someRecent());
        page.doctor().show(someFindings());
        takePictures(page, QStringLiteral("start"));
    }
};

QObject *makeTestStartPage() {
    return new TestStartPage;
}

#include "tst_start_page.moc"
