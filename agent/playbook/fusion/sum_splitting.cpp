// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/fusion/sum_splitting.h"

#include "agent/playbook/analysis/kernel_family.h"
#include "agent/playbook/fusion/moments_at_once.h"
#include "agent/playbook/schedule/cluster_shapes.h"
#include "agent/playbook/schedule/online_reduction.h"
#include "agent/playbook/schedule/vector_width.h"
#include "agent/playbook/target/plan_device.h"

#include <algorithm>
#include <map>
#include <optional>

namespace warpwright {
int addTemporary(KernelPlan &plan, const Shape &shape, ElementType type) {
    GraphNode node;
    node.name = QStringLiteral("parts");
    node.shape = shape;
    node.strides = layoutByRows(shape).strides;
    node.type = type;
    plan.graph.nodes.push_back(node);
    plan.buffers.push_back(
        {PlanBuffer::Kind::Temporary, static_cast<int>(plan.graph.nodes.size()) - 1, layoutByRows(shape)});
    return static_cast<int>(plan.buffers.size()) - 1;
}

FirstPass firstPassApart(KernelPlan &plan, const FusedKernel &kernel) {
    const Shape rows(kernel.loops.begin(), kernel.loops.begin() + static_cast<std::ptrdiff_t>(kernel.outer));
    AffineIndex place{0, contiguousStrides(rows)};
    place.steps.resize(kernel.loops.size(), 0);
    FirstPass apart{kernel, {}};
    apart.first.stores.clear();
    apart.rest.device = kernel.device;
    apart.rest.loops = kernel.loops;
    apart.rest.outer = kernel.outer;
    std::vector<int> places;
    for (std::size_t i = 0; i < kernel.steps.size(); ++i) {
        KernelStep step = kernel.steps[i];
        if (isReduction(step.op) && step.pass == 1) { // it is there from the second loop on
            KernelLeaf sum;
            sum.buffer = addTemporary(plan, rows, step.type);
            sum.type = step.type;
            sum.address = place;
            apart.first.stores.push_back({static_cast<int>(i), sum.buffer, step.type, place});
            places.push_back(apart.rest.load(sum));
            continue;
        }
        for (int &operand : step.operands)
            operand = places[static_cast<std::size_t>(operand)];
        if (step.op == KernelOp::Load) {
            const KernelLeaf &leaf = kernel.leaves[static_cast<std::size_t>(step.leaf)];
            std::vector<KernelLeaf> &leaves = apart.rest.leaves;
            const auto known = std::find(leaves.begin(), leaves.end(), leaf);
            step.leaf = static_cast<int>(known - leaves.begin());
            if (known == leaves.end())
                leaves.push_back(leaf);
        }
        places.push_back(apart.rest.append(step));
    }
    for (KernelStore store : kernel.stores) {
        store.step = places[static_cast<std::size_t>(store.step)];
        apart.rest.stores.push_back(store);
    }
    apart.first.finish();
    apart.rest.finish();
    return apart;
}

namespace {

constexpr std::int64_t blocksOfProcessor = 4; ///< keep all busy until the last of them is done
constexpr std::int64_t lanes = 32;            ///< results side by side that the threads of a block share
constexpr std::int64_t blocksOfLongRow = 8;   ///< of a cluster
constexpr std::int64_t leastOfPart = 4096;    ///< elements of a row, along memory
constexpr std::int64_t leastAcross = 512;     ///< and where neighbours are other rows
constexpr std::int64_t hugeRow =
    1 << 20; ///< is read anew for what each element becomes, by all threads there are
constexpr std::int64_t mostUnevenness = 4; ///< so many times as many parts as wanted still are some

bool isOfRow(const FusedKernel &kernel, const KernelStore &store) {
    return kernel.step(store.step).level <= StepLevel::Row && kernel.levelOf(store.address) <= StepLevel::Row;
}

bool isSplittable(const KernelPlan &plan, const FusedKernel &kernel) {
    if (kernel.anchor != Anchor::None || !kernel.hasReductions() || kernel.hasScans() || kernel.hasRanks())
        return false;
    // A row that stays on chip is read once, whatever is summed of it.
    const bool isHuge = kernel.columns() > hugeRow;
    if (kernel.passCount() > 1 && !isHuge &&
        (runsAlong(kernel) || canBeOnePass(kernel, false) ||
         (canBeClustered(kernel) && canBeOnePass(kernel, true))))
        return false;
    const bool areResultsOfRows =
        std::all_of(kernel.stores.begin(), kernel.stores.end(),
                    [&](const KernelStore &store) { return isOfRow(kernel, store); });
    // What is between turns of a loop over time is launched too often for a kernel more.
    return (areResultsOfRows || (isHuge && kernel.passCount() > 1)) && plan.repeats.empty();
}

/// How many parts there should be; 1: it has threads enough, or little to do.
std::int64_t wantedParts(const FusedKernel &kernel) {
    const bool isAcross = familyOf(kernel) == KernelFamily::Columns;
    if (familyOf(kernel) != KernelFamily::Rows && !isAcross)
        return 1;
    // With many sums a thread has more on its way, and a block longer to meet.
    const bool hasManySums = meetsOnceForSums(kernel);
    const std::int64_t blocksOfRow = hasManySums ? 1 : blocksOfLongRow;
    const std::int64_t enoughBlocks = blocksOfProcessor * deviceOf(kernel).processors;
    const std::int64_t enough = hasManySums ? enoughBlocks / 2 : enoughBlocks;
    const std::int64_t blocks = isAcross ? (kernel.rows() + lanes - 1) / lanes : kernel.rows() * blocksOfRow;
    const std::int64_t most = kernel.columns() / (isAcross ? leastAcross : leastOfPart);
    // Half of what is enough is no reason for a launch more.
    return blocks * 2 >= enough ? 1 : std::min((enough + blocks - 1) / blocks, most);
}

/// What a kernel without sums stores once a row, as a kernel over the rows alone.
FusedKernel ofRowsAlone(const FusedKernel &kernel) {
    FusedKernel rows;
    rows.device = kernel.device;
    rows.loops.assign(kernel.loops.begin(), kernel.loops.begin() + static_cast<std::ptrdiff_t>(kernel.outer));
    if (rows.loops.empty())
        rows.loops.push_back(1);
    const auto ofRow = [&](AffineIndex index) {
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
        step.level = StepLevel::Constant; // append() finds it by the operands
        if (step.op == KernelOp::Load) {
            KernelLeaf leaf = kernel.leaves[static_cast<std::size_t>(step.leaf)];
            leaf.address = ofRow(leaf.address);
            const auto found = std::find(rows.leaves.begin(), rows.leaves.end(), leaf);
            step.leaf = static_cast<int>(found - rows.leaves.begin());
            step.level = rows.levelOf(leaf.address);
            if (found == rows.leaves.end())
                rows.leaves.push_back(leaf);
        }
        known[static_cast<int>(i)] =
            step.op == KernelOp::Index ? rows.index(ofRow(step.index)) : rows.append(std::move(step));
    }
    for (const KernelStore &store : kernel.stores)
        if (isOfRow(kernel, store))
            rows.stores.push_back({known.at(store.step), store.buffer, store.type, ofRow(store.address)});
    rows.finish();
    return rows;
}

struct Cut {
    std::size_t loop = 0;
    std::int64_t parts = 1;  ///< of as many rounds each
    std::int64_t rounds = 1; ///< of the loop, in a part
    std::int64_t rest = 0;   ///< rounds that are left, a part more
};

std::optional<Cut> cutOf(const FusedKernel &kernel, std::int64_t wanted) {
    constexpr std::int64_t packElements = 8; // whole packs, of halves as well
    constexpr std::int64_t fewestOfPack = 4;
    if (wanted < 2)
        return std::nullopt;
    const auto isAlong = [&kernel](std::size_t loop) {
        return std::any_of(kernel.leaves.begin(), kernel.leaves.end(),
                           [loop](const KernelLeaf &leaf) { return leaf.address.steps[loop] == 1; });
    };
    const auto fewestParts = [&](std::size_t loop, std::int64_t unit) -> std::optional<Cut> {
        const std::int64_t all = kernel.loops[loop];
        for (std::int64_t parts = wanted; parts <= std::min(all, wanted * mostUnevenness); ++parts)
            if (all % (parts * unit) == 0)
                return Cut{loop, parts, all / parts, 0};
        return std::nullopt;
    };
    std::optional<Cut> best;
    for (std::size_t loop = kernel.outer; loop < kernel.loops.size(); ++loop) {
        std::optional<Cut> cut = fewestParts(loop, 1);
        if (cut && cut->rounds % fewestOfPack != 0 && isAlong(loop))
            if (const auto ofPacks = fewestParts(loop, packElements))
                cut = ofPacks;
        if (cut && (!best || cut->parts < best->parts))
            best = cut;
    }
    if (best)
        return best;
    // No number of parts divides it: what is left of the longest loop is a launch more.
    const auto longest = std::max_element(kernel.loops.begin() + static_cast<std::ptrdiff_t>(kernel.outer),
                                          kernel.loops.end());
    if (*longest < 2 * wanted)
        return std::nullopt;
    std::int64_t rounds = *longest / wanted;
    const auto loop = static_cast<std::size_t>(longest - kernel.loops.begin());
    if (isAlong(loop) && rounds >= 2 * packElements)
        rounds -= rounds % packElements;
    return Cut{loop, wanted, rounds, *longest - wanted * rounds};
}

/// The same loops, but that the rounds of one are parts of fewer, which a new outermost loop goes over from
/// part `first` on.
AffineIndex inParts(AffineIndex index, const Cut &cut, std::int64_t first) {
    index.offset += index.steps[cut.loop] * cut.rounds * first;
    index.steps.insert(index.steps.begin(), index.steps[cut.loop] * cut.rounds);
    return index;
}

class Splitting {
public:
    Splitting(KernelPlan &plan, const FusedKernel &kernel, const Cut &cut)
        : m_plan(plan), m_kernel(kernel), m_cut(cut) {}

    /// The sums of parts, as kernels; makes the memory for them.
    std::vector<FusedKernel> parts() {
        const bool isShared = meetsOnceForSums(m_kernel);
        m_shape.assign(m_kernel.loops.begin(),
                       m_kernel.loops.begin() + static_cast<std::ptrdiff_t>(m_kernel.outer));
        // Where many threads meet for many sums, these should lie side by side.
        m_shape.insert(isShared ? m_shape.end() : m_shape.begin(), allParts());
        m_steps = contiguousStrides(m_shape);
        if (!isShared)
            std::rotate(m_steps.begin(), m_steps.begin() + 1, m_steps.end());
        std::map<ElementType, Memory> next; // of those that share theirs
        for (std::size_t i = 0; i < m_kernel.steps.size(); ++i) {
            const KernelStep &step = m_kernel.steps[i];
            if (!isReduction(step.op))
                continue;
            Memory &memory = next[step.type];
            if (!isShared || memory.buffer < 0)
                memory = {addTemporary(m_plan, isShared ? shapeOfAll(step.type) : m_shape, step.type), 0};
            m_memory[static_cast<int>(i)] = memory;
            memory.offset += elementCount(m_shape);
        }
        std::vector<FusedKernel> kernels = {some(0, m_cut.parts, m_cut.rounds)};
        if (m_cut.rest > 0)
            kernels.push_back(some(m_cut.parts, 1, m_cut.rest));
        return kernels;
    }

    /// Their sums, and what comes after.
    FusedKernel whole() {
        m_whole.device = m_kernel.device;
        m_whole.loops.assign(m_kernel.loops.begin(),
                             m_kernel.loops.begin() + static_cast<std::ptrdiff_t>(m_kernel.outer));
        m_whole.outer = m_kernel.outer;
        m_whole.loops.push_back(allParts());
        for (const KernelStore &store : m_kernel.stores)
            m_whole.stores.push_back({again(store.step), store.buffer, store.type, ofRow(store.address)});
        m_whole.finish();
        return m_whole;
    }

private:
    /// Where the parts of a sum lie.
    struct Memory {
        int buffer = -1;
        std::int64_t offset = 0;
    };

    [[nodiscard]] std::int64_t allParts() const { return m_cut.parts + (m_cut.rest > 0 ? 1 : 0); }

    /// Of the parts of all sums of this type, one behind the other.
    [[nodiscard]] Shape shapeOfAll(ElementType type) const {
        Shape all = m_shape;
        all.insert(all.begin(), std::count_if(m_kernel.steps.begin(), m_kernel.steps.end(),
                                              [type](const KernelStep &step) {
                                                  return isReduction(step.op) && step.type == type;
                                              }));
        return all;
    }

    /// `count` parts of so many rounds from part `first` on.
    FusedKernel some(std::int64_t first, std::int64_t count, std::int64_t rounds) const {
        FusedKernel parts = m_kernel;
        parts.loops[m_cut.loop] = rounds;
        parts.loops.insert(parts.loops.begin(), count);
        ++parts.outer;
        for (KernelLeaf &leaf : parts.leaves)
            leaf.address = inParts(leaf.address, m_cut, first);
        for (KernelStep &step : parts.steps)
            if (step.op == KernelOp::Index)
                step.index = inParts(step.index, m_cut, first);
        parts.stores.clear();
        AffineIndex place{first * m_steps.back(), m_steps};
        std::rotate(place.steps.begin(), place.steps.end() - 1, place.steps.end());
        place.steps.resize(parts.loops.size(), 0);
        for (const auto &[step, memory] : m_memory) {
            AffineIndex there = place;
            there.offset += memory.offset;
            parts.stores.push_back(
                {step, memory.buffer, parts.steps[static_cast<std::size_t>(step)].type, there});
        }
        // Levels were those of other loops.
        FusedKernel fresh = parts;
        fresh.steps.clear();
        std::map<int, int> known;
        for (std::size_t i = 0; i < parts.steps.size(); ++i) {
            KernelStep step = parts.steps[i];
            for (int &operand : step.operands)
                operand = known.at(operand);
            if (step.op == KernelOp::Load)
                step.level = fresh.levelOf(parts.leaves[static_cast<std::size_t>(step.leaf)].address);
            else if (step.op == KernelOp::Index)
                step.level = fresh.levelOf(step.index);
            known[static_cast<int>(i)] = fresh.append(step);
        }
        for (KernelStore &store : fresh.stores)
            store.step = known.at(store.step);
        fresh.finish();
        return fresh;
    }

    // With the loop over parts in the place of those over the row.
    AffineIndex ofRow(AffineIndex index) const {
        index.steps.resize(m_kernel.outer);
        index.steps.push_back(0);
        return index;
    }

    int again(int number) {
        if (const auto known = m_known.find(number); known != m_known.end())
            return known->second;
        KernelStep step = m_kernel.step(number);
        int made = -1;
        if (isReduction(step.op)) {
            KernelLeaf part;
            part.buffer = m_memory.at(number).buffer;
            part.type = step.type;
            part.address = {m_memory.at(number).offset, m_steps};
            step.operands = {m_whole.load(part)};
            made = m_whole.append(step);
        } else if (step.op == KernelOp::Load) {
            KernelLeaf leaf = m_kernel.leaves[static_cast<std::size_t>(step.leaf)];
            leaf.address = ofRow(leaf.address);
            for (int &operand : step.operands)
                operand = again(operand);
            const auto known = std::find(m_whole.leaves.begin(), m_whole.leaves.end(), leaf);
            step.leaf = static_cast<int>(known - m_whole.leaves.begin());
            if (known == m_whole.leaves.end())
                m_whole.leaves.push_back(leaf);
            step.level = m_whole.levelOf(leaf.address);
            made = m_whole.append(step);
        } else if (step.op == KernelOp::Index) {
            made = m_whole.index(ofRow(step.index));
        } else {
            for (int &operand : step.operands)
                operand = again(operand);
            step.level = StepLevel::Constant; // append() finds it by the operands
            made = m_whole.append(step);
        }
        m_known[number] = made;
        return made;
    }

    KernelPlan &m_plan;
    const FusedKernel m_kernel;
    Cut m_cut;
    FusedKernel m_whole;
    Shape m_shape;                  ///< of a sum's parts
    Shape m_steps;                  ///< of rows and parts there
    std::map<int, Memory> m_memory; ///< by sum
    std::map<int, int> m_known;
};

} // namespace

void splitLongSums(KernelPlan &plan) {
    for (std::size_t i = 0; i < plan.kernels.size(); ++i) {
        if (!isSplittable(plan, plan.kernels[i]))
            continue;
        const std::optional<Cut> cut = cutOf(plan.kernels[i], wantedParts(plan.kernels[i]));
        if (!cut)
            continue;
        if (auto once = withMomentsAtOnce(plan.kernels[i])) {
            plan.kernels[i] = std::move(*once);
            --i; // it may have another pair of them
            continue;
        }
        if (plan.kernels[i].passCount() > 1) {
            FirstPass apart = firstPassApart(plan, plan.kernels[i]);
            plan.kernels[i] = std::move(apart.rest);
            FusedKernel &rest = plan.kernels[i];
            const auto ofElements =
                std::stable_partition(rest.stores.begin(), rest.stores.end(),
                                      [&rest](const KernelStore &store) { return isOfRow(rest, store); });
            const auto here = plan.kernels.begin() + static_cast<std::ptrdiff_t>(i);
            if (!rest.hasReductions() && ofElements != rest.stores.begin() &&
                ofElements != rest.stores.end()) {
                FusedKernel rows = ofRowsAlone(rest);
                rest.stores.erase(rest.stores.begin(), ofElements);
                rest.finish();
                plan.kernels.insert(here, {std::move(apart.first), std::move(rows)});
            } else {
                plan.kernels.insert(here, std::move(apart.first));
            }
            --i; // both may be taken apart
            continue;
        }
        Splitting splitting(plan, plan.kernels[i], *cut);
        const std::vector<FusedKernel> parts = splitting.parts();
        plan.kernels[i] = splitting.whole();
        plan.kernels.insert(plan.kernels.begin() + static_cast<std::ptrdiff_t>(i), parts.begin(),
                            parts.end());
        i += parts.size();
    }
}

} // namespace warpwright
