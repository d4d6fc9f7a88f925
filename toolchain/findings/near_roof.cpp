// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/figures.h"
#include "toolchain/findings/detectors.h"

namespace warpwright {
namespace {

/// Of the speed of light: what is left above that is less than a third of it, and the ceilings themselves are
/// what torch's own operations reach.
constexpr double nearEnough = 0.75;

/// A ceiling of memory is none for tensors that stay in the cache from call to call.
bool isLargerThanCache(const FindingContext &context) {
    const auto cache = lastLevelCacheBytes(context);
    return cache && context.figures->task.bytes && *context.figures->task.bytes > *cache;
}

QString boundText(const MeasuredFigures &figures) {
    if (figures.task.limit == QLatin1String("memory"))
        return QStringLiteral("the task's bytes, moved once as fast as memory is here");
    return figures.task.limit == QLatin1String("compute")
               ? QStringLiteral("the task's operations, as fast as arithmetic is here")
               : QStringLiteral("the task's bytes or operations, whichever takes longer here");
}

QString adviceText(const QString &limit) {
    if (limit == QLatin1String("memory"))
        return QStringLiteral(
            "Wider loads or more warps have little left to win. What is left is to move fewer bytes: do more "
            "of the model in one kernel, or take narrower types where the task allows them.");
    if (limit == QLatin1String("compute"))
        return QStringLiteral("The same operations, only scheduled better, have little left to win. What is "
                              "left is to do fewer of them, or narrower ones where the task allows them.");
    return QStringLiteral("The same work, only scheduled better, has little left to win. What is left is to "
                          "move fewer bytes or do fewer operations, or narrower ones where the task allows "
                          "them.");
}

void addBound(std::vector<FindingEvidence> &evidence, const MeasuredFigures &figures) {
    const QString ceilings = QStringLiteral("the judge's ceilings");
    const QString task = QStringLiteral("the judge's count of the task");
    if (figures.task.limit == QLatin1String("memory")) {
        evidence.push_back({QStringLiteral("the task's bytes"), figures.task.bytes.value_or(0),
                            QStringLiteral("byte"), task});
        evidence.push_back({QStringLiteral("what memory reaches here"),
                            figures.device.bytesPerSecond.value_or(0), QStringLiteral("byte/s"), ceilings});
    } else if (figures.task.limit == QLatin1String("compute")) {
        evidence.push_back({QStringLiteral("the task's operations"), figures.task.flops.value_or(0),
                            QStringLiteral("FLOP"), task});
    }
}

} // namespace

std::vector<Finding> nearRoofFindings(const FindingContext &context) {
    if (!context.figures || context.figures->verdict != Verdict::Pass ||
        context.figures->profile != StageStatus::Passed || !context.figures->doubts.isEmpty() ||
        context.figures->device.kind != QLatin1String("cuda"))
        return {};
    const MeasuredFigures &figures = *context.figures;
    const ArmFigures *candidate = figures.candidate();
    const auto share = figures.shareOfLight();
    // Faster than the ceilings is no place below them, and a derived time was not measured.
    if (candidate == nullptr || candidate->isDerived || !share || share->value < nearEnough ||
        share->value > 1)
        return {};
    if (figures.task.limit != QLatin1String("compute") && !isLargerThanCache(context))
        return {};
    const double light = *figures.speedOfLightMicroseconds;
    const double call = candidate->medianMicroseconds;
    Finding note;
    note.id = QStringLiteral("near-roof");
    note.title = QStringLiteral("Near the measured speed of light");
    note.isMeasured = true;
    note.isNote = true;
    note.gainMicroseconds = 0;
    note.gainShare = 0;
    note.gainBasis = QStringLiteral("nothing: it says how little is left");
    note.message =
        QStringLiteral("A call reaches %1 of it: at most %2 of its %3 are left. The speed of light is %4: "
                       "%5. What torch's own operations reach on this device sets it; it is no law.")
            .arg(percentText(share->value), figures.times.text(call - light),
                 figures.times.withSpread(call, candidate->lowMicroseconds, candidate->highMicroseconds),
                 figures.times.text(light), boundText(figures));
    note.evidence.push_back(
        {QStringLiteral("a call, median"), call, QStringLiteral("µs"), QStringLiteral("clock")});
    note.evidence.push_back({QStringLiteral("a call, low end of the 95 % interval"),
                             candidate->lowMicroseconds, QStringLiteral("µs"), QStringLiteral("clock")});
    note.evidence.push_back({QStringLiteral("a call, high end of the 95 % interval"),
                             candidate->highMicroseconds, QStringLiteral("µs"), QStringLiteral("clock")});
    note.evidence.push_back({QStringLiteral("the speed of light of the task"), light, QStringLiteral("µs"),
                             QStringLiteral("the judge's ceilings")});
    addBound(note.evidence, figures);
    note.advice = adviceText(figures.task.limit);
    return {note};
}

} // namespace warpwright
