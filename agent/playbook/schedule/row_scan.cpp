// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/schedule/row_scan.h"

#include "agent/playbook/analysis/kernel_family.h"
#include "agent/playbook/schedule/reduction_schedule.h"

#include <algorithm>

namespace warpwright {

bool runsBackward(const AffineExpr &address) {
    return address.steps.back() == -1;
}

namespace {

constexpr int vectorBytes = 16;
constexpr int fewest = 4; ///< elements of a vector: two loads for 64-bit integers
constexpr int most = 8;
constexpr std::int64_t leastColumns = 64; ///< in shorter rows hardly any thread has a vector

bool isAlongRow(const Kernel &kernel, const AffineExpr &address) {
    return !address.steps.empty() && std::abs(address.steps.back()) == 1 &&
           std::all_of(address.steps.begin(), address.steps.end() - 1,
                       [](std::int64_t step) { return step >= 0; }) &&
           address.offset - (runsBackward(address) ? kernel.columns() - 1 : 0) >= 0;
}

/// Elements of the first vector that come before the row, modulo `width`: a row that is read backwards begins
/// with the last element of a vector.
AffineExpr leadOf(const Kernel &kernel, const AffineExpr &address, int width) {
    const std::int64_t sign = runsBackward(address) ? width - 1 : 1; // -1, modulo `width`
    AffineExpr lead{sign * (address.offset + (runsBackward(address) ? 1 : 0)) % width,
                    std::vector<std::int64_t>(kernel.loops.size(), 0)};
    for (std::size_t k = 0; k < kernel.outer; ++k)
        lead.steps[k] = sign * address.steps[k] % width;
    return lead;
}

/// Loads are affine and unguarded, and computing with a neighbour's elements is harmless.
bool isOfElements(const Kernel &kernel) {
    const auto isPlain = [](const KernelInput &input) {
        return input.isPlain();
    };
    const auto isHarmless = [&kernel](const KernelStep &step) {
        const bool isDivision =
            step.op == Opcode::Divide || step.op == Opcode::Remainder || step.op == Opcode::Fmod;
        return !step.isGuarded && !(isDivision && step.type == ElementType::Int64 &&
                                    kernel.step(step.operands[1]).op != Opcode::Number);
    };
    return std::all_of(kernel.inputs.begin(), kernel.inputs.end(), isPlain) &&
           std::all_of(kernel.steps.begin(), kernel.steps.end(), isHarmless);
}

} // namespace

bool fitsVectors(const Kernel &kernel, const UnalignedRows &rows, const AffineExpr &address) {
    if (!isAlongRow(kernel, address) || leadOf(kernel, address, rows.width) != rows.lead)
        return false;
    const std::int64_t further = kernel.columns() - 1;
    std::int64_t end = address.offset + (runsBackward(address) ? 0 : further) + 1;
    for (std::size_t k = 0; k < kernel.outer; ++k)
        end += address.steps[k] * (kernel.loops[k] - 1);
    // An offset may stand for memory that begins anywhere: a slice of a time step.
    return (address.offset - (runsBackward(address) ? further : 0)) % rows.width == 0 &&
           end % rows.width == 0;
}

bool isOfFullVectors(const Kernel &kernel, const UnalignedRows &rows) {
    return !rows.hasLead() && kernel.columns() % rows.width == 0;
}

std::optional<UnalignedRows> rowScanOf(const Kernel &kernel) {
    if (!kernel.isLoops() || !kernel.hasScans() || kernel.isScattered() || kernel.hasKthValues() ||
        familyOf(kernel) != KernelFamily::Rows || kernel.loops.size() != kernel.outer + 1 ||
        kernel.columns() < leastColumns || !isOfElements(kernel))
        return std::nullopt;
    const ReductionSchedule schedule = scheduleOf(kernel, RowCaching::Nothing);
    if (schedule.passes.size() != 1)
        return std::nullopt;
    const auto isOfRow = [&schedule](std::size_t store) {
        return std::find(schedule.rowStores.begin(), schedule.rowStores.end(), static_cast<int>(store)) !=
               schedule.rowStores.end();
    };
    const auto fits = [&](const UnalignedRows &rows) {
        for (std::size_t i = 0; i < kernel.stores.size(); ++i)
            if (!isOfRow(i) && !fitsVectors(kernel, rows, kernel.stores[i].address))
                return false;
        return true;
    };
    std::vector<const KernelInput *> read;
    int bytes = 1;
    for (const KernelInput &input : kernel.inputs)
        if (kernel.levelOf(input.address) == StepLevel::Element && isAlongRow(kernel, input.address)) {
            read.push_back(&input);
            bytes = std::max(bytes, bytesOf(input.type));
        }
    for (int width = std::clamp(vectorBytes / bytes, fewest, most); width > 1; width /= 2)
        for (const KernelInput *input : read) {
            const UnalignedRows rows{width, leadOf(kernel, input->address, width)};
            if (fitsVectors(kernel, rows, input->address) && fits(rows))
                return rows;
        }
    return std::nullopt;
}

} // namespace warpwright
