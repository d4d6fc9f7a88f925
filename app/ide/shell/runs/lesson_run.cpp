// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/shell/runs/lesson_run.h"

#include "agent/lessons/lesson_folder.h"
#include "app/ide/agent/agent_controller.h"
#include "app/ide/editing/candidate_panel.h"
#include "app/ide/kit/actions.h"
#include "app/ide/layout/dock.h"
#include "app/ide/lesson/lesson_controller.h"
#include "app/ide/lesson/lesson_page.h"
#include "app/ide/results/verdict_banner.h"
#include "app/ide/shell/runs/run_offers.h"
#include "app/ide/workbench/workbench.h"

#include <QAction>

namespace warpwright {

LessonRun::LessonRun(const Parts &parts, QObject *parent) : QObject(parent), m_parts(parts) {
    connect(&m_parts.agent, &AgentController::runChanged, &m_parts.lesson, [this] {
        const AgentController &agent = m_parts.agent;
        m_parts.lesson.setRunning(agent.isRunning(), agent.agent().kind == AuthorKind::Script);
        m_parts.lesson.readSoon();
    });
    // In a lesson no agent is at work that would need a name.
    connect(&m_parts.lesson, &LessonController::shown, this,
            [this] { m_parts.agentDock.setTitle(m_parts.lesson.contents() ? tr("Lesson") : tr("Agent")); });
    // The first text may take minutes, with nothing else on the page that moves.
    const auto tellWork = [this] {
        const std::optional<StageProgress> work = m_parts.agent.work();
        const bool isMeasuring = work && work->stage != QLatin1String("propose");
        m_parts.lesson.page().setWork(isMeasuring ? workText(*work) : QString());
    };
    connect(&m_parts.agent, &AgentController::worked, &m_parts.lesson, tellWork);
    connect(&m_parts.agent, &AgentController::runChanged, &m_parts.lesson, tellWork);
    connect(&m_parts.lesson, &LessonController::shown, this, [this] {
        if (m_parts.bench.workspace())
            m_parts.offers.offerAnew();
    });
    // What was typed is saved first: the steps are patches of the text on the disk.
    connect(m_parts.actions.beginLesson, &QAction::triggered, this, [this] {
        m_parts.candidate.saveAll([this](bool isSaved) {
            if (!isSaved || !m_parts.bench.workspace())
                return;
            m_parts.agentDock.reveal(); // reasons, steps and bets are there
            m_parts.agent.begin({AuthorKind::Script, {}},
                                m_parts.bench.workspace()->folder + QLatin1Char('/') + lessonStepsFolder);
            m_parts.lesson.openPage(); // while the first text is measured, it is there to be read
        });
    });
}

} // namespace warpwright
