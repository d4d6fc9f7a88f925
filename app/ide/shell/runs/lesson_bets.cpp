// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/shell/runs/lesson_bets.h"

#include "app/ide/kit/actions.h"
#include "app/ide/kit/notices.h"
#include "app/ide/layout/window_state.h"
#include "app/ide/lesson/bet_controller.h"
#include "app/ide/lesson/lesson_controller.h"
#include "app/ide/shell/window_notices.h"
#include "app/ide/workbench/workbench.h"

#include <QAction>
#include <QShortcut>

namespace warpwright {

LessonBets::LessonBets(const Parts &parts, QWidget *window)
    : QObject(window), m_parts(parts), m_window(window) {
    auto *bets = new BetController(m_parts.actions, m_parts.state, this);
    connect(&m_parts.lesson, &LessonController::shown, bets, [this, bets] {
        const std::optional<LessonContents> &contents = m_parts.lesson.contents();
        bets->setLesson(contents && !contents->isRecording);
    });
    connect(bets, &BetController::told, this, [this](const QString &title, const QString &text) {
        m_parts.notices.takeBack(title); // the last one is no longer true
        m_parts.notices.tell(newsNotice(title, text));
    });
    // The key finds nothing to bet on: what is typed next would go into the text, unless that is said.
    auto *vain = new QShortcut(m_window);
    QAction *bet = m_parts.actions.bet;
    const auto fitVain = [this, vain, bet] {
        vain->setKey(bet->shortcut());
        vain->setEnabled(!bet->isEnabled() && m_parts.bench.workspace());
    };
    connect(bet, &QAction::changed, vain, fitVain);
    connect(&m_parts.bench, &Workbench::opened, vain, fitVain);
    connect(&m_parts.bench, &Workbench::closed, vain, fitVain);
    fitVain();
    connect(vain, &QShortcut::activated, this, [this, bet] {
        const QString why = bet->property("whyDisabled").toString();
        m_parts.notices.takeBack(tr("Nothing to bet on"));
        m_parts.notices.tell(
            newsNotice(tr("Nothing to bet on"), why.left(1).toUpper() + why.mid(1) + QLatin1Char('.')));
    });
}

} // namespace warpwright
