// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/timeline/timeline_analysis.h"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace warpwright {
namespace {

using Kind = TimelineEvent::Kind;

using Launches = std::unordered_map<qint64, const TimelineEvent *>;

bool isLaunch(const TimelineEvent &event) {
    return event.kind == Kind::Launch || event.kind == Kind::Graph;
}

/// The host's calls by what they launched.
Launches launchesOf(const TimelineArm &arm) {
    Launches launches;
    for (const TimelineEvent &event : arm.events)
        if (isLaunch(event) && event.correlation != 0)
            launches.emplace(event.correlation, &event);
    return launches;
}

const TimelineEvent *launchOf(const Launches &launches, const TimelineEvent &event) {
    const auto found = launches.find(event.correlation);
    return found == launches.end() ? nullptr : found->second;
}

TimelineGap::Cause causeOf(const TimelineGap &gap, const TimelineEvent *launch) {
    if (gap.startUs <= 0)
        return TimelineGap::Cause::First;
    return launch != nullptr && launch->endUs() > gap.startUs ? TimelineGap::Cause::Launch
                                                              : TimelineGap::Cause::Between;
}

/// Gaps, and how long something or more than one thing runs. `work`: in the order of their starts.
void measureTime(const TimelineArm &arm, const std::vector<std::size_t> &work, const Launches &launches,
                 TimelineAnalysis &analysis) {
    double reached = 0;
    for (const std::size_t place : work) {
        const TimelineEvent &event = arm.events[place];
        const double start = std::max(0.0, event.startUs);
        if (start > reached) {
            TimelineGap gap{reached, start, TimelineGap::Cause::Between, place};
            gap.cause = causeOf(gap, launchOf(launches, event));
            analysis.gaps.push_back(gap);
        }
        analysis.overlapUs += std::max(0.0, std::min(reached, event.endUs()) - start);
        analysis.busyUs += std::max(0.0, event.endUs() - std::max(start, reached));
        reached = std::max(reached, event.endUs());
    }
    if (analysis.callUs > reached)
        analysis.gaps.push_back({reached, analysis.callUs, TimelineGap::Cause::Last, {}});
}

double medianOf(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

void shareOut(const TimelineArm &arm, const std::vector<std::size_t> &work, const Launches &launches,
              TimelineAnalysis &analysis) {
    struct Sum {
        WorkShare share;
        std::vector<double> queues;
        bool isLaunched = true;
    };
    std::map<std::pair<Kind, QString>, Sum> sums;
    double whole = 0;
    for (const std::size_t place : work) {
        const TimelineEvent &event = arm.events[place];
        Sum &sum = sums[{event.kind, event.name}];
        ++sum.share.count;
        sum.share.microseconds += event.durationUs;
        whole += event.durationUs;
        const TimelineEvent *launch = event.isOnDevice() ? launchOf(launches, event) : nullptr;
        sum.isLaunched = sum.isLaunched && launch != nullptr && launch->kind == Kind::Launch;
        if (!sum.isLaunched)
            continue;
        sum.share.launchMicroseconds = sum.share.launchMicroseconds.value_or(0) + launch->durationUs;
        sum.queues.push_back(std::max(0.0, event.startUs - launch->endUs()));
    }
    for (auto &[key, sum] : sums) {
        sum.share.kind = key.first;
        sum.share.name = key.second;
        sum.share.share = whole > 0 ? sum.share.microseconds / whole : 0;
        if (sum.isLaunched)
            sum.share.queueMicroseconds = medianOf(sum.queues);
        else
            sum.share.launchMicroseconds.reset();
        analysis.work.push_back(sum.share);
    }
    std::stable_sort(
        analysis.work.begin(), analysis.work.end(),
        [](const WorkShare &one, const WorkShare &other) { return one.microseconds > other.microseconds; });
}

void countHost(const TimelineArm &arm, TimelineAnalysis &analysis) {
    for (const TimelineEvent &event : arm.events) {
        if (isLaunch(event)) {
            ++analysis.launches;
            analysis.launchUs += event.durationUs;
            analysis.graphs += event.kind == Kind::Graph ? 1 : 0;
        } else if (event.kind == Kind::Sync) {
            analysis.syncUs += event.durationUs;
        } else if (event.isOnDevice() && event.graph != 0) {
            ++analysis.graphSteps;
        }
    }
}

void countStreams(const TimelineArm &arm, const std::vector<std::size_t> &work, TimelineAnalysis &analysis) {
    std::map<int, std::pair<StreamUse, double>> streams; // and how far each has come
    for (const std::size_t place : work) {
        const TimelineEvent &event = arm.events[place];
        if (!event.isOnDevice())
            continue;
        auto &[use, reached] = streams[event.stream.value_or(0)];
        use.stream = event.stream.value_or(0);
        ++use.events;
        use.busyUs += std::max(0.0, event.endUs() - std::max(reached, event.startUs));
        reached = std::max(reached, event.endUs());
    }
    for (const auto &[stream, sum] : streams)
        analysis.streams.push_back(sum.first);
}

} // namespace

double TimelineAnalysis::pathUs(PathStep::Kind kind) const {
    double sum = 0;
    for (const PathStep &step : path)
        sum += step.kind == kind ? step.microseconds() : 0;
    return sum;
}

TimelineAnalysis analysed(const TimelineArm &arm) {
    TimelineAnalysis analysis;
    analysis.callUs = arm.callMicroseconds();
    const std::vector<std::size_t> work = workOf(arm);
    if (!work.empty()) {
        const TimelineEvent &first = arm.events[work.front()];
        analysis.worksBy = first.isOnDevice() ? Kind::Kernel : first.kind;
    }
    const Launches launches = launchesOf(arm);
    measureTime(arm, work, launches, analysis);
    shareOut(arm, work, launches, analysis);
    countHost(arm, analysis);
    countStreams(arm, work, analysis);
    analysis.path = criticalPath(arm);
    return analysis;
}

} // namespace warpwright
