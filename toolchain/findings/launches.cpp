// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/figures.h"
#include "toolchain/findings/detectors.h"
#include "toolchain/scanned_text.h"

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

} // namespace

std::vector<Finding> launchFindings(const FindingContext &context) {
    if (!context.figures || !context.figures->candidate() || !context.callMicroseconds)
        return {};
    const double call = *context.callMicroseconds;
    std::optional<double> device;
    QString source;
    for (const ArmFigures &arm : context.figures->graph.arms)
        if (arm.isCandidate() && arm.medianMicroseconds > 0) {
            device = arm.medianMicroseconds;
            source = QStringLiteral("clock: the same calls as one CUDA graph");
        }
    // Under the profiler kernels take no less than in a call: the gap is no less than this.
    if (!device && context.kernelMicroseconds) {
        device = context.kernelMicroseconds;
        source = QStringLiteral("ncu: gpu__time_duration.sum");
        if (context.launches >= veryManyLaunches && *device <= briefMicroseconds * context.launches) {
            device = std::max(0.0, *device - startMicroseconds * context.launches);
            source = QStringLiteral("ncu: gpu__time_duration.sum, less 1.5 µs for each launch");
        }
    }
    const std::vector<LaunchSite> sites = launchSites(context.input.texts);
    const int launches = context.launches > 0 ? context.launches : static_cast<int>(sites.size());
    if (!device || call <= 0 || launches < 2)
        return {};
    const double gap = 1 - *device / call;
    if (gap < (launches >= manyLaunches ? leastGap : largeGap))
        return {};
    Finding finding;
    finding.id = QStringLiteral("launch-bound");
    finding.title = QStringLiteral("The call waits for launches");
    finding.isMeasured = true;
    if (!sites.empty()) {
        finding.file = sites.front().file;
        finding.line = sites.front().line;
    }
    finding.evidence.push_back(
        {QStringLiteral("a call"), call, QStringLiteral("µs"), QStringLiteral("clock")});
    finding.evidence.push_back(
        {QStringLiteral("the device's work in it"), *device, QStringLiteral("µs"), source});
    finding.evidence.push_back(
        {context.launches > 0 ? QStringLiteral("launches in a call") : QStringLiteral("launches in the text"),
         static_cast<double>(launches), QString(),
         context.launches > 0 ? QStringLiteral("ncu") : QStringLiteral("source")});
    finding.message = QStringLiteral("A call takes %1, its kernels only %2: for %3 of the time the device "
                                     "waits for the next of %4 launches.")
                          .arg(timeText(call), timeText(*device), shareText(gap), QString::number(launches));
    finding.advice =
        QStringLiteral("Do in one kernel what is now in several, let a kernel loop over what the "
                       "launcher loops over, and keep what is prepared on the host for the next "
                       "call.");
    finding.gainMicroseconds = call - *device;
    finding.gainShare = gap;
    finding.gainBasis = QStringLiteral("what a call takes beside the device's work");
    return {finding};
}

} // namespace warpwright
