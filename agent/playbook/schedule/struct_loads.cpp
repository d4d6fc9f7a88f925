// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/schedule/struct_loads.h"

#include "agent/playbook/analysis/kernel_family.h"
#include "agent/playbook/schedule/online_reduction.h"
#include "agent/playbook/schedule/unaligned_rows.h"
#include "agent/playbook/schedule/vector_width.h"

#include <algorithm>
#include <bit>

namespace warpwright {
namespace {

constexpr std::int64_t loadBytes = 16; ///< the widest load of a thread

} // namespace

bool isStructLoad(const Kernel &kernel, const KernelInput &input, int width) {
    const std::vector<std::int64_t> &steps = input.address.steps;
    if (!input.isPlain() || steps.empty() || steps.back() < 2 || input.address.offset < 0 ||
        input.elements == 0 || kernel.loops.back() % width != 0)
        return false;
    const std::int64_t group = steps.back() * width;
    if (!std::has_single_bit(static_cast<std::uint64_t>(group)) || group * bytesOf(input.type) > loadBytes)
        return false;
    const std::int64_t first = input.address.offset - input.address.offset % steps.back();
    std::int64_t last = first + kernel.loops.back() * steps.back() - 1;
    for (std::size_t k = 0; k + 1 < steps.size(); ++k) {
        if (steps[k] < 0 || steps[k] % group != 0)
            return false;
        last += (kernel.loops[k] - 1) * steps[k];
    }
    return first % group == 0 && last < input.elements;
}

std::optional<int> structsPerLoad(const Kernel &kernel) {
    if (!kernel.isLoops() || !kernel.hasReductions() || kernel.hasScans() || kernel.hasKthValues() ||
        kernel.outer == kernel.loops.size() || familyOf(kernel) != KernelFamily::Rows ||
        hasOnlineSoftmax(kernel) ||
        std::any_of(kernel.stores.begin(), kernel.stores.end(), [&kernel](const KernelStore &store) {
            return kernel.levelOf(store.address) > StepLevel::Row;
        }))
        return std::nullopt;
    const StepLevel ofElements = kernel.rows() > 1 ? StepLevel::Element : StepLevel::Column;
    std::int64_t largest = 0;
    for (const KernelInput &input : kernel.inputs)
        if (!input.isPlain() || kernel.levelOf(input.address) >= ofElements) {
            if (!isStructLoad(kernel, input, 1))
                return std::nullopt;
            largest = std::max(largest, input.address.steps.back() * bytesOf(input.type));
        }
    const bool hasGuards = std::any_of(kernel.steps.begin(), kernel.steps.end(), [](const KernelStep &step) {
        return step.op == Opcode::Load && step.isGuarded;
    });
    if (largest == 0 || hasGuards)
        return std::nullopt;
    const auto areAll = [&](int width) {
        return std::all_of(kernel.inputs.begin(), kernel.inputs.end(), [&](const KernelInput &input) {
            return kernel.levelOf(input.address) < ofElements || isStructLoad(kernel, input, width);
        });
    };
    int width = static_cast<int>(loadBytes / largest);
    while (width > 1 && (!areAll(width) || unalignedRowsOf(kernel)))
        width /= 2;
    return width;
}

int elementsPerAccess(const Kernel &kernel, const Knobs &knobs) {
    return knobs.hasWideLoads ? structsPerLoad(kernel).value_or(widthOf(kernel)) : 1;
}

} // namespace warpwright
