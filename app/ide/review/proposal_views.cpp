// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/review/proposal_views.h"

#include "agent/review/bet_first.h"
#include "agent/review/hunk_groups.h"
#include "agent/review/hunk_title.h"
#include "agent/review/prediction_outcome.h"
#include "agent/review/text_change.h"
#include "app/ide/review/proposal_figures.h"
#include "toolchain/base/figures.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace warpwright {
namespace {

QString words(const char *text) {
    return QCoreApplication::translate("ProposalViews", text);
}

ShownHunk::State stateOf(HunkState state) {
    switch (state) {
    case HunkState::Open:
        return ShownHunk::Open;
    case HunkState::Accepted:
        return ShownHunk::Accepted;
    case HunkState::Rejected:
        return ShownHunk::Rejected;
    case HunkState::Edited:
        return ShownHunk::Edited;
    case HunkState::Conflict:
        return ShownHunk::Conflict;
    }
    return ShownHunk::Open;
}

ProposalView::Check::State checkState(StageStatus status) {
    switch (status) {
    case StageStatus::Passed:
        return ProposalView::Check::Passed;
    case StageStatus::Failed:
        return ProposalView::Check::Failed;
    case StageStatus::Undecided:
    case StageStatus::NotRun:
    case StageStatus::Cancelled:
        break;
    }
    return ProposalView::Check::NotRun;
}

ProposalView::Hunk::Mark markOf(const Hunk &hunk) {
    return !hunk.isAnswered()                  ? ProposalView::Hunk::Open
           : hunk.state == HunkState::Accepted ? ProposalView::Hunk::Accepted
           : hunk.state == HunkState::Rejected ? ProposalView::Hunk::Rejected
                                               : ProposalView::Hunk::Edited;
}

/// "rejected: it loses precision"; empty: it is left.
QString answerOf(const Hunk &hunk) {
    QString answer;
    switch (markOf(hunk)) {
    case ProposalView::Hunk::Open:
        return {};
    case ProposalView::Hunk::Accepted:
        answer = words("accepted");
        break;
    case ProposalView::Hunk::Rejected:
        answer = words("rejected");
        break;
    case ProposalView::Hunk::Edited:
        answer = words("edited");
        break;
    }
    const QString reason = hunk.reason.simplified();
    return reason.isEmpty() ? answer : QStringLiteral("%1: %2").arg(answer, reason);
}

ProposalView::Hunk::Mark markOf(const QString &answer) {
    return answer == QLatin1String("accept")   ? ProposalView::Hunk::Accepted
           : answer == QLatin1String("reject") ? ProposalView::Hunk::Rejected
           : answer == QLatin1String("edit")   ? ProposalView::Hunk::Edited
                                               : ProposalView::Hunk::Open;
}

LedgerLine::Mark markOf(PredictionOutcome outcome) {
    switch (outcome) {
    case PredictionOutcome::Open:
        break;
    case PredictionOutcome::Hit:
        return LedgerLine::Hit;
    case PredictionOutcome::Undecided:
        return LedgerLine::Undecided;
    case PredictionOutcome::Outside:
        return LedgerLine::Off;
    case PredictionOutcome::Failed:
        return LedgerLine::Failed;
    }
    return LedgerLine::Open;
}

/// What a hunk is called, as a trajectory has it. `base`: the text that it was made for, where that is known.
QString pastTitleOf(const Json &hunk, const CandidateTexts &base) {
    const auto isNone = [&hunk](const char *side) {
        const auto found = hunk.find(side);
        return found != hunk.end() && found->is_boolean() && !found->get<bool>();
    };
    const QString file = stringIn(hunk, "file");
    if (isNone("oldFile"))
        return titleOfNewFile(file);
    if (isNone("newFile"))
        return titleOfDeletedFile(file);
    const Result<LineChange> lines = lineChangeFromJson(hunk);
    if (!lines.hasValue())
        return {};
    const auto text = base.find(file);
    TextLines above = text == base.end() ? TextLines() : linesOf(text->second);
    above.resize(std::min(above.size(), static_cast<std::size_t>(std::max(0, lines.value().oldStart))));
    return hunkTitle(above, lines.value().oldLines, lines.value().newLines);
}

} // namespace

int numberOf(const QString &proposal) {
    return proposal.mid(1).toInt();
}

QStringList linesWithoutEnds(const TextLines &lines) {
    QStringList texts;
    for (const QByteArray &line : lines) {
        texts << QString::fromUtf8(line);
        while (texts.back().endsWith(QLatin1Char('\n')) || texts.back().endsWith(QLatin1Char('\r')))
            texts.back().chop(1);
    }
    return texts;
}

ShownHunk shownHunk(const ReviewedFile &file, const Hunk &hunk, int number, const HunkEvidences &evidences) {
    ShownHunk shown;
    shown.id = hunk.id;
    shown.number = number;
    shown.line = hunk.start + 1;
    shown.oldCount = hunk.count();
    shown.state = stateOf(hunk.state);
    shown.isUntouched = hunk.isUntouched();
    shown.title = titleOf(file, hunk);
    if (hunk.isAnswered())
        shown.remark = hunk.reason.simplified();
    shown.newLines = linesWithoutEnds(hunk.newLines);
    const auto found = evidences.find(hunk.id);
    if (found != evidences.end()) {
        if (found->second.isUnexercised) {
            shown.measure = ShownHunk::Unexercised;
        } else if (found->second.alone && found->second.alone->difference) {
            const ShownFigure figure = differenceFigure(*found->second.alone, unitOf(*found->second.alone));
            shown.measure = ShownHunk::Measured;
            shown.difference = figure.value + QLatin1Char(' ') + figure.spread;
            shown.isNoise = figure.state == ShownFigure::Noise;
            const auto resources = resourcesOf(*found->second.alone);
            if (!resources.empty())
                shown.resources = resources.front().first + QLatin1Char(' ') + resources.front().second;
        } else if (const QString why = found->second.alone ? whyNotTimed(*found->second.alone) : QString();
                   !why.isEmpty()) {
            shown.measure = ShownHunk::Failed;
            shown.difference = words("%1 alone").arg(why);
        } else if (found->second.isAsked) {
            shown.measure = ShownHunk::Measuring;
        }
    }
    return shown;
}

namespace {

/// "with hunks 3, 4", by what people call them; empty: it belongs to none.
QString togetherWords(const ProposalReview &review, const std::map<int, int> &groups, int hunk) {
    const std::vector<int> others = hunksWith(groups, hunk);
    if (others.empty())
        return {};
    QStringList numbers;
    int number = 0;
    for (const ReviewedFile &file : review.files())
        for (const Hunk &one : file.lines.hunks()) {
            ++number;
            if (std::find(others.begin(), others.end(), one.id) != others.end())
                numbers << QString::number(number);
        }
    return (numbers.size() == 1 ? words("with hunk %1") : words("with hunks %1"))
        .arg(numbers.join(QStringLiteral(", ")));
}

/// What the numbers of the proposal are counted from.
void addBase(ProposalView &view, const Prediction &prediction, const Evidence &evidence) {
    const std::optional<double> before = measuredBefore(evidence);
    if (!before || *before <= 0)
        return;
    view.before = baseTimeText(*before);
    view.baseRemark = otherBaseText(prediction, before, evidence.isOneRun);
    const double alone = evidence.after.candidate->medianMicroseconds;
    if (const double after = measuredAfter(evidence).value_or(alone); after > 0 && areApart(alone, after)) {
        if (!view.baseRemark.isEmpty())
            view.baseRemark += QStringLiteral("; ");
        view.baseRemark += words("alone, in its own check, it takes %1").arg(baseTimeText(alone));
    }
}

std::vector<ProposalView::Check> checksOf(ProposalView::Check::State compile,
                                          ProposalView::Check::State verify) {
    return {{words("compiles"), compile, QStringLiteral("compile")},
            {words("verifies"), verify, QStringLiteral("verify")}};
}

/// What was measured, beside the numbers. Of a change that did not run here, what was verified and timed is
/// the code before it: no gain, and no proof.
void addMeasured(ProposalView &view, const Evidence &evidence, const Prediction &prediction,
                 const TimeScale &unit) {
    const bool isRepeat = !evidence.unexercised.empty();
    view.checks = checksOf(checkState(evidence.compile), checkState(evidence.verify));
    if (isRepeat && evidence.verify == StageStatus::Passed) {
        view.checks.back().words = words("verifies: not exercised");
        view.checks.back().state = ProposalView::Check::NotRun;
    }
    view.measured = measuredFigure(evidence, prediction, unit);
    if (isRepeat && whyNotTimed(evidence).isEmpty())
        view.wouldBe = {ShownFigure::None, words("as before"), {}};
    else if (const std::optional<double> after = measuredAfter(evidence))
        view.wouldBe = timeFigure(unit, *after, false);
}

/// It is written or measured now, as far as it was accepted.
bool isBeingWritten(SessionState state) {
    return state == SessionState::Applying || state == SessionState::Compiling ||
           state == SessionState::Verifying || state == SessionState::Profiling;
}

ShownHunk withPieces(ShownHunk shown, const Hunk &hunk, const HunkPieces &pieces) {
    if (!hunk.isAnswered())
        pieces.add(shown, hunk.standing, hunk.newLines);
    return shown;
}

} // namespace

std::vector<ShownHunk> shownHunks(const ProposalReview &review, const QString &file,
                                  const HunkEvidences &evidences, const HunkPieces &pieces,
                                  const std::map<int, int> &groups) {
    std::vector<ShownHunk> shown;
    int number = 0;
    for (const ReviewedFile &reviewed : review.files())
        for (const Hunk &hunk : reviewed.lines.hunks()) {
            ++number;
            if (reviewed.from != file)
                continue;
            shown.push_back(withPieces(shownHunk(reviewed, hunk, number, evidences), hunk, pieces));
            shown.back().together = togetherWords(review, groups, hunk.id);
        }
    return shown;
}

std::vector<ShownHunk> allShownHunks(const ProposalReview &review, const HunkEvidences &evidences,
                                     const HunkPieces &pieces, const std::map<int, int> &groups) {
    std::vector<ShownHunk> shown;
    for (const ReviewedFile &reviewed : review.files())
        for (const Hunk &hunk : reviewed.lines.hunks()) {
            shown.push_back(withPieces(
                shownHunk(reviewed, hunk, static_cast<int>(shown.size()) + 1, evidences), hunk, pieces));
            shown.back().together = togetherWords(review, groups, hunk.id);
        }
    return shown;
}

std::optional<double> timeBefore(const Session &session) {
    // Not as it was timed beside the proposal: that is hidden from whoever bets first.
    const std::optional<ArmTiming> candidate =
        session.evaluation() ? summaryOf(*session.evaluation()).candidate : std::nullopt;
    return candidate && candidate->medianMicroseconds > 0 ? std::optional(candidate->medianMicroseconds)
                                                          : std::nullopt;
}

ProposalView proposalView(const Session &session, const HunkEvidences &evidences,
                          const std::map<int, int> &groups) {
    const ProposalReview &review = *session.review();
    const Proposal &proposal = review.proposal();
    ProposalView view;
    view.number = numberOf(proposal.id);
    const ReviewCount count = review.count();
    view.state = count.unanswered() > 0                   ? ProposalView::UnderReview
                 : count.rejected == count.total()        ? ProposalView::Rejected
                 : session.stepBase() > 0                 ? ProposalView::Applied
                 : count.rejected > 0 || count.edited > 0 ? ProposalView::PartlyAccepted
                                                          : ProposalView::Accepted;
    view.words = proposal.title;
    if (!proposal.move.isEmpty())
        view.words += words(". Move: %1").arg(proposal.move);
    view.words += words(". Based on iteration %1.").arg(proposal.baseIteration);
    view.base = proposal.baseIteration;
    view.stepBase = session.stepBase();
    view.waits = session.state() == SessionState::AwaitingReview || view.stepBase > 0;
    view.progress = view.stepBase > 0 ? words("applied: keep, branch or revert")
                    : !view.waits     ? words("the run is %1").arg(sessionStateName(session.state()))
                    : count.unanswered() > 0
                        ? words("%1 of %2 hunks left").arg(count.unanswered()).arg(count.total())
                    : count.rejected == count.total() ? words("all rejected: Go on asks for the next")
                                                      : words("all answered: Go on writes it");
    const Evidence *evidence = session.evidence();
    const bool isOfAnswers = evidence != nullptr && session.isEvidenceCurrent();
    // What was measured is the whole proposal, and the answers leave some of it out.
    if (evidence != nullptr && !isOfAnswers && count.rejected + count.edited > 0) {
        view.isAsProposed = !isBeingWritten(session.state());
        if (!view.isAsProposed) {
            view.progress = words("the run is %1 what you accepted").arg(sessionStateName(session.state()));
            evidence = nullptr;
        } else if (count.unanswered() == 0 && count.rejected < count.total()) {
            view.progress = words("all answered: Go on writes it and checks it");
        }
    }
    const std::optional<double> before = timeBefore(session);
    const TimeScale unit =
        evidence != nullptr && mayShowNumbers(session) ? unitOf(*evidence) : unitOf(before, {});
    view.unit = unit.unit;
    view.unitMicroseconds = unit.unitMicroseconds;
    view.nowMicroseconds = before.value_or(0);
    view.asksBet = !mayShowNumbers(session);
    view.canBet = evidence == nullptr && mayShowNumbers(session) && !session.hasBet() &&
                  session.state() == SessionState::AwaitingReview && session.mode() == SessionMode::Review;
    if (evidence == nullptr) {
        view.checks = checksOf(ProposalView::Check::Running, ProposalView::Check::Running);
        view.measured.state = ShownFigure::Measuring;
        view.wouldBe.state = ShownFigure::Measuring;
    } else {
        addMeasured(view, *evidence, proposal.prediction, unit);
        view.resources = resourcesOf(*evidence);
        if (!mayShowNumbers(session)) {
            view.measured = {ShownFigure::Hidden, {}, {}};
            view.wouldBe = {ShownFigure::Hidden, {}, {}};
            view.resources.clear();
        }
        if (!isOfAnswers && count.edited > 0)
            view.state = ProposalView::Stale;
    }
    // A prediction that is read first is a bet that is lost: it would only be copied.
    const Evidence *shown = mayShowNumbers(session) ? evidence : nullptr;
    view.predicted = mayShowNumbers(session) ? predictedFigure(proposal.prediction, shown, unit)
                                             : ShownFigure{ShownFigure::Hidden, {}, {}};
    if (shown != nullptr)
        addBase(view, proposal.prediction, *shown);
    int number = 0;
    for (const ReviewedFile &file : review.files())
        for (const Hunk &hunk : file.lines.hunks()) {
            ++number;
            const auto found = evidences.find(hunk.id);
            const HunkEvidence known = found == evidences.end() ? HunkEvidence() : found->second;
            view.hunks.push_back({hunk.id, number, titleOf(file, hunk), figureOf(known, known.alone, unit),
                                  figureOf(known, known.allBut, unit), markOf(hunk), answerOf(hunk)});
            if (!hunk.isAnswered())
                view.hunks.back().together = togetherWords(review, groups, hunk.id);
        }
    view.canDecide = session.state() == SessionState::AwaitingReview;
    const int taken = count.accepted + count.edited;
    view.restWords = words("Rejects %1 not answered yet").arg(countText(count.open, words("hunk")));
    if (taken > 0)
        view.restWords += words("; %1 accepted or edited before stay").arg(countText(taken, words("hunk")));
    if (!view.canDecide)
        view.whyNot = words("the run is %1").arg(sessionStateName(session.state()));
    return view;
}

ProposalView proposalView(const ScenedProposal &scened) {
    const TrajectoryEvent &event = scened.event;
    ProposalView view;
    view.number = numberOf(scened.id);
    view.words = event.text("title");
    if (const QString move = event.text("move"); !move.isEmpty())
        view.words += words(". Move: %1").arg(move);
    view.words += words(". Based on iteration %1.").arg(event.integer("iteration"));
    const auto medianOf = [](const std::optional<EvaluationSummary> &summary) {
        return summary && summary->candidate ? std::optional(summary->candidate->medianMicroseconds)
                                             : std::nullopt;
    };
    const std::optional<EvaluationSummary> &after = scened.written ? scened.written : scened.after;
    const TimeScale unit = unitOf(medianOf(scened.before), medianOf(after));
    view.unit = unit.unit;
    view.unitMicroseconds = unit.unitMicroseconds;
    std::size_t rejected = 0, edited = 0, count = 0;
    const std::map<QString, HunkAnswers::Given> &answers = scened.answers.given();
    if (const auto hunks = event.body.find("hunks"); hunks != event.body.end() && hunks->is_array())
        for (const Json &hunk : *hunks) {
            const auto answer = answers.find(stringIn(hunk, "id"));
            const QString word = answer == answers.end() ? QString() : answer->second.answer;
            rejected += word == QLatin1String("reject");
            edited += word == QLatin1String("edit");
            const auto found = scened.evidences.find(stringIn(hunk, "id").toInt());
            const HunkEvidence known = found == scened.evidences.end() ? HunkEvidence() : found->second;
            view.hunks.push_back({stringIn(hunk, "id").toInt(), static_cast<int>(++count),
                                  pastTitleOf(hunk, scened.base), figureOf(known.alone, false, unit),
                                  figureOf(known.allBut, false, unit), markOf(word),
                                  scened.answerWords(stringIn(hunk, "id"))});
        }
    using Outcome = ScenedProposal::Outcome;
    const bool isAnswered = count > 0 && answers.size() == count;
    view.state = scened.outcome == Outcome::Discarded || scened.outcome == Outcome::KeptAsBranch ||
                         (isAnswered && rejected == count)
                     ? ProposalView::Rejected
                 : scened.outcome == Outcome::Open && !isAnswered ? ProposalView::UnderReview
                 : rejected > 0 || edited > 0                     ? ProposalView::PartlyAccepted
                                                                  : ProposalView::Accepted;
    if (scened.written)
        view.words += words(" Measured of it: what was accepted, iteration %1.").arg(scened.writtenAs);
    view.isAsProposed = after && !scened.written && rejected + edited > 0 && rejected < count;
    std::optional<Prediction> prediction;
    if (const auto found = event.body.find("prediction"); found != event.body.end()) {
        prediction = predictionFromJson(*found);
        if (!prediction->beforeMicroseconds) // recorded before it was fixed
            prediction->beforeMicroseconds = medianOf(scened.before);
    }
    std::optional<Evidence> evidence;
    if (after) {
        evidence = evidenceOf(scened.before, *after, {});
        addMeasured(view, *evidence, prediction.value_or(Prediction()), unit);
    } else {
        view.checks = checksOf(ProposalView::Check::NotRun, ProposalView::Check::NotRun);
    }
    for (ProposalView::Check &check : view.checks)
        check.page.clear(); // what was measured of it then is on no page
    if (prediction) {
        view.predicted = predictedFigure(*prediction, evidence ? &*evidence : nullptr, unit);
        if (evidence)
            addBase(view, *prediction, *evidence);
    }
    view.canDecide = false;
    view.whyNot = words("this is a replay of a past run");
    return view;
}

std::vector<LedgerLine> ledgerLines(const PredictionLedger &ledger, std::size_t most) {
    std::vector<LedgerLine> lines;
    const auto add = [&](const LedgerRow &row, const QString &who, const Prediction &prediction) {
        if (!prediction.timeRatio)
            return;
        LedgerLine line;
        line.number = numberOf(row.proposal);
        line.move = row.move.isEmpty() ? row.title : row.move;
        line.who = who;
        const bool isShown = mayShowNumbers(row);
        line.expected = isShown ? timesFasterText(*prediction.timeRatio) : words("hidden");
        if (isShown) {
            line.promised = promisedWords(prediction);
            const ExpectedRange range = *expectedRange(prediction);
            line.range = rangeText(range);
            line.isGranted = range.isGranted;
        } else {
            line.range = words("hidden"); // the expected value has no room everywhere
        }
        line.mark = markOf(outcomeOf(row, prediction));
        if (!isShown) {
            line.measured = words("hidden");
        } else if (row.isUnexercised) {
            line.measured = words("not exercised"); // neither hit nor missed
        } else if (row.measured) {
            line.measured = timesFasterText(row.measured->value);
            line.interval = rangeText({row.measured->low, row.measured->high});
            line.base =
                otherBaseText(prediction, row.before, row.measured->way == TimeRatio::Way::SideBySide);
        } else if (row.verdict && *row.verdict != Verdict::Pass) {
            line.measured = verdictName(*row.verdict);
        }
        line.isOfAgent = who == row.agent;
        line.taken = takenText(row);
        lines.push_back(line);
    };
    const std::size_t first = most > 0 && ledger.rows().size() > most ? ledger.rows().size() - most : 0;
    for (std::size_t i = first; i < ledger.rows().size(); ++i) {
        const LedgerRow &row = ledger.rows()[i];
        add(row, row.agent, row.prediction);
        for (const auto &[by, bet] : row.bets)
            add(row, by == QLatin1String("person") ? words("you") : by, bet);
    }
    return lines;
}

QString ledgerRemark(const PredictionLedger &ledger, std::size_t most) {
    const QString remark = words("times faster");
    return ledger.rows().size() > most
               ? remark + words(", the last %1 of %2").arg(most).arg(ledger.rows().size())
               : remark;
}

std::vector<PlanStep> planSteps(const std::vector<PlanItem> &items) {
    std::vector<PlanStep> steps;
    for (const PlanItem &item : items)
        steps.push_back({item.text, item.state == QLatin1String("done")      ? PlanStep::Done
                                    : item.state == QLatin1String("working") ? PlanStep::Now
                                    : item.state == QLatin1String("dropped") ? PlanStep::Dropped
                                                                             : PlanStep::Ahead});
    return steps;
}

} // namespace warpwright
