// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/fusion/short_rows.h"

#include "agent/playbook/analysis/kernel_family.h"
#include "agent/playbook/ir/kernel_parts.h"
#include "agent/playbook/schedule/transpose_tile.h"
#include "agent/playbook/schedule/vector_width.h"

#include <algorithm>

namespace warpwright {
namespace {

constexpr std::int64_t longest = 8;    ///< elements of a row that is written out
constexpr std::size_t mostSteps = 200; ///< of the kernel that has both
constexpr double clearShare = 0.9;     ///< of what both move

// Empty: it would be worked out over and over, or it gains nothing.
std::optional<FusedKernel> withRowsInside(const FusedKernel &maker, const FusedKernel &reader) {
    if (!isOfLoops(maker) || !isOfLoops(reader) || maker.stores.size() != 1 || !maker.hasReductions() ||
        maker.columns() > longest || tiledLoopsOf(reader) || reader.rows() * reader.columns() > maker.rows())
        return std::nullopt;
    const auto chain = withRowsWrittenOut(maker);
    auto inside = chain && chain->stores.size() == 1 ? withMakerInside(*chain, reader) : std::nullopt;
    if (!inside || inside->steps.size() > mostSteps)
        return std::nullopt;
    inside->finish();
    const bool isAsBefore = familyOf(*inside) == familyOf(reader) && widthOf(*inside) >= widthOf(reader) &&
                            inside->passCount() == reader.passCount() && !tiledLoopsOf(*inside);
    return isAsBefore && inside->bytes() < clearShare * (maker.bytes() + reader.bytes()) ? inside
                                                                                         : std::nullopt;
}

} // namespace

void foldShortRows(KernelPlan &plan) {
    for (std::size_t maker = 0; maker < plan.kernels.size();) {
        const auto reader = onlyReader(plan, maker);
        auto inside = reader ? withRowsInside(plan.kernels[maker], plan.kernels[*reader]) : std::nullopt;
        if (!inside) {
            ++maker;
            continue;
        }
        plan.kernels[*reader] = std::move(*inside);
        plan.kernels.erase(plan.kernels.begin() + static_cast<std::ptrdiff_t>(maker));
    }
}

} // namespace warpwright
