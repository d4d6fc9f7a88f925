// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/fusion/fuse_concat.h"

#include "agent/playbook/fusion/fuse_consumer.h"
#include "agent/playbook/fusion/fuse_epilogue.h"
#include "agent/playbook/fusion/fuse_multi_output.h"
#include "agent/playbook/ir/kernel_rewriter.h"
#include "agent/playbook/schedule/transpose_tile.h"
#include "agent/playbook/schedule/vector_width.h"

#include <algorithm>
#include <map>
#include <set>

namespace warpwright {
namespace {

constexpr std::size_t mostParts = 32;
// From this size on another launch costs less than branching per element on the part.
constexpr double largeConcat = 100e6; ///< bytes
constexpr double largePart = 10e6;
constexpr std::size_t mostLargeParts = 4;
constexpr std::int64_t leastRun = 192;   ///< bytes of a part that are contiguous in memory
constexpr std::int64_t sectorBytes = 32; ///< smallest unit of a write to memory

/// The only loop that the index depends on; empty: none, or several.
std::optional<std::size_t> onlyLoop(const Kernel &kernel, const AffineExpr &index) {
    std::optional<std::size_t> only;
    for (std::size_t k = 0; k < index.steps.size(); ++k) {
        if (index.steps[k] == 0 || kernel.loops[k] == 1)
            continue;
        if (only)
            return std::nullopt;
        only = k;
    }
    return only;
}

// By loop: the counters at which a condition changes, such as "this is the second part".
std::map<std::size_t, std::set<std::int64_t>> cutsOf(const Kernel &kernel) {
    std::map<std::size_t, std::set<std::int64_t>> cuts;
    for (const KernelStep &step : kernel.steps) {
        if (!isComparison(step.op))
            continue;
        for (const std::size_t i : {0U, 1U}) {
            const KernelStep &counted = kernel.step(step.operands[i]);
            const KernelStep &number = kernel.step(step.operands[1 - i]);
            if (counted.op != Opcode::Index || number.op != Opcode::Number)
                continue;
            const auto loop = onlyLoop(kernel, counted.index);
            if (!loop)
                continue;
            const auto is = [&, op = step.op](std::int64_t counter) {
                const auto value =
                    static_cast<double>(counted.index.offset + counted.index.steps[*loop] * counter);
                const double first = i == 0 ? value : number.number;
                const double second = i == 0 ? number.number : value;
                return op == Opcode::Less          ? first < second
                       : op == Opcode::LessOrEqual ? first <= second
                                                   : first == second;
            };
            const std::int64_t near = (static_cast<std::int64_t>(number.number) - counted.index.offset) /
                                      counted.index.steps[*loop];
            for (std::int64_t at = std::max<std::int64_t>(near - 1, 1);
                 at <= near + 2 && at < kernel.loops[*loop]; ++at)
                if (is(at) != is(at - 1))
                    cuts[*loop].insert(at);
        }
    }
    return cuts;
}

std::vector<Kernel> partsOf(const Kernel &concat, std::size_t loop, const std::set<std::int64_t> &cuts) {
    std::vector<Kernel> parts;
    std::int64_t begin = 0;
    std::set<std::int64_t> ends = cuts;
    ends.insert(concat.loops[loop]);
    for (const std::int64_t end : ends) {
        parts.push_back(loopSlice(concat, loop, begin, end));
        parts.back().finish();
        begin = end;
    }
    return parts;
}

bool isConcat(const Kernel &kernel) {
    return kernel.isLoops() && !kernel.hasReductions() && kernel.stores.size() == 1;
}

/// The program with one kernel per part; empty: it would not be better.
std::optional<Program> splitConcat(const Program &program, std::size_t position, std::size_t loop,
                                   const std::set<std::int64_t> &cuts) {
    const std::vector<Kernel> parts = partsOf(program.kernels[position], loop, cuts);
    if (std::any_of(parts.begin(), parts.end(), [](const Kernel &part) { return part.inputs.empty(); }))
        return std::nullopt; // a margin of constants: whoever writes the rest writes them as well
    Program split = program;
    const auto at = split.kernels.begin() + static_cast<std::ptrdiff_t>(position);
    split.kernels.insert(split.kernels.erase(at), parts.begin(), parts.end());
    std::size_t left = 0;
    std::size_t part = position;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const std::size_t before = split.kernels.size();
        if (!fuseIntoProducer(split, part) && !fuseConsumer(split, part) &&
            !fuseEpilogueOfConsumer(split, part))
            ++left;
        // Kernels were removed: the next part has moved forward by as many.
        part = part + 1 + split.kernels.size() - before;
    }
    const bool isBetter =
        left <= 1 && split.kernels.size() <= program.kernels.size() && split.bytes() < program.bytes();
    return isBetter ? std::optional(std::move(split)) : std::nullopt;
}

std::optional<Program> splitConcat(const Program &program, std::size_t position) {
    const Kernel &concat = program.kernels[position];
    if (!isConcat(concat))
        return std::nullopt;
    for (const auto &[loop, cuts] : cutsOf(concat))
        if (cuts.size() < mostParts)
            if (auto split = splitConcat(program, position, loop, cuts))
                return split;
    return std::nullopt;
}

/// No part begins within a sector, and none is so narrow that its writes are partial cache lines.
bool areDisjointInMemory(const KernelStore &store, std::size_t loop, std::int64_t size,
                         const std::set<std::int64_t> &cuts) {
    const std::int64_t bytes = store.address.steps[loop] * bytesOf(store.type);
    std::int64_t begin = 0;
    for (const std::int64_t end : cuts) {
        if ((end - begin) * bytes < leastRun || end * bytes % sectorBytes != 0)
            return false;
        begin = end;
    }
    return (size - begin) * bytes >= leastRun;
}

/// No large input is read by two parts: in one kernel the second read hits the cache.
bool readDisjointMemory(const std::vector<Kernel> &parts) {
    std::set<int> readBefore;
    for (const Kernel &part : parts) {
        std::set<int> read;
        for (const KernelInput &input : part.inputs)
            if (!input.isPlain() || part.levelOf(input.address) >= StepLevel::Column)
                read.insert(input.buffer);
        for (const int buffer : read)
            if (!readBefore.insert(buffer).second)
                return false;
    }
    return true;
}

/// Large parts of a large concatenation as kernels of their own; none: it stays one.
std::vector<Kernel> largeParts(const Kernel &concat) {
    if (!isConcat(concat) || concat.bytes() < largeConcat)
        return {};
    const auto cuts = cutsOf(concat);
    if (cuts.size() != 1 || cuts.begin()->second.size() >= mostLargeParts)
        return {};
    const auto &[loop, positions] = *cuts.begin();
    std::vector<Kernel> parts = partsOf(concat, loop, positions);
    if (!areDisjointInMemory(concat.stores[0], loop, concat.loops[loop], positions) ||
        !readDisjointMemory(parts))
        return {};
    const bool areLarge = std::all_of(parts.begin(), parts.end(), [](const Kernel &part) {
        return part.bytes() >= largePart && !part.inputs.empty();
    });
    // Where all parts compute the same, branching on the part is cheap.
    const bool isAnySimpler = std::any_of(parts.begin(), parts.end(), [&concat](const Kernel &part) {
        return widthOf(part) > widthOf(concat) || (transposeTileOf(part) && !transposeTileOf(concat)) ||
               2 * part.steps.size() < concat.steps.size();
    });
    return areLarge && isAnySimpler ? parts : std::vector<Kernel>();
}

} // namespace

void splitLargeConcats(Program &program) {
    for (std::size_t i = 0; i < program.kernels.size(); ++i) {
        const std::vector<Kernel> parts = largeParts(program.kernels[i]);
        if (parts.empty())
            continue;
        const auto at = program.kernels.begin() + static_cast<std::ptrdiff_t>(i);
        program.kernels.insert(program.kernels.erase(at), parts.begin(), parts.end());
        i += parts.size() - 1;
    }
}

void fuseConcats(Program &program) {
    for (std::size_t i = 0; i < program.kernels.size();) {
        if (auto split = splitConcat(program, i)) {
            program = std::move(*split);
            i = 0;
        } else {
            ++i;
        }
    }
}

std::vector<Kernel> concatParts(const Kernel &concat, std::size_t most) {
    const auto cuts = cutsOf(concat);
    if (cuts.size() != 1 || cuts.begin()->second.size() >= most)
        return {};
    return partsOf(concat, cuts.begin()->first, cuts.begin()->second);
}

} // namespace warpwright
