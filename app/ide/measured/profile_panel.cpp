// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/measured/profile_panel.h"

#include "app/ide/kit/actions.h"
#include "app/ide/measured/measured_pages.h"
#include "app/ide/results/assembly_page.h"
#include "profiler_views/distribution_view.h"
#include "profiler_views/history_view.h"
#include "profiler_views/hunk_contributions_view.h"
#include "profiler_views/speedup_view.h"
#include "profiler_views/sweep_view.h"
#include "widgets/frame/action_button.h"
#include "widgets/frame/file_dialogs.h"
#include "widgets/frame/grouped_pages.h"
#include "widgets/look/look.h"

#include <QMenu>

#include <algorithm>

namespace warpwright {
namespace {

// What the number of a page meant while pages were kept as numbers.
const QStringList pagesByNumber{
    QStringLiteral("speedup"),      QStringLiteral("graph"),    QStringLiteral("history"),
    QStringLiteral("distribution"), QStringLiteral("assembly"), QStringLiteral("hunks"),
    QStringLiteral("configs"),      QStringLiteral("roofline"), QStringLiteral("timeline"),
    QStringLiteral("counters"),     QStringLiteral("findings"), QStringLiteral("occupancy")};

std::vector<HistoryPoint> pointsOf(const std::vector<IterationRecord> &records) {
    std::vector<HistoryPoint> points;
    points.reserve(records.size());
    for (const IterationRecord &record : records) {
        HistoryPoint point;
        point.isBesideCode = record.latest && !competes(record);
        point.number = record.iteration.number;
        point.author = authorKindName(record.iteration.author.kind);
        point.note = record.iteration.note;
        if (record.latest) {
            point.verdict = record.latest->verdict;
            point.device = record.latest->device;
            point.software = record.latest->software;
            point.isUnexercised = record.latest->unexercised.has_value();
            if (const auto &time = record.latest->candidate) {
                point.medianMicroseconds = time->medianMicroseconds;
                point.lowMicroseconds = time->lowMicroseconds;
                point.highMicroseconds = time->highMicroseconds;
            }
            point.eager = record.latest->eager;
            point.textHash = record.latest->textHash;
            point.beside = record.latest->beside;
            point.startedAt = record.latest->startedAt;
        }
        points.push_back(point);
    }
    return points;
}

} // namespace

ProfilePanel::ProfilePanel(const Look &look, Workbench &bench, const Actions &actions,
                           CounterController &counters, QWidget *parent)
    : Pane(look, QStringLiteral("chart"), tr("Profile"), parent),
      m_bench(bench),
      m_actions(actions),
      m_times(new GroupedPages(look, tr("Times"), this)),
      m_speedup(new SpeedupView(look, this)),
      m_graph(new SpeedupView(look, this)),
      m_history(new HistoryView(look, this)),
      m_distribution(new DistributionView(look, this)),
      m_assembly(new AssemblyPage(look, bench, actions, this)),
      m_hunks(new HunkContributionsView(look, this)),
      m_sweep(new SweepView(look, this)) {
    setObjectName(QStringLiteral("profilePane"));
    m_speedup->setObjectName(QStringLiteral("speedupView"));
    m_graph->setObjectName(QStringLiteral("graphView"));
    m_history->setObjectName(QStringLiteral("historyView"));
    m_distribution->setObjectName(QStringLiteral("distributionView"));
    m_hunks->setObjectName(QStringLiteral("hunksView"));
    m_sweep->setObjectName(QStringLiteral("sweepView"));
    sayEmpty();
    sayEmpty(m_history, QStringLiteral("history"), tr("The times of all iterations appear here"));
    m_measured = new MeasuredPages(look, bench, actions, counters, *m_assembly, this);
    addPages();
    setTitleYields();
    connect(m_measured, &MeasuredPages::pageAsked, this, [this](const QString &name) {
        if (!showPage(name))
            emit otherPageAsked(name);
    });
    connect(m_measured, &MeasuredPages::lineActivated, this, &ProfilePanel::lineActivated);
    connect(m_measured, &MeasuredPages::hotLineActivated, this, &ProfilePanel::hotLineActivated);
    connect(m_measured, &MeasuredPages::iterationPicked, this, &ProfilePanel::iterationPicked);
    connect(m_hunks, &HunkContributionsView::hunkPicked, this, &ProfilePanel::hunkPicked);
    showHunks({});
    describeSweep();
    auto *menu = new QMenu(this);
    menu->addActions({actions.exportPng, actions.exportSvg, actions.exportCsv});
    auto *button = new ActionButton(look, ActionButton::Kind::Flat, this);
    button->setIconName(QStringLiteral("export"), "text.secondary");
    button->setSmall(true);
    button->setToolTip(tr("Export this chart"));
    button->setAccessibleName(tr("Export this chart"));
    connect(button, &QAbstractButton::clicked, this,
            [button, menu] { menu->popup(button->mapToGlobal(QPoint(0, button->height()))); });
    addToHead(button);
    // A listing is copied, not exported; the button stays in its place, so that no tab moves.
    const auto offerExport = [this, button] {
        const bool isChart = openChart() != nullptr;
        button->setEnabled(isChart);
        button->setToolTip(isChart ? tr("Export this chart") : tr("Export: this page is no chart"));
    };
    connect(this, &Pane::currentPageChanged, this, offerExport);
    offerExport();
    connect(m_history, &HistoryView::iterationPicked, this, &ProfilePanel::iterationPicked);
    connect(&bench, &Workbench::shownChanged, this, &ProfilePanel::describe);
    connect(&bench, &Workbench::iterationsChanged, this, &ProfilePanel::describe);
    connect(&bench, &Workbench::runChanged, this, [this] {
        setStale();
        const StageProgress &now = m_bench.progressNow();
        const bool isDelayed = m_bench.isRunning() && (now.wait || isOfJudgeBuild(now));
        const bool wasDelayed = std::exchange(m_wasDelayed, isDelayed);
        if (std::exchange(m_wasRunning, m_bench.isRunning()) != m_bench.isRunning() ||
            wasDelayed != isDelayed)
            describe();
        else if (isDelayed && !m_bench.shown().evaluation)
            sayEmpty();
    });
}

ProfilePanel::~ProfilePanel() = default;

HeatController &ProfilePanel::heat() const {
    return m_measured->heat();
}

void ProfilePanel::addPages() {
    const auto add = [this](const char *name, QWidget *page, const QString &title) {
        m_known.push_back({QString::fromLatin1(name), addPage(page, title), page});
    };
    const auto addMeasured = [this, &add](const char *name, const QString &title) {
        add(name, m_measured->page(QString::fromLatin1(name)), title);
    };
    addMeasured("overview", tr("Overview"));
    const int times = addPage(m_times, tr("Times"));
    const auto addTime = [this, times](const char *name, QWidget *page, const QString &title) {
        m_times->addPage(page, title);
        m_known.push_back({QString::fromLatin1(name), times, page});
    };
    addTime("speedup", m_speedup, tr("Speed-up"));
    addTime("graph", m_graph, tr("CUDA Graph"));
    addTime("distribution", m_distribution, tr("Distribution"));
    addTime("history", m_history, tr("History"));
    addTime("configs", m_sweep, tr("Configs"));
    addTime("hunks", m_hunks, tr("Hunks"));
    addMeasured("findings", tr("Why"));
    addMeasured("roofline", tr("Roofline"));
    addMeasured("timeline", tr("Timeline"));
    addMeasured("counters", tr("Counters"));
    addMeasured("occupancy", tr("Occupancy"));
    addMeasured("heat", tr("Heat"));
    add("assembly", m_assembly, tr("Assembly"));
}

void ProfilePanel::setStale() {
    for (ChartView *view : std::initializer_list<ChartView *>{m_speedup, m_graph, m_distribution, m_sweep})
        view->setStale(m_bench.edits() > 0);
}

bool ProfilePanel::isPast() const {
    return !m_bench.shown().replay.isEmpty();
}

// Nothing is asked for that would measure something else than what the run did.
void ProfilePanel::sayNotRecorded(ChartView *view, const QString &icon, const QString &why) {
    view->showEmpty(icon, tr("Not recorded"), why);
}

void ProfilePanel::sayEmpty(ChartView *view, const QString &icon, const QString &what) {
    if (isPast())
        sayNotRecorded(view, icon, tr("at this event nothing had been measured of this text"));
    else if (m_bench.isRunning() && m_bench.progressNow().wait)
        view->showEmpty(QStringLiteral("running"), tr("The check waits for the device"),
                        stepText(m_bench.progressNow()));
    else if (m_bench.isRunning() && isOfJudgeBuild(m_bench.progressNow()))
        view->showEmpty(QStringLiteral("running"), tr("The check needs the judge first"),
                        stepText(m_bench.progressNow()));
    else if (m_bench.isRunning())
        view->showEmpty(QStringLiteral("running"), tr("The check is running"),
                        tr("what it measures appears here when it ends"));
    else if (m_bench.isLent())
        view->showEmpty(QStringLiteral("running"), tr("An agent's run is at work"),
                        tr("what it measures appears here"));
    else
        view->showEmpty(icon, what, tr("after the first check that passes"), m_actions.check);
}

void ProfilePanel::sayEmpty() {
    sayEmpty(m_speedup, QStringLiteral("chart"), tr("Speed-up appears here"));
    sayEmpty(m_graph, QStringLiteral("chart"), tr("The times of one CUDA graph appear here"));
    sayEmpty(m_distribution, QStringLiteral("distribution"), tr("The times of all rounds appear here"));
}

// What was measured of the calls of a batch as one CUDA graph, or why nothing was.
void ProfilePanel::describeGraph() {
    const MeasuredFigures &figures = m_bench.shown().figures;
    if (figures.graph.status == StageStatus::Passed) {
        m_graph->show(asGraph(figures));
    } else if (figures.candidate() != nullptr && !figures.graph.reason.isEmpty()) {
        m_graph->show(MeasuredFigures());
        m_graph->showEmpty(QStringLiteral("chart"), tr("Not measured as one CUDA graph"),
                           figures.graph.reason);
    } else {
        m_graph->show(MeasuredFigures());
        if (isPast() && m_bench.shown().evaluation)
            sayNotRecorded(m_graph, QStringLiteral("chart"),
                           tr("no times as one CUDA graph were kept of this check"));
        else
            sayEmpty(m_graph, QStringLiteral("chart"), tr("The times of one CUDA graph appear here"));
    }
}

// What a check that was asked to has found of other values, or how to ask.
void ProfilePanel::describeSweep() {
    const Shown &shown = m_bench.shown();
    m_sweep->show(shown.figures, shown.configs);
    if (!m_sweep->isEmpty())
        return;
    const QString icon = QStringLiteral("samples");
    if (isPast() && shown.figures.sweep.reason.isEmpty())
        sayNotRecorded(m_sweep, icon, tr("the run tried no other values of its configs here"));
    else if (isPast())
        sayNotRecorded(m_sweep, icon, shown.figures.sweep.reason);
    else if (m_bench.isRunning())
        sayEmpty(m_sweep, icon, {});
    else if (!shown.figures.sweep.reason.isEmpty())
        m_sweep->showEmpty(icon, tr("No other config was tried"), shown.figures.sweep.reason,
                           m_actions.sweepConfigs);
    else if (shown.evaluation && !shown.configs.namesChoices)
        m_sweep->showEmpty(
            icon, tr("This candidate names no configs to try"),
            tr("ModelNew.CHOICES = {\"CONFIG\": 4} names an attribute and how many values it has"),
            m_actions.sweepConfigs);
    else
        m_sweep->showEmpty(icon, tr("What other values of CONFIG would take appears here"),
                           tr("once a check on a GPU has tried what ModelNew.CHOICES names"),
                           m_actions.sweepConfigs);
}

void ProfilePanel::describe() {
    const Shown &shown = m_bench.shown();
    // What was not measured of the text before is no news while its check, or the next one's, is on the way.
    const bool isOnItsWay = m_bench.isRunning() && !isPast() && shown.figures.candidate() == nullptr;
    if (shown.evaluation && !isOnItsWay) {
        m_speedup->show(shown.figures);
        m_distribution->show(shown.figures);
        if (shown.isSummary && shown.figures.candidate() != nullptr)
            sayNotRecorded(m_distribution, QStringLiteral("distribution"),
                           tr("of this check the summary was kept, and not its samples"));
    } else {
        m_speedup->show(MeasuredFigures());
        m_distribution->show(MeasuredFigures());
        sayEmpty();
    }
    describeGraph();
    describeSweep();
    setStale();
    if (m_shownHunks == nullptr)
        showHunks({});
    describeHistory();
}

void ProfilePanel::showTree(const SharedTree &tree) {
    m_tree = tree;
    m_measured->showTree(tree);
    describeHistory();
}

void ProfilePanel::describeHistory() {
    const Shown &shown = m_bench.shown();
    HistoryLines lines;
    const auto medianOf = [&shown](const char *name) -> std::optional<double> {
        const ArmFigures *arm = shown.figures.arm(QLatin1String(name));
        return arm != nullptr ? std::optional(arm->medianMicroseconds) : std::nullopt;
    };
    lines.eager = medianOf("eager");
    lines.compile = medianOf("compile");
    lines.speedOfLight = shown.figures.speedOfLightMicroseconds;
    // Where this text has no times, the run's last ones say what its iterations are held against.
    if (isPast() && shown.figures.candidate() == nullptr) {
        const std::vector<IterationRecord> &records = m_tree->records;
        const auto timed = std::find_if(records.rbegin(), records.rend(), [](const IterationRecord &record) {
            return record.latest && record.latest->candidate && record.latest->eager;
        });
        if (timed != records.rend())
            lines.eager = timed->latest->candidate->medianMicroseconds * timed->latest->eager->value;
    }
    // Thousands of points are made once, and not at each step through a past run.
    const bool isTimed =
        std::any_of(m_tree->records.begin(), m_tree->records.end(),
                    [](const IterationRecord &record) { return record.latest && record.latest->candidate; });
    if (!isTimed)
        sayEmpty(m_history, QStringLiteral("history"), tr("The times of all iterations appear here"));
    else if (std::exchange(m_drawnTree, m_tree) != m_tree || lines != m_lines)
        m_history->show(pointsOf(m_tree->records), lines);
    m_drawnTree = m_tree;
    m_lines = lines;
    m_history->setCurrent(shown.iteration);
}

bool ProfilePanel::showPage(const QString &name) {
    const auto found = std::find_if(m_known.begin(), m_known.end(),
                                    [&name](const Page &known) { return known.name == name; });
    if (found == m_known.end())
        return false;
    if (const int inGroup = m_times->indexOf(found->widget); inGroup >= 0)
        m_times->setCurrentPage(inGroup);
    setCurrentPage(found->tab);
    return true;
}

QString ProfilePanel::openPage() const {
    const QWidget *inGroup = m_times->page(m_times->currentPage());
    const auto found = std::find_if(m_known.begin(), m_known.end(), [&](const Page &known) {
        return known.tab == currentPage() && (page(known.tab) != m_times || known.widget == inGroup);
    });
    return found == m_known.end() ? QString() : found->name;
}

void ProfilePanel::restorePage(const QByteArray &kept) {
    bool isNumber = false;
    const int number = kept.toInt(&isNumber);
    if (!showPage(isNumber ? pagesByNumber.value(number) : QString::fromUtf8(kept)))
        setCurrentPage(0);
}

ChartView *ProfilePanel::openChart() const {
    QWidget *open = page(currentPage());
    if (open == m_times)
        open = m_times->page(m_times->currentPage());
    if (open == m_assembly || open == m_measured->page(QStringLiteral("overview")))
        return nullptr;
    auto *chart = qobject_cast<ChartView *>(open);
    return chart != nullptr || open == nullptr ? chart : open->findChild<ChartView *>();
}

void ProfilePanel::showHunks(const HunkContributions &contributions) {
    if (m_shownHunks != nullptr && *m_shownHunks == contributions)
        return; // from one event of a run to the next they mostly stay
    m_shownHunks = contributions.isEmpty() ? nullptr : std::make_unique<HunkContributions>(contributions);
    m_hunks->show(contributions);
    if (contributions.isEmpty() && isPast())
        sayNotRecorded(m_hunks, QStringLiteral("chart"),
                       tr("no hunk was measured by itself up to this event"));
    else if (contributions.isEmpty())
        m_hunks->showEmpty(QStringLiteral("chart"), tr("What each hunk does to the time appears here"),
                           tr("only this hunk, and all others without it"), m_actions.measureHunks);
}

bool ProfilePanel::hasNumbers() const {
    return m_bench.shown().figures.candidate() != nullptr;
}

void ProfilePanel::exportChart(const QString &kind) {
    ChartView *view = openChart();
    if (view == nullptr) {
        emit noticed(tr("Not exported"), tr("This page is no chart: open one of the others."), true);
        return;
    }
    if (view->isEmpty()) { // told before a file is asked for
        emit noticed(tr("Nothing to export"), view->summary(), true);
        return;
    }
    const QString proposal =
        QStringLiteral("%1-%2.%3")
            .arg(m_bench.workspace() ? m_bench.workspace()->name : QStringLiteral("chart"), openPage(), kind);
    askForFile(this, {FileQuestion::Of::NewFile, tr("Export"), proposal, QStringLiteral("*.") + kind},
               [this, kind, view = QPointer(view)](const QString &file) {
                   if (!view)
                       return;
                   if (view->isEmpty()) // a check or another workspace has begun meanwhile
                       return emit noticed(tr("Nothing to export"), view->summary(), true);
                   const Result<void> written = kind == QLatin1String("png")   ? view->exportPng(file)
                                                : kind == QLatin1String("svg") ? view->exportSvg(file)
                                                                               : view->exportCsv(file);
                   emit noticed(written.hasValue() ? tr("Exported") : tr("Not exported"),
                                written.hasValue() ? file : written.message(), !written.hasValue());
               });
}

} // namespace warpwright
