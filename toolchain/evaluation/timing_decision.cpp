// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/evaluation/timing_decision.h"

#include "toolchain/base/figures.h"

#include <cmath>

namespace warpwright {
namespace {

double halfShare(const SpeedUp &speedUp) {
    return (speedUp.high - speedUp.low) / 2 / speedUp.value;
}

QString shareText(double share) {
    return QStringLiteral("±%1").arg(percentText(share, 0));
}

/// "the speed-up over compile (43 ± 12 ms), 11.6× 7.0–17.8"
QString speedUpWords(const MeasuredFigures &figures) {
    const SpeedUp &same = *figures.sameClass;
    QString words = QStringLiteral("the speed-up over %1").arg(armLabel(same.arm));
    if (const ArmFigures *arm = figures.arm(same.arm); arm != nullptr)
        words += QStringLiteral(" (%1)").arg(
            figures.times.withSpread(arm->medianMicroseconds, arm->lowMicroseconds, arm->highMicroseconds));
    return words + QStringLiteral(", %1,").arg(factorText(same.value, same.low, same.high).both());
}

} // namespace

QString whatDecided(const MeasuredFigures &figures) {
    const std::optional<SpeedUp> &same = figures.sameClass;
    if (!same || !(same->value > 0) || figures.tier == Tier::Certify)
        return {};
    const double half = halfShare(*same);
    if (!std::isfinite(half))
        return {};
    const bool holdsOne = same->low < 1 && same->high > 1;
    const QString words = speedUpWords(figures);
    const QString own = shareText(half);
    if (figures.verdict == Verdict::Inconclusive) {
        if (half > uselessTimingShare)
            return QStringLiteral("Inconclusive: %1 is known to %2, and wider than %3 nothing is decided.")
                .arg(words, own, shareText(uselessTimingShare));
        if (half > wideTimingShare && holdsOne)
            return QStringLiteral(
                       "Inconclusive: %1 is known to %2 and holds 1×; it would have to be known to "
                       "%3, or to lie on one side of 1×.")
                .arg(words, own, shareText(wideTimingShare));
        return {};
    }
    if (figures.verdict != Verdict::Pass)
        return {};
    const QString decided = QStringLiteral("The times are decided: %1 ").arg(words);
    const QString aside =
        QStringLiteral(" The ± of one time decides nothing: what slows the machine slows the "
                       "baseline beside it.");
    if (half <= wideTimingShare)
        return decided + QStringLiteral("is known to %1, within %2.").arg(own, shareText(wideTimingShare)) +
               aside;
    if (!holdsOne && half <= uselessTimingShare)
        return decided +
               QStringLiteral("lies on one side of 1× and is known to %1, within %2.")
                   .arg(own, shareText(uselessTimingShare)) +
               aside;
    const std::optional<SpeedUp> &graph = figures.graph.sameClass;
    if (half <= uselessTimingShare && graph && halfShare(*graph) < wideTimingShare)
        return decided + QStringLiteral("is known to %1 only, but as one CUDA graph to %2, within %3.")
                             .arg(own, shareText(halfShare(*graph)), shareText(wideTimingShare));
    return {};
}

} // namespace warpwright
