// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/shell/status_display.h"

#include "agent/session/session.h"
#include "app/ide/agent/agent_controller.h"
#include "app/ide/kit/actions.h"
#include "app/ide/layout/status_line.h"
#include "app/ide/measured/counter_controller.h"
#include "app/ide/results/verdict_banner.h"
#include "app/ide/workbench/workbench.h"
#include "profiler_views/verdict_look.h"

#include <QAction>

namespace warpwright {

StatusDisplay::StatusDisplay(const Parts &parts, QObject *parent) : QObject(parent), m_parts(parts) {}

void StatusDisplay::show(const BannerState &state) {
    const AgentController *agent = m_agent;
    const std::optional<StageProgress> work = agent != nullptr ? agent->work() : std::nullopt;
    const QString asker = agent != nullptr ? agent->asker() : QString();
    const Shown &shown = m_parts.bench.shown();
    if (m_parts.bench.isRunning()) {
        m_parts.status.setState(QStringLiteral("running"), "accent.text",
                                m_parts.bench.isStopping() ? tr("Stopping")
                                                           : workText(m_parts.bench.progressNow()));
    } else if (work) {
        m_parts.status.setState(QStringLiteral("running"), "accent.text", workText(*work));
    } else if (m_parts.counters.isRunning()) {
        m_parts.status.setState(QStringLiteral("running"), "accent.text",
                                tr("%1 · %2").arg(m_parts.counters.title(), m_parts.counters.step()));
    } else if (!asker.isEmpty()) {
        m_parts.status.setState(
            QStringLiteral("person"), "accent.text",
            tr("%1 waits for your answer (%2)")
                .arg(asker, m_parts.actions.answerAgent->shortcut().toString(QKeySequence::NativeText)));
    } else if (agent != nullptr && agent->session() != nullptr && agent->session()->isPaused()) {
        m_parts.status.setState(QStringLiteral("pause"), "accent.text",
                                tr("The run is paused: Go on resumes it"));
    } else if (state.proposal && state.proposal->waits) {
        m_parts.status.setState(
            QStringLiteral("review"), "accent.text",
            tr("Proposal %1 waits for you: %2").arg(state.proposal->number).arg(state.proposal->progress));
    } else if (shown.evaluation) {
        const VerdictLook look =
            state.edits > 0 ? staleLook() : lookOf(shown.evaluation->verdict, shown.evaluation->unexercised);
        QString text = shown.evaluated.isEmpty() ? tr("Iteration %1: %2").arg(shown.iteration).arg(look.word)
                                                 : tr("Of %1: %2").arg(shown.evaluated, look.word);
        if (const QString took = checkedInText(*shown.evaluation); !took.isEmpty() && state.edits == 0)
            text += QStringLiteral(", ") + took;
        m_parts.status.setState(QString::fromLatin1(look.icon), look.ink, text);
    } else {
        m_parts.status.setState(QStringLiteral("accept"), "text.secondary", tr("Ready"));
    }
}

} // namespace warpwright
