// SPDX-License-Identifier: GPL-3.0-or-later
// The pages that say why, fed as the window feeds them: stored counters, the compiler's report, findings.
#include "app/ide/actions.h"
#include "app/ide/assembly_page.h"
#include "app/ide/measured/counter_desk.h"
#include "app/ide/measured/findings_desk.h"
#include "app/ide/measured/share_desk.h"
#include "app/ide/profile_panel.h"
#include "profiler_views/findings/findings_view.h"
#include "profiler_views/occupancy/occupancy_view.h"
#include "profiler_views/roofline/roofline_view.h"
#include "tests/ide/pages/page_world.h"
#include "tests/toolchain/places.h"
#include "tests/toolchain/scratch.h"
#include "widgets/plot.h"

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
    CounterDesk desk{bench};
    ProfilePanel panel{houseLook(), bench, actions, desk};

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
        for (const char *name : {"roofline", "counters", "findings", "occupancy", "heat"}) {
            QVERIFY2(world.panel.showPage(QString::fromLatin1(name)), name);
            auto *view = qobject_cast<ChartView *>(world.panel.page(world.panel.currentPage()));
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
        FindingsDesk desk;
        QSignalSpy found(&desk, &FindingsDesk::found);
        QSignalSpy failed(&desk, &FindingsDesk::failed);
        desk.find(workspace.value(), 0, nullptr);
        desk.find(workspace.value(), 0, recordedInspection()); // the newer question alone is answered
        QTRY_VERIFY(!found.isEmpty());
        QTest::qWait(50);
        QCOMPARE(found.size(), 1);
        QVERIFY(found[0][0].value<Findings>().looked.contains(QLatin1String("source")));
        QVERIFY(!found[0][0].value<Findings>().missing.isEmpty());
        desk.find(workspace.value(), 4711, nullptr);
        QTRY_COMPARE(failed.size(), 1);
    }

    void writesThePageToShare() {
        const Scratch scratch;
        const Result<Workspace> workspace =
            Workspace::open(sourceFolder("/resources/samples/softmax-rows"), scratch.folders());
        QVERIFY(workspace.hasValue());
        DataFolders folders = scratch.folders();
        folders.resources = sourceFolder("/resources");
        ShareDesk desk;
        QSignalSpy written(&desk, &ShareDesk::written);
        QSignalSpy failed(&desk, &ShareDesk::failed);
        const QString file = scratch.path(QStringLiteral("made/page.html"));
        desk.write(
            {workspace.value(), 0, recordedInspection(), QStringLiteral("warpwright test"), folders, file});
        QVERIFY(desk.isWriting());
        QTRY_COMPARE(written.size(), 1);
        QCOMPARE(written[0][0].toString(), file);
        QVERIFY(!desk.isWriting());
        const QByteArray page = textOf(file);
        QVERIFY(page.startsWith("<!DOCTYPE html>") &&
                page.contains("softmax-rows, the text on disk: not checked"));
        desk.write({workspace.value(), 4711, nullptr, {}, folders, file});
        QTRY_COMPARE(failed.size(), 1);
        QVERIFY2(failed[0][0].toString().contains("There is no iteration 4711"),
                 qPrintable(failed[0][0].toString()));
        desk.write({workspace.value(), 0, nullptr, {}, folders, QStringLiteral("/proc/nothing/page.html")});
        QTRY_COMPARE(failed.size(), 2);
        folders.resources = scratch.path();
        desk.write({workspace.value(), 0, nullptr, {}, folders, file});
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
