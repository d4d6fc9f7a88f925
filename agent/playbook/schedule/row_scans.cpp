// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/schedule/row_scans.h"

#include "agent/playbook/analysis/kernel_family.h"
#include "agent/playbook/schedule/kernel_schedule.h"

#include <algorithm>

namespace warpwright {

bool runsBackward(const AffineIndex &address) {
    return address.steps.back() == -1;
}

namespace {

constexpr int packBytes = 16;
constexpr int fewest = 4; ///< elements of a pack: of whole numbers of 64 bits that is two loads
constexpr int most = 8;
constexpr std::int64_t leastColumns = 64; ///< in shorter rows hardly any thread has a pack

bool isAlongRow(const FusedKernel &kernel, const AffineIndex &address) {
    return !address.steps.empty() && std::abs(address.steps.back()) == 1 &&
           std::all_of(address.steps.begin(), address.steps.end() - 1,
                       [](std::int64_t step) { return step >= 0; }) &&
           address.offset - (runsBackward(address) ? kernel.columns() - 1 : 0) >= 0;
}

/// Elements of the first pack that come before the row, modulo `width`: a row that is read backwards begins
/// with the last element of a pack.
AffineIndex leadOf(const FusedKernel &kernel, const AffineIndex &address, int width) {
    const std::int64_t sign = runsBackward(address) ? width - 1 : 1; // -1, modulo `width`
    AffineIndex lead{sign * (address.offset + (runsBackward(address) ? 1 : 0)) % width,
                     std::vector<std::int64_t>(kernel.loops.size(), 0)};
    for (std::size_t k = 0; k < kernel.outer; ++k)
        lead.steps[k] = sign * address.steps[k] % width;
    return lead;
}

/// Each element is read where the loops say, and what is computed of a neighbour's harms nobody.
bool isOfElements(const FusedKernel &kernel) {
    const auto isPlain = [](const KernelLeaf &leaf) {
        return leaf.isPlain();
    };
    const auto isHarmless = [&kernel](const KernelStep &step) {
        const bool isDivision = step.op == KernelOp::Divide || step.op == KernelOp::Remainder ||
                                step.op == KernelOp::TruncatedRemainder;
        return !step.isGuarded && !(isDivision && step.type == ElementType::Int64 &&
                                    kernel.step(step.operands[1]).op != KernelOp::Number);
    };
    return std::all_of(kernel.leaves.begin(), kernel.leaves.end(), isPlain) &&
           std::all_of(kernel.steps.begin(), kernel.steps.end(), isHarmless);
}

} // namespace

bool liesInPacks(const FusedKernel &kernel, const RaggedRows &rows, const AffineIndex &address) {
    if (!isAlongRow(kernel, address) || leadOf(kernel, address, rows.width) != rows.lead)
        return false;
    const std::int64_t further = kernel.columns() - 1;
    std::int64_t end = address.offset + (runsBackward(address) ? 0 : further) + 1;
    for (std::size_t k = 0; k < kernel.outer; ++k)
        end += address.steps[k] * (kernel.loops[k] - 1);
    // An offset of its own may stand for memory that begins anywhere: a window of a loop over time.
    return (address.offset - (runsBackward(address) ? further : 0)) % rows.width == 0 &&
           end % rows.width == 0;
}

bool isOfWholePacks(const FusedKernel &kernel, const RaggedRows &rows) {
    return !rows.hasLead() && kernel.columns() % rows.width == 0;
}

std::optional<RaggedRows> rowScanOf(const FusedKernel &kernel) {
    if (kernel.anchor != Anchor::None || !kernel.hasScans() || !kernel.scatter.isEmpty() ||
        kernel.hasRanks() || familyOf(kernel) != KernelFamily::Rows ||
        kernel.loops.size() != kernel.outer + 1 || kernel.columns() < leastColumns || !isOfElements(kernel))
        return std::nullopt;
    const KernelSchedule schedule = scheduleOf(kernel, Keeping::Nothing);
    if (schedule.passes.size() != 1)
        return std::nullopt;
    const auto isOfRow = [&schedule](std::size_t store) {
        return std::find(schedule.rowStores.begin(), schedule.rowStores.end(), static_cast<int>(store)) !=
               schedule.rowStores.end();
    };
    const auto fits = [&](const RaggedRows &rows) {
        for (std::size_t i = 0; i < kernel.stores.size(); ++i)
            if (!isOfRow(i) && !liesInPacks(kernel, rows, kernel.stores[i].address))
                return false;
        return true;
    };
    std::vector<const KernelLeaf *> read;
    int bytes = 1;
    for (const KernelLeaf &leaf : kernel.leaves)
        if (kernel.levelOf(leaf.address) == StepLevel::Element && isAlongRow(kernel, leaf.address)) {
            read.push_back(&leaf);
            bytes = std::max(bytes, bytesOf(leaf.type));
        }
    for (int width = std::clamp(packBytes / bytes, fewest, most); width > 1; width /= 2)
        for (const KernelLeaf *leaf : read) {
            const RaggedRows rows{width, leadOf(kernel, leaf->address, width)};
            if (liesInPacks(kernel, rows, leaf->address) && fits(rows))
                return rows;
        }
    return std::nullopt;
}

} // namespace warpwright
