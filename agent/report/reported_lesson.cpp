// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/report/reported_lesson.h"

#include "agent/lessons/lesson_words.h"
#include "agent/review/bet_first.h"

namespace warpwright {
namespace {

QString allBets(const LessonStep &step, const TimeScale &scale) {
    QStringList all;
    for (const auto &[by, bet] : step.bets)
        if (const QString words = betWords(step, by, scale); !words.isEmpty())
            all << (step.bets.size() > 1 ? by + QStringLiteral(": ") + words : words);
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
    const TimeScale scale = scaleOf(story);
    for (const LessonStep &step : story.steps()) {
        ReportedStep shown;
        shown.number = step.number;
        shown.title = step.title;
        shown.outcome =
            step.state == LessonStep::State::Ahead ? QStringLiteral("to come") : outcomeWords(step);
        shown.isKept = step.state == LessonStep::State::Kept || step.state == LessonStep::State::KeptInPart;
        if (mayShowNumbers(step))
            shown.time = withKeptTime(story, step).resulting();
        shown.prediction = hitWords(step);
        shown.bet = allBets(step, scale);
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
