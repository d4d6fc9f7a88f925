// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/base/figures.h"
#include "toolchain/findings/detectors.h"
#include "toolchain/text/scanned_text.h"

#include <algorithm>

namespace warpwright {
namespace {

/// Of the call's time that the device has nothing to do.
constexpr double leastGap = 0.3;
/// Two launches may belong together by their nature; then the gap has to be most of the call.
constexpr int manyLaunches = 3;
constexpr double largeGap = 0.5;

/// Start and end of a kernel take about so long by the profiler's clock, whatever it does; that is no work
/// where many kernels hardly take longer.
constexpr double startMicroseconds = 1.5;
constexpr int veryManyLaunches = 8;
constexpr double briefMicroseconds = 5;

/// Kernels of 2.9 µs that the host launched one after another came every 3.8 µs, as NVIDIA measured it
/// ("Getting Started with CUDA Graphs", 2019, a V100): a launch that takes no longer than this may end before
/// the host has launched the next one. Assumed where neither clock nor timeline tells what a launch costs.
constexpr double launchMicroseconds = 3.8;
/// Of the profiled time that such launches take.
constexpr double leastBrief = 0.5;
/// Of its peak that the busiest unit reaches in them: above it a single launch would take nearly as long.
constexpr double busyDevice = 0.3;
/// What a kernel that fills the device reaches of that unit's peak.
constexpr double reachable = 0.8;

struct LaunchSite {
    QString file;
    int line = 0;
};

/// Where the text launches kernels: each «<<<» that a compiler reads.
std::vector<LaunchSite> launchSites(const CandidateTexts &texts) {
    std::vector<LaunchSite> sites;
    for (const auto &[path, text] : texts) {
        if (!path.endsWith(QLatin1String(".cu")) && !path.endsWith(QLatin1String(".cuh")))
            continue;
        const ScannedText scanned = scanText(text, Literals::Blanked);
        for (qsizetype at = scanned.code.indexOf(QLatin1String("<<<")); at >= 0;
             at = scanned.code.indexOf(QLatin1String("<<<"), at + 3))
            sites.push_back({path, scanned.lineAt(at)});
    }
    return sites;
}

Finding launchBound(const FindingContext &context, const std::vector<LaunchSite> &sites) {
    Finding finding;
    finding.id = QStringLiteral("launch-bound");
    finding.title = QStringLiteral("The device waits for launches");
    finding.isMeasured = true;
    if (!sites.empty()) {
        finding.file = context.workspaceFile(sites.front().file);
        finding.line = sites.front().line;
    }
    finding.advice = QStringLiteral("Fuse several kernels into one, move the launcher's loops into the "
                                    "kernel, and cache what the host prepares for the next call.");
    return finding;
}

/// The device's work in a call, and who says so.
struct DeviceWork {
    double microseconds = 0;
    QString source;
};

std::optional<DeviceWork> deviceWork(const FindingContext &context) {
    if (context.figures)
        for (const ArmFigures &arm : context.figures->graph.arms)
            if (arm.isCandidate() && arm.medianMicroseconds > 0)
                return DeviceWork{arm.medianMicroseconds,
                                  QStringLiteral("clock: the same calls as one CUDA graph")};
    if (context.timeline && context.timeline->busyUs > 0) {
        // A call by itself also takes what comes before its first kernel and after its last one; the clock's
        // calls follow each other, and there that is hidden.
        double ends = 0;
        if (!context.hasClock)
            for (const TimelineGap &gap : context.timeline->gaps)
                if (gap.cause == TimelineGap::Cause::First || gap.cause == TimelineGap::Cause::Last)
                    ends += gap.microseconds();
        return DeviceWork{context.timeline->busyUs + ends,
                          ends > 0 ? QStringLiteral("timeline, with the call's beginning and end")
                                   : QStringLiteral("timeline")};
    }
    // Under the profiler kernels take no less than in a call: the gap is no less than this.
    if (!context.kernelMicroseconds || !context.hasClock)
        return {};
    if (context.launches < veryManyLaunches ||
        *context.kernelMicroseconds > briefMicroseconds * context.launches)
        return DeviceWork{*context.kernelMicroseconds, QStringLiteral("ncu: gpu__time_duration.sum")};
    return DeviceWork{std::max(0.0, *context.kernelMicroseconds - startMicroseconds * context.launches),
                      QStringLiteral("ncu: gpu__time_duration.sum, less 1.5 µs for each launch")};
}

/// The call takes longer than the device works in it.
std::optional<Finding> byTheClock(const FindingContext &context, const std::vector<LaunchSite> &sites) {
    const std::optional<DeviceWork> device = deviceWork(context);
    const double call = context.callMicroseconds.value_or(0);
    const bool isTraced = context.timeline && context.timeline->launches > 0;
    const bool isCounted = context.launches > 0 && !context.hasMoreLaunches;
    const int launches =
        isCounted  ? context.launches
        : isTraced ? context.timeline->launches
                   : std::max(context.isOfOneCall ? context.launches : 0, static_cast<int>(sites.size()));
    if (!device || call <= 0 || launches < 2)
        return {};
    const double gap = 1 - device->microseconds / call;
    if (gap < (launches >= manyLaunches ? leastGap : largeGap))
        return {};
    Finding finding = launchBound(context, sites);
    finding.evidence.push_back(
        {QStringLiteral("a call"), call, QStringLiteral("µs"),
         context.hasClock ? QStringLiteral("clock") : QStringLiteral("timeline: untraced calls")});
    finding.evidence.push_back({QStringLiteral("the device's work in it"), device->microseconds,
                                QStringLiteral("µs"), device->source});
    finding.evidence.push_back({isCounted || isTraced ? QStringLiteral("launches in a call")
                                                      : QStringLiteral("launches in the text"),
                                static_cast<double>(launches), QString(),
                                isCounted  ? QStringLiteral("ncu")
                                : isTraced ? QStringLiteral("timeline")
                                           : QStringLiteral("source")});
    if (isTraced)
        finding.evidence.push_back({QStringLiteral("host time of a launch, while it is traced"),
                                    context.timeline->launchUs / context.timeline->launches,
                                    QStringLiteral("µs"), QStringLiteral("timeline")});
    finding.message =
        QStringLiteral("A call takes %1, its kernels only %2: for %3 of the time the device "
                       "waits for the next of %4 launches.")
            .arg(timeText(call), timeText(device->microseconds), shareText(gap), QString::number(launches));
    finding.gainMicroseconds = call - device->microseconds;
    finding.gainShare = gap;
    finding.gainBasis = QStringLiteral("the time of a call outside the device's work");
    return finding;
}

double busiestUnit(const KernelCounters &launch) {
    double most = 0;
    for (const char *metric : {"sm__throughput.avg.pct_of_peak_sustained_elapsed",
                               "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed",
                               "lts__throughput.avg.pct_of_peak_sustained_elapsed",
                               "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed"})
        most = std::max(most, launch.number(metric).value_or(0) / 100);
    return most;
}

/// Counters alone: many launches that end before the host may have launched the next, and leave the device
/// nearly empty while they run.
std::optional<Finding> byTheCounters(const FindingContext &context, const std::vector<LaunchSite> &sites) {
    if (!context.isOfOneCall)
        return {};
    std::vector<double> brief;
    double all = 0, sum = 0, busy = 0;
    for (const KernelCounters *launch : context.counted()) {
        const double time = launch->microseconds().value_or(0);
        all += time;
        if (time <= 0 || time > launchMicroseconds)
            continue;
        const double unit = busiestUnit(*launch);
        if (unit <= 0)
            return {}; // not counted: what it leaves is not known
        brief.push_back(time);
        sum += time;
        busy += unit * time;
    }
    if (brief.size() < veryManyLaunches || sum < leastBrief * all || busy > busyDevice * sum)
        return {};
    std::sort(brief.begin(), brief.end());
    const double median = brief[brief.size() / 2];
    busy /= sum;
    const double call = context.callMicroseconds.value_or(all);
    const double scale = std::min(1.0, call / all);
    const QString count = QString::number(brief.size());
    Finding finding = launchBound(context, sites);
    finding.evidence.push_back({context.hasMoreLaunches ? QStringLiteral("such launches among those counted")
                                                        : QStringLiteral("such launches in a call"),
                                static_cast<double>(brief.size()), QString(), QStringLiteral("ncu")});
    finding.evidence.push_back({QStringLiteral("time of one (median)"), median, QStringLiteral("µs"),
                                QStringLiteral("ncu: gpu__time_duration.sum")});
    finding.evidence.push_back(
        {QStringLiteral("host time from one launch to the next"), launchMicroseconds, QStringLiteral("µs"),
         QStringLiteral("assumed, NVIDIA: Getting Started with CUDA Graphs; a timeline "
                        "measures it")});
    finding.evidence.push_back({QStringLiteral("busiest unit meanwhile, share of its peak"), busy * 100,
                                QStringLiteral("%"), QStringLiteral("ncu: throughput")});
    finding.message = QStringLiteral("%1 launches take %2 each (median), less than the host needs for a "
                                     "launch, and use %3 of the device while they run.")
                          .arg(count, timeText(median), shareText(busy));
    // At least one of them remains, and the work of all, at the pace of a kernel that fills the device.
    finding.gainMicroseconds =
        std::max(0.0, scale * std::min(sum - brief.back(), sum * (1 - busy / reachable)));
    if (call > 0)
        finding.gainShare = std::min(1.0, *finding.gainMicroseconds / call);
    finding.gainBasis =
        QStringLiteral(
            "their time, less that of the same work in one launch that brings the busiest unit to %1")
            .arg(shareText(reachable));
    return finding;
}

} // namespace

std::vector<Finding> launchFindings(const FindingContext &context) {
    const std::vector<LaunchSite> sites = launchSites(context.input.texts);
    std::optional<Finding> finding = byTheClock(context, sites);
    if (!finding)
        finding = byTheCounters(context, sites);
    return finding ? std::vector<Finding>{*finding} : std::vector<Finding>{};
}

} // namespace warpwright
