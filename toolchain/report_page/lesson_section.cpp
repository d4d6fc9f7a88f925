// SPDX-License-Identifier: GPL-3.0-or-later
// A lesson: what a call took after each step, and what each step taught.
#include "toolchain/base/figures.h"
#include "toolchain/report_page/charts.h"
#include "toolchain/report_page/sections.h"
#include "toolchain/report_page/svg_axis.h"

#include <algorithm>

namespace warpwright {
namespace {

constexpr double width = 960;
constexpr double left = 320; // of the bars
constexpr double right = 700;
constexpr double pitch = 28;
constexpr double thickness = 18;
constexpr qsizetype mostLetters = 44;

QString nameOf(const ReportedStep &step) {
    return step.number > 0 ? QStringLiteral("%1 %2").arg(step.number).arg(step.title) : step.title;
}

/// One unit for all of them: of the last, which is what a lesson comes to.
TimeScale scaleOf(const ReportedLesson &lesson) {
    TimeScale scale;
    for (const ReportedStep &step : lesson.steps)
        if (step.time)
            scale = timeScaleOf(step.time->medianMicroseconds, step.time->lowMicroseconds,
                                step.time->highMicroseconds);
    return scale;
}

QString timeWords(const ReportedStep &step, const TimeScale &times) {
    return step.time ? times.withSpread(step.time->medianMicroseconds, step.time->lowMicroseconds,
                                        step.time->highMicroseconds)
                     : QString();
}

void addBar(Markup &page, const ReportedStep &step, const TimeScale &times, const SvgAxis &axis, double top) {
    const double middle = top + thickness / 2;
    const QString below = placeText(middle + 4);
    page.begin("text", {{"x", placeText(left - 8)}, {"y", below}, {"class", "name e"}});
    page.add("title", nameOf(step));
    page.text(shortLabel(nameOf(step), mostLetters));
    page.end();
    page.add("text", {{"x", placeText(width - 4)}, {"y", below}, {"class", "name e"}}, step.outcome);
    if (!step.time)
        return;
    const bool stands = step.isKept || step.number == 0;
    page.begin("rect",
               {{"x", placeText(left)},
                {"y", placeText(top)},
                {"width", placeText(axis.clampedAt(step.time->medianMicroseconds) - left)},
                {"height", placeText(thickness)},
                {"class", stands ? QStringLiteral("bar f-candidate") : QStringLiteral("bar f-eager")}});
    page.add("title", QStringLiteral("%1: %2").arg(nameOf(step), timeWords(step, times)));
    page.end();
    page.mark("path", {{"class", "whisker"},
                       {"d", QStringLiteral("M%1 %3H%2M%1 %4V%5M%2 %4V%5")
                                 .arg(placeText(axis.clampedAt(step.time->lowMicroseconds)),
                                      placeText(axis.clampedAt(step.time->highMicroseconds)),
                                      placeText(middle), placeText(middle - 4), placeText(middle + 4))}});
    page.add("text", {{"x", placeText(right + 8)}, {"y", below}, {"class", "strong"}},
             timeWords(step, times));
}

void drawSteps(Markup &page, const ReportedLesson &lesson, const TimeScale &times) {
    double end = 0;
    double least = 0;
    for (const ReportedStep &step : lesson.steps)
        if (step.time) {
            end = std::max(end, step.time->highMicroseconds);
            least =
                least > 0 ? std::min(least, step.time->medianMicroseconds) : step.time->medianMicroseconds;
        }
    if (end <= 0) {
        page.paragraph(QStringLiteral("No step has a time yet: the times appear with its run."), "faint");
        return;
    }
    // On a linear axis all that came after a large first step would look alike.
    const bool isLog = least > 0 && end > 10 * least;
    const SvgAxis axis(isLog ? 0.6 * least : 0, end * (isLog ? 1.1 : 1.02), left, right, isLog);
    const double bottom = pitch * static_cast<double>(lesson.steps.size());
    beginChart(page, width, bottom + 36,
               QStringLiteral("Time of a call after each step; the same numbers stand in the list below"));
    for (const double tick : axis.ticks(5)) {
        const QString x = placeText(axis.at(tick));
        page.mark("line", {{"class", "grid"}, {"x1", x}, {"x2", x}, {"y1", "0"}, {"y2", placeText(bottom)}});
        page.add("text", {{"x", x}, {"y", placeText(bottom + 14)}, {"class", "m"}}, times.number(tick));
    }
    for (std::size_t i = 0; i < lesson.steps.size(); ++i)
        addBar(page, lesson.steps[i], times, axis, pitch * static_cast<double>(i) + 4);
    page.add("text", {{"x", placeText((left + right) / 2)}, {"y", placeText(bottom + 30)}, {"class", "m"}},
             (isLog ? QStringLiteral("%1 a call, logarithmic, less is better")
                    : QStringLiteral("%1 a call, less is better"))
                 .arg(times.unit));
    endChart(page);
}

} // namespace

void writeLesson(Markup &page, const ReportedText &of) {
    if (!of.input.lesson)
        return;
    const ReportedLesson &lesson = *of.input.lesson;
    beginSection(page, "lesson", QStringLiteral("Lesson: %1").arg(lesson.title));
    page.begin("dl");
    addFact(page, QStringLiteral("where it stands"), lesson.place);
    addFact(page, QStringLiteral("measured on"), lesson.device);
    page.end();
    if (!lesson.goals.isEmpty()) {
        page.begin("ul");
        for (const QString &goal : lesson.goals)
            page.add("li", goal);
        page.end();
    }
    const TimeScale times = scaleOf(lesson);
    drawSteps(page, lesson, times);
    for (const ReportedStep &step : lesson.steps) {
        if (step.number == 0)
            continue;
        page.add("h3", nameOf(step));
        page.begin("dl");
        addFact(page, QStringLiteral("outcome"), step.outcome);
        addFact(page, QStringLiteral("time of a call"), timeWords(step, times));
        addFact(page, QStringLiteral("bet"), step.bet);
        addFact(page, QStringLiteral("prediction"), step.prediction);
        addFact(page, QStringLiteral("what it taught"), step.taught);
        page.end();
    }
    page.end();
}

} // namespace warpwright
