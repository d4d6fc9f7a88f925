// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/timeline/critical_path.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

namespace warpwright {
namespace {

using Kind = TimelineEvent::Kind;

constexpr double toleranceUs = 0.5; // clocks of host and device are brought together with about that error
constexpr double nearUs = 10;

/// The steps of one thread of work and what lies between them.
std::vector<PathStep> oneAfterAnother(const TimelineArm &arm, const std::vector<std::size_t> &work) {
    std::vector<PathStep> path;
    double reached = 0;
    for (const std::size_t place : work) {
        const TimelineEvent &event = arm.events[place];
        if (event.endUs() <= reached)
            continue;
        const double start = std::max(reached, event.startUs);
        if (start > reached)
            path.push_back({PathStep::Kind::Host, reached, start, {}});
        path.push_back({PathStep::Kind::Device, start, event.endUs(), place});
        reached = event.endUs();
    }
    if (const double end = arm.callMicroseconds(); end > reached)
        path.push_back({PathStep::Kind::Host, reached, end, {}});
    return path;
}

class Search {
public:
    Search(const TimelineArm &arm, const std::vector<std::size_t> &work) : m_arm(arm) {
        for (const std::size_t place : work)
            m_streams[event(place).stream.value_or(0)].push_back(place);
        for (auto &[stream, places] : m_streams)
            sortByEnd(places);
        for (std::size_t place = 0; place < arm.events.size(); ++place) {
            const TimelineEvent &each = arm.events[place];
            const bool isHost = each.kind == Kind::Launch || each.kind == Kind::Graph ||
                                each.kind == Kind::Runtime || each.kind == Kind::Sync;
            if (isHost && each.correlation != 0)
                m_launches.emplace(each.correlation, place);
            if (each.kind == Kind::Sync)
                m_syncs.push_back(place);
            if (each.kind == Kind::Wait && each.stream && each.forStream)
                m_waits.insert({*each.stream, *each.forStream});
        }
        sortByEnd(m_syncs);
    }

    std::vector<PathStep> path() {
        const double end = m_arm.callMicroseconds();
        std::optional<std::size_t> current = lastOnDevice(end + 1e9);
        m_reached = std::max(end, current ? event(*current).endUs() : 0);
        // Each turn goes back in time, or ends.
        for (std::size_t turn = 0; current && turn <= m_arm.events.size(); ++turn)
            current = stepBack(*current);
        add(PathStep::Kind::Host, 0, {});
        std::reverse(m_path.begin(), m_path.end());
        return m_path;
    }

private:
    [[nodiscard]] const TimelineEvent &event(std::size_t place) const { return m_arm.events[place]; }

    void sortByEnd(std::vector<std::size_t> &places) const {
        std::sort(places.begin(), places.end(), [this](std::size_t one, std::size_t other) {
            return event(one).endUs() < event(other).endUs();
        });
    }

    /// The last of these that had ended at that time.
    [[nodiscard]] std::optional<std::size_t> lastBefore(const std::vector<std::size_t> &places,
                                                        double time) const {
        const auto after =
            std::upper_bound(places.begin(), places.end(), time, [this](double limit, std::size_t place) {
                return limit < event(place).endUs();
            });
        return after == places.begin() ? std::nullopt : std::optional(*std::prev(after));
    }

    [[nodiscard]] std::optional<std::size_t> lastOnDevice(double time) const {
        std::optional<std::size_t> last;
        for (const auto &[stream, places] : m_streams)
            if (const auto found = lastBefore(places, time);
                found && (!last || event(*found).endUs() > event(*last).endUs()))
                last = found;
        return last;
    }

    [[nodiscard]] std::optional<std::size_t> predecessorOf(std::size_t place) const {
        const TimelineEvent &mine = event(place);
        std::optional<std::size_t> last;
        for (const auto &[stream, places] : m_streams) {
            const auto found = lastBefore(places, mine.startUs + toleranceUs);
            if (!found || *found == place || event(*found).startUs >= mine.startUs)
                continue;
            const double end = event(*found).endUs();
            const bool isWaitedFor = stream == mine.stream.value_or(0) ||
                                     (m_waits.empty() ? mine.startUs - end < nearUs
                                                      : m_waits.count({mine.stream.value_or(0), stream}) > 0);
            if (isWaitedFor && (!last || end > event(*last).endUs()))
                last = found;
        }
        return last;
    }

    /// The path goes on from `from` to what was reached.
    void add(PathStep::Kind kind, double from, std::optional<std::size_t> place) {
        if (from < m_reached)
            m_path.push_back({kind, from, m_reached, place});
        m_reached = std::min(m_reached, from);
    }

    /// What `current` waited for and that ran on the device; none: the call's start.
    std::optional<std::size_t> stepBack(std::size_t current) {
        const TimelineEvent &mine = event(current);
        add(PathStep::Kind::Host, std::max(0.0, mine.endUs()), {}); // none, where it follows on the device
        add(PathStep::Kind::Device, std::max(0.0, mine.startUs), current);
        const auto found = m_launches.find(mine.correlation);
        const bool isLaunched = mine.correlation != 0 && found != m_launches.end();
        const auto before = predecessorOf(current);
        if (before &&
            (!isLaunched || event(*before).endUs() >= std::min(event(found->second).endUs(), mine.startUs))) {
            add(PathStep::Kind::Between, event(*before).endUs(), {});
            return before;
        }
        if (!isLaunched)
            return {};
        const TimelineEvent &launch = event(found->second);
        add(PathStep::Kind::Launch, std::max(0.0, launch.startUs), found->second);
        // The host may have waited for the device before it launched this.
        const auto sync = lastBefore(m_syncs, launch.startUs + toleranceUs);
        if (!sync)
            return {};
        const auto waitedFor = lastOnDevice(event(*sync).endUs() + toleranceUs);
        const bool hasWaited =
            waitedFor && event(*waitedFor).endUs() > event(*sync).startUs && *waitedFor != current;
        return hasWaited ? waitedFor : std::nullopt;
    }

    const TimelineArm &m_arm;
    std::map<int, std::vector<std::size_t>> m_streams; // by their ends
    std::unordered_map<qint64, std::size_t> m_launches;
    std::vector<std::size_t> m_syncs;
    std::set<std::pair<int, int>> m_waits;
    std::vector<PathStep> m_path;
    double m_reached = 0;
};

} // namespace

std::vector<std::size_t> workOf(const TimelineArm &arm) {
    std::vector<std::size_t> device;
    std::vector<std::size_t> regions;
    std::vector<std::size_t> operators;
    for (std::size_t place = 0; place < arm.events.size(); ++place) {
        const TimelineEvent &event = arm.events[place];
        if (event.isOnDevice())
            device.push_back(place);
        else if (event.kind == Kind::Region)
            regions.push_back(place);
        else if (event.kind == Kind::Operator)
            operators.push_back(place);
    }
    if (!device.empty())
        return device;
    return regions.empty() ? operators : regions;
}

std::vector<PathStep> criticalPath(const TimelineArm &arm) {
    const std::vector<std::size_t> work = workOf(arm);
    const bool isOnDevice = !work.empty() && arm.events[work.front()].isOnDevice();
    return isOnDevice ? Search(arm, work).path() : oneAfterAnother(arm, work);
}

} // namespace warpwright
