// SPDX-License-Identifier: GPL-3.0-or-later
// Presenting in main_window.h: one pane alone in the window, and what is gone through in it.
#include "agent/session/session.h"
#include "app/ide/agent/agent_desk.h"
#include "app/ide/editing/candidate_panel.h"
#include "app/ide/editing/reference_panel.h"
#include "app/ide/history/past_run_panel.h"
#include "app/ide/history/replay_bar.h"
#include "app/ide/history/replay_desk.h"
#include "app/ide/kit/actions.h"
#include "app/ide/layout/dock.h"
#include "app/ide/layout/four_panes.h"
#include "app/ide/layout/presentation.h"
#include "app/ide/layout/status_line.h"
#include "app/ide/layout/top_bar.h"
#include "app/ide/measured/profile_panel.h"
#include "app/ide/results/build_panel.h"
#include "app/ide/shell/main_window.h"

#include <QApplication>
#include <QMainWindow>
#include <QRegularExpression>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <array>

namespace warpwright {
namespace {

constexpr int candidatePane = 1;

/// That a past run's review has such a hunk beyond the current one.
bool hasHunk(const ShownReview *review, int current, int by) {
    return review != nullptr && review->neighbour(0, by) != 0 && current != review->neighbour(0, -by);
}

/// «hunk 2 of 5»; empty: at none.
QString hunkPlace(const ShownReview *review, int current) {
    if (review == nullptr || current == 0)
        return {};
    const int first = review->neighbour(0, 1);
    int at = 0;
    int count = 0;
    for (int hunk = first; hunk != 0; hunk = review->neighbour(hunk, 1)) {
        ++count;
        if (hunk == current)
            at = count;
        if (hunk == review->neighbour(0, -1))
            break;
    }
    return at == 0 ? QString() : MainWindow::tr("hunk %1 of %2").arg(at).arg(count);
}

/// Markdown of a reason as one line of plain words.
QString oneLine(QString markdown) {
    static const QRegularExpression links(QStringLiteral(R"(\[([^\]]+)\]\([^)]*\))"));
    static const QRegularExpression marks(QStringLiteral("[*`#]+"));
    return markdown.replace(links, QStringLiteral("\\1")).remove(marks).simplified();
}

} // namespace

// What is gone to is in sight: a pane that is presented yields to it.
void MainWindow::presentInstead(int pane) {
    if (m_presentation != nullptr && m_presentation->isOn())
        m_presentation->begin(pane);
}

void MainWindow::connectPresenting() {
    auto *line = new PresentedLine(m_look, m_workPage);
    static_cast<QVBoxLayout *>(m_workPage->layout())->insertWidget(0, line);
    const auto inReplay = [this] {
        return m_replay != nullptr && m_replay->isOpen();
    };
    Presentation::Steps steps;
    const auto hasOther = [this](int by) {
        return m_presentation->pane() == candidatePane && m_replay->isAtProposal() &&
               hasHunk(m_replay->review(), m_candidate->currentHunk(), by);
    };
    steps.can = [this, inReplay, hasOther](int by) {
        if (inReplay())
            return hasOther(by) || (by > 0 ? m_replay->number() < m_replay->last() : m_replay->number() > 1);
        return m_presentation->pane() == candidatePane &&
               (by > 0 ? m_actions->nextHunk : m_actions->previousHunk)->isEnabled();
    };
    steps.go = [this, inReplay, hasOther](int by) {
        if (!inReplay())
            (by > 0 ? m_actions->nextHunk : m_actions->previousHunk)->trigger();
        else if (hasOther(by))
            m_replay->stepHunk(by);
        else if (!m_replay->goToStop(by))
            m_replayBar->scrubber().page(by); // to the next proposal, or text that was changed
    };
    m_presentation =
        new Presentation({*this, *m_four, *line, {m_topBar, m_status, m_workHead}}, std::move(steps), this);
    const auto say = [this, line, inReplay] {
        if (!m_presentation->isOn())
            return;
        const QString ends = tr("Esc ends");
        QStringList places;
        QString about;
        if (inReplay()) {
            about = oneLine(m_pastRun->said());
            if (m_replay->isAtHunk())
                places << hunkPlace(m_replay->review(), m_candidate->currentHunk());
            places << tr("event %1 of %2").arg(m_replay->number()).arg(m_replay->last());
        } else if (const std::optional<ProposalView> proposal = m_agent->proposal()) {
            const ProposalReview *review =
                m_agent->session() == nullptr ? nullptr : m_agent->session()->review();
            about = review == nullptr
                        ? proposal->words
                        : tr("Proposal %1: %2. %3")
                              .arg(proposal->number)
                              .arg(review->proposal().title, oneLine(review->proposal().reason));
            places << proposal->progress;
        } else {
            const std::array<const Pane *, 4> panes{m_reference, m_candidate, m_build, m_profile};
            const auto pane = static_cast<std::size_t>(m_presentation->pane());
            about = pane < panes.size() ? panes[pane]->title() : m_agentDock->windowTitle();
            if (m_presentation->pane() == candidatePane && !m_candidate->currentFile().isEmpty())
                about = m_candidate->currentFile();
        }
        places.removeAll(QString());
        places << ends;
        line->say(about, places.join(QStringLiteral(" · ")));
    };
    connect(m_replay, &ReplayDesk::changed, line, say);
    connect(m_replay, &ReplayDesk::left, line, say);
    connect(m_agent, &AgentDesk::runChanged, line, say);
    connect(m_agent, &AgentDesk::worked, line, say);
    connect(m_candidate, &CandidatePanel::placeChanged, line, say);
    connect(m_presentation, &Presentation::began, this, [this] {
        m_docksBefore = m_inner->saveState();
        for (Dock *dock : {m_iterationsDock, m_agentDock}) {
            if (dock->isVisibleTo(m_inner))
                m_hiddenDocks << dock;
            dock->hide();
        }
    });
    // What is at the side may be a rail there, hidden, or a window of its own: presented, it is in the page.
    const auto placeAgent = [this](bool isAlone) {
        QWidget *agent = m_agentStack->parentWidget();
        if ((agent->parentWidget() == m_workPage) == isAlone)
            return;
        if (isAlone) {
            static_cast<QVBoxLayout *>(m_workPage->layout())->addWidget(agent, 1);
            agent->show();
            m_agentStack->currentWidget()->setFocus(Qt::OtherFocusReason);
        } else {
            auto *home = static_cast<QStackedWidget *>(m_agentDock->widget());
            home->insertWidget(0, agent);
            home->setCurrentIndex(m_agentDock->isFolded() ? 1 : 0);
        }
    };
    connect(m_presentation, &Presentation::presented, this,
            [this, placeAgent] { placeAgent(m_presentation->pane() == Presentation::besidePane); });
    connect(m_presentation, &Presentation::ended, this, [this, placeAgent] {
        placeAgent(false);
        if (m_pages->currentWidget() != m_workPage)
            return; // with the panes they come back
        for (Dock *dock : std::exchange(m_hiddenDocks, {}))
            dock->show();
    });
    auto *present = m_actions->findChild<QAction *>(QStringLiteral("present"));
    connect(present, &QAction::triggered, this, [this] {
        if (m_presentation->isOn())
            return m_presentation->end();
        const std::array<const QWidget *, 4> panes{m_reference, m_candidate, m_build, m_profile};
        const QWidget *focus = QApplication::focusWidget();
        int pane = candidatePane;
        for (std::size_t i = 0; focus != nullptr && i < panes.size(); ++i)
            if (panes[i]->isAncestorOf(focus))
                pane = static_cast<int>(i);
        if (focus != nullptr && m_agentDock->isAncestorOf(focus))
            pane = Presentation::besidePane;
        if (m_pages->currentWidget() != m_workPage)
            showPage(m_workPage);
        m_presentation->begin(pane);
        if (pane == candidatePane)
            m_candidate->focusHere();
    });
    connect(m_presentation, &Presentation::presented, line, say);
    const auto enable = [this, present] {
        Actions::setReason(present, m_bench->workspace() ? QString() : tr("no workspace is open"));
    };
    enable();
    connect(m_bench, &Workbench::opened, present, enable);
    connect(m_bench, &Workbench::closed, present, enable);
}

} // namespace warpwright
