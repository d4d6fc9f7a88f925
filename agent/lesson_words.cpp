// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/lesson_words.h"

#include "agent/bet_first.h"
#include "agent/prediction_outcome.h"

#include <algorithm>

namespace warpwright {

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
        if (step.isNoise())
            return word + QStringLiteral(", time undecided");
        return step.isKeptSlower() ? word + QStringLiteral(", slower") : word;
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
        return QStringLiteral("kept as a branch");
    case LessonStep::State::LeftOut:
        return !hasFailed && mayShowNumbers(step) && step.measured && step.measured->isSlower()
                   ? QStringLiteral("left out: slower")
                   : withTime(QStringLiteral("left out"));
    }
    return {};
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
    return step.after && mayShowNumbers(step)
               ? scale.withSpread(step.after->medianMicroseconds, step.after->lowMicroseconds,
                                  step.after->highMicroseconds)
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
    const std::optional<ExpectedRange> range = expectedRange(step.prediction);
    if (!range || !step.measured || !mayShowNumbers(step) || step.isUnexercised)
        return {};
    const QString words =
        QStringLiteral("predicted %1 (%2), measured %3: %4")
            .arg(timesFasterText(*step.prediction.timeRatio), rangeText(*range),
                 timesFasterText(step.measured->value), outcomeText(step.prediction, *step.measured));
    const QString base =
        otherBaseText(step.prediction, step.measuredFrom, step.measured->way == TimeRatio::Way::SideBySide);
    return base.isEmpty() ? words : words + QStringLiteral("; ") + base;
}

QString betWords(const LessonStep &step, const QString &by, const TimeScale &scale) {
    const auto bet = step.bets.find(by);
    if (bet == step.bets.end() || !bet->second.timeRatio)
        return {};
    QString words = timesFasterText(*bet->second.timeRatio);
    if (const std::optional<ArmTiming> expected = step.expected(bet->second))
        words = QStringLiteral("%1, %2").arg(scale.text(expected->medianMicroseconds), words);
    return step.measured && mayShowNumbers(step) && !step.isUnexercised
               ? QStringLiteral("%1: %2").arg(words, outcomeText(bet->second, *step.measured))
               : words;
}

QString promiseWords(const std::vector<Recording> &recordings, const QString &lesson) {
    const auto found = std::find_if(recordings.begin(), recordings.end(),
                                    [&lesson](const Recording &one) { return one.name == lesson; });
    if (found == recordings.end() || !found->firstMicroseconds || !found->bestMicroseconds)
        return {};
    const QString undecided = undecidedWords(*found);
    return QStringLiteral("Recorded on %1: %2 at the start, %3 at the best%4, %5 as fast. Yours may differ.")
        .arg(found->device, timeText(*found->firstMicroseconds), timeText(*found->bestMicroseconds),
             undecided.isEmpty() ? QString() : QStringLiteral(" that passed (%1)").arg(undecided),
             factorText(*found->firstMicroseconds / *found->bestMicroseconds));
}

QString placeWords(const LessonStory &story) {
    const auto count = static_cast<qsizetype>(story.steps().size());
    if (!story.hasBegun())
        return countText(count, QStringLiteral("step"));
    return story.at() > 0 ? QStringLiteral("step %1 of %2").arg(story.at()).arg(count)
                          : QStringLiteral("all %1 decided").arg(countText(count, QStringLiteral("step")));
}

} // namespace warpwright
