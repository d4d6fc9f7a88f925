// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/timeline/timeline_lanes.h"

#include <algorithm>
#include <map>

namespace warpwright {
namespace {

using Kind = TimelineEvent::Kind;

std::optional<TimelineLane::Kind> laneKindOf(const TimelineEvent &event) {
    switch (event.kind) {
    case Kind::Operator:
        return TimelineLane::Kind::Operators;
    case Kind::Launch:
    case Kind::Graph:
    case Kind::Sync:
    case Kind::Runtime:
        return TimelineLane::Kind::Launches;
    case Kind::Region:
        return TimelineLane::Kind::Regions;
    case Kind::Kernel:
    case Kind::Memcpy:
    case Kind::Memset:
        return TimelineLane::Kind::Stream;
    case Kind::Wait:
        break; // of no length that means something
    }
    return {};
}

QString laneLabel(TimelineLane::Kind kind, int stream) {
    switch (kind) {
    case TimelineLane::Kind::Operators:
        return QStringLiteral("operators");
    case TimelineLane::Kind::Launches:
        return QStringLiteral("CUDA calls");
    case TimelineLane::Kind::Regions:
        return QStringLiteral("regions");
    case TimelineLane::Kind::Stream:
        break;
    }
    return QStringLiteral("stream %1").arg(stream);
}

} // namespace

std::vector<TimelineSpan> spansOf(const TimelineArm &arm, const TimelineLane &lane, double fromUs,
                                  double toUs, double usPerPixel) {
    std::vector<TimelineSpan> spans;
    bool isOpen = false; // the last one takes more
    for (const std::size_t place : lane.events) {
        const TimelineEvent &event = arm.events[place];
        if (event.startUs > toUs)
            break;
        if (event.endUs() < fromUs)
            continue;
        const bool isShort = event.durationUs < usPerPixel;
        if (isShort && isOpen && event.startUs - spans.back().endUs < usPerPixel) {
            spans.back().endUs = std::max(spans.back().endUs, event.endUs());
            ++spans.back().count;
            continue;
        }
        spans.push_back({event.startUs, event.endUs(), place, 1});
        isOpen = isShort;
    }
    return spans;
}

std::vector<TimelineLane> lanesOf(const TimelineArm &events, std::size_t arm) {
    std::map<std::pair<TimelineLane::Kind, int>, TimelineLane> lanes;
    for (std::size_t place = 0; place < events.events.size(); ++place) {
        const auto kind = laneKindOf(events.events[place]);
        if (!kind)
            continue;
        const int stream = *kind == TimelineLane::Kind::Stream ? events.events[place].stream.value_or(0) : 0;
        TimelineLane &lane = lanes[{*kind, stream}];
        lane.arm = arm;
        lane.kind = *kind;
        lane.stream = stream;
        lane.label = laneLabel(*kind, stream);
        lane.events.push_back(place);
    }
    std::vector<TimelineLane> inOrder;
    for (auto &[key, lane] : lanes)
        inOrder.push_back(std::move(lane));
    return inOrder;
}

} // namespace warpwright
