// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/shell/runs/left_runs.h"

#include "app/ide/agent/agent_controller.h"
#include "app/ide/agent/answers_out.h"
#include "app/ide/editing/candidate_panel.h"
#include "app/ide/kit/actions.h"
#include "app/ide/kit/notices.h"
#include "app/ide/layout/left_work.h"
#include "app/ide/shell/window_notices.h"
#include "app/ide/shell/workspace_opener.h"
#include "app/ide/workbench/job.h"
#include "app/ide/workbench/workbench.h"

#include <QAction>
#include <QFileInfo>

#include <utility>

namespace warpwright {
namespace {

QString answersTitle() {
    return LeftRuns::tr("Accepted hunks are in the text");
}

} // namespace

LeftRuns::LeftRuns(const Parts &parts, QObject *parent) : QObject(parent), m_parts(parts) {
    connect(&m_parts.agent, &AgentController::runChanged, this, [this] {
        if (m_parts.agent.isRunning())
            m_parts.notices.takeBack(answersTitle());
    });
    connect(&m_parts.candidate, &CandidatePanel::loaded, this, &LeftRuns::tellAnswers);
}

// Stopped, or its program died: whoever comes back finds it again.
void LeftRuns::look() {
    if (!m_parts.bench.workspace() || m_parts.agent.isRunning())
        return;
    inPool(
        this,
        [path = m_parts.opener.openedPath(), folders = m_parts.bench.folders()] {
            return leftWorkIn(path, folders);
        },
        [this, path = m_parts.opener.openedPath()](const LeftWork &work) {
            if (m_parts.opener.openedPath() != path || m_parts.agent.isRunning() || work.left.run.isEmpty())
                return;
            m_left = work.left;
            m_parts.agent.setLeftRun(work.left);
            emit found();
            tellAnswers();
            continueOpened();
            emit looked(work);
        });
}

// Its files are in the editors, and what was left is known: whichever comes later.
void LeftRuns::continueOpened() {
    AfterOpening &after = m_parts.opener.after();
    if (after.toContinue.isEmpty() || after.place || m_left.run.isEmpty() || !m_parts.bench.workspace())
        return;
    const QString asked = std::exchange(after.toContinue, QString());
    if (QFileInfo(asked) == QFileInfo(m_parts.opener.openedPath()) &&
        m_parts.actions.continueRun->isEnabled())
        m_parts.actions.continueRun->trigger();
}

// What came back after a crash may be hunks that were accepted: who saves or undoes them would answer twice.
void LeftRuns::tellAnswers() {
    if (m_left.run.isEmpty() || m_left.process || m_parts.agent.isRunning() || m_toldAnswers == m_left.run)
        return;
    findAnswers(m_parts.candidate, m_parts.bench, m_left.run, this,
                [this, run = m_left.run](const QStringList &files, bool isAll) {
                    if (m_left.run != run || m_parts.agent.isRunning() || m_toldAnswers == run)
                        return;
                    m_toldAnswers = run;
                    m_parts.notices.takeBack(CandidatePanel::tr("Unsaved text is back"));
                    const QString text =
                        tr("What you accepted of proposal %1 stands in %2, and is not written yet. Continue "
                           "takes it up as answered; there is nothing to save or to undo.")
                            .arg(m_left.proposal)
                            .arg(files.join(QStringLiteral(", ")));
                    const QString more =
                        isAll ? QString() : tr(" What you typed beside it is back, too, and stays.");
                    Notice notice = newsNotice(answersTitle(), text + more, true);
                    notice.actionName = tr("Continue");
                    notice.action = [this] {
                        m_parts.actions.continueRun->trigger();
                    };
                    m_parts.notices.tell(notice);
                });
}

} // namespace warpwright
