// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/profiling_pages.h"

#include "app/ide/assembly_page.h"
#include "app/ide/stored_counters.h"
#include "app/ide/workbench.h"
#include "profiler_views/findings/findings_view.h"
#include "profiler_views/occupancy/occupancy_view.h"
#include "profiler_views/roofline/roofline_view.h"
#include "toolchain/kernel_name.h"

namespace warpwright {
namespace {

constexpr int assumedThreads = 256; // where the compiler does not say

OccupancyKernel askable(const KernelResources &resources, int launchThreads) {
    OccupancyKernel kernel;
    kernel.name = shortKernelName(resources.name);
    kernel.architecture = resources.arch;
    kernel.needs.threads = launchThreads > 0 ? launchThreads : assumedThreads;
    kernel.needs.registers = resources.registers;
    kernel.needs.sharedBytes = resources.staticSharedBytes;
    kernel.needs.barriers = resources.barriers;
    kernel.needs.launchThreads = launchThreads;
    kernel.basis = launchThreads > 0
                       ? ProfilingPages::tr("%1 threads by its launch bound").arg(launchThreads)
                       : ProfilingPages::tr("%1 threads assumed: the text alone does not say").arg(assumedThreads);
    kernel.basis += ProfilingPages::tr("; static shared memory, what a launch adds is not known");
    return kernel;
}

} // namespace

ProfilingPages::ProfilingPages(const Look &look, Workbench &bench, AssemblyPage &assembly, QWidget *parent)
    : QObject(parent),
      m_bench(bench),
      m_assembly(assembly),
      m_stored(new StoredCounters(this)),
      m_roofline(new RooflineView(look, parent)),
      m_counters(new CountersView(look, parent)),
      m_findings(new FindingsView(look, parent)),
      m_occupancy(new OccupancyView(look, parent)) {
    m_roofline->setObjectName(QStringLiteral("rooflineView"));
    m_counters->setObjectName(QStringLiteral("countersView"));
    m_findings->setObjectName(QStringLiteral("findingsView"));
    m_occupancy->setObjectName(QStringLiteral("occupancyView"));
    connect(m_findings, &FindingsView::lineActivated, this, &ProfilingPages::lineActivated);
    connect(m_roofline, &RooflineView::iterationPicked, this, &ProfilingPages::iterationPicked);
    connect(m_stored, &StoredCounters::changed, this, [this] {
        describeCounters();
        describeRoofline();
    });
    m_assembly.readFor(m_occupancy);
    connect(&m_assembly, &AssemblyPage::settled, this, &ProfilingPages::describeOccupancy);
    connect(&bench, &Workbench::compiledTextChanged, this, &ProfilingPages::describeOccupancy);
}

bool ProfilingPages::isPast() const {
    return !m_bench.shown().replay.isEmpty();
}

void ProfilingPages::setCollect(QAction *collect) {
    m_collect = collect;
    describeCounters();
}

void ProfilingPages::lookForCounters() {
    look(true);
}

void ProfilingPages::showFindings(const std::vector<Finding> &findings, const QString &note) {
    m_findings->show(findings, note);
}

void ProfilingPages::showTree(const SharedTree &tree) {
    m_tree = tree;
    describeRoofline();
}

void ProfilingPages::describe() {
    look(false);
    describeRoofline();
    describeOccupancy();
}

void ProfilingPages::setStale(bool isStale) {
    for (ChartView *view : std::initializer_list<ChartView *>{m_roofline, m_counters, m_findings})
        view->setStale(isStale);
}

void ProfilingPages::look(bool isAnew) {
    QString hash;
    if (!isPast() && m_bench.workspace())
        for (const IterationRecord &record : m_bench.iterations())
            if (record.iteration.number == m_bench.shown().iteration)
                hash = record.iteration.textHash;
    m_stored->look(m_bench.workspace() ? m_bench.workspace()->state : QString(), hash, isAnew);
}

void ProfilingPages::describeCounters() {
    m_counters->show(m_stored->counters(), m_stored->others(), isPast() ? nullptr : m_collect);
    if (!m_stored->counters() && isPast())
        m_counters->showEmpty(QStringLiteral("memory"), tr("Not recorded"), tr("a past run keeps no counters"));
}

void ProfilingPages::describeRoofline() {
    const Shown &shown = m_bench.shown();
    RooflineInput input;
    input.figures = shown.figures;
    input.iteration = shown.iteration;
    input.counters = m_stored->counters();
    for (const IterationRecord &record : m_tree->records)
        if (record.latest && record.latest->candidate)
            input.iterations.push_back({record.iteration.number, record.latest->candidate->medianMicroseconds});
    m_roofline->show(input);
}

// The inspection knows launch bounds; before it has come, the evaluation's compile report serves.
void ProfilingPages::describeOccupancy() {
    std::vector<OccupancyKernel> kernels;
    if (const std::shared_ptr<const Inspection> &inspection = m_assembly.inspection()) {
        for (const InspectedKernel &kernel : inspection->kernels)
            kernels.push_back(askable(kernel.resources, kernel.launchThreads()));
    } else if (const CompileSection *compiled = m_bench.compileShown()) {
        for (const KernelResources &resources : compiled->kernels)
            kernels.push_back(askable(resources, 0));
    }
    m_occupancy->show(kernels);
}

} // namespace warpwright
