// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/schedule/sliding_window.h"

#include "agent/playbook/analysis/kernel_family.h"
#include "agent/playbook/schedule/vectorized_pooling.h"

#include <algorithm>
#include <limits>

namespace warpwright {
namespace {

constexpr std::int64_t leastAcross = 16;       ///< adjacent windows that read a memory line together
constexpr std::int64_t leastThreads = 1 << 15; ///< fewer leave memory latency exposed
constexpr std::int64_t mostAtOnce = 8;         ///< windows: with 16 of 7 by 7 an H100 took 216 us, with 8 184
constexpr std::int64_t mostElements = 400;     ///< of a thread, all of them unrolled
constexpr double worthwhile = 0.7;             ///< of the rows that separate windows would read
constexpr std::int64_t minAdjacentThreads = 1 << 17; ///< threads of windows side by side as well
constexpr std::int64_t mostResults = 32;             ///< of a thread, in registers
constexpr double worthwhileAdjacent = 0.8;
constexpr std::int64_t mostOfLoads = 4; ///< below each other, where loads are the bottleneck
constexpr std::int64_t leastOfSeveral =
    16; ///< elements that a thread's results are made of, where these are two
constexpr int vectorBytes = 16;

std::int64_t stepAlong(const AffineExpr &index, std::size_t loop) {
    return loop < index.steps.size() ? index.steps[loop] : 0;
}

/// The steps that a window's reductions are computed from.
std::set<int> elementsOf(const Kernel &kernel) {
    std::set<int> found;
    for (std::size_t i = kernel.steps.size(); i-- > 0;) {
        const KernelStep &step = kernel.steps[i];
        if (isReduction(step.op) || found.contains(static_cast<int>(i)))
            found.insert(step.operands.begin(), step.operands.end());
    }
    return found;
}

const AffineExpr *indexOf(const Kernel &kernel, int number) {
    const KernelStep &step = kernel.step(number);
    return step.op == Opcode::Index  ? &step.index
           : step.op == Opcode::Load ? &kernel.inputs[static_cast<std::size_t>(step.input)].address
                                     : nullptr;
}

/// Rows from a window to the next; 0: windows do not slide along these two loops.
std::int64_t distanceOf(const Kernel &kernel, const std::set<int> &elements, std::size_t down,
                        std::size_t slice) {
    std::int64_t distance = 0;
    for (const int number : elements) {
        const AffineExpr *index = indexOf(kernel, number);
        if (index == nullptr)
            continue;
        const std::int64_t ofWindow = stepAlong(*index, down);
        const std::int64_t ofRow = stepAlong(*index, slice);
        if (ofWindow == 0 && ofRow == 0)
            continue;
        if (ofRow == 0 || ofWindow % ofRow != 0 || ofWindow / ofRow < 1 ||
            (distance != 0 && ofWindow / ofRow != distance))
            return 0;
        distance = ofWindow / ofRow;
    }
    return distance;
}

/// Whether a condition is uniform in each vector of columns: what it compares along them changes between
/// vectors only. `offset`: the address of column 0, but for full vectors.
bool isUniformInVector(const Kernel &kernel, const SlidingWindow &windows, const std::set<int> &ofColumns,
                       int condition, std::int64_t width, std::int64_t offset) {
    if (!ofColumns.contains(condition))
        return true;
    const KernelStep &step = kernel.step(condition);
    if (step.op == Opcode::And || step.op == Opcode::Or)
        return std::all_of(step.operands.begin(), step.operands.end(), [&](int operand) {
            return isUniformInVector(kernel, windows, ofColumns, operand, width, offset);
        });
    if (step.op != Opcode::Less && step.op != Opcode::LessOrEqual)
        return false;
    const KernelStep &first = kernel.step(step.operands[0]);
    const KernelStep &second = kernel.step(step.operands[1]);
    const bool isFirst = first.op == Opcode::Index && second.op == Opcode::Number;
    if (!isFirst && !(first.op == Opcode::Number && second.op == Opcode::Index))
        return false;
    const AffineExpr &index = isFirst ? first.index : second.index;
    for (std::size_t k = 0; k < index.steps.size(); ++k)
        if (index.steps[k] != (k == windows.along ? 1 : k + 1 == kernel.outer ? windows.adjacentStep : 0))
            return false;
    // The first column at which the condition changes.
    const auto number = static_cast<std::int64_t>(isFirst ? second.number : first.number);
    const bool isNext = isFirst == (step.op == Opcode::LessOrEqual);
    return (number + (isNext ? 1 : 0) - index.offset + offset) % width == 0;
}

/// Whether it excludes columns beyond some last one.
bool hasEnd(const Kernel &kernel, const std::set<int> &ofColumns, int condition) {
    const KernelStep &step = kernel.step(condition);
    if (step.op == Opcode::And)
        return hasEnd(kernel, ofColumns, step.operands[0]) || hasEnd(kernel, ofColumns, step.operands[1]);
    return (step.op == Opcode::Less || step.op == Opcode::LessOrEqual) &&
           ofColumns.contains(step.operands[0]);
}

/// Contiguous along columns, or from window to window where there is no loop over columns.
bool isAlongColumns(const Kernel &kernel, const SlidingWindow &windows, const KernelInput &input) {
    return input.isPlain() && stepAlong(input.address, windows.along.value_or(kernel.outer - 1)) == 1;
}

/// The 16-bit type whose extremes, of elements as loaded, all its reductions are.
std::optional<ElementType> extremesOfHalves(const Kernel &kernel) {
    std::optional<ElementType> type;
    for (const KernelStep &step : kernel.steps) {
        if (!isReduction(step.op))
            continue;
        const KernelStep &load = kernel.step(step.operands[0]);
        const bool isExtreme = step.op == Opcode::RowMaximum || step.op == Opcode::RowMinimum;
        if (!isExtreme || step.type != ElementType::Float32 || load.op != Opcode::Load)
            return std::nullopt;
        const KernelInput &input = kernel.inputs[static_cast<std::size_t>(load.input)];
        const bool isShort = input.type == ElementType::Float16 || input.type == ElementType::BFloat16;
        const bool isLeast = !load.isGuarded || load.number == (step.op == Opcode::RowMaximum ? -1 : 1) *
                                                                   std::numeric_limits<double>::infinity();
        if (!isShort || !input.isPlain() || !isLeast || input.type != type.value_or(input.type))
            return std::nullopt;
        type = input.type;
    }
    return type;
}

} // namespace

std::set<int> stepsVaryingAlong(const Kernel &kernel, std::size_t loop) {
    std::set<int> found;
    for (std::size_t i = 0; i < kernel.steps.size(); ++i) {
        const auto number = static_cast<int>(i);
        const AffineExpr *index = indexOf(kernel, number);
        const std::vector<int> &operands = kernel.steps[i].operands;
        if ((index != nullptr && stepAlong(*index, loop) != 0) || isReduction(kernel.steps[i].op) ||
            std::any_of(operands.begin(), operands.end(),
                        [&found](int some) { return found.contains(some); }))
            found.insert(number);
    }
    return found;
}

std::int64_t SlidingWindow::slices(const Kernel &kernel) const {
    return (atOnce - 1) * step + kernel.loops[slice];
}

std::optional<SlidingWindow> slidingWindowOf(const Kernel &kernel) {
    constexpr std::int64_t most32 = std::int64_t(1) << 31;
    if (!kernel.isLoops() || !kernel.hasReductions() || kernel.hasScans() || kernel.hasKthValues() ||
        kernel.isRowPerThread || kernel.isScattered() || kernel.outer < 2 || kernel.passCount() != 1 ||
        kernel.rows() >= most32 || kernel.loops[kernel.outer - 1] < leastAcross ||
        familyOf(kernel) != KernelFamily::Windows ||
        std::any_of(kernel.stores.begin(), kernel.stores.end(), [&kernel](const KernelStore &store) {
            return kernel.levelOf(store.address) >= StepLevel::Column ||
                   kernel.step(store.step).level >= StepLevel::Column;
        }))
        return std::nullopt;
    const std::set<int> elements = elementsOf(kernel);
    std::optional<SlidingWindow> best;
    double leastRows = worthwhile;
    for (std::size_t down = 0; down + 1 < kernel.outer; ++down)
        for (std::size_t slice = kernel.outer; slice < kernel.loops.size(); ++slice) {
            const std::int64_t tall = kernel.loops[slice];
            SlidingWindow some;
            some.down = down;
            some.slice = slice;
            some.step = distanceOf(kernel, elements, down, slice);
            if (some.step == 0 || some.step >= tall)
                continue;
            for (some.atOnce = std::min<std::int64_t>(kernel.loops[down], mostAtOnce);
                 some.atOnce > 1 && (kernel.rows() / some.atOnce < leastThreads ||
                                     some.slices(kernel) * kernel.columns() / tall > mostElements);)
                some.atOnce /= 2;
            const double rows =
                static_cast<double>(some.slices(kernel)) / static_cast<double>(some.atOnce * tall);
            if (rows <= leastRows) {
                leastRows = rows;
                best = some;
            }
        }
    return best;
}

std::int64_t SlidingWindow::wide(const Kernel &kernel) const {
    return along ? kernel.loops[*along] : 1;
}

std::int64_t SlidingWindow::columns(const Kernel &kernel) const {
    return (adjacent - 1) * adjacentStep + wide(kernel);
}

bool isAdjacentVector(const SlidingWindow &windows, std::size_t adjacentLoop, const AffineExpr &address) {
    for (std::size_t k = 0; k < address.steps.size(); ++k)
        if (k == adjacentLoop ? address.steps[k] != 1 : address.steps[k] % windows.adjacent != 0)
            return false;
    return address.offset % windows.adjacent == 0;
}

std::optional<RowVectors> vectorsOfLoad(const Kernel &kernel, const SlidingWindow &windows,
                                        const KernelStep &load) {
    const KernelInput &input = kernel.inputs[static_cast<std::size_t>(load.input)];
    if (!isAlongColumns(kernel, windows, input))
        return std::nullopt;
    const std::size_t adjacentLoop = kernel.outer - 1;
    const AffineExpr &address = input.address;
    std::int64_t endOfRow = address.offset + 1;
    for (std::size_t k = 0; k < address.steps.size(); ++k)
        endOfRow += k == adjacentLoop || k == windows.along ? address.steps[k] * (kernel.loops[k] - 1) : 0;
    const std::set<int> ofColumns = stepsVaryingAlong(kernel, windows.along.value_or(adjacentLoop));
    for (int width = vectorBytes / bytesOf(input.type); width > 1; width /= 2) {
        bool isAligned = windows.adjacentStep * windows.adjacent % width == 0;
        for (std::size_t k = 0; k < address.steps.size(); ++k)
            isAligned =
                isAligned && (k == adjacentLoop || k == windows.along || address.steps[k] % width == 0);
        const std::int64_t lead = (address.offset % width + width) % width;
        // A row's last vector must lie within the tensor, or be guarded.
        const bool isInside =
            endOfRow % width == 0 || (load.isGuarded && hasEnd(kernel, ofColumns, load.operands.back()));
        const bool isOne = !load.isGuarded || isUniformInVector(kernel, windows, ofColumns,
                                                                load.operands.back(), width, address.offset);
        if (isAligned && isInside && isOne)
            return RowVectors{width, lead, (lead + windows.columns(kernel) + width - 1) / width};
    }
    return std::nullopt;
}

std::optional<SlidingWindow> adjacentWindows(const Kernel &kernel) {
    const std::optional<SlidingWindow> sliding = slidingWindowOf(kernel);
    if (!sliding)
        return std::nullopt;
    const auto sums = std::count_if(kernel.steps.begin(), kernel.steps.end(),
                                    [](const KernelStep &step) { return isReduction(step.op); });
    // Two results of few elements each are as quick without adjacent windows: of three by three floats an
    // H100 took 110 us for 124, a copy's time; but of five by five 108 for 122.
    if (kernel.stores.size() > 1 && sums * kernel.columns() < leastOfSeveral)
        return std::nullopt;
    const std::size_t adjacentLoop = kernel.outer - 1;
    const std::set<int> elements = elementsOf(kernel);
    SlidingWindow some = *sliding;
    // Such kernels are bound by loads, not instructions: on an H100 as many registers as a thread may have
    // took 155 us for 193 with four side by side and few registers.
    some.hasManyRegisters = kernel.loops.size() - kernel.outer > 2;
    for (std::size_t k = kernel.outer; k < kernel.loops.size(); ++k)
        if (const std::int64_t step = k == some.slice ? 0 : distanceOf(kernel, elements, adjacentLoop, k);
            step > 0 && step <= kernel.loops[k]) {
            some.along = k;
            some.adjacentStep = step;
        }
    // With halves, four below each other took 42 us, eight 56.
    some.pairs = some.along && some.adjacentStep == 1 && !some.hasManyRegisters ? extremesOfHalves(kernel)
                                                                                : std::nullopt;
    const std::int64_t mostBelow = some.hasManyRegisters || some.pairs ? mostOfLoads : sliding->atOnce;
    // Results of a hundred instructions each are unrolled for fewer windows.
    const bool isLong = std::any_of(kernel.steps.begin(), kernel.steps.end(),
                                    [](const KernelStep &step) { return isExpensive(step.op); });
    const std::int64_t most = isLong ? mostResults / 2 : mostResults;
    const std::int64_t others = kernel.columns() / kernel.loops[some.slice] / some.wide(kernel);
    for (some.adjacent = some.hasManyRegisters ? 2 : 4; some.adjacent > 1; some.adjacent /= 2) {
        some.atOnce = std::min(sliding->atOnce, mostBelow);
        while (some.atOnce > 1 && (some.atOnce * some.adjacent * sums > most ||
                                   kernel.rows() / (some.atOnce * some.adjacent) < minAdjacentThreads ||
                                   some.slices(kernel) * others * some.columns(kernel) > mostElements))
            some.atOnce /= 2;
        const double rows = static_cast<double>(some.slices(kernel)) /
                            static_cast<double>(some.atOnce * kernel.loops[some.slice]);
        bool hasVectors = false;
        bool isOfVectors = true;
        for (const int number : elements) {
            const AffineExpr *index = indexOf(kernel, number);
            if (index == nullptr || stepAlong(*index, adjacentLoop) == 0)
                continue;
            const KernelStep &step = kernel.step(number);
            const bool isLoaded = step.op == Opcode::Load && vectorsOfLoad(kernel, some, step);
            hasVectors = hasVectors || isLoaded;
            // Indices are counted along columns; without that loop each window would have its own.
            isOfVectors = isOfVectors && (isLoaded || (step.op == Opcode::Index && some.along));
        }
        if (hasVectors && isOfVectors && rows <= worthwhileAdjacent &&
            kernel.loops[adjacentLoop] % some.adjacent == 0 &&
            kernel.rows() / (some.atOnce * some.adjacent) >= minAdjacentThreads)
            return some;
    }
    return std::nullopt;
}

bool usesSlidingWindow(const Kernel &kernel, const Knobs &knobs) {
    if (knobs.hasWideLoads && adjacentWindows(kernel))
        return true;
    return (!knobs.hasWideLoads || rowsPerThread(kernel) == 1 || loadsRowsAsScalars(kernel)) &&
           slidingWindowOf(kernel).has_value();
}

} // namespace warpwright
