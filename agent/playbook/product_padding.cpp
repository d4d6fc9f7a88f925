// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/product_padding.h"

#include <algorithm>
#include <map>
#include <optional>

namespace warpwright {
namespace {

constexpr double leastOperations = 1e9; ///< of a product that is worth a launch more
constexpr std::int64_t leastRows = 512; ///< so often each element of the copy is used

/// The columns that there are then; empty: it stays as it is.
std::optional<std::int64_t> paddedColumns(const KernelPlan &plan, const FusedKernel &product) {
    const std::size_t count = product.loops.size();
    if (product.anchor != Anchor::Product || product.leaves.size() != 2 || product.stores.size() != 1 ||
        count < 3 || !product.epilogue.isEmpty())
        return std::nullopt;
    const std::size_t rows = count - 3, columns = count - 2, inner = count - 1;
    const KernelLeaf &second = product.leaves[1];
    const KernelStore &store = product.stores[0];
    const PlanBuffer &result = plan.buffers[static_cast<std::size_t>(store.buffer)];
    const std::int64_t multiple = 16 / bytesOf(store.type);
    const std::int64_t padded = (product.loops[columns] + multiple - 1) / multiple * multiple;
    const bool isBatched = std::any_of(second.address.steps.begin(), second.address.steps.end() - 2,
                                       [](std::int64_t step) { return step != 0; });
    const bool isWorthIt = product.loops[rows] >= leastRows && product.operations() >= leastOperations;
    // What is summed over has to be whole packs as well, or nothing is won.
    if (padded == product.loops[columns] || product.loops[inner] % multiple != 0 || isBatched || !isWorthIt ||
        second.type != store.type || result.kind != PlanBuffer::Kind::Temporary)
        return std::nullopt;
    const bool hasRoom = store.address.steps[columns] == 1 && result.layout.memory.back() >= padded &&
                         std::all_of(store.address.steps.begin(), store.address.steps.end(),
                                     [padded](std::int64_t step) { return step <= 1 || step >= padded; });
    return hasRoom ? std::optional(padded) : std::nullopt;
}

/// By rows, each a column of the product: what is summed over lies side by side.
FusedKernel copyWithZeros(const KernelLeaf &from, std::int64_t columns, std::int64_t padded,
                          std::int64_t inner, int buffer) {
    FusedKernel kernel;
    kernel.loops = {padded, inner};
    kernel.outer = kernel.loops.size();
    KernelLeaf leaf = from;
    leaf.address.steps.erase(leaf.address.steps.begin(), leaf.address.steps.end() - 2);
    leaf.elements = columns * inner;
    const int column = kernel.index({0, {1, 0}});
    const int isThere = kernel.add(KernelOp::Less, ElementType::Bool,
                                   {column, kernel.number(static_cast<double>(columns), ElementType::Int64)});
    const int value = kernel.load(leaf, {}, isThere);
    kernel.stores.push_back({value, buffer, from.type, {0, {inner, 1}}});
    kernel.finish();
    return kernel;
}

} // namespace

void padProducts(KernelPlan &plan) {
    std::map<std::pair<int, std::vector<std::int64_t>>, int> copies;
    for (std::size_t i = 0; i < plan.kernels.size(); ++i) {
        const std::optional<std::int64_t> padded = paddedColumns(plan, plan.kernels[i]);
        if (!padded)
            continue;
        const std::size_t columns = plan.kernels[i].loops.size() - 2;
        const std::int64_t before = plan.kernels[i].loops[columns];
        const std::int64_t inner = plan.kernels[i].loops[columns + 1];
        const KernelLeaf from = plan.kernels[i].leaves[1];
        std::vector<std::int64_t> place = from.address.steps;
        place.insert(place.end(), {from.address.offset, before, inner});
        const auto [copy, isNew] =
            copies.try_emplace({from.buffer, place}, static_cast<int>(plan.buffers.size()));
        if (isNew) {
            const int node = plan.buffers[static_cast<std::size_t>(from.buffer)].node;
            plan.buffers.push_back(
                {PlanBuffer::Kind::Temporary, node, {{before, inner}, {inner, 1}, 0, {*padded, inner}}});
            plan.kernels.insert(plan.kernels.begin() + static_cast<std::ptrdiff_t>(i),
                                copyWithZeros(from, before, *padded, inner, copy->second));
            ++i;
        }
        FusedKernel &product = plan.kernels[i];
        product.loops[columns] = *padded;
        KernelLeaf &second = product.leaves[1];
        second.buffer = copy->second;
        second.elements = 0;
        second.address.offset = 0;
        second.address.steps[columns] = inner;
        second.address.steps[columns + 1] = 1;
    }
}

} // namespace warpwright
