// SPDX-License-Identifier: GPL-3.0-or-later
// The pages that say why, fed as the window feeds them: stored counters, the compiler's report, findings.
#include "app/ide/actions.h"
#include "app/ide/assembly_page.h"
#include "app/ide/profile_panel.h"
#include "app/ide/profiling_pages.h"
#include "app/ide/stored_counters.h"
#include "profiler_views/findings/findings_view.h"
#include "profiler_views/occupancy/occupancy_view.h"
#include "profiler_views/roofline/roofline_view.h"
#include "tests/ide/pages/page_world.h"
#include "tests/toolchain/scratch.h"
#include "toolchain/counters/counter_store.h"
#include "widgets/plot.h"

#include <QSignalSpy>
#include <QTest>

using namespace warpwright;

namespace {

Counters recordedCounters(const QString &textHash) {
    Counters counters =
        countersFromJson(Json::parse(recorded("counters/h200-three-kernels.json").toStdString())).value();
    counters.id.clear();
    counters.textHash = textHash;
    counters.iteration = 3;
    return counters;
}

std::shared_ptr<const Inspection> recordedInspection() {
    InspectedSource source{"rows.cu", parsePtxasReport(recorded("nvdisasm/ptxas-sm_90a-13.0.88.txt")), {}, {}};
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
    ProfilePanel panel{houseLook(), bench, actions};
};

} // namespace

class TestProfilingPages : public QObject {
    Q_OBJECT
private slots:
    void init() { failOnOurWarnings(); }

    void eachPageHasItsName() {
        World world;
        showAt(world.panel, 900, 500);
        for (const char *name : {"roofline", "counters", "findings", "occupancy"}) {
            QVERIFY2(world.panel.showPage(QString::fromLatin1(name)), name);
            auto *view = qobject_cast<ChartView *>(world.panel.page(world.panel.currentPage()));
            QVERIFY(view != nullptr && view->isEmpty());
            QVERIFY2(!view->summary().isEmpty(), name);
            takePictures(world.panel, QStringLiteral("profiling-") + QString::fromLatin1(name));
        }
    }

    void countersAreThoseOfTheText() {
        const Scratch scratch;
        const QString state = scratch.path("state");
        Counters mine = recordedCounters(QStringLiteral("mine"));
        Counters other = recordedCounters(QStringLiteral("other"));
        const CounterStore store(state);
        QVERIFY(store.store(mine, {}).hasValue());
        QVERIFY(store.store(other, {}).hasValue());
        StoredCounters counters;
        QSignalSpy changed(&counters, &StoredCounters::changed);
        counters.look(state, QStringLiteral("mine"));
        QTRY_COMPARE(changed.size(), 1);
        QVERIFY(counters.counters() && counters.counters()->id == mine.id);
        QCOMPARE(counters.others().size(), 1U);
        QVERIFY(counters.others()[0].name.startsWith(QLatin1String("iteration 3")));
        counters.look(state, QStringLiteral("mine")); // known
        QCOMPARE(changed.size(), 1);
        counters.look(state, QStringLiteral("mine"), true);
        QTRY_COMPARE(changed.size(), 2);
        // Of another text nothing was collected: none of an older one in its place.
        counters.look(state, QStringLiteral("third"));
        QTRY_COMPARE(changed.size(), 3);
        QVERIFY(!counters.counters());
        QCOMPARE(counters.others().size(), 2U);
        counters.look(state, QString());
        QCOMPARE(changed.size(), 4);
        QVERIFY(counters.others().empty());
    }

    void theCompilersReportIsEnoughForOccupancy() {
        World world;
        showAt(world.panel, 900, 500);
        QVERIFY(world.panel.showPage(QStringLiteral("occupancy")));
        QVERIFY(world.panel.profiling().occupancy().isEmpty());
        world.panel.assembly().show(recordedInspection());
        QVERIFY(!world.panel.profiling().occupancy().isEmpty());
        QVERIFY2(world.panel.profiling().occupancy().summary().contains(QLatin1String("on sm_90: ")),
                 qPrintable(world.panel.profiling().occupancy().summary()));
        takePictures(world.panel, QStringLiteral("profiling-occupancy-shown"));
    }

    void aFindingLeadsToItsLine() {
        World world;
        showAt(world.panel, 900, 500);
        Finding finding;
        finding.title = QStringLiteral("Spills to local memory");
        finding.file = QStringLiteral("kernels/gemm.cu");
        finding.line = 12;
        world.panel.profiling().showFindings({finding}, QString());
        QSignalSpy led(&world.panel, &ProfilePanel::lineActivated);
        FindingsView &view = world.panel.profiling().findings();
        QTest::keyClick(&view.plot(), Qt::Key_Down);
        QTest::keyClick(&view.plot(), Qt::Key_Return);
        QCOMPARE(led, (QList<QVariantList>{{QStringLiteral("kernels/gemm.cu"), 12}}));
    }
};

QObject *makeTestProfilingPages() {
    return new TestProfilingPages;
}

#include "tst_profiling_pages.moc"
