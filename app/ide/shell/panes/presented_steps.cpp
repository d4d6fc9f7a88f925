// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/shell/panes/presented_steps.h"

#include "app/ide/editing/candidate_panel.h"
#include "app/ide/history/replay_bar.h"
#include "app/ide/history/replay_controller.h"
#include "app/ide/kit/actions.h"
#include "app/ide/review/past_review_views.h"

#include <QAction>

namespace warpwright {
namespace {

constexpr int candidatePane = 1;

/// That a past run's review has such a hunk beyond the current one.
bool hasHunk(const ShownReview *review, int current, int by) {
    return review != nullptr && review->neighbour(0, by) != 0 && current != review->neighbour(0, -by);
}

} // namespace

PresentedSteps::PresentedSteps(const Parts &parts, QObject *parent) : QObject(parent), m_parts(parts) {}

bool PresentedSteps::hasOtherHunk(int pane, int by) const {
    return pane == candidatePane && m_parts.replay.isAtProposal() &&
           hasHunk(m_parts.replay.review(), m_parts.candidate.currentHunk(), by);
}

bool PresentedSteps::canGo(int pane, int by) const {
    const ReplayController &replay = m_parts.replay;
    if (replay.isOpen())
        return hasOtherHunk(pane, by) || (by > 0 ? replay.number() < replay.last() : replay.number() > 1);
    return pane == candidatePane &&
           (by > 0 ? m_parts.actions.nextHunk : m_parts.actions.previousHunk)->isEnabled();
}

void PresentedSteps::go(int pane, int by) {
    if (!m_parts.replay.isOpen())
        (by > 0 ? m_parts.actions.nextHunk : m_parts.actions.previousHunk)->trigger();
    else if (hasOtherHunk(pane, by))
        m_parts.replay.stepHunk(by);
    else if (!m_parts.replay.goToStop(by))
        m_parts.replayBar.scrubber().page(by); // to the next proposal, or text that was changed
}

} // namespace warpwright
