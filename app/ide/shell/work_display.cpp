// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/shell/work_display.h"

#include "agent/session/session.h"
#include "app/ide/agent/agent_controller.h"
#include "app/ide/history/iterations_panel.h"
#include "app/ide/kit/actions.h"
#include "app/ide/layout/status_line.h"
#include "app/ide/measured/counter_controller.h"
#include "app/ide/measured/profile_panel.h"
#include "app/ide/results/build_panel.h"
#include "app/ide/results/verdict_banner.h"
#include "app/ide/shell/window_notices.h"
#include "app/ide/shell/window_parts.h"
#include "app/ide/workbench/workbench.h"
#include "profiler_views/verdict_look.h"

#include <QAction>

namespace warpwright {

WorkDisplay::WorkDisplay(const WindowParts &parts, QObject *parent) : QObject(parent), m_parts(parts) {}

void WorkDisplay::showNow() {
    const BannerState state = stateNow();
    m_parts.banner->show(state);
    // Of the live text, and not in the tree of a past run.
    m_parts.iterations->setProposal(m_parts.agent != nullptr && m_parts.bench->shown().replay.isEmpty()
                                        ? m_parts.agent->proposal()
                                        : std::nullopt);
    showNext(state);
    showStatus(state);
}

BannerState WorkDisplay::stateNow() const {
    const AgentController *agent = m_parts.agent;
    BannerState state;
    const Shown &shown = m_parts.bench->shown();
    state.evaluation = shown.evaluation;
    state.figures = shown.figures;
    state.iteration = shown.iteration;
    state.evaluated = shown.evaluated;
    const SharedTree tree = shownTree(m_parts);
    state.iterationCount = tree->records.empty() ? 0 : tree->records.back().iteration.number;
    state.edits = shown.evaluation ? m_parts.bench->edits() : 0;
    state.isEarlier = shown.isEarlier;
    state.locked = m_parts.bench->readOnlyWords();
    state.isRunning = m_parts.bench->isRunning() && !shown.isEarlier;
    state.isStopping = m_parts.bench->isStopping();
    state.progress = m_parts.bench->progressNow();
    state.passedStages = m_parts.bench->passedStages();
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
    if (const Shown &shown = m_parts.bench->shown(); shown.isEarlier) // the bar of a replay has it
        next = shown.replay.isEmpty() ? m_parts.actions->backToText : nullptr;
    else if (state.isRunning || state.proposal)
        next = nullptr;
    else if (state.evaluation && state.edits == 0 && state.evaluation->verdict == Verdict::BuildFailed)
        next = m_parts.actions->nextMark;
    m_parts.banner->setNextAction(next);
}

void WorkDisplay::showStatus(const BannerState &state) {
    const AgentController *agent = m_parts.agent;
    const std::optional<StageProgress> work = agent != nullptr ? agent->work() : std::nullopt;
    const QString asker = agent != nullptr ? agent->asker() : QString();
    const Shown &shown = m_parts.bench->shown();
    if (m_parts.bench->isRunning()) {
        m_parts.status->setState(QStringLiteral("running"), "accent.text",
                                 m_parts.bench->isStopping() ? tr("Stopping")
                                                             : workText(m_parts.bench->progressNow()));
    } else if (work) {
        m_parts.status->setState(QStringLiteral("running"), "accent.text", workText(*work));
    } else if (m_parts.counters->isRunning()) {
        m_parts.status->setState(QStringLiteral("running"), "accent.text",
                                 tr("%1 · %2").arg(m_parts.counters->title(), m_parts.counters->step()));
    } else if (!asker.isEmpty()) {
        m_parts.status->setState(
            QStringLiteral("person"), "accent.text",
            tr("%1 waits for your answer (%2)")
                .arg(asker, m_parts.actions->answerAgent->shortcut().toString(QKeySequence::NativeText)));
    } else if (agent != nullptr && agent->session() != nullptr && agent->session()->isPaused()) {
        m_parts.status->setState(QStringLiteral("pause"), "accent.text",
                                 tr("The run is paused: Go on resumes it"));
    } else if (state.proposal && state.proposal->waits) {
        m_parts.status->setState(
            QStringLiteral("review"), "accent.text",
            tr("Proposal %1 waits for you: %2").arg(state.proposal->number).arg(state.proposal->progress));
    } else if (shown.evaluation) {
        const VerdictLook look =
            state.edits > 0 ? staleLook() : lookOf(shown.evaluation->verdict, shown.evaluation->unexercised);
        QString text = shown.evaluated.isEmpty() ? tr("Iteration %1: %2").arg(shown.iteration).arg(look.word)
                                                 : tr("Of %1: %2").arg(shown.evaluated, look.word);
        if (const QString took = checkedInText(*shown.evaluation); !took.isEmpty() && state.edits == 0)
            text += QStringLiteral(", ") + took;
        m_parts.status->setState(QString::fromLatin1(look.icon), look.ink, text);
    } else {
        m_parts.status->setState(QStringLiteral("accept"), "text.secondary", tr("Ready"));
    }
}

void WorkDisplay::showRecords() {
    const SharedTree tree = shownTree(m_parts);
    m_parts.iterations->setTree(tree);
    m_parts.profile->showTree(tree);
    const int first = m_parts.agent == nullptr ? 0 : m_parts.agent->measuredFirst();
    m_parts.iterations->setChecked(tree != m_parts.bench->tree() ? 0
                                   : first > 0                   ? first
                                                                 : m_parts.bench->checkedIteration(),
                                   first > 0);
    showNow(); // it says how many there are
}

// Before its first proposal a run measures the text, which may take minutes.
void WorkDisplay::showMeasuredFirst() {
    const int number = m_parts.agent->measuredFirst();
    const StageProgress now = m_parts.agent->work().value_or(StageProgress());
    m_parts.build->setMeasuredByRun(number > 0 ? &now : nullptr);
    if (number > 0 || m_parts.agent->isRunning())
        m_parts.iterations->setChecked(number, true);
}

void WorkDisplay::announce(const Evaluation &evaluation) {
    m_parts.build->showFor(evaluation.verdict);
    const int exitCode = exitCodeFor(evaluation.verdict);
    if (exitCode != 2 || evaluation.message.isEmpty())
        return;
    // What the person cannot see in the panes: the machine or the task is at fault.
    m_parts.notices->sayTrouble(evaluation.message.what, plainText(evaluation.message));
}

} // namespace warpwright
