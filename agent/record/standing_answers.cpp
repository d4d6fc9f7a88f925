// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/record/standing_answers.h"

#include "agent/record/run_scene.h"
#include "agent/review/proposal_review.h"
#include "agent/review/text_change.h"
#include "toolchain/history/iteration_store.h"
#include "toolchain/text/text_merge.h"

#include <algorithm>
#include <optional>
#include <set>

namespace warpwright {
namespace {

using Bytes = std::optional<QByteArray>;

Bytes textIn(const CandidateTexts &texts, const QString &path) {
    const auto found = texts.find(path);
    return found == texts.end() ? Bytes() : Bytes(found->second);
}

bool isWords(const QByteArray &bytes) {
    return QString::fromUtf8(bytes).toUtf8() == bytes;
}

/// What was typed beside the answers, on the text without them; none: it touches their lines.
Bytes typedAlone(const Bytes &base, const Bytes &answered, const Bytes &there) {
    if (!base || !answered || !there || !isWords(*base) || !isWords(*answered) || !isWords(*there))
        return std::nullopt;
    const MergedText merged =
        mergeTexts(QString::fromUtf8(*answered), QString::fromUtf8(*there), QString::fromUtf8(*base),
                   QStringLiteral("typed"), QStringLiteral("without the answers"));
    return merged.isClean ? Bytes(merged.text.toUtf8()) : std::nullopt;
}

} // namespace

StandingAnswers::StandingAnswers(const TrajectoryEvent &proposal, const CandidateTexts &base)
    : m_proposal(proposal), m_base(base), m_answers(proposal.body) {}

void StandingAnswers::take(const TrajectoryEvent &event) {
    if (event.text("proposal") != m_proposal.text("proposal"))
        return;
    const HunkAnswers before = m_answers;
    m_answers.take(event.kind, event.body);
    if (m_answers != before)
        m_past.push_back(before);
}

// What the editors held at each answer, the last one first.
std::vector<CandidateTexts> StandingAnswers::textsAnswered() const {
    const Result<TextChange> change = changeFromJson(m_proposal.body);
    if (!change.hasValue())
        return {};
    Result<CandidateTexts> proposed = applyChange(change.value(), m_base);
    if (!proposed.hasValue())
        return {}; // made for another text than the one that lay there
    Proposal proposal;
    proposal.base = m_base;
    proposal.proposed = std::move(proposed).value();
    proposal.renames = change.value().renames;
    const ProposalReview fresh(proposal, m_base);
    const auto answered = [&fresh](const HunkAnswers &answers) {
        ProposalReview review = fresh;
        for (const auto &[id, given] : answers.given()) {
            const int hunk = id.toInt();
            const Hunk *there = review.hunk(hunk);
            if (there == nullptr || given.answer == QLatin1String("reject"))
                continue;
            const Result<ProposalReview::Token> done = given.answer == QLatin1String("edit")
                                                           ? review.edit(hunk, given.newLines)
                                                           : review.accept(hunk);
            Q_UNUSED(done); // a renaming that cannot be carried out changes nothing
        }
        return review.texts();
    };
    std::vector<CandidateTexts> texts{answered(m_answers)};
    for (auto past = m_past.rbegin(); past != m_past.rend(); ++past)
        texts.push_back(answered(*past));
    return texts;
}

CandidateTexts StandingAnswers::takenOut(const CandidateTexts &now) const {
    if (now == m_base || (m_past.empty() && m_answers.given().empty()))
        return now;
    const std::vector<CandidateTexts> answered = textsAnswered();
    if (answered.empty())
        return now;
    CandidateTexts without;
    std::set<QString> paths;
    for (const CandidateTexts *texts : {&m_base, &now})
        for (const auto &[path, text] : *texts)
            paths.insert(path);
    for (const QString &path : paths) {
        const Bytes base = textIn(m_base, path), there = textIn(now, path);
        // A draft has no other word for a file that is to go than no text.
        const bool isAnswer = std::any_of(answered.begin(), answered.end(), [&](const CandidateTexts &texts) {
            const Bytes text = textIn(texts, path);
            return text == there || (!text && base && there && there->isEmpty());
        });
        const bool isTyped = !isAnswer && there != base && textIn(answered.front(), path) != base;
        const Bytes typed = isTyped ? typedAlone(base, textIn(answered.front(), path), there) : std::nullopt;
        if (const Bytes text = isAnswer ? base : typed ? typed : there; text)
            without[path] = *text;
    }
    return without;
}

CandidateTexts takenOutOf(const Workspace &workspace, const StandingAnswers &standing,
                          const CandidateTexts &now) {
    CandidateTexts without = standing.takenOut(now);
    if (without == now)
        return now;
    const IterationStore store(workspace.state);
    const Result<std::vector<IterationRecord>> records = store.records({store.current()});
    const bool isIteration = records.hasValue() && !records.value().empty() &&
                             records.value().front().iteration.author.kind != AuthorKind::You &&
                             records.value().front().iteration.textHash == textHashOf(now);
    return isIteration ? now : without;
}

CandidateTexts withoutAnswersOf(const Workspace &workspace, const QString &run, const CandidateTexts &now) {
    const QString file = trajectoryFile(runsFolder(workspace.state) + QLatin1Char('/') + run);
    Result<TrajectoryReplay> opened = TrajectoryReplay::open(file, historyBeside(file));
    if (!opened.hasValue())
        return now;
    TrajectoryReplay replay = std::move(opened).value();
    std::optional<StandingAnswers> standing;
    for (;;) {
        const Result<std::optional<ReplayedEvent>> next = replay.next();
        if (!next.hasValue() || !next.value())
            break;
        const TrajectoryEvent &event = next.value()->event;
        if (event.kind == QLatin1String("proposal"))
            standing.emplace(event, replay.texts());
        else if (event.kind == QLatin1String("applied"))
            standing.reset();
        else if (standing)
            standing->take(event);
    }
    return standing ? takenOutOf(workspace, *standing, now) : now;
}

} // namespace warpwright
