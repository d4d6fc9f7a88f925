// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/shell/runs/past_runs.h"

#include "agent/record/run_index.h"
#include "app/ide/agent/agent_controller.h"
#include "app/ide/history/past_runs_page.h"
#include "app/ide/history/replay_controller.h"
#include "app/ide/kit/actions.h"
#include "app/ide/shell/runs/replay_actions.h"
#include "app/ide/shell/window_notices.h"
#include "app/ide/shell/window_pages.h"
#include "app/ide/workbench/job.h"
#include "app/ide/workbench/workbench.h"
#include "widgets/look/look.h"

#include <QAction>

#include <utility>

namespace warpwright {

PastRuns::PastRuns(const Parts &parts, QWidget *window)
    : QObject(window), m_parts(parts), m_window(window), m_page(new PastRunsPage(parts.look, window)) {
    m_parts.pages.add(m_page);
    connect(m_parts.actions.pastRuns, &QAction::triggered, this, [this] {
        m_page->open(m_parts.bench.workspace()->state);
        m_parts.pages.show(m_page);
    });
    connect(m_parts.actions.openRun, &QAction::triggered, this, [this] { openLastRun(); });
    connect(m_page, &PastRunsPage::closed, &m_parts.pages, &WindowPages::backToWork);
    connect(m_page, &PastRunsPage::runPicked, this, [this](const IndexedRun &run, qint64 event) {
        m_parts.pages.comeToWork();
        if (m_parts.agent.isRunning() && !waitsForReview(m_parts.agent))
            return m_parts.notices.sayTrouble(
                tr("The past run is not opened"),
                tr("The agent's run has gone on meanwhile. Open it when that waits for you."));
        m_parts.replay.open(run, event);
    });
}

// At its end, which sums it up.
void PastRuns::openLastRun() {
    using Answer = Result<std::optional<IndexedRun>>;
    inPool(
        this,
        [state = m_parts.bench.workspace()->state, id = m_parts.agent.lastRun()] {
            Result<RunIndex> opened = RunIndex::open(state);
            if (!opened.hasValue())
                return Answer::error(opened.message());
            RunIndex index = std::move(opened).value();
            const Result<std::vector<IndexedRun>> runs = index.runs();
            if (!runs.hasValue())
                return Answer::error(runs.message());
            for (const IndexedRun &run : runs.value())
                if (run.run == id)
                    return Answer::ok(run);
            return Answer::ok(std::nullopt);
        },
        [this, folder = m_parts.bench.workspace()->folder](const Answer &found) {
            if (!m_parts.bench.workspace() || m_parts.bench.workspace()->folder != folder ||
                m_parts.agent.isRunning())
                return;
            if (!found.hasValue() || !found.value())
                return m_parts.notices.sayTrouble(
                    tr("Cannot open the run"),
                    found.hasValue() ? tr("It is not of this workspace. Open its own one first.")
                                     : found.message());
            m_parts.pages.comeToWork();
            m_parts.replay.open(*found.value(), found.value()->events);
        });
}

} // namespace warpwright
