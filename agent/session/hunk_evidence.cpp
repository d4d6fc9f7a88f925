// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/session/hunk_evidence.h"

#include "agent/review/bet_first.h"
#include "agent/review/hunk_title.h"
#include "toolchain/workspace/same_code.h"

#include <QHash>

#include <algorithm>

namespace warpwright {
namespace {

/// In the text as it stands, with the lines of this hunk before and after it.
bool isBesideCode(const ProposalReview &review, int id) {
    for (const ReviewedFile &file : review.files()) {
        const Hunk *hunk = file.change == ReviewedFile::Change::Modified ? file.lines.hunk(id) : nullptr;
        const TextLines &text = file.lines.text();
        if (hunk == nullptr || hunk->start < 0 || hunk->end() > static_cast<int>(text.size()))
            continue;
        const auto with = [&](const TextLines &lines) {
            TextLines whole(text.begin(), text.begin() + hunk->start);
            whole.insert(whole.end(), lines.begin(), lines.end());
            whole.insert(whole.end(), text.begin() + hunk->end(), text.end());
            return CandidateTexts{{file.path(), joined(whole)}};
        };
        return isSameCode(with(hunk->oldLines), with(hunk->newLines));
    }
    return false;
}

} // namespace

QString titleOf(const ReviewedFile &file, const Hunk &hunk) {
    switch (file.change) {
    case ReviewedFile::Change::Added:
        return titleOfNewFile(file.from);
    case ReviewedFile::Change::Deleted:
        return titleOfDeletedFile(file.from);
    case ReviewedFile::Change::Modified:
        break;
    }
    if (file.name && file.name->hunk(hunk.id) != nullptr)
        return QStringLiteral("rename to ") +
               QString::fromUtf8(joined(hunk.newLines)).section(QLatin1Char('/'), -1);
    const TextLines &text = file.lines.text();
    const auto start = std::clamp<std::ptrdiff_t>(hunk.start, 0, static_cast<std::ptrdiff_t>(text.size()));
    return hunkTitle(TextLines(text.begin(), text.begin() + start), hunk.oldLines, hunk.newLines);
}

namespace {

bool isIn(const ExercisedFiles &files, const ProposalReview &review, int hunk) {
    return !review.isRename(hunk) && std::any_of(files.begin(), files.end(), [&](const ExercisedFile &one) {
        return one.file == review.fileOf(hunk);
    });
}

ExercisedFiles filesNotRun(const Session &session) {
    // Of what did not even compile nothing ran: that tells nothing of this device.
    if (session.evidence() != nullptr && !session.evidence()->after.ranHash.isEmpty() &&
        session.evidence()->after.verdict != Verdict::BuildFailed)
        return session.evidence()->after.notRun;
    if (session.evaluation() && session.evaluation()->verdict != Verdict::BuildFailed)
        return notRun(session.evaluation()->exercised);
    return {};
}

} // namespace

bool isUnexercised(const Session &session, int hunk) {
    return isIn(filesNotRun(session), *session.review(), hunk);
}

int firstToRead(const ProposalReview &review, const ExercisedFiles &notRun) {
    const bool isAnyLeft = review.nextUnanswered() > 0;
    int first = 0;
    for (const int id : review.hunkIds()) {
        if (isAnyLeft && review.hunk(id)->isAnswered())
            continue;
        if (!isIn(notRun, review, id))
            return id;
        first = first == 0 ? id : first;
    }
    return first;
}

int firstToRead(const Session &session) {
    return firstToRead(*session.review(), filesNotRun(session));
}

HunkEvidences withUnexercised(const Session &session, HunkEvidences evidences) {
    if (session.review() != nullptr)
        for (const int hunk : session.review()->hunkIds())
            if (isUnexercised(session, hunk))
                evidences[hunk].isUnexercised = true;
    return evidences;
}

HunkEvidences shownEvidences(const Session &session, const HunkEvidences &evidences) {
    return withUnexercised(session, mayShowNumbers(session) ? evidences : HunkEvidences());
}

HunkContributions hunkContributions(const Session &session, const HunkEvidences &evidences) {
    const std::optional<EvaluationSummary> base =
        session.evaluation() ? std::optional(summaryOf(*session.evaluation())) : std::nullopt;
    return hunkContributions(*session.review(), evidences, session.evidence(), base ? &*base : nullptr);
}

HunkContributions hunkContributions(const ProposalReview &review, const HunkEvidences &evidences,
                                    const Evidence *all, const EvaluationSummary *base) {
    const auto differenceOf = [](const std::optional<Evidence> &evidence) -> std::optional<TimeDifference> {
        if (!evidence || !evidence->difference)
            return std::nullopt;
        return TimeDifference{evidence->difference->value, evidence->difference->low,
                              evidence->difference->high, isNoDifference(*evidence)};
    };
    const auto failedOf = [](const std::optional<Evidence> &evidence) {
        return evidence ? whyNotTimed(*evidence) : QString();
    };
    HunkContributions shown;
    bool isAnyMeasured = false;
    int number = 0;
    QHash<int, QString> titles;
    for (const ReviewedFile &file : review.files()) {
        for (const Hunk &hunk : file.lines.hunks())
            titles[hunk.id] = titleOf(file, hunk);
        for (const Hunk &hunk : file.name ? file.name->hunks() : std::vector<Hunk>())
            titles[hunk.id] = titleOf(file, hunk);
    }
    for (const int id : review.hunkIds()) {
        const auto found = evidences.find(id);
        HunkContribution one{id, ++number, titles.value(id), {}, {}, false};
        one.isUnexercised = found != evidences.end() && found->second.isUnexercised;
        if (found != evidences.end() && !one.isUnexercised) {
            one.alone = differenceOf(found->second.alone);
            one.isBesideCode = one.alone && isBesideCode(review, id);
            one.allBut = differenceOf(found->second.allBut);
            one.aloneFailed = failedOf(found->second.alone);
            one.allButFailed = failedOf(found->second.allBut);
        }
        isAnyMeasured = isAnyMeasured || one.alone || one.allBut || !one.aloneFailed.isEmpty() ||
                        !one.allButFailed.isEmpty() || (one.isUnexercised && found->second.isAsked);
        shown.hunks.push_back(one);
    }
    if (!isAnyMeasured)
        return {};
    shown.base = QStringLiteral("iteration %1").arg(review.proposal().baseIteration);
    shown.proposal = QStringLiteral("proposal %1").arg(review.proposal().id.mid(1));
    if (all != nullptr)
        shown.all = differenceOf(*all);
    if (base != nullptr && base->candidate) {
        shown.baseSpread = (base->candidate->highMicroseconds - base->candidate->lowMicroseconds) / 2;
        shown.times = timeScaleOf(base->candidate->medianMicroseconds);
    }
    return shown;
}

} // namespace warpwright
