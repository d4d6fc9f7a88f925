// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/evaluation/ceiling_doubt.h"

#include "toolchain/base/figures.h"

namespace warpwright {
namespace {

constexpr double mostOfCeiling = 1.05; ///< what a quiet device's own ceilings differ by from check to check

} // namespace

bool isCeilingTooLow(double least) {
    return least > mostOfCeiling;
}

QString lightShareText(const MeasuredFigures &figures) {
    const std::optional<MeasuredFigures::Share> share = figures.shareOfLight();
    if (!share)
        return {};
    return isCeilingTooLow(share->low) ? QStringLiteral("ceiling too low") : percentText(share->value);
}

QString ceilingDoubt(const MeasuredFigures &figures) {
    const std::optional<MeasuredFigures::Share> share = figures.shareOfLight();
    if (!share || !isCeilingTooLow(share->low))
        return {};
    return figures.task.limit == QLatin1String("compute")
               ? QStringLiteral("the candidate is faster, so the ceiling was measured too low in this check "
                                "(a busy machine): a percentage of it tells nothing")
               : QStringLiteral("the candidate is faster, so the ceiling was measured too low in this check "
                                "(a busy machine), or its data stay in a cache: a percentage of it tells "
                                "nothing");
}

} // namespace warpwright
