// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/findings/speed_of_light.h"

#include "toolchain/findings/detectors.h"

namespace warpwright {
namespace {

/// A ceiling of memory is none for tensors that stay in the cache from call to call.
bool isLargerThanCache(const FindingContext &context) {
    const auto cache = lastLevelCacheBytes(context);
    return cache && context.figures->task.bytes && *context.figures->task.bytes > *cache;
}

} // namespace

std::optional<double> speedOfLightOf(const FindingContext &context, bool mayHaveDoubts) {
    if (!context.figures || !context.hasClock || context.figures->verdict != Verdict::Pass ||
        context.figures->profile != StageStatus::Passed ||
        (!mayHaveDoubts && !context.figures->doubts.isEmpty()) ||
        context.figures->device.kind != QLatin1String("cuda"))
        return {};
    const MeasuredFigures &figures = *context.figures;
    const ArmFigures *candidate = figures.candidate();
    const auto share = figures.shareOfLight();
    // Faster than the ceilings is no place below them, and a derived time was not measured.
    if (candidate == nullptr || candidate->isDerived || !share || share->value <= 0 || share->value > 1)
        return {};
    if (figures.task.limit != QLatin1String("compute") && !isLargerThanCache(context))
        return {};
    return figures.speedOfLightMicroseconds;
}

} // namespace warpwright
