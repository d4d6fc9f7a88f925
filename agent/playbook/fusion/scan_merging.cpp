// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/fusion/scan_merging.h"

#include "agent/playbook/ir/kernel_parts.h"
#include "agent/playbook/schedule/row_scans.h"

#include <algorithm>
#include <map>

namespace warpwright {
namespace {

constexpr std::size_t mostSteps = 300; ///< as many as are written for one kernel at once
constexpr std::int64_t mostRounds = 4; ///< of a loop that is written out

bool hasSums(const FusedKernel &kernel) {
    return std::any_of(kernel.steps.begin(), kernel.steps.end(),
                       [](const KernelStep &step) { return isReduction(step.op); });
}

bool isPassed(const KernelPlan &plan, const FusedKernel &maker) {
    return isOfLoops(maker) && maker.hasScans() && !hasSums(maker) && maker.scatter.isEmpty() &&
           maker.loops.size() == maker.outer + 1 && maker.stores.size() == 1 &&
           maker.stores[0].every.empty() && isScan(maker.step(maker.stores[0].step).op) &&
           maker.stores[0].type == maker.step(maker.stores[0].step).type &&
           plan.buffers[static_cast<std::size_t>(maker.stores[0].buffer)].kind == PlanBuffer::Kind::Temporary;
}

/// How far this is from the element's place in its row; empty: it is something else.
std::optional<std::int64_t> beyondColumn(const FusedKernel &kernel, int number) {
    const KernelStep &place = kernel.step(number);
    std::vector<std::int64_t> column(kernel.loops.size(), 0);
    column.back() = 1;
    return place.op == KernelOp::Index && place.index.steps == column ? std::optional(place.index.offset)
                                                                      : std::nullopt;
}

/// The first element of a row for which this condition can hold.
std::int64_t firstFor(const FusedKernel &kernel, int condition) {
    const KernelStep &step = kernel.step(condition);
    if (step.op == KernelOp::And)
        return std::max(firstFor(kernel, step.operands[0]), firstFor(kernel, step.operands[1]));
    if (step.op != KernelOp::LessOrEqual && step.op != KernelOp::Less)
        return 0;
    const KernelStep &least = kernel.step(step.operands[0]);
    const auto beyond = beyondColumn(kernel, step.operands[1]);
    return least.op == KernelOp::Number && beyond
               ? static_cast<std::int64_t>(least.number) - *beyond + (step.op == KernelOp::Less ? 1 : 0)
               : 0;
}

/// Whether it holds for a row's first element alone.
bool isFirst(const FusedKernel &kernel, int condition) {
    const KernelStep &step = kernel.step(condition);
    if (step.op != KernelOp::Less)
        return false;
    const KernelStep &end = kernel.step(step.operands[1]);
    const auto beyond = beyondColumn(kernel, step.operands[0]);
    return end.op == KernelOp::Number && beyond && end.number - static_cast<double>(*beyond) == 1;
}

/// Whether it holds for all elements of a row but the first.
bool isAllButFirst(const FusedKernel &kernel, int condition) {
    return kernel.step(condition).op != KernelOp::And && firstFor(kernel, condition) == 1;
}

/// What such a scan begins with.
bool beginsWith(KernelOp scan, double number) {
    return (scan == KernelOp::ScanSum && number == 0) || (scan == KernelOp::ScanProduct && number == 1);
}

class Merging {
public:
    Merging(const FusedKernel &maker, const FusedKernel &reader)
        : m_maker(maker), m_reader(reader), m_scan(maker.stores[0].step), m_both(maker) {}

    std::optional<FusedKernel> run() {
        m_both.stores.clear();
        for (const KernelStep &step : m_reader.steps) {
            const int made = taken(step);
            if (made < 0)
                return std::nullopt;
            m_places.push_back(made);
        }
        for (KernelStore store : m_reader.stores) {
            store.step = m_places[static_cast<std::size_t>(store.step)];
            m_both.stores.push_back(std::move(store));
        }
        m_both.finish();
        return std::move(m_both);
    }

private:
    /// The same step among those of both; -1: it reads something else of what runs along.
    int taken(KernelStep step) {
        for (int &operand : step.operands)
            operand = m_places[static_cast<std::size_t>(operand)];
        if (step.op == KernelOp::Select)
            return chosen(std::move(step));
        if (step.op != KernelOp::Load)
            return m_both.append(std::move(step));
        const KernelLeaf &leaf = m_reader.leaves[static_cast<std::size_t>(step.leaf)];
        if (leaf.buffer == m_maker.stores[0].buffer)
            return made(step, leaf);
        const auto known = std::find(m_both.leaves.begin(), m_both.leaves.end(), leaf);
        step.leaf = static_cast<int>(known - m_both.leaves.begin());
        if (known == m_both.leaves.end())
            m_both.leaves.push_back(leaf);
        return m_both.append(std::move(step));
    }

    /// `first ? 1 : not first ? before : 0` is what came before.
    int chosen(KernelStep step) {
        int &other = step.operands[2];
        if (isFirst(m_both, step.operands[0])) {
            const KernelStep inner = m_both.step(other);
            if (inner.op == KernelOp::Select && m_both.step(inner.operands[1]).op == KernelOp::ScanBefore &&
                isAllButFirst(m_both, inner.operands[0]))
                other = inner.operands[1];
            const KernelStep &begin = m_both.step(step.operands[1]);
            if (m_both.step(other).op == KernelOp::ScanBefore && begin.op == KernelOp::Number &&
                beginsWith(m_both.step(m_scan).op, begin.number))
                return other;
        }
        return m_both.append(std::move(step));
    }

    int made(const KernelStep &load, const KernelLeaf &leaf) {
        AffineIndex here = m_maker.stores[0].address;
        if (!leaf.isPlain())
            return -1;
        int value = m_scan;
        if (leaf.address != here) {
            here.offset -= here.steps.back();
            if (leaf.address != here || !load.isGuarded || firstFor(m_both, load.operands.back()) < 1)
                return -1;
            value = m_both.add(KernelOp::ScanBefore, m_both.step(m_scan).type, {m_scan});
        }
        if (value != m_scan && isAllButFirst(m_both, load.operands.back()) &&
            beginsWith(m_both.step(m_scan).op, load.number))
            return value;
        return load.isGuarded
                   ? m_both.add(KernelOp::Select, load.type,
                                {load.operands.back(), value, m_both.number(load.number, load.type)})
                   : value;
    }

    const FusedKernel &m_maker;
    const FusedKernel &m_reader;
    int m_scan;
    FusedKernel m_both;
    std::vector<int> m_places; ///< of the reader's steps
};

/// With short loops written out that go over what is read of it again: a colour's channels.
FusedKernel withRowsOnce(FusedKernel reader, int buffer) {
    for (std::size_t k = reader.outer; k-- > 0;) {
        const bool isAgain =
            std::all_of(reader.leaves.begin(), reader.leaves.end(), [&](const KernelLeaf &leaf) {
                return leaf.buffer != buffer || leaf.address.steps[k] == 0;
            });
        if (!isAgain || reader.loops[k] == 1 || reader.loops[k] > mostRounds)
            continue;
        reader = unrolled(reader, k);
        reader.finish();
        k = std::min(k, reader.outer); // they may be others now
    }
    return reader;
}

std::optional<FusedKernel> both(const KernelPlan &plan, std::size_t maker, std::size_t reader) {
    const FusedKernel &first = plan.kernels[maker];
    if (!isOfLoops(plan.kernels[reader]))
        return std::nullopt;
    const FusedKernel second = withRowsOnce(plan.kernels[reader], first.stores[0].buffer);
    if (second.hasScans() || !second.scatter.isEmpty() || first.loops != second.loops ||
        first.outer != second.outer || first.steps.size() + second.steps.size() > mostSteps)
        return std::nullopt;
    auto merged = Merging(first, second).run();
    return merged && rowScanOf(*merged) && merged->bytes() < first.bytes() + second.bytes() ? merged
                                                                                            : std::nullopt;
}

} // namespace

void mergeScans(KernelPlan &plan) {
    if (plan.choices.isForCpu || !plan.repeats.empty())
        return;
    for (std::size_t maker = 0; maker < plan.kernels.size(); ++maker) {
        if (!isPassed(plan, plan.kernels[maker]))
            continue;
        const std::optional<std::size_t> reader = onlyReader(plan, maker);
        if (!reader)
            continue;
        auto merged = both(plan, maker, *reader);
        if (!merged)
            continue;
        plan.kernels[*reader] = std::move(*merged);
        plan.kernels.erase(plan.kernels.begin() + static_cast<std::ptrdiff_t>(maker));
        --maker;
    }
}

} // namespace warpwright
