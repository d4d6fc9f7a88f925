// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/schedule/packs_of_rows.h"

#include "agent/playbook/analysis/kernel_family.h"
#include "agent/playbook/schedule/ragged_rows.h"

#include <algorithm>
#include <set>

namespace warpwright {
namespace {

constexpr std::int64_t mostApart = 4; ///< of elements that packs are loaded for

} // namespace

std::size_t neighbourLoop(const FusedKernel &kernel) {
    const bool isOfRows = kernel.outer > 0 && familyOf(kernel) == KernelFamily::Columns;
    return isOfRows ? kernel.outer - 1 : kernel.loops.size() - 1;
}

bool isWide(const FusedKernel &kernel, const AffineIndex &address, int width) {
    if (const std::optional<RaggedRows> ragged = raggedRowsOf(kernel); ragged && ragged->width == width)
        return isInPhase(kernel, *ragged, address);
    if (address.steps.empty() || address.offset % width != 0)
        return false;
    const std::size_t along = neighbourLoop(kernel);
    for (std::size_t k = 0; k < address.steps.size(); ++k)
        if (k == along ? address.steps[k] != 1 : address.steps[k] % width != 0)
            return false;
    return kernel.loops[along] % width == 0;
}

bool isSpread(const FusedKernel &kernel, const KernelLeaf &leaf, int width) {
    const std::vector<std::int64_t> &steps = leaf.address.steps;
    if (!leaf.isPlain() || steps.empty() || familyOf(kernel) == KernelFamily::Columns || steps.back() < 2 ||
        steps.back() > mostApart || leaf.address.offset < 0 || leaf.elements == 0 ||
        kernel.loops.back() % width != 0)
        return false;
    const std::int64_t first = leaf.address.offset - leaf.address.offset % steps.back();
    std::int64_t last = first + kernel.loops.back() * steps.back() - 1;
    for (std::size_t k = 0; k + 1 < steps.size(); ++k) {
        if (steps[k] < 0 || steps[k] % width != 0)
            return false;
        last += (kernel.loops[k] - 1) * steps[k];
    }
    return first % width == 0 && last < leaf.elements;
}

bool isSpreadStore(const FusedKernel &kernel, const AffineIndex &address, int width) {
    const std::vector<std::int64_t> &steps = address.steps;
    return !steps.empty() && familyOf(kernel) != KernelFamily::Columns && steps.back() >= 2 &&
           steps.back() <= mostApart && address.offset >= 0 && address.offset % width == 0 &&
           kernel.loops.back() % width == 0 &&
           std::all_of(steps.begin(), steps.end() - 1,
                       [width](std::int64_t step) { return step % width == 0; });
}

int storesOfRun(const FusedKernel &kernel) {
    const auto apart = static_cast<std::int64_t>(kernel.stores.size());
    if ((apart != 2 && apart != mostApart) || kernel.hasReductions() || kernel.hasScans() ||
        !kernel.scatter.isEmpty())
        return 1;
    const auto first =
        std::min_element(kernel.stores.begin(), kernel.stores.end(), [](const auto &one, const auto &other) {
            return one.address.offset < other.address.offset;
        });
    std::set<std::int64_t> places;
    for (const KernelStore &store : kernel.stores) {
        if (store.buffer != first->buffer || store.address.steps != first->address.steps)
            return 1;
        places.insert(store.address.offset - first->address.offset);
    }
    if (first->address.steps.empty() || first->address.steps.back() != apart ||
        static_cast<std::int64_t>(places.size()) != apart || *places.rbegin() != apart - 1)
        return 1;
    bool isNarrower = false;
    for (const KernelLeaf &leaf : kernel.leaves) {
        if (!leaf.isPlain())
            return 1;
        if (leaf.address.steps.back() == 0)
            continue;
        if (bytesOf(leaf.type) >= bytesOf(first->type))
            return 1;
        isNarrower = true;
    }
    return isNarrower ? static_cast<int>(apart) : 1;
}

bool isOneForNeighbours(const FusedKernel &kernel, int number) {
    std::set<int> made = {number}; // of these
    for (int some = number; some >= 0; --some) {
        const KernelStep &step = kernel.step(some);
        if (!made.contains(some) || isReduction(step.op))
            continue;
        const AffineIndex *place = step.op == KernelOp::Index ? &step.index : nullptr;
        if (step.op == KernelOp::Load)
            place = &kernel.leaves[static_cast<std::size_t>(step.leaf)].address;
        if (isScan(step.op) || (place && !place->steps.empty() && place->steps.back() != 0))
            return false;
        made.insert(step.operands.begin(), step.operands.end());
    }
    return true;
}

bool isGatheredPack(const FusedKernel &kernel, const KernelStep &load, int width) {
    if (load.op != KernelOp::Load)
        return false;
    const KernelLeaf &leaf = kernel.leaves[static_cast<std::size_t>(load.leaf)];
    // What lies before a row that packs do not fill may lie before the tensor, where the row is chosen.
    return !leaf.isPlain() && !raggedRowsOf(kernel) && isWide(kernel, leaf.address, width) &&
           std::all_of(leaf.strides.begin(), leaf.strides.end(),
                       [width](std::int64_t stride) { return stride % width == 0; }) &&
           std::all_of(load.operands.begin(), load.operands.end(),
                       [&](int operand) { return isOneForNeighbours(kernel, operand); });
}

std::int64_t packsOf(const FusedKernel &kernel, int width) {
    const bool isRagged = width > 1 && raggedRowsOf(kernel).has_value();
    return isRagged ? kernel.rows() * ((kernel.columns() + 2 * (width - 1)) / width)
                    : kernel.rows() * kernel.columns() / width;
}
} // namespace warpwright
