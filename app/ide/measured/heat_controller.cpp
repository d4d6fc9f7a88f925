// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/measured/heat_controller.h"

#include "app/ide/measured/counter_controller.h"
#include "app/ide/results/assembly_page.h"
#include "app/ide/workbench/workbench.h"
#include "toolchain/history/iteration_store.h"

#include <algorithm>

namespace warpwright {
namespace {

constexpr int soonMs = 60;

/// The text that has this hash: on the disk, or in the history.
struct FoundText {
    CandidateTexts texts; ///< none: it is gone
    int iteration = 0;    ///< 0: it is in no history
    bool isOnDisk = false;
};

FoundText textOf(const Workspace &workspace, const QString &hash) {
    FoundText found;
    if (hash.isEmpty())
        return found;
    const IterationStore store(workspace.state);
    if (const Result<std::vector<IterationRecord>> records = store.list(); records.hasValue())
        for (const IterationRecord &record : records.value())
            if (record.iteration.textHash == hash)
                found.iteration = record.iteration.number;
    Result<CandidateTexts> onDisk = readCandidateTexts(workspace);
    found.isOnDisk = onDisk.hasValue() && textHashOf(onDisk.value()) == hash;
    if (found.isOnDisk)
        found.texts = std::move(onDisk).value();
    else if (found.iteration > 0)
        if (Result<CandidateTexts> texts = store.texts(found.iteration); texts.hasValue())
            found.texts = std::move(texts).value();
    return found;
}

/// Null: its text is gone, or it has no samples. `inspection`: of the text on the disk, or (`isEarlier`) of
/// the very text; null: not known.
SharedHeat heatFrom(const Counters &counters, const Workspace &workspace, const Inspection *inspection,
                    bool isEarlier) {
    const FoundText found = textOf(workspace, counters.textHash);
    if (found.texts.empty())
        return nullptr;
    Heat heat = heatOf(counters, found.isOnDisk || isEarlier ? inspection : nullptr, found.texts);
    heat.iteration = found.iteration > 0 ? found.iteration : counters.iteration;
    return heat.isEmpty() ? nullptr : std::make_shared<const Heat>(std::move(heat));
}

} // namespace

HeatController::HeatController(Workbench &bench, CounterController &counters, AssemblyPage &assembly,
                               QObject *parent)
    : QObject(parent), m_bench(bench), m_counters(counters), m_assembly(assembly) {
    m_soon.setSingleShot(true);
    m_soon.setInterval(soonMs);
    connect(&m_soon, &QTimer::timeout, this, &HeatController::look);
    const auto soon = [this] {
        m_soon.start();
    };
    connect(&counters, &CounterController::countersChanged, this, soon);
    connect(&assembly, &AssemblyPage::settled, this, soon);
    connect(&bench, &Workbench::shownChanged, this, soon);
    connect(&bench, &Workbench::closed, this, soon);
    connect(&bench, &Workbench::runChanged, this, [this] {
        if (m_heat && std::exchange(m_wasPast, isPast()) != isPast())
            emit changed();
    });
}

bool HeatController::isPast() const {
    const SharedCounters &counters = m_counters.ofText();
    const bool isEdited = m_bench.edits() > 0 && !m_bench.shown().isEarlier;
    return m_heat && (!counters || counters->id != m_heat->counters || isEdited);
}

bool HeatController::isComing() const {
    return !m_heat && m_counters.ofText() && (m_soon.isActive() || m_isReckoning);
}

void HeatController::look() {
    const QString workspace = m_bench.workspace() ? m_bench.workspace()->state : QString();
    // At an event of a past run nothing was sampled, and the heat of today would stand beside its text.
    const bool isNone = workspace.isEmpty() || !m_bench.shown().replay.isEmpty();
    if (isNone || std::exchange(m_workspace, workspace) != workspace) {
        (void)m_jobs.next();
        m_isReckoning = false;
        m_reckoned.clear();
        m_assembly.readAlways(false);
        if (std::exchange(m_heat, nullptr))
            emit changed();
        if (isNone) {
            m_workspace.clear();
            return;
        }
    }
    const SharedCounters &counters = m_counters.ofText();
    m_assembly.readAlways(counters != nullptr);
    if (!counters)
        return takeOlder();
    // Of a text that was edited since, the listing is another one's.
    const bool hasListing = m_assembly.isSettled() && m_assembly.inspection() &&
                            (m_bench.edits() == 0 || m_bench.shown().isEarlier);
    if (m_reckoned != counters->id || (hasListing && !m_hasListing)) {
        m_reckoned = counters->id;
        m_hasListing = hasListing;
        reckon(counters);
    } else if (m_heat && std::exchange(m_wasPast, isPast()) != isPast()) {
        emit changed();
    } else if (!m_heat && !m_isReckoning) {
        emit changed(); // nothing is coming any more
    }
}

void HeatController::take(SharedHeat heat) {
    m_heat = std::move(heat);
    m_wasPast = isPast();
    emit changed();
}

void HeatController::reckon(const SharedCounters &counters) {
    const int number = m_jobs.next();
    m_isReckoning = true;
    const std::shared_ptr<const Inspection> inspection = m_hasListing ? m_assembly.inspection() : nullptr;
    inPool(
        this,
        [counters, inspection, workspace = *m_bench.workspace(), isEarlier = m_bench.shown().isEarlier] {
            return heatFrom(*counters, workspace, inspection.get(), isEarlier);
        },
        [this, number](SharedHeat &&heat) {
            if (m_jobs.isStale(number))
                return;
            m_isReckoning = false;
            if (heat)
                return take(std::move(heat));
            takeOlder();
            if (!m_heat)
                emit changed(); // nothing is coming any more
        });
}

// The heat of before stays, as past; else that of the newest counters whose text the history still has.
void HeatController::takeOlder() {
    if (m_heat)
        return take(m_heat);
    if (std::exchange(m_reckoned, QStringLiteral("older")) == QLatin1String("older"))
        return;
    const int number = m_jobs.next();
    m_counters.findOthers([this, number](const std::vector<SharedCounters> &others) {
        const auto newest = std::find_if(others.begin(), others.end(),
                                         [](const SharedCounters &one) { return !one->textHash.isEmpty(); });
        if (m_jobs.isStale(number) || newest == others.end() || !m_bench.workspace())
            return;
        inPool(
            this,
            [counters = *newest, workspace = *m_bench.workspace()] {
                return heatFrom(*counters, workspace, nullptr, false);
            },
            [this, number](SharedHeat &&heat) {
                if (!m_jobs.isStale(number) && heat)
                    take(std::move(heat));
            });
    });
}

} // namespace warpwright
