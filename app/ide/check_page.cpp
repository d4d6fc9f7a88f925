// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/check_page.h"

#include "app/ide/actions.h"
#include "widgets/empty_state.h"

namespace warpwright {

CheckPage::CheckPage(const Look &look, const Actions &actions, QString icon, QString title, QString onItsWay,
                     QWidget *parent)
    : QWidget(parent),
      m_actions(actions),
      m_icon(std::move(icon)),
      m_title(std::move(title)),
      m_onItsWay(std::move(onItsWay)),
      m_empty(new EmptyState(look, this)) {
    sayEmpty(false);
}

void CheckPage::sayEmpty(bool isRunning) {
    if (m_saysRunning == isRunning)
        return;
    m_saysRunning = isRunning;
    if (isRunning)
        m_empty->say(QStringLiteral("running"), tr("The check is running"), m_onItsWay);
    else
        m_empty->say(m_icon, m_title, tr("with the first check"), m_actions.check);
}

} // namespace warpwright
