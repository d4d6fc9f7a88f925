// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/fusion/split_reduction.h"

#include "agent/playbook/analysis/kernel_family.h"
#include "agent/playbook/fusion/single_pass_variance.h"
#include "agent/playbook/schedule/cluster_shapes.h"
#include "agent/playbook/schedule/online_reduction.h"
#include "agent/playbook/schedule/vector_width.h"
#include "agent/playbook/target/program_device.h"

#include <algorithm>
#include <map>
#include <optional>

namespace warpwright {
int addTemporary(Program &program, const Shape &shape, ElementType type) {
    GraphNode node;
    node.name = QStringLiteral("parts");
    node.shape = shape;
    node.strides = contiguousLayout(shape).strides;
    node.type = type;
    program.graph.nodes.push_back(node);
    program.buffers.push_back({ProgramBuffer::Kind::Temporary,
                               static_cast<int>(program.graph.nodes.size()) - 1, contiguousLayout(shape)});
    return static_cast<int>(program.buffers.size()) - 1;
}

FirstPass splitFirstPass(Program &program, const Kernel &kernel) {
    const Shape rows(kernel.loops.begin(), kernel.loops.begin() + static_cast<std::ptrdiff_t>(kernel.outer));
    AffineExpr position{0, contiguousStrides(rows)};
    position.steps.resize(kernel.loops.size(), 0);
    FirstPass passes{kernel, {}};
    passes.first.stores.clear();
    passes.rest.device = kernel.device;
    passes.rest.loops = kernel.loops;
    passes.rest.outer = kernel.outer;
    std::vector<int> positions;
    for (std::size_t i = 0; i < kernel.steps.size(); ++i) {
        KernelStep step = kernel.steps[i];
        if (isReduction(step.op) && step.pass == 1) { // available from the second loop on
            KernelInput sum;
            sum.buffer = addTemporary(program, rows, step.type);
            sum.type = step.type;
            sum.address = position;
            passes.first.stores.push_back({static_cast<int>(i), sum.buffer, step.type, position});
            positions.push_back(passes.rest.load(sum));
            continue;
        }
        for (int &operand : step.operands)
            operand = positions[static_cast<std::size_t>(operand)];
        if (step.op == Opcode::Load) {
            const KernelInput &input = kernel.inputs[static_cast<std::size_t>(step.input)];
            std::vector<KernelInput> &inputs = passes.rest.inputs;
            const auto known = std::find(inputs.begin(), inputs.end(), input);
            step.input = static_cast<int>(known - inputs.begin());
            if (known == inputs.end())
                inputs.push_back(input);
        }
        positions.push_back(passes.rest.append(step));
    }
    for (KernelStore store : kernel.stores) {
        store.step = positions[static_cast<std::size_t>(store.step)];
        passes.rest.stores.push_back(store);
    }
    passes.first.finish();
    passes.rest.finish();
    return passes;
}

namespace {

constexpr std::int64_t blocksPerSm = 4;         ///< keep all SMs busy until the last of them is done
constexpr std::int64_t columnsPerBlock = 32;    ///< adjacent results that the threads of a block share
constexpr std::int64_t blocksPerCluster = 8;    ///< of a cluster
constexpr std::int64_t leastOfPart = 4096;      ///< elements of a row, contiguous in memory
constexpr std::int64_t leastOfColumnPart = 512; ///< and where adjacent elements belong to other rows
constexpr std::int64_t hugeRow = 1 << 20;       ///< is reread for the elementwise results, by all threads
constexpr std::int64_t mostUnevenness = 4;      ///< more parts than wanted are accepted up to this factor

bool isOfRow(const Kernel &kernel, const KernelStore &store) {
    return kernel.step(store.step).level <= StepLevel::Row && kernel.levelOf(store.address) <= StepLevel::Row;
}

bool isSplittable(const Program &program, const Kernel &kernel) {
    if (!kernel.isLoops() || !kernel.hasReductions() || kernel.hasScans() || kernel.hasKthValues())
        return false;
    // A row that stays on chip is read once, whatever is reduced.
    const bool isHuge = kernel.columns() > hugeRow;
    if (kernel.passCount() > 1 && !isHuge &&
        (hasOnlineSoftmax(kernel) || canBePersistent(kernel, false) ||
         (canBeClustered(kernel) && canBePersistent(kernel, true))))
        return false;
    const bool areResultsOfRows =
        std::all_of(kernel.stores.begin(), kernel.stores.end(),
                    [&](const KernelStore &store) { return isOfRow(kernel, store); });
    // Inside a loop over time another kernel would be launched too often.
    return (areResultsOfRows || (isHuge && kernel.passCount() > 1)) && program.timeLoops.empty();
}

/// Number of parts wanted; 1: it has threads enough, or little to do.
std::int64_t wantedParts(const Kernel &kernel) {
    const bool isColumnReduction = familyOf(kernel) == KernelFamily::Columns;
    if (familyOf(kernel) != KernelFamily::Rows && !isColumnReduction)
        return 1;
    // With many sums a thread has more loads in flight, and a block reduction takes longer.
    const bool hasManySums = canFuseBlockReductions(kernel);
    const std::int64_t blocksPerRow = hasManySums ? 1 : blocksPerCluster;
    const std::int64_t enoughBlocks = blocksPerSm * deviceOf(kernel).processors;
    const std::int64_t enough = hasManySums ? enoughBlocks / 2 : enoughBlocks;
    const std::int64_t blocks = isColumnReduction ? (kernel.rows() + columnsPerBlock - 1) / columnsPerBlock
                                                  : kernel.rows() * blocksPerRow;
    const std::int64_t most = kernel.columns() / (isColumnReduction ? leastOfColumnPart : leastOfPart);
    // Half of enough does not justify another launch.
    return blocks * 2 >= enough ? 1 : std::min((enough + blocks - 1) / blocks, most);
}

/// What a kernel without reductions stores once per row, as a kernel over the rows alone.
Kernel perRowKernel(const Kernel &kernel) {
    Kernel rows;
    rows.device = kernel.device;
    rows.loops.assign(kernel.loops.begin(), kernel.loops.begin() + static_cast<std::ptrdiff_t>(kernel.outer));
    if (rows.loops.empty())
        rows.loops.push_back(1);
    const auto ofRow = [&](AffineExpr index) {
        index.steps.resize(kernel.outer);
        index.steps.resize(rows.loops.size(), 0);
        return index;
    };
    std::map<int, int> known;
    for (std::size_t i = 0; i < kernel.steps.size(); ++i) {
        KernelStep step = kernel.steps[i];
        if (step.level > StepLevel::Row)
            continue;
        for (int &operand : step.operands)
            operand = known.at(operand);
        step.level = StepLevel::Constant; // append() infers it from the operands
        if (step.op == Opcode::Load) {
            KernelInput input = kernel.inputs[static_cast<std::size_t>(step.input)];
            input.address = ofRow(input.address);
            const auto found = std::find(rows.inputs.begin(), rows.inputs.end(), input);
            step.input = static_cast<int>(found - rows.inputs.begin());
            step.level = rows.levelOf(input.address);
            if (found == rows.inputs.end())
                rows.inputs.push_back(input);
        }
        known[static_cast<int>(i)] =
            step.op == Opcode::Index ? rows.index(ofRow(step.index)) : rows.append(std::move(step));
    }
    for (const KernelStore &store : kernel.stores)
        if (isOfRow(kernel, store))
            rows.stores.push_back({known.at(store.step), store.buffer, store.type, ofRow(store.address)});
    rows.finish();
    return rows;
}

struct Split {
    std::size_t loop = 0;
    std::int64_t parts = 1;      ///< of as many iterations each
    std::int64_t iterations = 1; ///< of the loop, in a part
    std::int64_t rest = 0;       ///< iterations that are left, as another part
};

std::optional<Split> splitOf(const Kernel &kernel, std::int64_t wanted) {
    constexpr std::int64_t vectorElements = 8; // whole vectors, also of 16-bit types
    constexpr std::int64_t leastOfVector = 4;
    if (wanted < 2)
        return std::nullopt;
    const auto isAlong = [&kernel](std::size_t loop) {
        return std::any_of(kernel.inputs.begin(), kernel.inputs.end(),
                           [loop](const KernelInput &input) { return input.address.steps[loop] == 1; });
    };
    const auto fewestParts = [&](std::size_t loop, std::int64_t unit) -> std::optional<Split> {
        const std::int64_t all = kernel.loops[loop];
        for (std::int64_t parts = wanted; parts <= std::min(all, wanted * mostUnevenness); ++parts)
            if (all % (parts * unit) == 0)
                return Split{loop, parts, all / parts, 0};
        return std::nullopt;
    };
    std::optional<Split> best;
    for (std::size_t loop = kernel.outer; loop < kernel.loops.size(); ++loop) {
        std::optional<Split> split = fewestParts(loop, 1);
        if (split && split->iterations % leastOfVector != 0 && isAlong(loop))
            if (const auto ofVectors = fewestParts(loop, vectorElements))
                split = ofVectors;
        if (split && (!best || split->parts < best->parts))
            best = split;
    }
    if (best)
        return best;
    // No number of parts divides it: the rest of the longest loop is another launch.
    const auto longest = std::max_element(kernel.loops.begin() + static_cast<std::ptrdiff_t>(kernel.outer),
                                          kernel.loops.end());
    if (*longest < 2 * wanted)
        return std::nullopt;
    std::int64_t iterations = *longest / wanted;
    const auto loop = static_cast<std::size_t>(longest - kernel.loops.begin());
    if (isAlong(loop) && iterations >= 2 * vectorElements)
        iterations -= iterations % vectorElements;
    return Split{loop, wanted, iterations, *longest - wanted * iterations};
}

/// The same loops with one of them tiled: a new outermost loop counts its parts from `first` on.
AffineExpr inParts(AffineExpr index, const Split &split, std::int64_t first) {
    index.offset += index.steps[split.loop] * split.iterations * first;
    index.steps.insert(index.steps.begin(), index.steps[split.loop] * split.iterations);
    return index;
}

class Splitting {
public:
    Splitting(Program &program, const Kernel &kernel, const Split &split)
        : m_program(program), m_kernel(kernel), m_split(split) {}

    /// Kernels of the partial sums; allocates memory for them.
    std::vector<Kernel> parts() {
        const bool isShared = canFuseBlockReductions(m_kernel);
        m_shape.assign(m_kernel.loops.begin(),
                       m_kernel.loops.begin() + static_cast<std::ptrdiff_t>(m_kernel.outer));
        // If many threads reduce many sums, the partial sums should be contiguous.
        m_shape.insert(isShared ? m_shape.end() : m_shape.begin(), allParts());
        m_steps = contiguousStrides(m_shape);
        if (!isShared)
            std::rotate(m_steps.begin(), m_steps.begin() + 1, m_steps.end());
        std::map<ElementType, Memory> next; // of those that share memory
        for (std::size_t i = 0; i < m_kernel.steps.size(); ++i) {
            const KernelStep &step = m_kernel.steps[i];
            if (!isReduction(step.op))
                continue;
            Memory &memory = next[step.type];
            if (!isShared || memory.buffer < 0)
                memory = {addTemporary(m_program, isShared ? shapeOfAll(step.type) : m_shape, step.type), 0};
            m_memory[static_cast<int>(i)] = memory;
            memory.offset += elementCount(m_shape);
        }
        std::vector<Kernel> kernels = {some(0, m_split.parts, m_split.iterations)};
        if (m_split.rest > 0)
            kernels.push_back(some(m_split.parts, 1, m_split.rest));
        return kernels;
    }

    /// The sum of the partial sums, and what follows it.
    Kernel finalKernel() {
        m_finalKernel.device = m_kernel.device;
        m_finalKernel.loops.assign(m_kernel.loops.begin(),
                                   m_kernel.loops.begin() + static_cast<std::ptrdiff_t>(m_kernel.outer));
        m_finalKernel.outer = m_kernel.outer;
        m_finalKernel.loops.push_back(allParts());
        for (const KernelStore &store : m_kernel.stores)
            m_finalKernel.stores.push_back(
                {rebuilt(store.step), store.buffer, store.type, ofRow(store.address)});
        m_finalKernel.finish();
        return m_finalKernel;
    }

private:
    /// Where the partial sums of a reduction are.
    struct Memory {
        int buffer = -1;
        std::int64_t offset = 0;
    };

    [[nodiscard]] std::int64_t allParts() const { return m_split.parts + (m_split.rest > 0 ? 1 : 0); }

    /// Of the partial sums of all reductions of this type, one after the other.
    [[nodiscard]] Shape shapeOfAll(ElementType type) const {
        Shape all = m_shape;
        all.insert(all.begin(), std::count_if(m_kernel.steps.begin(), m_kernel.steps.end(),
                                              [type](const KernelStep &step) {
                                                  return isReduction(step.op) && step.type == type;
                                              }));
        return all;
    }

    /// `count` parts of so many iterations from part `first` on.
    Kernel some(std::int64_t first, std::int64_t count, std::int64_t iterations) const {
        Kernel parts = m_kernel;
        parts.loops[m_split.loop] = iterations;
        parts.loops.insert(parts.loops.begin(), count);
        ++parts.outer;
        for (KernelInput &input : parts.inputs)
            input.address = inParts(input.address, m_split, first);
        for (KernelStep &step : parts.steps)
            if (step.op == Opcode::Index)
                step.index = inParts(step.index, m_split, first);
        parts.stores.clear();
        AffineExpr position{first * m_steps.back(), m_steps};
        std::rotate(position.steps.begin(), position.steps.end() - 1, position.steps.end());
        position.steps.resize(parts.loops.size(), 0);
        for (const auto &[step, memory] : m_memory) {
            AffineExpr there = position;
            there.offset += memory.offset;
            parts.stores.push_back(
                {step, memory.buffer, parts.steps[static_cast<std::size_t>(step)].type, there});
        }
        // Levels were those of other loops.
        Kernel fresh = parts;
        fresh.steps.clear();
        std::map<int, int> known;
        for (std::size_t i = 0; i < parts.steps.size(); ++i) {
            KernelStep step = parts.steps[i];
            for (int &operand : step.operands)
                operand = known.at(operand);
            if (step.op == Opcode::Load)
                step.level = fresh.levelOf(parts.inputs[static_cast<std::size_t>(step.input)].address);
            else if (step.op == Opcode::Index)
                step.level = fresh.levelOf(step.index);
            known[static_cast<int>(i)] = fresh.append(step);
        }
        for (KernelStore &store : fresh.stores)
            store.step = known.at(store.step);
        fresh.finish();
        return fresh;
    }

    // Replaces the loops over the row by the one over parts.
    AffineExpr ofRow(AffineExpr index) const {
        index.steps.resize(m_kernel.outer);
        index.steps.push_back(0);
        return index;
    }

    int rebuilt(int number) {
        if (const auto known = m_known.find(number); known != m_known.end())
            return known->second;
        KernelStep step = m_kernel.step(number);
        int made = -1;
        if (isReduction(step.op)) {
            KernelInput part;
            part.buffer = m_memory.at(number).buffer;
            part.type = step.type;
            part.address = {m_memory.at(number).offset, m_steps};
            step.operands = {m_finalKernel.load(part)};
            made = m_finalKernel.append(step);
        } else if (step.op == Opcode::Load) {
            KernelInput input = m_kernel.inputs[static_cast<std::size_t>(step.input)];
            input.address = ofRow(input.address);
            for (int &operand : step.operands)
                operand = rebuilt(operand);
            const auto known = std::find(m_finalKernel.inputs.begin(), m_finalKernel.inputs.end(), input);
            step.input = static_cast<int>(known - m_finalKernel.inputs.begin());
            if (known == m_finalKernel.inputs.end())
                m_finalKernel.inputs.push_back(input);
            step.level = m_finalKernel.levelOf(input.address);
            made = m_finalKernel.append(step);
        } else if (step.op == Opcode::Index) {
            made = m_finalKernel.index(ofRow(step.index));
        } else {
            for (int &operand : step.operands)
                operand = rebuilt(operand);
            step.level = StepLevel::Constant; // append() infers it from the operands
            made = m_finalKernel.append(step);
        }
        m_known[number] = made;
        return made;
    }

    Program &m_program;
    const Kernel m_kernel;
    Split m_split;
    Kernel m_finalKernel;
    Shape m_shape;                  ///< of one reduction's partial sums
    Shape m_steps;                  ///< strides of rows and parts there
    std::map<int, Memory> m_memory; ///< by reduction
    std::map<int, int> m_known;
};

} // namespace

void splitLongReductions(Program &program) {
    for (std::size_t i = 0; i < program.kernels.size(); ++i) {
        if (!isSplittable(program, program.kernels[i]))
            continue;
        const std::optional<Split> split = splitOf(program.kernels[i], wantedParts(program.kernels[i]));
        if (!split)
            continue;
        if (auto once = withSinglePassVariance(program.kernels[i])) {
            program.kernels[i] = std::move(*once);
            --i; // it may have another pair of them
            continue;
        }
        if (program.kernels[i].passCount() > 1) {
            FirstPass passes = splitFirstPass(program, program.kernels[i]);
            program.kernels[i] = std::move(passes.rest);
            Kernel &rest = program.kernels[i];
            const auto ofElements =
                std::stable_partition(rest.stores.begin(), rest.stores.end(),
                                      [&rest](const KernelStore &store) { return isOfRow(rest, store); });
            const auto here = program.kernels.begin() + static_cast<std::ptrdiff_t>(i);
            if (!rest.hasReductions() && ofElements != rest.stores.begin() &&
                ofElements != rest.stores.end()) {
                Kernel rows = perRowKernel(rest);
                rest.stores.erase(rest.stores.begin(), ofElements);
                rest.finish();
                program.kernels.insert(here, {std::move(passes.first), std::move(rows)});
            } else {
                program.kernels.insert(here, std::move(passes.first));
            }
            --i; // both may be split again
            continue;
        }
        Splitting splitting(program, program.kernels[i], *split);
        const std::vector<Kernel> parts = splitting.parts();
        program.kernels[i] = splitting.finalKernel();
        program.kernels.insert(program.kernels.begin() + static_cast<std::ptrdiff_t>(i), parts.begin(),
                               parts.end());
        i += parts.size();
    }
}

} // namespace warpwright
