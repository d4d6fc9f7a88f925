// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/record/past_review.h"

#include "agent/review/text_change.h"

#include <algorithm>

namespace warpwright {
namespace {

QString refusal(const ScenedProposal &proposal, const QString &why) {
    return QStringLiteral("Cannot show the hunks of proposal \"%1\" in their files: %2.")
        .arg(proposal.id, why);
}

/// The names that the events give to the hunks of `fresh`, which nobody has answered; empty: other hunks are
/// recorded than these.
std::map<int, QString> recordedIds(const Json &body, const ProposalReview &fresh) {
    std::map<int, QString> ids;
    std::vector<int> left = fresh.hunkIds();
    const auto take = [&](const QString &id, auto isIt) {
        const auto found = std::find_if(left.begin(), left.end(), isIt);
        if (found == left.end())
            return false;
        ids[*found] = id;
        left.erase(found);
        return true;
    };
    for (const char *list : {"renames", "hunks"}) {
        const auto entries = body.find(list);
        if (entries == body.end() || !entries->is_array())
            continue;
        for (const Json &entry : *entries) {
            const bool isRename = list[0] == 'r';
            const Result<LineChange> lines = lineChangeFromJson(entry);
            const bool isTaken = take(stringIn(entry, "id"), [&](int id) {
                const Hunk &hunk = *fresh.hunk(id);
                if (isRename)
                    return fresh.isRename(id) && fresh.fileOf(id) == stringIn(entry, "from");
                return !fresh.isRename(id) && lines.hasValue() && hunk.start == lines.value().oldStart &&
                       hunk.oldLines == lines.value().oldLines && hunk.newLines == lines.value().newLines;
            });
            if (!isTaken)
                return {};
        }
    }
    return left.empty() ? ids : std::map<int, QString>();
}

// What a conflict was resolved with stands as lines of the person's own.
void giveAgain(ProposalReview &review, int hunk, const HunkAnswers::Given &given) {
    const bool isConflict = review.hunk(hunk)->state == HunkState::Conflict;
    const bool hasLines = given.isOfConflict || given.answer == QLatin1String("edit");
    const Result<ProposalReview::Token> done =
        isConflict                                ? review.resolveWith(hunk, given.newLines, given.reason)
        : hasLines                                ? review.edit(hunk, given.newLines, given.reason)
        : given.answer == QLatin1String("accept") ? review.accept(hunk, given.reason)
                                                  : review.reject(hunk, given.reason);
    Q_UNUSED(done); // one that does not fit stays open, and its words still say how it was answered
}

/// What differs between the review's text and the one on the disk was typed.
void bringTo(ProposalReview &review, const CandidateTexts &now) {
    struct Below {
        QString file;
        TextLines before, after;
    };
    std::vector<Below> files;
    for (const ReviewedFile &file : review.files()) {
        const auto there = now.find(file.exists() ? file.path() : file.from);
        files.push_back(
            {file.from, file.lines.text(), there == now.end() ? TextLines() : linesOf(there->second)});
    }
    for (const Below &file : files) {
        const std::vector<TextEdit> edits = editsBetween(file.before, file.after);
        for (auto edit = edits.rbegin(); edit != edits.rend(); ++edit)
            review.typed(file.file, *edit);
    }
}

} // namespace

int PastReview::hunkOf(const QString &recordedId) const {
    for (const auto &[hunk, id] : recordedIds)
        if (id == recordedId)
            return hunk;
    return 0;
}

Result<PastReview> pastReview(const ScenedProposal &scened, const CandidateTexts &now) {
    using Answer = Result<PastReview>;
    if (scened.base.empty())
        return Answer::error(
            refusal(scened, QStringLiteral("the text that it was made for is not recorded")));
    const Result<TextChange> change = changeFromJson(scened.event.body);
    if (!change.hasValue())
        return Answer::error(refusal(scened, change.message()));
    Result<CandidateTexts> proposed = applyChange(change.value(), scened.base);
    if (!proposed.hasValue())
        return Answer::error(refusal(scened, proposed.message()));
    Proposal proposal;
    proposal.id = scened.id;
    proposal.baseIteration = static_cast<int>(scened.event.integer("iteration"));
    proposal.title = scened.event.text("title");
    proposal.base = scened.base;
    proposal.proposed = std::move(proposed).value();
    proposal.renames = change.value().renames;
    PastReview past;
    past.review = ProposalReview(proposal, scened.base);
    past.recordedIds = recordedIds(scened.event.body, past.review);
    if (past.recordedIds.empty())
        return Answer::error(refusal(scened, QStringLiteral("other hunks are recorded of it")));
    if (!scened.isWritten && now != scened.base)
        past.review = ProposalReview(proposal, now);
    // Of one that was left out nothing stands in the text, whatever was said of its hunks before.
    const bool isOut = !scened.isWritten && scened.outcome != ScenedProposal::Outcome::Open;
    for (const auto &[hunk, id] : past.recordedIds)
        if (const auto given = scened.answers.given().find(id);
            given != scened.answers.given().end() && !isOut)
            giveAgain(past.review, hunk, given->second);
    if (scened.isWritten)
        bringTo(past.review, now);
    return Answer::ok(std::move(past));
}

} // namespace warpwright
