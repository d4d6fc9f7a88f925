// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/report_page/charts.h"

#include "toolchain/base/figures.h"
#include "toolchain/report_page/svg_axis.h"

#include <algorithm>
#include <cmath>

namespace warpwright {
namespace {

constexpr double width = 960;
constexpr double left = 84;
constexpr double right = 700;
constexpr double top = 24;
constexpr double bottom = 320;

/// Every kind its own shape: a circle for a whole call, a diamond for a baseline, a square for a kernel.
QString shapeOf(RooflinePoint::Kind kind, double x, double y) {
    const double size = kind == RooflinePoint::Kind::Iteration ? 3 : 4.5;
    const auto at = [x, y](double dx, double dy) {
        return placeText(x + dx) + QLatin1Char(' ') + placeText(y + dy);
    };
    switch (kind) {
    case RooflinePoint::Kind::Baseline:
        return QStringLiteral("M%1L%2L%3L%4Z").arg(at(0, -size), at(size, 0), at(0, size), at(-size, 0));
    case RooflinePoint::Kind::Kernel:
        return QStringLiteral("M%1L%2L%3L%4Z")
            .arg(at(-size, -size), at(size, -size), at(size, size), at(-size, size));
    case RooflinePoint::Kind::Iteration:
    case RooflinePoint::Kind::Current:
        break;
    }
    return QStringLiteral("M%1a%2 %2 0 1 0 %3 0a%2 %2 0 1 0 -%3 0Z")
        .arg(at(-size, 0), placeText(size), placeText(2 * size));
}

QString titleOf(const RooflinePoint &point, const Roofline &roofline) {
    QStringList lines{point.label, QStringLiteral("%1 at %2")
                                       .arg(scaledText(point.flopsPerSecond(), QStringLiteral("FLOP/s")),
                                            intensityText(point.intensity()))};
    if (const std::optional<double> roof = roofline.roofAt(point.intensity()))
        lines << QStringLiteral("%1 of the roof above it").arg(percentText(point.flopsPerSecond() / *roof));
    lines << point.basis;
    return lines.join(QLatin1Char('\n'));
}

/// The roof of the task, operations or bytes a second; 0: none is known.
double taskCeiling(const Roofline &roofline, bool isMemory) {
    for (const RooflineCeiling &ceiling : roofline.ceilings)
        if (ceiling.isOfTask && ceiling.isMemory == isMemory)
            return ceiling.perSecond;
    return 0;
}

/// A roof ends where the other one of the task lies below it. `lastWord`: where the name above stands, in
/// pixels down.
void drawCeiling(Markup &page, const Roofline &roofline, const RooflineCeiling &ceiling, const SvgAxis &x,
                 const SvgAxis &y, double &lastWord) {
    const QString kind = ceiling.isOfTask ? QStringLiteral("roof") : QStringLiteral("ceiling");
    const QString label = QStringLiteral("%1 %2").arg(
        ceiling.name,
        scaledText(ceiling.perSecond, ceiling.isMemory ? QStringLiteral("B/s") : QStringLiteral("FLOP/s")));
    if (!ceiling.isMemory) {
        const QString at = placeText(y.clampedAt(ceiling.perSecond));
        const double slope = taskCeiling(roofline, true);
        const double begin = slope > 0 ? x.clampedAt(ceiling.perSecond / slope) : left;
        page.mark(
            "line",
            {{"class", kind}, {"x1", placeText(begin)}, {"x2", placeText(right)}, {"y1", at}, {"y2", at}});
        lastWord = std::max(lastWord + 14, y.clampedAt(ceiling.perSecond) + 4);
        page.add("text", {{"x", placeText(right + 6)}, {"y", placeText(lastWord)}}, label);
        return;
    }
    // From where it enters the drawing to where it leaves it.
    const double from = std::clamp(y.from() / ceiling.perSecond, x.from(), x.to());
    const double flat = taskCeiling(roofline, false);
    const double end = flat > 0 ? std::min(flat, y.to()) : y.to();
    const double to = std::clamp(end / ceiling.perSecond, x.from(), x.to());
    page.mark("line", {{"class", kind},
                       {"x1", placeText(x.at(from))},
                       {"x2", placeText(x.at(to))},
                       {"y1", placeText(y.clampedAt(from * ceiling.perSecond))},
                       {"y2", placeText(y.clampedAt(to * ceiling.perSecond))}});
    // Nothing lies above a roof's slope: there is room for a second one's name.
    page.add("text", {{"x", placeText(left + 6)}, {"y", placeText(ceiling.isOfTask ? top - 8 : top + 14)}},
             label + (ceiling.isOfTask ? QStringLiteral(" (the slope)") : QStringLiteral(" (dashed slope)")));
}

} // namespace

void drawRoofline(Markup &page, const Roofline &roofline) {
    if (roofline.ceilings.empty() || roofline.points.empty())
        return;
    double leastX = roofline.points.front().intensity();
    double mostX = leastX;
    double leastY = roofline.points.front().flopsPerSecond();
    double mostY = leastY;
    for (const RooflinePoint &point : roofline.points) {
        leastX = std::min(leastX, point.intensity());
        mostX = std::max(mostX, point.intensity());
        leastY = std::min(leastY, point.flopsPerSecond());
        mostY = std::max(mostY, point.flopsPerSecond());
    }
    for (const RooflineCeiling &ceiling : roofline.ceilings)
        if (!ceiling.isMemory)
            mostY = std::max(mostY, ceiling.perSecond);
    const SvgAxis x(std::pow(10, std::floor(std::log10(leastX) - 0.5)),
                    std::pow(10, std::ceil(std::log10(mostX) + 0.5)), left, right, true);
    const SvgAxis y(std::pow(10, std::floor(std::log10(leastY) - 0.2)),
                    std::pow(10, std::ceil(std::log10(mostY) + 0.1)), bottom, top, true);
    beginChart(page, width, bottom + 40,
               QStringLiteral("Roofline; the same numbers stand in the table below"));
    for (const double tick : x.ticks(8)) {
        const QString at = placeText(x.at(tick));
        page.mark(
            "line",
            {{"class", "grid"}, {"x1", at}, {"x2", at}, {"y1", placeText(top)}, {"y2", placeText(bottom)}});
        page.add("text", {{"x", at}, {"y", placeText(bottom + 16)}, {"class", "m"}}, intensityText(tick));
    }
    for (const double tick : y.ticks(6)) {
        const QString at = placeText(y.at(tick));
        page.mark(
            "line",
            {{"class", "grid"}, {"x1", placeText(left)}, {"x2", placeText(right)}, {"y1", at}, {"y2", at}});
        page.add("text", {{"x", placeText(left - 6)}, {"y", placeText(y.at(tick) + 4)}, {"class", "e"}},
                 scaledText(tick, QStringLiteral("FLOP/s")));
    }
    // From above: names that would stand on each other go down.
    std::vector<RooflineCeiling> ceilings = roofline.ceilings;
    std::sort(ceilings.begin(), ceilings.end(), [](const RooflineCeiling &one, const RooflineCeiling &other) {
        return one.perSecond > other.perSecond;
    });
    double lastWord = 0;
    for (const RooflineCeiling &ceiling : ceilings)
        drawCeiling(page, roofline, ceiling, x, y, lastWord);
    for (const RooflinePoint &point : roofline.points) {
        const bool isCurrent = point.kind == RooflinePoint::Kind::Current;
        page.begin("path",
                   {{"class", isCurrent ? "own-point" : "point"},
                    {"d", shapeOf(point.kind, x.at(point.intensity()), y.at(point.flopsPerSecond()))}});
        page.add("title", titleOf(point, roofline));
        page.end();
    }
    page.add(
        "text", {{"x", placeText(left)}, {"y", placeText(bottom + 34)}},
        QStringLiteral("operations a second over operations a byte, both logarithmic; circle: a whole call "
                       "(filled: this text), diamond: a baseline, square: a kernel"));
    endChart(page);
}

} // namespace warpwright
