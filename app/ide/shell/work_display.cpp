// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/shell/work_display.h"

#include "agent/session/session.h"
#include "app/ide/agent/agent_controller.h"
#include "app/ide/kit/actions.h"
#include "app/ide/results/build_panel.h"
#include "app/ide/results/verdict_banner.h"
#include "app/ide/shell/displayed_iterations.h"
#include "app/ide/shell/window_notices.h"
#include "app/ide/workbench/workbench.h"
#include "profiler_views/verdict_look.h"

#include <QAction>

namespace warpwright {

WorkDisplay::WorkDisplay(const Parts &parts, QObject *parent) : QObject(parent), m_parts(parts) {}

void WorkDisplay::showNow() {
    const BannerState state = stateNow();
    m_parts.banner.show(state);
    showNext(state);
    emit shown(state);
}

BannerState WorkDisplay::stateNow() const {
    const AgentController *agent = m_agent;
    BannerState state;
    const Shown &shown = m_parts.bench.shown();
    state.evaluation = shown.evaluation;
    state.figures = shown.figures;
    state.iteration = shown.iteration;
    state.evaluated = shown.evaluated;
    const SharedTree tree = m_parts.shown.tree();
    state.iterationCount = tree->records.empty() ? 0 : tree->records.back().iteration.number;
    state.edits = shown.evaluation ? m_parts.bench.edits() : 0;
    state.isEarlier = shown.isEarlier;
    state.locked = m_parts.bench.readOnlyWords();
    state.isRunning = m_parts.bench.isRunning() && !shown.isEarlier;
    state.isStopping = m_parts.bench.isStopping();
    state.progress = m_parts.bench.progressNow();
    state.passedStages = m_parts.bench.passedStages();
    if (agent != nullptr && !shown.isEarlier)
        state.proposal = agent->proposal();
    const std::optional<StageProgress> work = agent != nullptr ? agent->work() : std::nullopt;
    if (work && !state.proposal && !shown.isEarlier) { // of a proposal the banner tells itself
        state.isRunning = true;
        state.progress = *work;
        state.passedStages.clear();
        state.isOfRun = agent->measuredFirst() > 0;
    } else if (state.proposal && !state.isRunning) {
        state.progress = agent->step();
    }
    return state;
}

// The next step: back to one's own text, mend what failed, or check. Check itself is the filled button above.
void WorkDisplay::showNext(const BannerState &state) {
    QAction *next = nullptr;
    if (const Shown &shown = m_parts.bench.shown(); shown.isEarlier) // the bar of a replay has it
        next = shown.replay.isEmpty() ? m_parts.actions.backToText : nullptr;
    else if (state.isRunning || state.proposal)
        next = nullptr;
    else if (state.evaluation && state.edits == 0 && state.evaluation->verdict == Verdict::BuildFailed)
        next = m_parts.actions.nextMark;
    m_parts.banner.setNextAction(next);
}

void announce(const Evaluation &evaluation, BuildPanel &build, WindowNotices &notices) {
    build.showFor(evaluation.verdict);
    const int exitCode = exitCodeFor(evaluation.verdict);
    if (exitCode != 2 || evaluation.message.isEmpty())
        return;
    // What the person cannot see in the panes: the machine or the task is at fault.
    notices.sayTrouble(evaluation.message.what, plainText(evaluation.message));
}

} // namespace warpwright
