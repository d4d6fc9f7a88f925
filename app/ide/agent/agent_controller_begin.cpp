// SPDX-License-Identifier: GPL-3.0-or-later
// How an agent's run begins in the window, and how one that was left goes on.
#include "agent/factory/agent_by_name.h"
#include "app/ide/agent/agent_controller.h"
#include "app/ide/agent/agent_talk.h"
#include "app/ide/agent/review_controller.h"
#include "app/ide/agent/run_words.h"
#include "app/ide/kit/actions.h"
#include "app/ide/layout/top_bar.h"
#include "app/ide/workbench/job.h"
#include "app/ide/workbench/workbench.h"

#include <QAction>
#include <QPointer>

namespace warpwright {

void AgentController::begin(const AgentName &agent, const QString &source, SessionMode mode,
                            const RunBudgets &budgets) {
    if (m_run || m_isReading || !m_places.bench.workspace() || m_places.bench.isRunning())
        return;
    m_isReading = true;
    inPool(
        this,
        [agent, source, request = m_places.bench.request(), mode] {
            return agentByName(agent, source, request, mode);
        },
        [this, source, mode, budgets,
         folder = m_places.bench.workspace()->folder](const Result<std::shared_ptr<Agent>> &made) {
            m_isReading = false;
            const std::optional<Workspace> &now = m_places.bench.workspace();
            if (!now || now->folder != folder)
                return; // another one was opened meanwhile
            if (!made.hasValue())
                return emit noticed(tr("Cannot begin the run"), made.message(), true);
            if (!refusesCost(*made.value(), budgets))
                begin(made.value(), {*now, m_places.bench.request(), mode, budgets, source, {}});
        });
}

void AgentController::continueRun(const QString &run, const AgentName &other) {
    if (m_run || m_isReading || !m_places.bench.workspace() || m_places.bench.isRunning())
        return;
    if (run == m_left.run && reachedBudget(m_left.budgets, m_left.meter)) {
        m_waitsForBudget = true;
        return openBudgets();
    }
    m_isReading = true;
    m_places.bench.lend(true); // what died half-way is finished on the disk
    inPool(
        this,
        [workspace = *m_places.bench.workspace(), run, request = m_places.bench.request(), other] {
            const Result<ReopenedRun> reopened = reopenRun(workspace, run, {}, request, other);
            const AgentName agent = reopened.hasValue() ? AgentName() : agentOfRun(workspace.state, run);
            const bool isMissing = !whyNotSetUp(agent, request.folders).isEmpty();
            return std::pair(reopened, isMissing ? agent : AgentName());
        },
        [this, run,
         folder = m_places.bench.workspace()->folder](const std::pair<Result<ReopenedRun>, AgentName> &made) {
            const Result<ReopenedRun> &reopened = made.first;
            m_isReading = false;
            const std::optional<Workspace> &now = m_places.bench.workspace();
            if (!now || now->folder != folder)
                return; // another one was opened meanwhile
            if (!reopened.hasValue()) {
                m_places.bench.lend(false);
                emit noticed(tr("Cannot continue the run"), reopened.message(), true);
                if (made.second.isAgent())
                    emit agentMissing(run, made.second);
                return;
            }
            goOnWith(reopened.value());
        });
}

void AgentController::goOnWith(const ReopenedRun &run) {
    AgentRun::Setup setup{*m_places.bench.workspace(),
                          m_places.bench.request(),
                          run.so.mode,
                          run.so.budgets,
                          run.so.source,
                          run};
    if (!run.so.device.isEmpty())
        setup.request.settings.device = run.so.device;
    if (m_hasRaised && m_left.run == run.so.run)
        setup.budgets = m_left.budgets;
    if (refusesCost(*run.agent, setup.budgets))
        return m_places.bench.lend(false);
    begin(run.agent, std::move(setup));
    if (!m_run)
        return;
    if (!run.notice.isEmpty())
        emit noticed(tr("The record of the run was cut off"), run.notice, false);
    m_talk->say(tr("run"), continuedText(run.so));
}

void AgentController::begin(std::shared_ptr<Agent> agent, AgentRun::Setup setup) {
    if (m_run || !m_places.bench.workspace() || m_places.bench.isRunning())
        return;
    m_places.bench.lend(true);
    // The window has a queue of its own, in which they can be changed.
    const QStringList waiting =
        setup.continued ? std::exchange(setup.continued->so.continued.messages, {}) : QStringList();
    setup.tell = [self = QPointer(this)](const QString &message) {
        if (self)
            emit self->noticed(tr("The run's record"), message, true);
    };
    Result<std::unique_ptr<AgentRun>> made = AgentRun::make(std::move(setup), std::move(agent));
    if (!made.hasValue()) {
        m_places.bench.lend(false);
        emit noticed(tr("Cannot begin the run"), made.message(), true);
        return;
    }
    m_run = std::move(made).value();
    m_left = {};
    m_hasRaised = false;
    m_evidences.clear();
    m_asked.clear();
    m_step = {};
    m_measured = 0;
    const QString before = std::exchange(m_lastRun, m_run->run());
    m_talk->begin(m_run->agent(), m_run->session(), waiting, before == m_lastRun);
    m_run->session().setBetsFirst(m_places.actions.betsFirst->isChecked());
    m_review->setSession(&m_run->session());
    m_places.topBar.setSession(true);
    listen();
    // What the compilers say of the text on disk does not wait for its measurement.
    connect(m_run.get(), &AgentRun::compiled, this,
            [this, run = m_run.get()](const QString &log, const Evaluation &soFar) {
                if (run == m_run.get() &&
                    stringIn(soFar.workspace, "textHash") == textHashOf(run->session().texts()))
                    m_places.bench.takeCompiled(log, soFar);
            }); // one that has ended outlives it for a while
    emit runChanged();
    show();
    m_run->session().start();
}

} // namespace warpwright
