// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/schedule/unaligned_rows.h"

#include "agent/playbook/analysis/kernel_family.h"
#include "agent/playbook/analysis/moment_pattern.h"
#include "agent/playbook/ir/kernel_rewriter.h"
#include "agent/playbook/schedule/online_reduction.h"
#include "agent/playbook/schedule/reduction_schedule.h"

#include <algorithm>
#include <map>

namespace warpwright {
namespace {

constexpr int vectorBytes = 16;
constexpr std::int64_t leastColumns = 512; ///< in shorter rows masked elements are too large a share
constexpr std::int64_t leastOfFlat = 128;  ///< pointwise: a row wastes a vector or two, no iteration

/// Where rows begin within vectors: steps and offset modulo their width.
AffineExpr phaseOf(const Kernel &kernel, const AffineExpr &address, int width) {
    AffineExpr phase{address.offset % width, std::vector<std::int64_t>(kernel.loops.size(), 0)};
    for (std::size_t k = 0; k < kernel.outer; ++k)
        phase.steps[k] = address.steps[k] % width;
    return phase;
}

/// Vectors that rows share with their neighbours lie in the tensor as well: it is full vectors.
bool endsWithVector(const Kernel &kernel, const AffineExpr &address, int width) {
    std::int64_t end = address.offset + 1;
    for (std::size_t k = 0; k < kernel.loops.size(); ++k)
        end += address.steps[k] * (kernel.loops[k] - 1);
    return end % width == 0;
}

/// A thread of 512 caches so much of the row that a vector leaves too few registers for loads in flight: on
/// an H200 `smoothed_token_loss` (24,007 columns) took 246 us in vectors and 161 without.
bool isCacheLarge(const Kernel &kernel) {
    constexpr std::int64_t mostOfThread = 44;
    constexpr std::int64_t threads = 512;
    return kernel.passCount() > 1 && !hasOnlineSoftmax(kernel) &&
           maxCachedAtOnce(scheduleOf(kernel, RowCaching::All)) * kernel.columns() > mostOfThread * threads;
}

/// Elements are all there is to do for a row. Gathers are bound by latency: there several single elements at
/// a time do better.
bool isOfElements(const Kernel &kernel) {
    return familyOf(kernel) == KernelFamily::Pointwise && !kernel.isRowPerThread && !kernel.isScattered() &&
           kernel.outer > 0 && kernel.columns() >= leastOfFlat &&
           std::all_of(kernel.inputs.begin(), kernel.inputs.end(),
                       [](const KernelInput &input) { return input.isPlain(); }) &&
           std::all_of(kernel.stores.begin(), kernel.stores.end(), [&](const KernelStore &store) {
               return kernel.levelOf(store.address) == StepLevel::Element;
           });
}

bool isOfSums(const Kernel &kernel) {
    return familyOf(kernel) == KernelFamily::Rows && kernel.hasReductions() && !rowMomentsOf(kernel) &&
           kernel.columns() >= leastColumns;
}

/// With vectors, rows at another alignment look up cache lines for each element. One such table is nothing
/// beside the memory, two take as long (an H100: L1 was busy 93 %). The rest of an online softmax is as quick
/// with elements as with vectors.
bool isOfTables(const Kernel &kernel, const UnalignedRows &rows) {
    const auto tables =
        std::count_if(kernel.inputs.begin(), kernel.inputs.end(), [&](const KernelInput &input) {
            return input.isPlain() && !input.address.steps.empty() && input.address.steps.back() == 1 &&
                   !isInPhase(kernel, rows, input.address);
        });
    return tables > 1 && hasOnlineSoftmax(kernel);
}

bool isAlongRow(const AffineExpr &address) {
    return !address.steps.empty() && address.steps.back() == 1 && address.offset >= 0 &&
           std::all_of(address.steps.begin(), address.steps.end(),
                       [](std::int64_t step) { return step >= 0; });
}

} // namespace

bool UnalignedRows::hasLead() const {
    return lead.offset != 0 ||
           std::any_of(lead.steps.begin(), lead.steps.end(), [](std::int64_t step) { return step != 0; });
}

bool isInPhase(const Kernel &kernel, const UnalignedRows &rows, const AffineExpr &address) {
    // An offset may stand for memory that begins anywhere: a slice of a time step.
    return isAlongRow(address) && address.offset % rows.width == 0 &&
           phaseOf(kernel, address, rows.width) == rows.lead && endsWithVector(kernel, address, rows.width);
}

std::optional<UnalignedRows> unalignedRowsOf(const Kernel &kernel) {
    if (!kernel.isLoops() || kernel.hasScans() || kernel.loops.size() != kernel.outer + 1 ||
        (!isOfSums(kernel) && !isOfElements(kernel)))
        return std::nullopt;
    struct Row {
        AffineExpr address;
        int bytes = 0;
        bool isResult = false;
    };
    std::vector<Row> rows;
    for (std::size_t i = 0; i < kernel.inputs.size(); ++i) {
        const KernelInput &input = kernel.inputs[i];
        if (input.isPlain() && isAlongRow(input.address) && !isGuarded(kernel, static_cast<int>(i)) &&
            kernel.levelOf(input.address) == StepLevel::Element)
            rows.push_back({input.address, bytesOf(input.type), false});
    }
    for (const KernelStore &store : kernel.stores)
        if (isAlongRow(store.address) && kernel.levelOf(store.address) == StepLevel::Element)
            rows.push_back({store.address, bytesOf(store.type), true});
    // The vectors of the most bytes decide; rows at another alignment are read element by element.
    std::optional<UnalignedRows> best;
    int most = 0;
    for (const Row &row : rows) {
        UnalignedRows some{vectorBytes / row.bytes, {}};
        some.lead = phaseOf(kernel, row.address, some.width);
        int bytes = 0;
        int largest = row.bytes;
        // Partial vectors would be written to memory lines one by one; and without sums, rows at another
        // alignment would be read so, though narrower vectors may be common to all.
        bool areAlike = true;
        for (const Row &other : rows) {
            const bool isAlike = isInPhase(kernel, some, other.address);
            bytes += isAlike ? other.bytes : 0;
            largest = isAlike ? std::max(largest, other.bytes) : largest;
            areAlike = areAlike && (isAlike || (kernel.hasReductions() && !other.isResult));
        }
        some.width = vectorBytes / largest;
        some.lead = phaseOf(kernel, row.address, some.width);
        if (some.width > 1 && areAlike && isInPhase(kernel, some, row.address) && bytes > most) {
            most = bytes;
            best = some;
        }
    }
    if (best && (isCacheLarge(kernel) || isOfTables(kernel, *best)))
        return std::nullopt;
    const bool isWhole = best && !best->hasLead() && kernel.loops.back() % best->width == 0;
    return isWhole ? std::nullopt : best;
}

} // namespace warpwright
