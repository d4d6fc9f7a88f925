// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/report_page/charts.h"

#include "toolchain/report_page/svg_axis.h"

#include <algorithm>

namespace warpwright {
namespace {

constexpr double width = 960;
constexpr double left = 150;  // of the bars
constexpr double right = 620; // of the bars
constexpr double pitch = 28;
constexpr double thickness = 18;
constexpr double head = 24;

/// An arm much slower than the candidate does not squeeze the others: its bar runs out of the chart.
double axisEnd(const MeasuredFigures &figures) {
    const ArmFigures *candidate = figures.candidate();
    const double own =
        candidate != nullptr ? candidate->medianMicroseconds : figures.arms.front().medianMicroseconds;
    double end = figures.speedOfLightMicroseconds.value_or(0);
    for (const ArmFigures &arm : figures.arms)
        if (arm.medianMicroseconds <= 8 * own)
            end = std::max(end, arm.highMicroseconds);
    return std::max(end, 1.5 * own) * 1.08;
}

void addHatch(Markup &page, const char *name, const char *kind) {
    page.begin("pattern", {{"id", QLatin1String(name)},
                           {"width", "6"},
                           {"height", "6"},
                           {"patternUnits", "userSpaceOnUse"},
                           {"patternTransform", "rotate(45)"}});
    page.mark("rect",
              {{"width", "6"}, {"height", "6"}, {"class", QStringLiteral("t-%1").arg(QLatin1String(kind))}});
    page.mark("line", {{"x1", "0"},
                       {"y1", "0"},
                       {"x2", "0"},
                       {"y2", "6"},
                       {"stroke-width", "2"},
                       {"class", QStringLiteral("s-%1").arg(QLatin1String(kind))}});
    page.end();
}

/// The series that the arm belongs to: "eagerStrict" looks like "eager".
QString seriesOf(const ArmFigures &arm) {
    if (arm.isCandidate())
        return QStringLiteral("candidate");
    const QString base = arm.isCompiled() ? QStringLiteral("compile") : QStringLiteral("eager");
    return arm.isTf32() ? base + QStringLiteral("Tf32") : base;
}

QString factorOf(const MeasuredFigures &figures, const ArmFigures &arm) {
    const ArmFigures *candidate = figures.candidate();
    if (arm.isCandidate() || candidate == nullptr)
        return {};
    if (const std::optional<SpeedUp> speedUp = figures.speedUpOver(arm.name))
        return factorText(speedUp->value, speedUp->low, speedUp->high).both();
    return factorText(arm.medianMicroseconds / candidate->medianMicroseconds);
}

void addArm(Markup &page, const MeasuredFigures &figures, const ArmFigures &arm, const SvgAxis &axis,
            double top) {
    const TimeScale &times = figures.times;
    const double middle = top + thickness / 2;
    const QString exact =
        QStringLiteral("%1: median %2, 95 % interval %3 %4%5")
            .arg(arm.label, times.text(arm.medianMicroseconds),
                 times.interval(arm.lowMicroseconds, arm.highMicroseconds), times.unit,
                 arm.storedText().isEmpty() ? QString() : QStringLiteral("; ") + arm.storedText());
    page.add("text", {{"x", placeText(left - 8)}, {"y", placeText(middle + 4)}, {"class", "name e"}},
             arm.label);
    page.begin("rect", {{"x", placeText(left)},
                        {"y", placeText(top)},
                        {"width", placeText(axis.clampedAt(arm.medianMicroseconds) - left)},
                        {"height", placeText(thickness)},
                        {"class", QStringLiteral("bar f-%1").arg(seriesOf(arm))}});
    page.add("title", exact);
    page.end();
    if (arm.medianMicroseconds > axis.to()) {
        page.add("text", {{"x", placeText(right + 4)}, {"y", placeText(middle + 4)}}, QStringLiteral("▶"));
    } else {
        // Seen however narrow; the numbers tell the truth.
        const double low = axis.clampedAt(arm.lowMicroseconds);
        const double high = axis.clampedAt(arm.highMicroseconds);
        const double half = std::max(2.5, (high - low) / 2);
        const double centre = (low + high) / 2;
        page.mark("path", {{"class", "whisker"},
                           {"d", QStringLiteral("M%1 %3H%2M%1 %4V%5M%2 %4V%5")
                                     .arg(placeText(centre - half), placeText(centre + half),
                                          placeText(middle), placeText(middle - 4), placeText(middle + 4))}});
    }
    page.add("text", {{"x", placeText(760)}, {"y", placeText(middle + 4)}, {"class", "strong e"}},
             times.withSpread(arm.medianMicroseconds, arm.lowMicroseconds, arm.highMicroseconds));
    page.add("text", {{"x", placeText(width - 4)}, {"y", placeText(middle + 4)}, {"class", "name e"}},
             factorOf(figures, arm));
}

} // namespace

void beginChart(Markup &page, double wide, double high, const QString &label) {
    page.begin("div", {{"class", "wide"}});
    page.begin("svg", {{"xmlns", "http://www.w3.org/2000/svg"},
                       {"viewBox", QStringLiteral("0 0 %1 %2").arg(placeText(wide), placeText(high))},
                       {"role", "img"},
                       {"aria-label", label}});
}

void endChart(Markup &page) {
    page.end();
    page.end();
}

QString shortLabel(const QString &name, qsizetype most) {
    if (name.size() <= most)
        return name;
    const qsizetype end = most / 3;
    return name.left(most - end - 1) + QStringLiteral("…") + name.right(end);
}

void drawSpeedUp(Markup &page, const MeasuredFigures &figures) {
    if (figures.arms.empty())
        return;
    const SvgAxis axis(0, axisEnd(figures), left, right);
    const double bottom = head + pitch * static_cast<double>(figures.arms.size());
    const bool hasLight = figures.speedOfLightMicroseconds.has_value();
    beginChart(page, width, bottom + 36,
               QStringLiteral("Time of a call of each arm; the same numbers stand in the table below"));
    page.begin("defs");
    addHatch(page, "hatch-eager", "eager");
    addHatch(page, "hatch-compile", "compile");
    page.end();
    page.add("text", {{"x", placeText(760)}, {"y", "12"}, {"class", "e"}}, QStringLiteral("time of a call"));
    page.add("text", {{"x", placeText(width - 4)}, {"y", "12"}, {"class", "e"}},
             QStringLiteral("candidate is faster by"));
    for (const double tick : axis.ticks(6)) {
        const QString x = placeText(axis.at(tick));
        page.mark("line", {{"class", "grid"},
                           {"x1", x},
                           {"x2", x},
                           {"y1", placeText(head - 4)},
                           {"y2", placeText(bottom)}});
        page.add("text", {{"x", x}, {"y", placeText(bottom + 14)}, {"class", "m"}},
                 figures.times.number(tick));
    }
    for (std::size_t i = 0; i < figures.arms.size(); ++i)
        addArm(page, figures, figures.arms[i], axis, head + pitch * static_cast<double>(i) + 4);
    if (hasLight) {
        const double at = axis.clampedAt(*figures.speedOfLightMicroseconds);
        page.begin("line", {{"class", "light"},
                            {"x1", placeText(at)},
                            {"x2", placeText(at)},
                            {"y1", placeText(head - 4)},
                            {"y2", placeText(bottom)}});
        page.add("title", QStringLiteral("speed of light: %1")
                              .arg(figures.times.fineText(*figures.speedOfLightMicroseconds)));
        page.end();
        page.add("text", {{"x", placeText(at + 4)}, {"y", placeText(head - 8)}},
                 QStringLiteral("speed of light"));
    }
    page.add("text", {{"x", placeText((left + right) / 2)}, {"y", placeText(bottom + 30)}, {"class", "m"}},
             QStringLiteral("%1 a call, less is better").arg(figures.times.unit));
    endChart(page);
}

} // namespace warpwright
