// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/shell/panes/presented_words.h"

#include "agent/review/proposal_review.h"
#include "agent/session/session.h"
#include "app/ide/agent/agent_controller.h"
#include "app/ide/editing/candidate_panel.h"
#include "app/ide/history/past_run_panel.h"
#include "app/ide/history/replay_controller.h"
#include "app/ide/layout/dock.h"
#include "app/ide/layout/four_panes.h"
#include "app/ide/review/past_review_views.h"
#include "widgets/frame/pane.h"

#include <QRegularExpression>

namespace warpwright {
namespace {

constexpr int candidatePane = 1;

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
    return at == 0 ? QString() : PresentedWords::tr("hunk %1 of %2").arg(at).arg(count);
}

/// Markdown of a reason as one line of plain words.
QString oneLine(QString markdown) {
    static const QRegularExpression links(QStringLiteral(R"(\[([^\]]+)\]\([^)]*\))"));
    static const QRegularExpression marks(QStringLiteral("[*`#]+"));
    return markdown.replace(links, QStringLiteral("\\1")).remove(marks).simplified();
}

} // namespace

PresentedWords::PresentedWords(const Parts &parts, QObject *parent) : QObject(parent), m_parts(parts) {
    connect(&m_parts.replay, &ReplayController::changed, this, &PresentedWords::changed);
    connect(&m_parts.replay, &ReplayController::left, this, &PresentedWords::changed);
    connect(&m_parts.agent, &AgentController::runChanged, this, &PresentedWords::changed);
    connect(&m_parts.agent, &AgentController::worked, this, &PresentedWords::changed);
    connect(&m_parts.candidate, &CandidatePanel::placeChanged, this, &PresentedWords::changed);
}

PresentedWords::Said PresentedWords::ofReplay() const {
    Said words;
    words.about = oneLine(m_parts.pastRun.said());
    if (m_parts.replay.isAtHunk())
        words.places << hunkPlace(m_parts.replay.review(), m_parts.candidate.currentHunk());
    words.places << tr("event %1 of %2").arg(m_parts.replay.number()).arg(m_parts.replay.last());
    return words;
}

PresentedWords::Said PresentedWords::of(int pane) const {
    if (m_parts.replay.isOpen())
        return ofReplay();
    if (const std::optional<ProposalView> proposal = m_parts.agent.proposal()) {
        const Session *session = m_parts.agent.session();
        const ProposalReview *review = session == nullptr ? nullptr : session->review();
        return {review == nullptr ? proposal->words
                                  : tr("Proposal %1: %2. %3")
                                        .arg(proposal->number)
                                        .arg(review->proposal().title, oneLine(review->proposal().reason)),
                {proposal->progress}};
    }
    if (pane == candidatePane && !m_parts.candidate.currentFile().isEmpty())
        return {m_parts.candidate.currentFile(), {}};
    const Pane *shown = m_parts.four.pane(pane);
    return {shown != nullptr ? shown->title() : m_parts.agentDock.windowTitle(), {}};
}

} // namespace warpwright
