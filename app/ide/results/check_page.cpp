// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/results/check_page.h"

#include "app/ide/kit/actions.h"
#include "app/ide/review/proposal_check.h"
#include "toolchain/progress/stage_progress.h"
#include "widgets/frame/empty_state.h"
#include "widgets/frame/pane.h"

namespace warpwright {

CheckPage::CheckPage(const Look &look, const Actions &actions, QString icon, QString title, QString onItsWay,
                     QWidget *parent)
    : QWidget(parent),
      m_actions(actions),
      m_icon(std::move(icon)),
      m_title(std::move(title)),
      m_onItsWay(std::move(onItsWay)),
      m_empty(new EmptyState(look, this)),
      m_textHead(new SectionHead(look, {}, this)) {
    m_textHead->setObjectName(QStringLiteral("textHead"));
    m_textHead->hide();
    sayEmpty(false);
}

void CheckPage::setProposed(const ProposedText *proposed) {
    m_isOfProposal = proposed != nullptr && proposed->isOfProposal();
    m_textHead->setVisible(proposed != nullptr);
    if (proposed == nullptr)
        return;
    m_textHead->setTitle(tr("Of %1").arg(proposed->title));
    m_textHead->setRemark(proposed->remark);
    m_textHead->setAccessibleName(tr("Of %1, %2").arg(proposed->title, proposed->remark));
}

void CheckPage::setProgress(const StageProgress *now) {
    m_delay.clear();
    m_delayWords.clear();
    if (now == nullptr)
        return;
    if (now->wait) {
        m_delay = tr("The check waits for the device");
        m_delayWords = stepText(*now);
    } else if (isOfJudgeBuild(*now)) {
        const QString text = stepText(*now);
        const QString step = text.section(QStringLiteral(": "), 1);
        m_delay = text.section(QStringLiteral(": "), 0, 0);
        m_delayWords =
            tr("%1; then this text is verified").arg(step.isEmpty() ? tr("by another process") : step);
    }
}

void CheckPage::sayEmpty(bool isRunning, bool isPast) {
    const std::tuple says(isRunning, m_isMeasuredByRun, isPast, m_delay, m_delayWords);
    if (m_says == says)
        return;
    m_says = says;
    if (isPast)
        m_empty->say(m_icon, tr("Not recorded"), tr("at this event nothing had been checked of this text"));
    else if (isRunning && !m_delay.isEmpty())
        m_empty->say(QStringLiteral("running"), m_delay, m_delayWords);
    else if (isRunning)
        m_empty->say(QStringLiteral("running"),
                     m_isMeasuredByRun ? tr("Being measured by the run") : tr("The check is running"),
                     m_onItsWay);
    else
        m_empty->say(m_icon, m_title, tr("with the first check"), m_actions.check);
}

} // namespace warpwright
