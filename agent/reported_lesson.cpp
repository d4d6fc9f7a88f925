// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/reported_lesson.h"

#include "agent/bet_first.h"
#include "agent/lesson_words.h"
#include "agent/prediction_outcome.h"

namespace warpwright {
namespace {

QString betWords(const LessonStep &step) {
    QStringList all;
    for (const auto &[by, bet] : step.bets) {
        QString words = bet.timeRatio ? timesFasterText(*bet.timeRatio) : bet.words;
        if (const std::optional<ExpectedRange> range = expectedRange(bet); range && bet.timeRatio)
            words += QStringLiteral(" (%1)").arg(rangeText(*range));
        if (step.measured && mayShowNumbers(step) && !step.isUnexercised)
            words +=
                QStringLiteral(", measured %1: %2")
                    .arg(timesFasterText(step.measured->value), outcomeWord(outcomeOf(bet, *step.measured)));
        all << (step.bets.size() > 1 ? by + QStringLiteral(": ") + words : words);
    }
    return all.join(QStringLiteral("; "));
}

} // namespace

ReportedLesson reportedLesson(const Lesson &lesson, const LessonStory &story) {
    ReportedLesson told;
    told.title = lesson.title;
    told.place = placeWords(story);
    told.goals = lesson.goals;
    told.device = story.device();
    ReportedStep start;
    start.title = QStringLiteral("the start");
    start.time = story.start();
    told.steps.push_back(start);
    for (const LessonStep &step : story.steps()) {
        ReportedStep shown;
        shown.number = step.number;
        shown.title = step.title;
        shown.outcome =
            step.state == LessonStep::State::Ahead ? QStringLiteral("to come") : outcomeWords(step);
        shown.isKept = step.state == LessonStep::State::Kept || step.state == LessonStep::State::KeptInPart;
        if (mayShowNumbers(step))
            shown.time = step.after;
        shown.prediction = hitWords(step);
        shown.bet = betWords(step);
        if (step.isDecided())
            shown.taught = step.taught;
        told.steps.push_back(shown);
    }
    return told;
}

std::optional<ReportedLesson> lessonToReport(const Workspace &workspace) {
    const std::optional<Lesson> lesson = lessonIn(workspace.folder);
    if (!lesson)
        return std::nullopt;
    const Result<std::vector<ScriptStep>> steps =
        readScriptFolder(workspace.folder + QLatin1Char('/') + lessonStepsFolder);
    if (!steps.hasValue())
        return std::nullopt;
    return reportedLesson(*lesson, lessonStoryIn(workspace.state, steps.value()));
}

} // namespace warpwright
