// SPDX-License-Identifier: GPL-3.0-or-later
// The overview of measured_pages.h: what each of the other pages has to say, and why a text is wrong.
#include "app/ide/kit/actions.h"
#include "app/ide/measured/findings_controller.h"
#include "app/ide/measured/measured_pages.h"
#include "app/ide/measured/overview_page.h"
#include "app/ide/results/assembly_page.h"
#include "app/ide/workbench/workbench.h"
#include "profiler_views/occupancy/occupancy_view.h"
#include "profiler_views/roofline/roofline_view.h"
#include "profiler_views/speedup_view.h"
#include "profiler_views/timeline/timeline_view.h"
#include "toolchain/base/figures.h"

#include <algorithm>
#include <utility>

namespace warpwright {

void MeasuredPages::describeOverview() {
    if (!m_overview->isVisible())
        return; // it is made when it is seen
    const Shown &shown = m_bench.shown();
    OverviewInput input;
    input.evaluation = shown.evaluation;
    input.figures = shown.figures;
    input.edits = m_bench.edits();
    input.isRunning = m_bench.isRunning();
    if (input.isRunning && m_bench.progressNow().wait)
        input.wait = stepText(m_bench.progressNow());
    input.isPast = isPast();
    input.findings = m_found;
    input.isFinding = m_finder->isFinding();
    input.failures = m_failures;
    const QString profiled = m_controller.ofText()     ? m_controller.ofText()->device
                             : m_controller.timeline() ? m_controller.timeline()->device
                                                       : QString();
    if (isOtherDevice(profiled, shown.evaluation))
        input.otherDevice = profiled;
    input.facts = overviewFacts();
    m_overview->show(overviewRows(input));
}

void MeasuredPages::describeCharts() {
    if (!m_overview->isVisible() || !m_overview->hasRoomForCharts())
        return;
    const MeasuredFigures figures = m_bench.shown().evaluation ? m_bench.shown().figures : MeasuredFigures();
    if (std::exchange(m_charted, figures) != figures || m_overviewTimes->isEmpty())
        m_overviewTimes->show(figures);
    m_overviewRoofline->show(rooflineInput());
}

std::vector<OverviewFact> MeasuredPages::overviewFacts() const {
    std::vector<OverviewFact> facts;
    const auto isDoing = [this](CounterController::Doing doing) {
        return m_controller.doing() == doing;
    };
    const bool isReading = m_controller.isLooking(); // then nothing is known to be missing
    const QString reading = tr("what was kept is being read");
    const std::optional<Evaluation> &check = m_bench.shown().evaluation;
    const QString doing = QStringLiteral("%1 · %2").arg(m_controller.title(), m_controller.step());
    facts.push_back({QStringLiteral("roofline"),
                     QStringLiteral("roofline"),
                     tr("Roofline"),
                     m_roofline->headline().isEmpty() ? m_roofline->summary() : m_roofline->headline(),
                     !m_roofline->isEmpty(),
                     {}});
    OverviewFact timeline{QStringLiteral("timeline"),
                          QStringLiteral("timeline"),
                          tr("Timeline"),
                          {},
                          m_controller.timeline().has_value(),
                          {}};
    timeline.words = isDoing(CounterController::Doing::Tracing) ? doing
                     : timeline.isKnown
                         ? ofDevice(m_controller.timeline()->device, check, m_timeline->headline())
                     : isReading ? reading
                                 : tr("what runs when in one call, of the candidate and of torch");
    if (!timeline.isKnown && !isReading && !m_controller.isRunning())
        timeline.wanted << m_actions.traceTimeline->objectName();
    facts.push_back(timeline);
    OverviewFact counters{QStringLiteral("counters"),
                          QStringLiteral("memory"),
                          tr("Counters"),
                          {},
                          m_controller.counters() != nullptr,
                          {}};
    const bool isCounting =
        isDoing(CounterController::Doing::Collecting) || isDoing(CounterController::Doing::Reading);
    counters.words = isCounting             ? doing
                     : counters.isKnown     ? ofDevice(m_controller.counters()->device, check,
                                                       countersText(*m_controller.counters()))
                     : isReading            ? reading
                     : m_whyNoGpu.isEmpty() ? tr("what the hardware counts in one call")
                                            : m_whyNoGpu;
    if (counters.isKnown && m_controller.isReport())
        counters.words = tr("of a report: %1").arg(counters.words);
    if (!counters.isKnown && !isReading && !m_controller.isRunning())
        counters.wanted
            << (m_whyNoGpu.isEmpty() ? m_actions.collectCounters : m_actions.openReport)->objectName();
    facts.push_back(counters);
    facts.push_back({QStringLiteral("occupancy"),
                     QStringLiteral("occupancy"),
                     tr("Occupancy"),
                     m_occupancy->summary(),
                     !m_occupancy->isEmpty(),
                     {}});
    const std::shared_ptr<const Inspection> &inspection = m_assembly.inspection();
    const bool hasKernels = inspection && !inspection->kernels.empty();
    facts.push_back(
        {QStringLiteral("assembly"),
         QStringLiteral("sass"),
         tr("Assembly"),
         hasKernels ? tr("%1 of %2")
                          .arg(countText(static_cast<qsizetype>(inspection->kernels.size()), tr("kernel")),
                               inspection->architecture)
                    : tr("SASS and PTX of its kernels"),
         hasKernels,
         {}});
    const auto checked =
        std::count_if(m_tree->records.begin(), m_tree->records.end(),
                      [](const IterationRecord &record) { return record.latest.has_value(); });
    facts.push_back({QStringLiteral("history"),
                     QStringLiteral("history"),
                     tr("History"),
                     checked > 0 ? tr("%1 checked").arg(countText(checked, tr("iteration")))
                                 : tr("the times of all iterations"),
                     checked > 0,
                     {}});
    return facts;
}

// Worked out in the pool, once for each evaluation.
void MeasuredPages::readFailures() {
    const std::optional<Evaluation> &evaluation = m_bench.shown().evaluation;
    const bool isWrong = evaluation && evaluation->verdict == Verdict::Wrong;
    const QString id = isWrong ? evaluation->id : QString();
    if (std::exchange(m_failuresOf, id) == id)
        return;
    const int number = m_failureJobs.next();
    m_failures.clear();
    if (!isWrong)
        return;
    inPool(
        this, [verify = evaluation->verify] { return failureWords(verify); },
        [this, number](std::vector<FailureWords> &&failures) {
            if (m_failureJobs.isStale(number))
                return;
            m_failures = std::move(failures);
            describeOverview();
        });
}

} // namespace warpwright
