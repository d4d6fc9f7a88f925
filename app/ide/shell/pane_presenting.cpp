// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/shell/pane_presenting.h"

#include "agent/session/session.h"
#include "app/ide/agent/agent_controller.h"
#include "app/ide/editing/candidate_panel.h"
#include "app/ide/editing/reference_panel.h"
#include "app/ide/history/past_run_panel.h"
#include "app/ide/history/replay_bar.h"
#include "app/ide/history/replay_controller.h"
#include "app/ide/kit/actions.h"
#include "app/ide/kit/card.h"
#include "app/ide/layout/dock.h"
#include "app/ide/layout/four_panes.h"
#include "app/ide/layout/presentation.h"
#include "app/ide/layout/status_line.h"
#include "app/ide/layout/top_bar.h"
#include "app/ide/measured/profile_panel.h"
#include "app/ide/results/build_panel.h"
#include "app/ide/shell/window_pages.h"
#include "app/ide/shell/window_parts.h"
#include "app/ide/workbench/workbench.h"
#include "widgets/look/look.h"

#include <QAction>
#include <QApplication>
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
    return at == 0 ? QString() : PanePresenting::tr("hunk %1 of %2").arg(at).arg(count);
}

/// Markdown of a reason as one line of plain words.
QString oneLine(QString markdown) {
    static const QRegularExpression links(QStringLiteral(R"(\[([^\]]+)\]\([^)]*\))"));
    static const QRegularExpression marks(QStringLiteral("[*`#]+"));
    return markdown.replace(links, QStringLiteral("\\1")).remove(marks).simplified();
}

/// In the order of the window.
std::array<const Pane *, 4> panesOf(const WindowParts &parts) {
    return {parts.reference, parts.candidate, parts.build, parts.profile};
}

} // namespace

PanePresenting::PanePresenting(const WindowParts &parts, QObject *parent)
    : QObject(parent), m_parts(parts), m_line(new PresentedLine(*parts.look, parts.workPage)) {
    static_cast<QVBoxLayout *>(m_parts.workPage->layout())->insertWidget(0, m_line);
    Presentation::Steps steps;
    steps.can = [this](int by) {
        return canGo(by);
    };
    steps.go = [this](int by) {
        go(by);
    };
    m_presentation = new Presentation(
        {*m_parts.window, *m_parts.four, *m_line, {m_parts.topBar, m_parts.status, m_parts.workHead}},
        std::move(steps), this);
    connect(m_parts.replay, &ReplayController::changed, m_line, [this] { say(); });
    connect(m_parts.replay, &ReplayController::left, m_line, [this] { say(); });
    connect(m_parts.agent, &AgentController::runChanged, m_line, [this] { say(); });
    connect(m_parts.agent, &AgentController::worked, m_line, [this] { say(); });
    connect(m_parts.candidate, &CandidatePanel::placeChanged, m_line, [this] { say(); });
    connect(m_presentation, &Presentation::began, m_parts.pages, &WindowPages::hideDocks);
    connect(m_presentation, &Presentation::presented, this,
            [this] { placeAgent(m_presentation->pane() == Presentation::besidePane); });
    connect(m_presentation, &Presentation::ended, this, [this] {
        placeAgent(false);
        if (m_parts.pages->isOnWork()) // else they come back with the panes
            m_parts.pages->showDocks();
    });
    connectAction(m_parts.actions->findChild<QAction *>(QStringLiteral("present")));
    connect(m_presentation, &Presentation::presented, m_line, [this] { say(); });
}

void PanePresenting::connectAction(QAction *present) {
    connect(present, &QAction::triggered, this, &PanePresenting::begin);
    const auto enable = [this, present] {
        Actions::setReason(present, m_parts.bench->workspace() ? QString() : tr("no workspace is open"));
    };
    enable();
    connect(m_parts.bench, &Workbench::opened, present, enable);
    connect(m_parts.bench, &Workbench::closed, present, enable);
}

bool PanePresenting::hasOtherHunk(int by) const {
    return m_presentation->pane() == candidatePane && m_parts.replay->isAtProposal() &&
           hasHunk(m_parts.replay->review(), m_parts.candidate->currentHunk(), by);
}

bool PanePresenting::canGo(int by) const {
    const ReplayController &replay = *m_parts.replay;
    if (replay.isOpen())
        return hasOtherHunk(by) || (by > 0 ? replay.number() < replay.last() : replay.number() > 1);
    return m_presentation->pane() == candidatePane &&
           (by > 0 ? m_parts.actions->nextHunk : m_parts.actions->previousHunk)->isEnabled();
}

void PanePresenting::go(int by) {
    if (!m_parts.replay->isOpen())
        (by > 0 ? m_parts.actions->nextHunk : m_parts.actions->previousHunk)->trigger();
    else if (hasOtherHunk(by))
        m_parts.replay->stepHunk(by);
    else if (!m_parts.replay->goToStop(by))
        m_parts.replayBar->scrubber().page(by); // to the next proposal, or text that was changed
}

void PanePresenting::say() {
    if (!m_presentation->isOn())
        return;
    const auto [about, place] = m_parts.replay->isOpen() ? wordsOfReplay() : wordsNow();
    QStringList places = place;
    places.removeAll(QString());
    places << tr("Esc ends");
    m_line->say(about, places.join(QStringLiteral(" · ")));
}

PanePresenting::Words PanePresenting::wordsOfReplay() const {
    Words words;
    words.about = oneLine(m_parts.pastRun->said());
    if (m_parts.replay->isAtHunk())
        words.places << hunkPlace(m_parts.replay->review(), m_parts.candidate->currentHunk());
    words.places << tr("event %1 of %2").arg(m_parts.replay->number()).arg(m_parts.replay->last());
    return words;
}

PanePresenting::Words PanePresenting::wordsNow() const {
    if (const std::optional<ProposalView> proposal = m_parts.agent->proposal()) {
        const Session *session = m_parts.agent->session();
        const ProposalReview *review = session == nullptr ? nullptr : session->review();
        return {review == nullptr ? proposal->words
                                  : tr("Proposal %1: %2. %3")
                                        .arg(proposal->number)
                                        .arg(review->proposal().title, oneLine(review->proposal().reason)),
                {proposal->progress}};
    }
    const auto panes = panesOf(m_parts);
    const auto pane = static_cast<std::size_t>(m_presentation->pane());
    if (m_presentation->pane() == candidatePane && !m_parts.candidate->currentFile().isEmpty())
        return {m_parts.candidate->currentFile(), {}};
    return {pane < panes.size() ? panes[pane]->title() : m_parts.agentDock->windowTitle(), {}};
}

// What is at the side may be a rail there, hidden, or a window of its own: presented, it is in the page.
void PanePresenting::placeAgent(bool isAlone) {
    QWidget *agent = m_parts.agentStack->parentWidget();
    if ((agent->parentWidget() == m_parts.workPage) == isAlone)
        return;
    if (isAlone) {
        static_cast<QVBoxLayout *>(m_parts.workPage->layout())->addWidget(agent, 1);
        agent->show();
        m_parts.agentStack->currentWidget()->setFocus(Qt::OtherFocusReason);
    } else {
        auto *home = static_cast<QStackedWidget *>(m_parts.agentDock->widget());
        home->insertWidget(0, agent);
        home->setCurrentIndex(m_parts.agentDock->isFolded() ? 1 : 0);
    }
}

void PanePresenting::begin() {
    if (m_presentation->isOn())
        return m_presentation->end();
    const auto panes = panesOf(m_parts);
    const QWidget *focus = QApplication::focusWidget();
    int pane = candidatePane;
    for (std::size_t i = 0; focus != nullptr && i < panes.size(); ++i)
        if (panes[i]->isAncestorOf(focus))
            pane = static_cast<int>(i);
    if (focus != nullptr && m_parts.agentDock->isAncestorOf(focus))
        pane = Presentation::besidePane;
    m_parts.pages->showWork();
    m_presentation->begin(pane);
    if (pane == candidatePane)
        m_parts.candidate->focusHere();
}

} // namespace warpwright
