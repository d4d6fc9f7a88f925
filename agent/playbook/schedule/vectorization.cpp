// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/schedule/vectorization.h"

#include "agent/playbook/analysis/kernel_family.h"
#include "agent/playbook/schedule/unaligned_rows.h"

#include <algorithm>
#include <set>

namespace warpwright {
namespace {

constexpr std::int64_t mostApart = 4; ///< stride of elements that are loaded as vectors

} // namespace

std::size_t vectorLoop(const Kernel &kernel) {
    const bool isOfRows = kernel.outer > 0 && familyOf(kernel) == KernelFamily::Columns;
    return isOfRows ? kernel.outer - 1 : kernel.loops.size() - 1;
}

bool isWide(const Kernel &kernel, const AffineExpr &address, int width) {
    if (const std::optional<UnalignedRows> unaligned = unalignedRowsOf(kernel);
        unaligned && unaligned->width == width)
        return isInPhase(kernel, *unaligned, address);
    if (address.steps.empty() || address.offset % width != 0)
        return false;
    const std::size_t along = vectorLoop(kernel);
    for (std::size_t k = 0; k < address.steps.size(); ++k)
        if (k == along ? address.steps[k] != 1 : address.steps[k] % width != 0)
            return false;
    return kernel.loops[along] % width == 0;
}

bool isStridedVector(const Kernel &kernel, const KernelInput &input, int width) {
    const std::vector<std::int64_t> &steps = input.address.steps;
    if (!input.isPlain() || steps.empty() || familyOf(kernel) == KernelFamily::Columns || steps.back() < 2 ||
        steps.back() > mostApart || input.address.offset < 0 || input.elements == 0 ||
        kernel.loops.back() % width != 0)
        return false;
    const std::int64_t first = input.address.offset - input.address.offset % steps.back();
    std::int64_t last = first + kernel.loops.back() * steps.back() - 1;
    for (std::size_t k = 0; k + 1 < steps.size(); ++k) {
        if (steps[k] < 0 || steps[k] % width != 0)
            return false;
        last += (kernel.loops[k] - 1) * steps[k];
    }
    return first % width == 0 && last < input.elements;
}

bool isStridedVectorStore(const Kernel &kernel, const AffineExpr &address, int width) {
    const std::vector<std::int64_t> &steps = address.steps;
    return !steps.empty() && familyOf(kernel) != KernelFamily::Columns && steps.back() >= 2 &&
           steps.back() <= mostApart && address.offset >= 0 && address.offset % width == 0 &&
           kernel.loops.back() % width == 0 &&
           std::all_of(steps.begin(), steps.end() - 1,
                       [width](std::int64_t step) { return step % width == 0; });
}

int interleavedStores(const Kernel &kernel) {
    const auto apart = static_cast<std::int64_t>(kernel.stores.size());
    if ((apart != 2 && apart != mostApart) || kernel.hasReductions() || kernel.hasScans() ||
        kernel.isScattered())
        return 1;
    const auto first =
        std::min_element(kernel.stores.begin(), kernel.stores.end(), [](const auto &one, const auto &other) {
            return one.address.offset < other.address.offset;
        });
    std::set<std::int64_t> positions;
    for (const KernelStore &store : kernel.stores) {
        if (store.buffer != first->buffer || store.address.steps != first->address.steps)
            return 1;
        positions.insert(store.address.offset - first->address.offset);
    }
    if (first->address.steps.empty() || first->address.steps.back() != apart ||
        static_cast<std::int64_t>(positions.size()) != apart || *positions.rbegin() != apart - 1)
        return 1;
    bool isNarrower = false;
    for (const KernelInput &input : kernel.inputs) {
        if (!input.isPlain())
            return 1;
        if (input.address.steps.back() == 0)
            continue;
        if (bytesOf(input.type) >= bytesOf(first->type))
            return 1;
        isNarrower = true;
    }
    return isNarrower ? static_cast<int>(apart) : 1;
}

bool isInvariantAlongInner(const Kernel &kernel, int number) {
    std::set<int> made = {number}; // steps that it depends on
    for (int some = number; some >= 0; --some) {
        const KernelStep &step = kernel.step(some);
        if (!made.contains(some) || isReduction(step.op))
            continue;
        const AffineExpr *position = step.op == Opcode::Index ? &step.index : nullptr;
        if (step.op == Opcode::Load)
            position = &kernel.inputs[static_cast<std::size_t>(step.input)].address;
        if (isScan(step.op) || (position && !position->steps.empty() && position->steps.back() != 0))
            return false;
        made.insert(step.operands.begin(), step.operands.end());
    }
    return true;
}

bool isGatheredVector(const Kernel &kernel, const KernelStep &load, int width) {
    if (load.op != Opcode::Load)
        return false;
    const KernelInput &input = kernel.inputs[static_cast<std::size_t>(load.input)];
    // A vector of an unaligned row may begin before the tensor that it is gathered from.
    return !input.isPlain() && !unalignedRowsOf(kernel) && isWide(kernel, input.address, width) &&
           std::all_of(input.strides.begin(), input.strides.end(),
                       [width](std::int64_t stride) { return stride % width == 0; }) &&
           std::all_of(load.operands.begin(), load.operands.end(),
                       [&](int operand) { return isInvariantAlongInner(kernel, operand); });
}

std::int64_t vectorsOf(const Kernel &kernel, int width) {
    const bool isUnaligned = width > 1 && unalignedRowsOf(kernel).has_value();
    return isUnaligned ? kernel.rows() * ((kernel.columns() + 2 * (width - 1)) / width)
                       : kernel.rows() * kernel.columns() / width;
}
} // namespace warpwright
