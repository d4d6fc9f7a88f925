// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/schedule/grouped_elements.h"

#include "agent/playbook/analysis/kernel_family.h"
#include "agent/playbook/schedule/online_reduction.h"
#include "agent/playbook/schedule/ragged_rows.h"
#include "agent/playbook/schedule/vector_width.h"

#include <algorithm>
#include <bit>

namespace warpwright {
namespace {

constexpr std::int64_t loadBytes = 16; ///< the widest load of a thread

} // namespace

bool isGrouped(const FusedKernel &kernel, const KernelLeaf &leaf, int width) {
    const std::vector<std::int64_t> &steps = leaf.address.steps;
    if (!leaf.isPlain() || steps.empty() || steps.back() < 2 || leaf.address.offset < 0 ||
        leaf.elements == 0 || kernel.loops.back() % width != 0)
        return false;
    const std::int64_t group = steps.back() * width;
    if (!std::has_single_bit(static_cast<std::uint64_t>(group)) || group * bytesOf(leaf.type) > loadBytes)
        return false;
    const std::int64_t first = leaf.address.offset - leaf.address.offset % steps.back();
    std::int64_t last = first + kernel.loops.back() * steps.back() - 1;
    for (std::size_t k = 0; k + 1 < steps.size(); ++k) {
        if (steps[k] < 0 || steps[k] % group != 0)
            return false;
        last += (kernel.loops[k] - 1) * steps[k];
    }
    return first % group == 0 && last < leaf.elements;
}

std::optional<int> widthOfGroups(const FusedKernel &kernel) {
    if (kernel.anchor != Anchor::None || !kernel.hasReductions() || kernel.hasScans() || kernel.hasRanks() ||
        kernel.outer == kernel.loops.size() || familyOf(kernel) != KernelFamily::Rows || runsAlong(kernel) ||
        std::any_of(kernel.stores.begin(), kernel.stores.end(), [&kernel](const KernelStore &store) {
            return kernel.levelOf(store.address) > StepLevel::Row;
        }))
        return std::nullopt;
    const StepLevel ofElements = kernel.rows() > 1 ? StepLevel::Element : StepLevel::Column;
    std::int64_t largest = 0;
    for (const KernelLeaf &leaf : kernel.leaves)
        if (!leaf.isPlain() || kernel.levelOf(leaf.address) >= ofElements) {
            if (!isGrouped(kernel, leaf, 1))
                return std::nullopt;
            largest = std::max(largest, leaf.address.steps.back() * bytesOf(leaf.type));
        }
    const bool isAsked = std::any_of(kernel.steps.begin(), kernel.steps.end(), [](const KernelStep &step) {
        return step.op == KernelOp::Load && step.isGuarded;
    });
    if (largest == 0 || isAsked)
        return std::nullopt;
    const auto areAll = [&](int width) {
        return std::all_of(kernel.leaves.begin(), kernel.leaves.end(), [&](const KernelLeaf &leaf) {
            return kernel.levelOf(leaf.address) < ofElements || isGrouped(kernel, leaf, width);
        });
    };
    int width = static_cast<int>(loadBytes / largest);
    while (width > 1 && (!areAll(width) || raggedRowsOf(kernel)))
        width /= 2;
    return width;
}

int takenAtOnce(const FusedKernel &kernel, const KernelTuning &tuning) {
    return tuning.hasWideLoads ? widthOfGroups(kernel).value_or(widthOf(kernel)) : 1;
}

} // namespace warpwright
