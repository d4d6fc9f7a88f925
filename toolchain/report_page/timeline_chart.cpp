// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/base/figures.h"
#include "toolchain/report_page/charts.h"
#include "toolchain/report_page/svg_axis.h"
#include "toolchain/timeline/timeline_lanes.h"
#include "toolchain/timeline/timeline_summary.h"

#include <algorithm>
#include <set>

namespace warpwright {
namespace {

constexpr double width = 960;
constexpr double left = 110;
constexpr double right = 950;
constexpr double laneHeight = 18;
constexpr double lanePitch = 24;
constexpr double armHead = 22;
constexpr std::size_t mostLanes = 12; ///< of one arm

std::set<std::size_t> onPathOf(const TimelineArm &arm) {
    std::set<std::size_t> events;
    for (const PathStep &step : criticalPath(arm))
        if (step.event)
            events.insert(*step.event);
    return events;
}

QString titleOf(const TimelineArm &arm, const TimelineSpan &span, bool isOnPath) {
    const TimelineEvent &event = arm.events[span.event];
    if (span.count > 1)
        return QStringLiteral("%1 from %2 to %3, each too short to be drawn; the first: %4")
            .arg(countText(static_cast<qsizetype>(span.count), QStringLiteral("event")),
                 timeText(span.startUs), timeText(span.endUs), cutText(event.name, 200));
    return QStringLiteral("%1\n%2 from %3 on%4")
        .arg(cutText(event.name, 400), timeText(event.durationUs), timeText(event.startUs),
             isOnPath ? QStringLiteral("\nthe end of the call waits for it") : QString());
}

void drawLane(Markup &page, const TimelineArm &arm, const TimelineLane &lane,
              const std::set<std::size_t> &onPath, const SvgAxis &axis, double y) {
    page.add("text", {{"x", placeText(left - 8)}, {"y", placeText(y + 13)}, {"class", "e"}}, lane.label);
    page.mark("rect", {{"class", "lane"},
                       {"x", placeText(left)},
                       {"y", placeText(y)},
                       {"width", placeText(axis.clampedAt(arm.callMicroseconds()) - left)},
                       {"height", placeText(laneHeight)}});
    const bool isHost =
        lane.kind == TimelineLane::Kind::Launches || lane.kind == TimelineLane::Kind::Operators;
    const double usPerPixel = axis.to() / (right - left);
    for (const TimelineSpan &span : spansOf(arm, lane, 0, axis.to(), usPerPixel)) {
        const double from = axis.clampedAt(span.startUs);
        const double to = std::max(from + 1, axis.clampedAt(span.endUs));
        const bool isOnPath = span.count == 1 && onPath.count(span.event) > 0;
        page.begin("rect", {{"class", isHost ? "host" : "work"},
                            {"x", placeText(from)},
                            {"y", placeText(y + 2)},
                            {"width", placeText(to - from)},
                            {"height", placeText(laneHeight - 4)}});
        page.add("title", titleOf(arm, span, isOnPath));
        page.end();
        if (isOnPath)
            page.mark("line", {{"class", "path"},
                               {"x1", placeText(from)},
                               {"x2", placeText(to)},
                               {"y1", placeText(y + laneHeight)},
                               {"y2", placeText(y + laneHeight)}});
    }
}

} // namespace

void drawTimeline(Markup &page, const Timeline &timeline) {
    double end = 0;
    double height = 0;
    std::vector<std::vector<TimelineLane>> lanes;
    for (std::size_t i = 0; i < timeline.arms.size(); ++i) {
        lanes.push_back(lanesOf(timeline.arms[i], i));
        end = std::max(end, timeline.arms[i].callMicroseconds());
        height += armHead + lanePitch * static_cast<double>(std::min(lanes.back().size(), mostLanes));
    }
    if (end <= 0)
        return;
    const SvgAxis axis(0, end, left, right);
    beginChart(page, width, height + 44,
               QStringLiteral("Timeline of one call; what it shows stands in sentences below"));
    double y = 0;
    for (std::size_t i = 0; i < timeline.arms.size(); ++i) {
        const TimelineArm &arm = timeline.arms[i];
        page.add("text", {{"x", "4"}, {"y", placeText(y + 14)}, {"class", "strong"}},
                 arm.problem.isEmpty()
                     ? QStringLiteral("%1, %2").arg(arm.name, timeText(arm.callMicroseconds()))
                     : QStringLiteral("%1: not traced").arg(arm.name));
        if (lanes[i].size() > mostLanes)
            page.add("text", {{"x", placeText(right)}, {"y", placeText(y + 14)}, {"class", "e"}},
                     QStringLiteral("%1 not drawn")
                         .arg(countText(static_cast<qsizetype>(lanes[i].size() - mostLanes),
                                        QStringLiteral("more lane"))));
        y += armHead;
        const std::set<std::size_t> onPath = onPathOf(arm);
        for (std::size_t lane = 0; lane < std::min(lanes[i].size(), mostLanes); ++lane, y += lanePitch)
            drawLane(page, arm, lanes[i][lane], onPath, axis, y);
    }
    const TimeScale scale = timeScaleOf(end);
    for (const double tick : axis.ticks(8)) {
        const QString x = placeText(axis.at(tick));
        page.mark("line", {{"class", "grid"}, {"x1", x}, {"x2", x}, {"y1", "18"}, {"y2", placeText(y)}});
        page.add("text", {{"x", x}, {"y", placeText(y + 14)}, {"class", "m"}}, scale.number(tick));
    }
    page.add(
        "text", {{"x", placeText(left)}, {"y", placeText(y + 32)}},
        QStringLiteral("%1 from the start of the call; underlined: what its end waits for").arg(scale.unit));
    endChart(page);
}

} // namespace warpwright
