// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/base/figures.h"
#include "toolchain/counters/kernel_figures.h"
#include "toolchain/report_page/charts.h"

#include <algorithm>

namespace warpwright {
namespace {

constexpr double width = 960;
constexpr double left = 380; // of the bars
constexpr double right = 860;
constexpr double pitch = 20;
constexpr std::size_t mostReasons = 10;

} // namespace

void drawStalls(Markup &page, const KernelCounters &kernel) {
    const std::vector<StallShare> shares = stallShares(kernel);
    if (shares.empty())
        return;
    const std::size_t shown = std::min(shares.size(), mostReasons);
    beginChart(page, width, pitch * static_cast<double>(shown) + 24,
               QStringLiteral("What the warps waited for, as shares of the samples"));
    for (std::size_t i = 0; i < shown; ++i) {
        const StallShare &stall = shares[i];
        const double y = pitch * static_cast<double>(i);
        page.add("text", {{"x", placeText(left - 8)}, {"y", placeText(y + 13)}, {"class", "name e"}},
                 shortLabel(QStringLiteral("%1 (%2)").arg(stallWords(stall.reason), stall.reason), 64));
        page.begin("rect", {{"class", "work"},
                            {"x", placeText(left)},
                            {"y", placeText(y + 3)},
                            {"width", placeText(std::clamp(stall.share, 0.0, 1.0) * (right - left))},
                            {"height", "14"}});
        page.add("title", QStringLiteral("%1: %2 samples").arg(stall.reason, numberText(stall.samples)));
        page.end();
        page.add("text", {{"x", placeText(width - 4)}, {"y", placeText(y + 13)}, {"class", "strong e"}},
                 percentText(stall.share));
    }
    QString words = QStringLiteral("of %1 samples of warps, from zero to all of them")
                        .arg(numberText(shares.front().samples / std::max(1e-12, shares.front().share)));
    if (shares.size() > shown)
        words += QStringLiteral("; %1 not shown")
                     .arg(countText(static_cast<qsizetype>(shares.size() - shown),
                                    QStringLiteral("rarer reason")));
    page.add("text", {{"x", placeText(left)}, {"y", placeText(pitch * static_cast<double>(shown) + 16)}},
             words);
    endChart(page);
}

} // namespace warpwright
