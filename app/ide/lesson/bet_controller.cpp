// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/lesson/bet_controller.h"

#include "app/ide/kit/actions.h"
#include "app/ide/layout/window_state.h"

#include <utility>

namespace warpwright {
namespace {

// In the window's state. Nothing is kept while nobody has chosen.
constexpr QLatin1String elsewhere("betsFirst");
constexpr QLatin1String inLessons("betsFirstInLessons");

} // namespace

BetController::BetController(Actions &actions, WindowState &state, QObject *parent)
    : QObject(parent), m_actions(actions), m_state(state) {
    actions.betsFirst->setToolTip(
        tr("No number of a proposal is shown, predicted or measured, until you have said what you expect, or "
           "asked for it without a bet"));
    connect(actions.betsFirst, &QAction::toggled, this, &BetController::take);
    follow();
}

void BetController::setLesson(bool isLesson) {
    if (std::exchange(m_isLesson, isLesson) != isLesson)
        follow();
}

void BetController::follow() {
    m_isFollowing = true;
    m_actions.betsFirst->setChecked(m_isLesson ? m_state.bytes(inLessons) != "no"
                                               : m_state.bytes(elsewhere) == "yes");
    take(m_actions.betsFirst->isChecked()); // also where nothing was toggled
    m_isFollowing = false;
}

void BetController::take(bool isOn) {
    // Its text has the state, so that the palette, the menu and a button tell it alike.
    m_actions.betsFirst->setText(isOn ? tr("Bet before results: on") : tr("Bet before results: off"));
    if (m_isFollowing)
        return;
    m_state.setBytes(m_isLesson ? inLessons : elsewhere, isOn ? "yes" : "no");
    emit told(tr("Bet before results"),
              isOn ? tr("On: the numbers of a proposal stay hidden until you bet, or show them without.")
                   : tr("Off: the numbers of a proposal are shown as soon as they are known."));
}

} // namespace warpwright
