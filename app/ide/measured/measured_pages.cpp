// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/measured/measured_pages.h"

#include "app/ide/actions.h"
#include "app/ide/assembly_page.h"
#include "app/ide/heat/heat_desk.h"
#include "app/ide/measured/findings_desk.h"
#include "app/ide/workbench.h"
#include "profiler_views/counters/counters_view.h"
#include "profiler_views/findings/findings_view.h"
#include "profiler_views/heat/hot_lines_view.h"
#include "profiler_views/occupancy/occupancy_view.h"
#include "profiler_views/roofline/roofline_view.h"
#include "profiler_views/timeline/timeline_view.h"
#include "toolchain/kernel_name.h"
#include "widgets/pane.h"

#include <QEvent>

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
    kernel.basis =
        (launchThreads > 0
             ? MeasuredPages::tr("%1 threads by its launch bound").arg(launchThreads)
             : MeasuredPages::tr("%1 threads assumed: the text alone does not say").arg(assumedThreads)) +
        MeasuredPages::tr("; static shared memory, what a launch adds is not known");
    return kernel;
}

} // namespace

MeasuredPages::MeasuredPages(const Look &look, Workbench &bench, const Actions &actions, CounterDesk &desk,
                             AssemblyPage &assembly, Pane &pane)
    : QObject(&pane),
      m_bench(bench),
      m_actions(actions),
      m_desk(desk),
      m_assembly(assembly),
      m_pane(pane),
      m_finder(new FindingsDesk(this)),
      m_roofline(new RooflineView(look, &pane)),
      m_timeline(new TimelineView(look, &pane)),
      m_counters(new CountersView(look, &pane)),
      m_findings(new FindingsView(look, &pane)),
      m_occupancy(new OccupancyView(look, &pane)),
      m_heat(new HeatDesk(bench, desk, assembly, this)),
      m_hotLines(new HotLinesView(look, &pane)) {
    m_roofline->setObjectName(QStringLiteral("rooflineView"));
    m_counters->setObjectName(QStringLiteral("countersView"));
    m_findings->setObjectName(QStringLiteral("findingsView"));
    m_occupancy->setObjectName(QStringLiteral("occupancyView"));
    pane.addPage(m_roofline, tr("Roofline"));
    m_timeline->setObjectName(QStringLiteral("timelineView"));
    pane.addPage(m_timeline, tr("Timeline"));
    pane.addPage(m_counters, tr("Counters"));
    pane.addPage(m_findings, tr("Why"));
    pane.addPage(m_occupancy, tr("Occupancy"));
    m_hotLines->setObjectName(QStringLiteral("hotLinesView"));
    pane.addPage(m_hotLines, tr("Source heat"));
    connect(m_hotLines, &HotLinesView::lineActivated, this, &MeasuredPages::hotLineActivated);
    connect(m_heat, &HeatDesk::changed, this, &MeasuredPages::describeHeat);
    assembly.readFor(m_occupancy);
    assembly.readFor(m_findings);
    m_findings->installEventFilter(this);
    connect(m_findings, &FindingsView::lineActivated, this, &MeasuredPages::lineActivated);
    connect(m_timeline, &TimelineView::kernelActivated, this,
            [this](const QString &name, const QString &) { showKernel(name); });
    connect(m_roofline, &RooflineView::iterationPicked, this, &MeasuredPages::iterationPicked);
    connect(m_finder, &FindingsDesk::found, this, &MeasuredPages::showFindings);
    connect(m_finder, &FindingsDesk::failed, this, [this](const QString &message) {
        m_findings->show({}, {});
        m_findings->showEmpty(QStringLiteral("warning"), tr("Nothing can be found"), message);
    });
    connect(&desk, &CounterDesk::countersChanged, this, &MeasuredPages::describe);
    connect(&desk, &CounterDesk::runChanged, this, [this] {
        if (!m_desk.counters())
            describeCounters();
        if (!m_heat->heat())
            describeHeat();
        if (!m_desk.timeline())
            describeTimeline();
    });
    connect(&desk, &CounterDesk::timelineChanged, this, &MeasuredPages::describeTimeline);
    connect(&assembly, &AssemblyPage::settled, this, [this] {
        describeOccupancy();
        find();
    });
    connect(&bench, &Workbench::shownChanged, this, &MeasuredPages::describe);
    connect(&bench, &Workbench::compiledTextChanged, this, &MeasuredPages::describeOccupancy);
    connect(&bench, &Workbench::runChanged, this, &MeasuredPages::setStale);
    connect(actions.showHeat, &QAction::toggled, m_heat, &HeatDesk::setShown);
    describe();
}

QStringList MeasuredPages::names() {
    return {QStringLiteral("roofline"), QStringLiteral("timeline"),  QStringLiteral("counters"),
            QStringLiteral("findings"), QStringLiteral("occupancy"), QStringLiteral("heat")};
}

bool MeasuredPages::isPast() const {
    return !m_bench.shown().replay.isEmpty();
}

void MeasuredPages::setStale() {
    const bool isStale = m_bench.edits() > 0;
    m_counters->setStale(!m_desk.isReport() && isStale);
    m_roofline->setStale(isStale);
    m_timeline->setStale(isStale);
    m_findings->setStale(isStale);
}

void MeasuredPages::showTree(const SharedTree &tree) {
    m_tree = tree;
    describeRoofline();
}

bool MeasuredPages::eventFilter(QObject *watched, QEvent *event) {
    if (watched == m_findings && event->type() == QEvent::Show && m_isToFind)
        find();
    return QObject::eventFilter(watched, event);
}

void MeasuredPages::sayNoCounters(ChartView *view, const QString &icon, const QString &what) {
    if (m_desk.isRunning())
        view->showEmpty(QStringLiteral("running"),
                        m_desk.isStopping() ? tr("Stopping") : tr("Counters are being collected"),
                        m_desk.step(), m_actions.stopCounters);
    else if (isPast())
        view->showEmpty(icon, tr("Not recorded"), tr("no counters were kept of the text at this event"));
    else
        view->showEmpty(icon, what, tr("Nsight Compute collects them on a GPU, in one call of the candidate"),
                        m_actions.collectCounters);
}

// Other texts' counters are offered as baselines, as soon as they are read.
void MeasuredPages::describe() {
    const int number = m_jobs.next();
    m_others.clear();
    describeCounters();
    describeRoofline();
    describeTimeline();
    describeOccupancy();
    describeHeat();
    find();
    setStale();
    if (!m_desk.counters() || m_desk.isReport())
        return;
    m_desk.findOthers([this, number](const std::vector<SharedCounters> &others) {
        if (m_jobs.isStale(number) || others.empty())
            return;
        m_others = others;
        describeCounters();
    });
}

void MeasuredPages::describeCounters() {
    std::vector<CounterBaseline> baselines;
    for (const SharedCounters &other : m_others) {
        const QString time = other->at.toLocalTime().toString(QStringLiteral("yyyy-MM-dd HH:mm"));
        baselines.push_back({other->iteration > 0 ? tr("iteration %1, %2").arg(other->iteration).arg(time)
                                                  : tr("what was collected %1").arg(time),
                             other});
    }
    m_counters->show(m_desk.counters(), baselines, m_actions.collectCounters);
    if (!m_desk.counters())
        sayNoCounters(m_counters, QStringLiteral("memory"), tr("What the hardware counted appears here"));
}

void MeasuredPages::describeRoofline() {
    const Shown &shown = m_bench.shown();
    RooflineInput input;
    input.figures = shown.figures;
    input.iteration = shown.iteration;
    // Points of another device than that of the roofs would stand beside them without a meaning.
    const bool isOfDevice = shown.evaluation && m_desk.counters() &&
                            stringIn(shown.evaluation->device, "name") == m_desk.counters()->device;
    if (!m_desk.isReport() && isOfDevice)
        input.counters = m_desk.counters();
    for (const IterationRecord &record : m_tree->records)
        if (record.latest && record.latest->candidate)
            input.iterations.push_back(
                {record.iteration.number, record.latest->candidate->medianMicroseconds});
    m_roofline->show(input);
    if (m_roofline->isEmpty() && isPast())
        m_roofline->showEmpty(QStringLiteral("roofline"), tr("Not recorded"),
                              tr("no times, or no ceilings of the device, were kept of this event"));
    else if (!shown.evaluation)
        m_roofline->showEmpty(QStringLiteral("roofline"), tr("The roofline appears here"),
                              tr("after the first check that passes"), m_actions.check);
}

void MeasuredPages::describeHeat() {
    const SharedHeat heat = m_heat->heat();
    const bool isPastHeat = m_heat->isPast();
    m_hotLines->show(heat, isPastHeat);
    m_assembly.setHeat(heat, isPastHeat);
    if (heat)
        return;
    if (!m_heat->isShown())
        m_hotLines->showEmpty(QStringLiteral("heat"), tr("The heat is switched off"),
                              tr("here and beside the lines"), m_actions.showHeat);
    else
        sayNoCounters(m_hotLines, QStringLiteral("heat"),
                      tr("Where in the source the time goes appears here"));
}

void MeasuredPages::describeTimeline() {
    m_timeline->show(m_desk.timeline());
    if (m_desk.timeline())
        return;
    if (m_desk.isRunning())
        m_timeline->showEmpty(QStringLiteral("running"),
                              m_desk.isStopping() ? tr("Stopping") : tr("It is measured"), m_desk.step(),
                              m_actions.stopCounters);
    else if (isPast())
        m_timeline->showEmpty(QStringLiteral("timeline"), tr("Not recorded"),
                              tr("no timeline was kept of the text at this event"));
    else
        m_timeline->showEmpty(QStringLiteral("timeline"), tr("When what of a call runs appears here"),
                              tr("kernels, copies, gaps and launches of the candidate and of torch"),
                              m_actions.traceTimeline);
}

// Its counters where there are some, else its code.
void MeasuredPages::showKernel(const QString &name) {
    if (m_desk.counters() && m_counters->showKernel(name)) {
        for (int page = 0; m_pane.page(page) != nullptr; ++page)
            if (m_pane.page(page) == m_counters)
                return m_pane.setCurrentPage(page);
    }
    if (const std::shared_ptr<const Inspection> &inspection = m_assembly.inspection())
        for (const InspectedKernel &kernel : inspection->kernels)
            if (kernel.resources.name == name && kernel.sass && !kernel.sass->lines.empty()) {
                const CodePlace place = placeOf(*kernel.sass, kernel.sass->lines.front(), kernel.source);
                if (place.line > 0)
                    emit lineActivated(place.file, place.line);
                return;
            }
}

// The inspection knows launch bounds; before it has come, the evaluation's compile report serves.
void MeasuredPages::describeOccupancy() {
    std::vector<OccupancyKernel> kernels;
    if (isPast()) {
        m_occupancy->show({});
        m_occupancy->showEmpty(QStringLiteral("occupancy"), tr("Not recorded"),
                               tr("the text of an event is not compiled again"));
        return;
    }
    if (const std::shared_ptr<const Inspection> &inspection = m_assembly.inspection()) {
        for (const InspectedKernel &kernel : inspection->kernels)
            kernels.push_back(askable(kernel.resources, kernel.launchThreads()));
    } else if (const CompileSection *compiled = m_bench.compileShown()) {
        for (const KernelResources &resources : compiled->kernels)
            kernels.push_back(askable(resources, 0));
    }
    m_occupancy->show(kernels);
}

// Of a text that nobody looks at nothing is found.
void MeasuredPages::find() {
    m_isToFind = true;
    if (!m_bench.workspace() || isPast()) {
        m_finder->forget();
        m_findings->show({}, {});
        if (isPast())
            m_findings->showEmpty(QStringLiteral("finding"), tr("Not recorded"),
                                  tr("nothing is looked for in the text of a past run"));
        return;
    }
    if (!m_findings->isVisible())
        return;
    m_isToFind = false;
    const Shown &shown = m_bench.shown();
    m_finder->find(*m_bench.workspace(), shown.isEarlier ? shown.iteration : 0,
                   m_assembly.isSettled() ? m_assembly.inspection() : nullptr);
}

void MeasuredPages::showFindings(const Findings &findings) {
    const QString note = findings.missing.join(QLatin1Char(' '));
    m_findings->show(findings.list, note);
    if (findings.list.empty() && !findings.looked.isEmpty())
        m_findings->showEmpty(QStringLiteral("finding"), tr("Nothing was found"),
                              tr("looked at %1. %2").arg(findings.looked.join(QStringLiteral(", ")), note),
                              m_desk.counters() ? nullptr : m_actions.collectCounters);
}

} // namespace warpwright
