// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/measured/measured_pages.h"

#include "app/ide/kit/actions.h"
#include "app/ide/measured/findings_controller.h"
#include "app/ide/measured/heat_controller.h"
#include "app/ide/measured/launched_kernels.h"
#include "app/ide/measured/overview_page.h"
#include "app/ide/measured/overview_rows.h"
#include "app/ide/results/assembly_page.h"
#include "app/ide/workbench/workbench.h"
#include "profiler_views/counters/counters_view.h"
#include "profiler_views/findings/findings_view.h"
#include "profiler_views/heat/hot_lines_view.h"
#include "profiler_views/occupancy/occupancy_view.h"
#include "profiler_views/roofline/roofline_view.h"
#include "profiler_views/speedup_view.h"
#include "profiler_views/timeline/timeline_view.h"
#include "toolchain/base/figures.h"
#include "toolchain/timeline/timeline_summary.h"

#include <QEvent>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace warpwright {
MeasuredPages::MeasuredPages(const Look &look, Workbench &bench, const Actions &actions,
                             CounterController &controller, AssemblyPage &assembly, QWidget *parent)
    : QObject(parent),
      m_bench(bench),
      m_actions(actions),
      m_controller(controller),
      m_assembly(assembly),
      m_finder(new FindingsController(this)),
      m_overview(new OverviewPage(look, actions, parent)),
      m_overviewTimes(new SpeedupView(look, parent)),
      m_overviewRoofline(new RooflineView(look, parent)),
      m_roofline(new RooflineView(look, parent)),
      m_timeline(new TimelineView(look, parent)),
      m_counters(new CountersView(look, parent)),
      m_findings(new FindingsView(look, parent)),
      m_occupancy(new OccupancyView(look, parent)),
      m_heat(new HeatController(bench, controller, assembly, this)),
      m_hotLines(new HotLinesView(look, parent)) {
    m_framed[QStringLiteral("overview")] = {m_overview, nullptr};
    m_overviewTimes->setObjectName(QStringLiteral("overviewTimes"));
    m_overviewRoofline->setObjectName(QStringLiteral("overviewRoofline"));
    auto *charts = new QWidget(m_overview);
    auto *beside = new QHBoxLayout(charts);
    beside->setContentsMargins(0, 0, 0, 0);
    beside->addWidget(m_overviewTimes, 1);
    beside->addWidget(m_overviewRoofline, 1);
    m_overview->setCharts(charts);
    add(look, QStringLiteral("roofline"), m_roofline, parent);
    add(look, QStringLiteral("timeline"), m_timeline, parent);
    add(look, QStringLiteral("counters"), m_counters, parent);
    add(look, QStringLiteral("findings"), m_findings, parent);
    add(look, QStringLiteral("occupancy"), m_occupancy, parent);
    add(look, QStringLiteral("heat"), m_hotLines, parent);
    // Not for the overview, which is open most of the time: it tells what is known without compiling.
    for (QWidget *reader : std::initializer_list<QWidget *>{m_occupancy, m_findings})
        assembly.readFor(reader);
    m_findings->installEventFilter(this);
    m_overview->installEventFilter(this);
    connectViews();
    connect(&controller, &CounterController::countersChanged, this, &MeasuredPages::describe);
    for (const auto changed : {&CounterController::runChanged, &CounterController::ticked})
        connect(&controller, changed, this, [this] {
            if (!m_controller.counters())
                describeCounters();
            if (!m_heat->heat())
                describeHeat();
            if (!m_controller.timeline())
                describeTimeline();
            describeBars();
            describeOverview();
        });
    connect(&controller, &CounterController::timelineChanged, this, [this] {
        describeTimeline();
        describeOccupancy();
        find();
        describeBars();
        describeOverview();
    });
    connect(&assembly, &AssemblyPage::settled, this, [this] {
        describeOccupancy();
        describeOverview();
        find();
    });
    connect(&bench, &Workbench::shownChanged, this, &MeasuredPages::describe);
    connect(&bench, &Workbench::compiledTextChanged, this, [this] {
        describeOccupancy();
        setStale();
    });
    connect(&bench, &Workbench::runChanged, this, &MeasuredPages::setStale);
    connect(&bench, &Workbench::runChanged, this, [this] {
        if (m_bench.isRunning() && !m_bench.shown().evaluation)
            describeOverview();
    });
    describe();
}

void MeasuredPages::add(const Look &look, const QString &name, ChartView *view, QWidget *parent) {
    view->setObjectName(name + QStringLiteral("View"));
    Page page{new QWidget(parent), nullptr};
    page.bar = new MeasuredBar(look, page.frame);
    page.bar->setObjectName(name + QStringLiteral("Bar"));
    auto *column = new QVBoxLayout(page.frame);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(page.bar);
    column->addWidget(view, 1);
    page.frame->setFocusProxy(view);
    m_framed[name] = page;
}

void MeasuredPages::connectViews() {
    connect(m_overview, &OverviewPage::pageAsked, this, &MeasuredPages::pageAsked);
    connect(m_overview, &OverviewPage::roomChanged, this, &MeasuredPages::describeCharts);
    connect(m_overviewRoofline, &RooflineView::iterationPicked, this, &MeasuredPages::iterationPicked);
    connect(m_findings, &FindingsView::lineActivated, this, &MeasuredPages::lineActivated);
    connect(m_hotLines, &HotLinesView::lineActivated, this, &MeasuredPages::hotLineActivated);
    connect(m_heat, &HeatController::changed, this, &MeasuredPages::describeHeat);
    connect(m_timeline, &TimelineView::kernelActivated, this,
            [this](const QString &name, const QString &) { showKernel(name); });
    connect(m_roofline, &RooflineView::iterationPicked, this, &MeasuredPages::iterationPicked);
    connect(m_finder, &FindingsController::found, this, &MeasuredPages::showFindings);
    connect(m_finder, &FindingsController::failed, this, [this](const QString &message) {
        m_found.reset();
        m_findings->show({}, {});
        m_findings->showEmpty(QStringLiteral("warning"), tr("Nothing can be found"), message);
        describeBars();
        describeOverview();
    });
}

QWidget *MeasuredPages::page(const QString &name) const {
    const auto found = m_framed.find(name);
    return found == m_framed.end() ? nullptr : found->second.frame;
}

bool MeasuredPages::isPast() const {
    return !m_bench.shown().replay.isEmpty();
}

void MeasuredPages::setWhyNoGpu(const QString &why) {
    if (std::exchange(m_whyNoGpu, why) == why)
        return;
    if (!m_controller.counters())
        describeCounters();
    describeBars();
    describeOverview();
}

BarNeeds MeasuredPages::barNeeds() const {
    const int edits = m_bench.edits();
    // What is saved is compiled and looked at anew: only what is typed beyond it is not.
    return {m_controller, m_actions,           edits, edits > 0 && m_bench.compiledText() == nullptr,
            isPast(),     m_whyNoGpu.isEmpty()};
}

void MeasuredPages::setStale() {
    const BarNeeds needs = barNeeds();
    m_counters->setStale(!m_controller.isReport() && needs.edits > 0);
    for (ChartView *view :
         std::initializer_list<ChartView *>{m_roofline, m_overviewRoofline, m_overviewTimes})
        view->setStale(needs.edits > 0);
    m_timeline->setStale(needs.edits > 0);
    m_findings->setStale(needs.isOfOlderText);
    m_occupancy->setStale(needs.isOfOlderText);
    describeBars();
    describeOverview();
}

void MeasuredPages::describeBars() {
    const BarNeeds needs = barNeeds();
    const auto say = [this](const char *name, const MeasuredBar::Content &content) {
        m_framed[QLatin1String(name)].bar->say(content);
    };
    say("counters", countersBar(needs));
    say("timeline", timelineBar(needs));
    say("occupancy", m_occupancy->isEmpty() ? MeasuredBar::Content() : occupancyBar(needs));
    say("findings", m_found && !m_found->list.empty() && !needs.isPast ? whyBar(needs, *m_found)
                                                                       : MeasuredBar::Content());
}

void MeasuredPages::showTree(const SharedTree &tree) {
    m_tree = tree;
    describeRoofline();
    describeOverview();
    describeCharts();
}

bool MeasuredPages::eventFilter(QObject *watched, QEvent *event) {
    if (event->type() == QEvent::Show && m_isToFind)
        find();
    if (event->type() == QEvent::Show && watched == m_overview) {
        describeOverview();
        describeCharts();
    }
    return QObject::eventFilter(watched, event);
}

void MeasuredPages::sayNoCounters(ChartView *view, const QString &icon, const QString &what) {
    const CounterController::Doing doing = m_controller.doing();
    if (doing == CounterController::Doing::Collecting || doing == CounterController::Doing::Reading)
        view->showEmpty(QStringLiteral("running"), m_controller.title(), m_controller.step(),
                        QList<QAction *>{m_actions.stopCounters});
    else if (m_controller.isLooking() || (view == m_hotLines && m_heat->isComing()))
        sayReading(view);
    else if (isPast())
        view->showEmpty(icon, tr("Not recorded"), tr("no counters were kept of the text at this event"));
    else if (!m_whyNoGpu.isEmpty())
        view->showEmpty(icon, what,
                        tr("here nothing can be counted: %1. A report that Nsight Compute wrote on another "
                           "machine can be opened, or dropped here")
                            .arg(m_whyNoGpu),
                        QList<QAction *>{m_actions.openReport});
    else
        view->showEmpty(icon, what, tr("Nsight Compute collects it on a GPU, in one call of the candidate"),
                        QList<QAction *>{m_actions.collectCounters, m_actions.openReport});
}

// Nothing is known to be missing yet: no button collects anew what may be there.
void MeasuredPages::sayReading(ChartView *view) {
    view->showEmpty(QStringLiteral("pending"), tr("Reading what was kept"),
                    tr("what is known of this text appears here in a moment"));
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
    readFailures();
    find();
    setStale();
    describeCharts();
    if (!m_controller.counters() || m_controller.isReport())
        return;
    m_controller.findOthers([this, number](const std::vector<SharedCounters> &others) {
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
    m_counters->show(m_controller.counters(), baselines, m_actions.collectCounters);
    if (!m_controller.counters())
        sayNoCounters(m_counters, QStringLiteral("memory"), tr("What the hardware counted appears here"));
}

RooflineInput MeasuredPages::rooflineInput() const {
    const Shown &shown = m_bench.shown();
    RooflineInput input;
    input.figures = shown.figures;
    input.iteration = shown.evaluated.isEmpty() ? shown.iteration : 0;
    // Points of another device than that of the roofs would stand beside them without a meaning.
    const bool isOfDevice = shown.evaluation && m_controller.counters() &&
                            stringIn(shown.evaluation->device, "name") == m_controller.counters()->device;
    if (!m_controller.isReport() && isOfDevice)
        input.counters = m_controller.counters();
    for (const IterationRecord &record : m_tree->records)
        if (record.latest && record.latest->candidate)
            input.iterations.push_back(
                {record.iteration.number, record.latest->candidate->medianMicroseconds});
    return input;
}

void MeasuredPages::describeRoofline() {
    const Shown &shown = m_bench.shown();
    m_roofline->show(rooflineInput());
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
    if (!heat)
        sayNoCounters(m_hotLines, QStringLiteral("heat"),
                      tr("Where in the source the time goes appears here"));
}

// Only of the device that was traced.
std::optional<double> MeasuredPages::checkedMicroseconds() const {
    const Shown &shown = m_bench.shown();
    if (!m_controller.timeline() || !shown.evaluation ||
        isOtherDevice(m_controller.timeline()->device, shown.evaluation))
        return {};
    return checkedCallMicroseconds(shown.figures);
}

void MeasuredPages::describeTimeline() {
    m_timeline->show(m_controller.timeline(), checkedMicroseconds());
    if (m_controller.timeline())
        return;
    if (m_controller.doing() == CounterController::Doing::Tracing)
        m_timeline->showEmpty(QStringLiteral("running"), m_controller.title(), m_controller.step(),
                              m_actions.stopCounters);
    else if (m_controller.isLooking())
        sayReading(m_timeline);
    else if (isPast())
        m_timeline->showEmpty(QStringLiteral("timeline"), tr("Not recorded"),
                              tr("no timeline was kept of the text at this event"));
    else
        m_timeline->showEmpty(QStringLiteral("timeline"), tr("One call, step by step, appears here"),
                              tr("its kernels, copies, gaps and launches; of the candidate and of torch"),
                              m_actions.traceTimeline);
}

// Its counters where there are some, else its code.
void MeasuredPages::showKernel(const QString &name) {
    if (m_controller.counters() && m_counters->showKernel(name))
        return emit pageAsked(QStringLiteral("counters"));
    if (const std::shared_ptr<const Inspection> &inspection = m_assembly.inspection())
        for (const InspectedKernel &kernel : inspection->kernels)
            if (kernel.resources.name == name && kernel.sass && !kernel.sass->lines.empty()) {
                const CodePlace place = placeOf(*kernel.sass, kernel.sass->lines.front(), kernel.source);
                if (place.line > 0)
                    emit lineActivated(place.file, place.line);
                return;
            }
}

// The inspection knows launch bounds; before it has come, the evaluation's compile report serves. What was
// launched is known from counters or a timeline of this text, and comes first.
void MeasuredPages::describeOccupancy() {
    std::vector<OccupancyKernel> kernels;
    m_assembly.setLaunched(
        isPast() ? QStringList()
                 : launchedByText(m_controller.isReport() ? nullptr : m_controller.counters().get(),
                                  m_controller.timeline(), m_bench.shown().evaluation));
    const CompileSection *recorded = isPast() ? m_bench.compileShown() : nullptr;
    if (isPast() && (recorded == nullptr || recorded->kernels.empty())) {
        m_occupancy->show({});
        m_occupancy->showEmpty(QStringLiteral("occupancy"), tr("Not recorded"),
                               tr("no registers of kernels were kept of this event"));
        return;
    }
    // The text of an event is not compiled again: what its check was told of it is what there is.
    if (const std::shared_ptr<const Inspection> &inspection = m_assembly.inspection();
        inspection != nullptr && !isPast()) {
        for (const InspectedKernel &kernel : inspection->kernels)
            kernels.push_back(occupancyKernel(kernel.resources, kernel.launchThreads()));
    } else if (const CompileSection *compiled = m_bench.compileShown()) {
        for (const KernelResources &resources : compiled->kernels)
            kernels.push_back(occupancyKernel(resources, resources.launchThreads.value_or(0)));
    }
    if (m_controller.timeline())
        kernels = withLaunches(std::move(kernels), *m_controller.timeline());
    if (m_controller.counters() && !m_controller.isReport())
        kernels = withLaunches(std::move(kernels), *m_controller.counters());
    m_occupancy->show(kernels);
}

// Of a text that nobody looks at nothing is found.
void MeasuredPages::find() {
    m_isToFind = true;
    if (!m_bench.workspace() || isPast()) {
        m_finder->forget();
        m_foundIn.clear();
        m_found.reset();
        m_findings->show({}, {});
        if (isPast())
            m_findings->showEmpty(QStringLiteral("finding"), tr("Not recorded"),
                                  tr("nothing is looked for in the text of a past run"));
        return;
    }
    const Shown &shown = m_bench.shown();
    const int iteration = shown.isEarlier ? shown.iteration : 0;
    // What was found in another text is not said of this one while this one's is looked for.
    if (const QString in = QStringLiteral("%1 %2").arg(m_bench.workspace()->state).arg(iteration);
        std::exchange(m_foundIn, in) != in) {
        m_finder->forget();
        m_found.reset();
        m_findings->show({}, {});
        sayReading(m_findings);
        describeBars();
    }
    if (!m_findings->isVisible() && !m_overview->isVisible())
        return;
    m_isToFind = false;
    m_finder->find(*m_bench.workspace(), iteration,
                   m_assembly.isSettled() ? m_assembly.inspection() : nullptr);
}

void MeasuredPages::showFindings(const Findings &findings) {
    m_found = findings;
    m_findings->show(findings.list, findings.missing.join(QLatin1Char(' ')));
    const std::optional<Evaluation> &evaluation = m_bench.shown().evaluation;
    if (findings.list.empty() && evaluation && evaluation->verdict == Verdict::Wrong) {
        m_findings->showEmpty(
            QStringLiteral("wrong"), tr("The result is wrong"),
            tr("Verify shows where, and what the errors have in common; what keeps a kernel from "
               "being faster comes after that"),
            {m_actions.showVerify});
    } else if (findings.list.empty() && !findings.looked.isEmpty()) {
        QList<QAction *> more;
        const QStringList wanted = lookMore(findings);
        for (QAction *action : {m_actions.check, m_actions.collectCounters, m_actions.traceTimeline})
            if (wanted.contains(action->objectName()))
                more << action;
        const QString looked = lookedText(findings);
        m_findings->showEmpty(QStringLiteral("finding"),
                              more.isEmpty() ? tr("No rule found anything")
                                             : tr("Nothing found in what could be looked at"),
                              tr("%1. This is no all-clear: the rules know the usual causes, and no others")
                                  .arg(looked.at(0).toUpper() + looked.mid(1)),
                              more);
    }
    describeBars();
    describeOverview();
}

} // namespace warpwright
