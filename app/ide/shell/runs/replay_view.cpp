// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/shell/runs/replay_view.h"

#include "app/ide/agent/agent_panel.h"
#include "app/ide/history/past_run_panel.h"
#include "app/ide/history/replay_bar.h"
#include "app/ide/history/replay_controller.h"
#include "app/ide/history/run_event_list.h"
#include "app/ide/layout/dock.h"
#include "app/ide/measured/profile_panel.h"

#include <QAction>
#include <QStackedWidget>

namespace warpwright {

ReplayView::ReplayView(const Parts &parts, QObject *parent) : QObject(parent), m_parts(parts) {
    QAction *play = &m_parts.play;
    ReplayScrubber *scrubber = &m_parts.replayBar.scrubber();
    connect(&m_parts.pastRun.events(), &RunEventList::playAsked, play, &QAction::trigger);
    connect(scrubber, &ReplayScrubber::playAsked, play, &QAction::trigger);
    connect(&m_parts.pastRun.events(), &RunEventList::pageAsked, scrubber, &ReplayScrubber::page);
    connect(&m_parts.replay, &ReplayController::opened, this, [this] {
        m_parts.agentStack.setCurrentWidget(&m_parts.pastRun);
        m_parts.agentDock.show();
        m_parts.replayBar.show();
        // Arrows and a presenter's keys go through the run at once.
        m_parts.replayBar.scrubber().setFocus();
    });
    connect(&m_parts.replay, &ReplayController::left, this, [this] {
        m_parts.agentStack.setCurrentWidget(&m_parts.agentPanel);
        m_parts.replayBar.hide();
    });
}

void showHunksOf(ReplayController &replay, ProfilePanel &profile) {
    QObject::connect(&replay, &ReplayController::changed, &profile, [&replay, &profile] {
        if (replay.isOpen())
            profile.showHunks(replay.review() != nullptr ? replay.review()->contributions
                                                         : HunkContributions());
    });
    QObject::connect(&replay, &ReplayController::left, &profile, [&profile] { profile.showHunks({}); });
    QObject::connect(&profile, &ProfilePanel::hunkPicked, &replay, &ReplayController::goToHunk);
}

} // namespace warpwright
