// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/lessons/lesson_words.h"

#include "agent/review/bet_first.h"
#include "agent/review/prediction_outcome.h"

#include <algorithm>

namespace warpwright {

namespace {

/// Behind what was decided on it: a step that was kept is no gain for that alone.
QString timeWords(const LessonStep &step) {
    if (step.isUndecided())
        return QStringLiteral(", time undecided");
    const QString check =
        step.verdict == Verdict::Inconclusive ? QStringLiteral(", check inconclusive") : QString();
    if (step.state != LessonStep::State::Kept)
        return check;
    if (!step.verdict || *step.verdict == Verdict::NotRun)
        return QStringLiteral(", not checked");
    if (!step.measured)
        return check.isEmpty() ? QStringLiteral(", time not compared") : check;
    return (step.isKeptSlower() ? QStringLiteral(", slower") : QStringLiteral(", faster")) + check;
}

} // namespace

QString outcomeWords(const LessonStep &step) {
    const bool hasFailed = step.verdict && *step.verdict != Verdict::Pass &&
                           *step.verdict != Verdict::Inconclusive && *step.verdict != Verdict::NotRun;
    const auto withTime = [&step, hasFailed](const QString &word) {
        // Of the whole proposal: what was kept of it in part is another text.
        if (hasFailed && step.state != LessonStep::State::KeptInPart)
            return word + QStringLiteral(": ") + verdictName(*step.verdict);
        if (!mayShowNumbers(step))
            return word;
        if (step.isUnexercised)
            return word + QStringLiteral(", not exercised here");
        return word + timeWords(step);
    };
    switch (step.state) {
    case LessonStep::State::Ahead:
        return {};
    case LessonStep::State::Current:
        return QStringLiteral("waits for you");
    case LessonStep::State::Stopped:
        return QStringLiteral("stopped here");
    case LessonStep::State::Kept:
        return withTime(QStringLiteral("kept"));
    case LessonStep::State::KeptInPart:
        return withTime(QStringLiteral("kept in part"));
    case LessonStep::State::Branch:
        return withTime(QStringLiteral("kept as a branch"));
    case LessonStep::State::LeftOut:
        return withTime(!hasFailed && mayShowNumbers(step) && step.measured && step.measured->isSlower()
                            ? QStringLiteral("left out: slower")
                            : QStringLiteral("left out"));
    }
    return {};
}

QString decidedWords(const LessonStep &step, const TimeScale &scale) {
    const std::optional<ArmTiming> result = step.resulting();
    if (!mayShowNumbers(step) || step.isUnexercised || !step.isDecided() || !step.measured || !step.after ||
        !result)
        return {};
    const TimeRatio &ratio = *step.measured;
    const QString factor = timesFasterText(ratio.value);
    const QString interval = rangeText({ratio.low, ratio.high});
    const QString end = ratio.holdsOne()   ? QStringLiteral("undecided, for the interval holds 1.00×")
                        : ratio.isNoise()  ? QStringLiteral("undecided")
                        : ratio.isFaster() ? QStringLiteral("faster")
                                           : QStringLiteral("slower");
    if (ratio.way != TimeRatio::Way::SideBySide || !step.measuredFrom)
        return QStringLiteral("Decided %1: %2 as fast as before (%3): %4.")
            .arg(wayText(ratio.way), factor, interval, end);
    QString words =
        QStringLiteral("Decided side by side, both texts in one run: %1 before, %2 as fast after (%3): %4.")
            .arg(scale.text(*step.measuredFrom), factor, interval, end);
    // Two intervals that do not touch look like a difference, and it is one of the runs.
    if (ratio.isNoise() && step.before &&
        (step.before->lowMicroseconds > step.after->highMicroseconds ||
         step.before->highMicroseconds < step.after->lowMicroseconds))
        words += QStringLiteral(
                     " The two checks, %1 and %2, are apart; they are of different runs and decide nothing.")
                     .arg(scale.withSpread(step.before->medianMicroseconds, step.before->lowMicroseconds,
                                           step.before->highMicroseconds),
                          scale.withSpread(step.after->medianMicroseconds, step.after->lowMicroseconds,
                                           step.after->highMicroseconds));
    return words;
}

TimeScale scaleOf(const LessonStory &story) {
    const std::optional<ArmTiming> *last = &story.start();
    for (const LessonStep &step : story.steps())
        if (step.after && mayShowNumbers(step))
            last = &step.after;
    return *last
               ? timeScaleOf((*last)->medianMicroseconds, (*last)->lowMicroseconds, (*last)->highMicroseconds)
               : TimeScale();
}

QString measuredWords(const LessonStep &step, const TimeScale &scale) {
    const std::optional<ArmTiming> time = mayShowNumbers(step) ? step.resulting() : std::nullopt;
    return time ? scale.withSpread(time->medianMicroseconds, time->lowMicroseconds, time->highMicroseconds)
                : QString();
}

std::optional<ArmTiming> timeOfPart(const LessonStory &story, const LessonStep &step) {
    if (step.state == LessonStep::State::KeptInPart)
        for (const LessonStep &later : story.steps())
            if (later.number > step.number && later.before)
                return later.before;
    return std::nullopt;
}

LessonStep withKeptTime(const LessonStory &story, LessonStep step) {
    if (const std::optional<ArmTiming> ofPart = timeOfPart(story, step))
        step.after = ofPart;
    return step;
}

QString expectedWords(const LessonStep &step, const TimeScale &scale) {
    const std::optional<ArmTiming> expected =
        mayShowNumbers(step) ? step.expected(step.prediction) : std::nullopt;
    return expected ? scale.text(expected->medianMicroseconds) : QString();
}

QString hitWords(const LessonStep &step) {
    if (!step.prediction.timeRatio || !step.measured || !mayShowNumbers(step) || step.isUnexercised)
        return {};
    const QString words = QStringLiteral("predicted ") + judgedText(step.prediction, *step.measured);
    const QString base =
        otherBaseText(step.prediction, step.measuredFrom, step.measured->way == TimeRatio::Way::SideBySide);
    return base.isEmpty() ? words : words + QStringLiteral("; ") + base;
}

QString betWords(const LessonStep &step, const QString &by, const TimeScale &scale) {
    const auto bet = step.bets.find(by);
    if (bet == step.bets.end() || !bet->second.timeRatio)
        return {};
    // Its time was one of the text before as it was known then, and would be compared with another's.
    if (step.measured && mayShowNumbers(step) && !step.isUnexercised)
        return judgedText(bet->second, *step.measured);
    const ExpectedRange range = *expectedRange(bet->second);
    QString words = timesFasterText(*bet->second.timeRatio);
    if (!range.isGranted)
        words += QStringLiteral(" (%1)").arg(rangeText(range));
    if (const std::optional<ArmTiming> expected = step.expected(bet->second))
        words = QStringLiteral("%1, %2").arg(scale.text(expected->medianMicroseconds), words);
    return words;
}

QString promiseWords(const std::vector<Recording> &recordings, const QString &lesson) {
    const auto found = std::find_if(recordings.begin(), recordings.end(),
                                    [&lesson](const Recording &one) { return one.name == lesson; });
    if (found == recordings.end() || !found->firstMicroseconds || !found->bestMicroseconds)
        return {};
    const QString undecided = undecidedWords(*found);
    return QStringLiteral(
               "For comparison, a run of it was recorded on %1: %2 at the start, %3 at the best%4, each in a "
               "check of its own.")
        .arg(found->device, timeText(*found->firstMicroseconds), timeText(*found->bestMicroseconds),
             undecided.isEmpty() ? QString() : QStringLiteral(" that passed (%1)").arg(undecided));
}

QString placeWords(const LessonStory &story) {
    const auto count = static_cast<qsizetype>(story.steps().size());
    if (!story.hasBegun())
        return countText(count, QStringLiteral("step"));
    return story.at() > 0 ? QStringLiteral("step %1 of %2").arg(story.at()).arg(count)
                          : QStringLiteral("all %1 decided").arg(countText(count, QStringLiteral("step")));
}

} // namespace warpwright
