// SPDX-License-Identifier: GPL-3.0-or-later
// The pages that say why, fed as the window feeds them: stored counters, the compiler's report, findings.
#include "app/ide/kit/actions.h"
#include "app/ide/measured/bar_contents.h"
#include "app/ide/measured/counter_controller.h"
#include "app/ide/measured/findings_controller.h"
#include "app/ide/measured/launched_kernels.h"
#include "app/ide/measured/overview_page.h"
#include "app/ide/measured/profile_panel.h"
#include "app/ide/measured/share_controller.h"
#include "app/ide/results/assembly_page.h"
#include "profiler_views/findings/findings_view.h"
#include "profiler_views/occupancy/occupancy_view.h"
#include "profiler_views/roofline/roofline_view.h"
#include "tests/ide/pages/page_world.h"
#include "tests/toolchain/places.h"
#include "tests/toolchain/scratch.h"
#include "toolchain/history/iteration_store.h"
#include "widgets/frame/tab_strip.h"
#include "widgets/plot/plot.h"

#include <QSignalSpy>
#include <QTest>

using namespace warpwright;

namespace {

std::shared_ptr<const Inspection> recordedInspection() {
    InspectedSource source{
        "rows.cu", parsePtxasReport(recorded("nvdisasm/ptxas-sm_90a-13.0.88.txt")), {}, {}};
    auto made = std::make_shared<Inspection>();
    made->architecture = "sm_90a";
    made->status = CompileStatus::Passed;
    made->kernels = inspectedKernels({source}, "/rows", 0);
    return made;
}

struct World {
    Scratch scratch;
    Actions actions;
    Workbench bench{scratch.folders(), QStringLiteral("test")};
    CounterController controller{bench};
    ProfilePanel panel{houseLook(), bench, actions, controller};

    template <typename View>
    [[nodiscard]] View *view(const char *name) {
        return child<View>(panel, name);
    }
};

} // namespace

class TestMeasuredPages : public QObject {
    Q_OBJECT
private slots:
    void init() { failOnOurWarnings(); }

    void eachPageHasItsName() {
        World world;
        showAt(world.panel, 900, 500);
        for (const char *name : {"roofline", "counters", "findings", "occupancy", "heat", "history"}) {
            QVERIFY2(world.panel.showPage(QString::fromLatin1(name)), name);
            QCOMPARE(world.panel.openPage(), QString::fromLatin1(name));
            const ChartView *view = world.panel.openChart();
            QVERIFY(view != nullptr && view->isEmpty());
            QVERIFY2(!view->summary().isEmpty(), name);
            takePictures(world.panel, QStringLiteral("measured-") + QString::fromLatin1(name));
        }
    }

    void theCompilersReportIsEnoughForOccupancy() {
        World world;
        showAt(world.panel, 900, 500);
        QVERIFY(world.panel.showPage(QStringLiteral("occupancy")));
        auto *view = world.view<OccupancyView>("occupancyView");
        QVERIFY(view->isEmpty());
        world.panel.assembly().show(recordedInspection());
        QVERIFY(!view->isEmpty());
        QVERIFY2(view->summary().contains(QLatin1String("on sm_90: ")), qPrintable(view->summary()));
        takePictures(world.panel, QStringLiteral("measured-occupancy-shown"));
    }

    // Without a check, without counters: text and compiler still say something, and what is missing is named.
    void findsInAWorkspaceWithoutAnything() {
        const Scratch scratch;
        const Result<Workspace> workspace =
            Workspace::open(sourceFolder("/resources/samples/softmax-rows"), scratch.folders());
        QVERIFY(workspace.hasValue());
        FindingsController controller;
        QSignalSpy found(&controller, &FindingsController::found);
        QSignalSpy failed(&controller, &FindingsController::failed);
        controller.find(workspace.value(), 0, nullptr);
        controller.find(workspace.value(), 0, recordedInspection()); // the newer question alone is answered
        QTRY_VERIFY(!found.isEmpty());
        QTest::qWait(50);
        QCOMPARE(found.size(), 1);
        QVERIFY(found[0][0].value<Findings>().looked.contains(QLatin1String("source")));
        const auto first = found[0][0].value<Findings>();
        QVERIFY(first.missing.filter(QStringLiteral("wright ")).isEmpty()); // the window has buttons
        QCOMPARE(lookMore(first), QStringList({QStringLiteral("check"), QStringLiteral("collectCounters"),
                                               QStringLiteral("traceTimeline")}));
        controller.find(workspace.value(), 4711, nullptr);
        QTRY_COMPARE(failed.size(), 1);
    }

    // A window of before kept the number of a page; what it meant is what opens.
    void theRememberedPageComesBack_data() {
        QTest::addColumn<QByteArray>("kept");
        QTest::addColumn<QString>("page");
        QTest::newRow("nothing") << QByteArray() << QStringLiteral("overview");
        QTest::newRow("the first of before") << QByteArray("0") << QStringLiteral("speedup");
        QTest::newRow("assembly of before") << QByteArray("4") << QStringLiteral("assembly");
        QTest::newRow("timeline of before") << QByteArray("8") << QStringLiteral("timeline");
        QTest::newRow("a number of nothing") << QByteArray("77") << QStringLiteral("overview");
        QTest::newRow("a name") << QByteArray("distribution") << QStringLiteral("distribution");
        QTest::newRow("a name of nothing") << QByteArray("other") << QStringLiteral("overview");
    }

    void theRememberedPageComesBack() {
        QFETCH(QByteArray, kept);
        World world;
        world.panel.restorePage(kept);
        QTEST(world.panel.openPage(), "page");
    }

    // Every page is an act of the palette, and every such act has its page.
    void everyPageIsAnAction() {
        World world;
        QSet<QString> opened;
        for (const QAction *action : world.actions.showPages) {
            const QString name = action->property("page").toString();
            QVERIFY2(world.panel.showPage(name), qPrintable(name));
            QCOMPARE(world.panel.openPage(), name);
            opened.insert(name);
        }
        QCOMPARE(opened.size(), 14);
    }

    // In the docked pane of a window of 1600 x 1000, and of 1280 x 720, no tab is behind an arrow.
    void noTabIsHidden_data() {
        QTest::addColumn<int>("width");
        QTest::newRow("docked at 1600") << 610;
        QTest::newRow("docked at 1280") << 581;
    }

    void noTabIsHidden() {
        QFETCH(int, width);
        World world;
        showAt(world.panel, width, 300);
        const TabStrip *tabs = world.panel.tabs();
        QVERIFY2(tabs->leastWidth() <= tabs->width(),
                 qPrintable(QStringLiteral("%1 of %2").arg(tabs->leastWidth()).arg(tabs->width())));
    }

    void aWaitIsTold() {
        World world;
        QVERIFY(world.controller.step().isEmpty() && world.controller.title().isEmpty());
        Findings none;
        none.looked = QStringList{QStringLiteral("source"), QStringLiteral("SASS")};
        const MeasuredBar::Content bar = whyBar({world.controller, world.actions, 3, true, false}, none);
        QCOMPARE(bar.words,
                 QStringLiteral("Of the text before 3 edits · looked at source, SASS; not at compile "
                                "report, times of a check, counters, timeline"));
        QCOMPARE(bar.buttons.size(), 3U);
        QVERIFY(countersBar({world.controller, world.actions, 0, false, false}).words.isEmpty());
    }

    // What runs is told with its time from the first moment on; leaving the workspace ends it, and says so.
    void aTraceThatIsLeftIsSaidToBeStopped() {
        World world;
        world.scratch.writeModel(QStringLiteral("task"));
        world.scratch.write(QStringLiteral("task/model_new.py"), "class ModelNew:\n    pass\n");
        showAt(world.panel, 610, 380);
        QVERIFY(world.panel.showPage(QStringLiteral("timeline")));
        QSignalSpy opened(&world.bench, &Workbench::opened);
        world.bench.open(world.scratch.path(QStringLiteral("task")));
        QTRY_COMPARE(opened.size(), 1);
        QSignalSpy noticed(&world.controller, &CounterController::noticed);
        QSignalSpy failed(&world.controller, &CounterController::failed);
        world.controller.trace();
        QVERIFY(world.controller.isRunning());
        QCOMPARE(world.controller.title(), QStringLiteral("A call is being traced"));
        QCOMPARE(world.controller.step(), QStringLiteral("prepare · 0 s"));
        const QString shown = world.panel.openChart()->summary();
        QVERIFY2(shown.startsWith(QLatin1String("A call is being traced: prepare")), qPrintable(shown));
        world.bench.close();
        QCOMPARE(noticed.size(), 1);
        QCOMPARE(noticed[0][0].toString(), QStringLiteral("The trace was stopped"));
        QTRY_VERIFY_WITH_TIMEOUT(!world.controller.isRunning(), 15000);
        QCOMPARE(failed.size(), 0);
        QVERIFY(world.controller.step().isEmpty());
    }

    // There and back: while a text's own are looked for nothing is said of it, least of all another's.
    void whatWasFoundInAnotherTextIsNotSaidOfThisOne() {
        World world;
        world.scratch.writeModel(QStringLiteral("task"));
        world.scratch.write(QStringLiteral("task/model_new.py"), "class ModelNew:\n    pass\n");
        const Result<Workspace> workspace =
            Workspace::open(world.scratch.path(QStringLiteral("task")), world.scratch.folders());
        QVERIFY(workspace.hasValue());
        const Result<CandidateTexts> texts = readCandidateTexts(workspace.value());
        QVERIFY(texts.hasValue());
        QVERIFY(IterationStore(workspace.value().state).commit(texts.value(), 0, Author{}).hasValue());
        world.scratch.write(QStringLiteral("task/model_new.py"), "class ModelNew:\n    x = 1\n");
        showAt(world.panel, 900, 500);
        QVERIFY(world.panel.showPage(QStringLiteral("overview")));
        const auto *overview = child<OverviewPage>(world.panel, "overviewPage");
        const auto rowOf = [overview](const char *page) {
            for (const OverviewRow &row : overview->rows())
                if (row.page == QLatin1String(page))
                    return row;
            return OverviewRow();
        };
        const QString reading = QStringLiteral("Reading what was kept");
        QStringList why; // as soon as another text is shown
        std::vector<OverviewRow> timelines;
        connect(&world.bench, &Workbench::shownChanged, this, [&] {
            why << rowOf("findings").title;
            timelines.push_back(rowOf("timeline"));
        });
        world.bench.open(world.scratch.path(QStringLiteral("task")));
        QTRY_COMPARE(why.size(), 1);
        QCOMPARE(timelines[0].words, QStringLiteral("what was kept is being read"));
        QVERIFY(timelines[0].wanted.isEmpty()); // no button collects anew what may be there
        QTRY_COMPARE(rowOf("timeline").wanted, QStringList(QStringLiteral("traceTimeline")));
        const auto isFound = [&] {
            return !rowOf("findings").title.isEmpty() && rowOf("findings").title != reading;
        };
        QTRY_VERIFY(isFound());
        world.bench.setEdits(1); // as the editors do
        world.bench.showIteration(1);
        QTRY_COMPARE(why.size(), 2);
        QTRY_VERIFY(isFound());
        world.bench.backToText();
        QTRY_COMPARE(why.size(), 3);
        QTRY_VERIFY(isFound());
        QCOMPARE(why, QStringList({reading, reading, reading}));
    }

    void theLaunchedKernelIsTheFirst() {
        const auto kernel = [](const char *name) {
            KernelResources resources;
            resources.name = QString::fromLatin1(name);
            resources.arch = QStringLiteral("sm_90a");
            resources.registers = 32;
            return occupancyKernel(resources, 0);
        };
        Counters counters;
        KernelCounters launch;
        launch.arm = QStringLiteral("candidate");
        launch.name = QStringLiteral("void <unnamed>::rows<(int)512>(const float *)");
        launch.block = {512, 1, 1};
        launch.metrics[QStringLiteral("launch__shared_mem_per_block_static")].number = 128;
        launch.metrics[QStringLiteral("launch__shared_mem_per_block_dynamic")].number = 1024;
        counters.kernels = {launch};
        const auto kernels = withLaunches(
            {kernel("void rows<256>(float const*)"), kernel("void rows<512>(float const*)")}, counters);
        QCOMPARE(kernels.size(), 2U);
        QCOMPARE(kernels[0].name, QStringLiteral("rows<512>"));
        QCOMPARE(kernels[0].needs.threads, 512);
        QCOMPARE(kernels[0].needs.sharedBytes, 1152);
        QCOMPARE(kernels[1].needs.threads, 256); // assumed, as before
    }

    void writesThePageToShare() {
        const Scratch scratch;
        const Result<Workspace> workspace =
            Workspace::open(sourceFolder("/resources/samples/softmax-rows"), scratch.folders());
        QVERIFY(workspace.hasValue());
        DataFolders folders = scratch.folders();
        folders.resources = sourceFolder("/resources");
        ShareController controller;
        QSignalSpy written(&controller, &ShareController::written);
        QSignalSpy failed(&controller, &ShareController::failed);
        const QString file = scratch.path(QStringLiteral("made/page.html"));
        controller.write(
            {workspace.value(), 0, recordedInspection(), QStringLiteral("warpwright test"), folders, file});
        QVERIFY(controller.isWriting());
        QTRY_COMPARE(written.size(), 1);
        QCOMPARE(written[0][0].toString(), file);
        QVERIFY(!controller.isWriting());
        const QByteArray page = textOf(file);
        QVERIFY(page.startsWith("<!DOCTYPE html>") &&
                page.contains("softmax-rows, the text on disk: not checked"));
        controller.write({workspace.value(), 4711, nullptr, {}, folders, file});
        QTRY_COMPARE(failed.size(), 1);
        QVERIFY2(failed[0][0].toString().contains("There is no iteration 4711"),
                 qPrintable(failed[0][0].toString()));
        controller.write(
            {workspace.value(), 0, nullptr, {}, folders, QStringLiteral("/proc/nothing/page.html")});
        QTRY_COMPARE(failed.size(), 2);
        folders.resources = scratch.path();
        controller.write({workspace.value(), 0, nullptr, {}, folders, file});
        QTRY_COMPARE(failed.size(), 3);
        QVERIFY2(failed[2][0].toString().contains("tokens.json"), qPrintable(failed[2][0].toString()));
        QCOMPARE(written.size(), 1);
    }

    void aFindingLeadsToItsLine() {
        World world;
        showAt(world.panel, 900, 500);
        Finding finding;
        finding.title = QStringLiteral("Spills to local memory");
        finding.file = QStringLiteral("kernels/gemm.cu");
        finding.line = 12;
        auto *view = world.view<FindingsView>("findingsView");
        view->show({finding}, QString());
        QSignalSpy led(&world.panel, &ProfilePanel::lineActivated);
        QTest::keyClick(&view->plot(), Qt::Key_Down);
        QTest::keyClick(&view->plot(), Qt::Key_Return);
        QCOMPARE(led.size(), 1);
        QCOMPARE(led[0], QVariantList({QStringLiteral("kernels/gemm.cu"), 12}));
    }
};

QObject *makeTestMeasuredPages() {
    return new TestMeasuredPages;
}

#include "tst_measured_pages.moc"
