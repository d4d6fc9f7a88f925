// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/fusion/hoisted_steps.h"

#include "agent/playbook/ir/kernel_parts.h"

#include <algorithm>

namespace warpwright {
namespace {

constexpr double leastReads = 4; ///< of each element: below it the maker would do as much

/// One step of a chain: an operator, whose other operand, if it has one, is a number.
struct Link {
    KernelOp op = KernelOp::Number;
    ElementType type = ElementType::Float32;
    std::vector<double> numbers; ///< by operand; of the chain's own it is not read
    std::size_t place = 0;       ///< of the chain's own operand

    bool operator==(const Link &) const = default;
};

bool isCostly(const Link &link) {
    return isExpensive(link.op) || link.op == KernelOp::SquareRoot || link.op == KernelOp::Divide;
}

/// Steps that read `step`, of which the stores are one each.
std::vector<int> readersOf(const FusedKernel &kernel, int step) {
    std::vector<int> readers;
    for (int i = 0; i < static_cast<int>(kernel.steps.size()); ++i) {
        const std::vector<int> &operands = kernel.step(i).operands;
        if (std::find(operands.begin(), operands.end(), step) != operands.end())
            readers.push_back(i);
    }
    for (const KernelStore &store : kernel.stores)
        if (store.step == step)
            readers.push_back(-1);
    return readers;
}

/// What the only reader makes of `step`, of it and of numbers alone; empty: it is read several times, or with
/// something else.
std::optional<std::pair<int, Link>> nextLink(const FusedKernel &kernel, int step) {
    const std::vector<int> readers = readersOf(kernel, step);
    if (readers.size() != 1 || readers[0] < 0)
        return std::nullopt;
    const KernelStep &reader = kernel.step(readers[0]);
    if (reader.op == KernelOp::Load || isReduction(reader.op) || isScan(reader.op) ||
        !isFloating(reader.type) || reader.op == KernelOp::Convert ||
        std::count(reader.operands.begin(), reader.operands.end(), step) != 1)
        return std::nullopt;
    Link link{reader.op, reader.type, {}, 0};
    for (std::size_t i = 0; i < reader.operands.size(); ++i) {
        const KernelStep &operand = kernel.step(reader.operands[i]);
        if (reader.operands[i] == step)
            link.place = i;
        else if (operand.op != KernelOp::Number || operand.type != reader.type)
            return std::nullopt;
        link.numbers.push_back(reader.operands[i] == step ? 0 : operand.number);
    }
    return std::pair(readers[0], link);
}

/// From a load on: what is made of it, to the last costly step; the step that stands for all of it.
struct Chain {
    std::vector<Link> links;
    int end = -1;
};

Chain chainOf(const FusedKernel &kernel, int load) {
    Chain chain;
    std::vector<Link> links;
    for (auto next = nextLink(kernel, load); next; next = nextLink(kernel, next->first)) {
        links.push_back(next->second);
        if (isCostly(next->second))
            chain = {links, next->first};
    }
    return chain;
}

class Hoisting {
public:
    Hoisting(KernelPlan &plan, std::size_t maker, std::size_t store)
        : m_plan(plan), m_maker(maker), m_store(store), m_buffer(plan.kernels[maker].stores[store].buffer) {}

    bool run() {
        FusedKernel &maker = m_plan.kernels[m_maker];
        const KernelStore &made = maker.stores[m_store];
        const PlanBuffer &buffer = m_plan.buffers[static_cast<std::size_t>(m_buffer)];
        if (!isOfLoops(maker) || !made.every.empty() || buffer.kind != PlanBuffer::Kind::Temporary ||
            made.type != maker.step(made.step).type || isMadeTwice() || !findReaders())
            return false;
        for (const auto &[kernel, load, end] : m_reads)
            replace(m_plan.kernels[kernel], load, end);
        for (const auto &[kernel, load, end] : m_reads)
            m_plan.kernels[kernel].finish();
        int value = made.step;
        for (const Link &link : *m_links) {
            std::vector<int> operands;
            for (std::size_t i = 0; i < link.numbers.size(); ++i)
                operands.push_back(i == link.place ? value : maker.number(link.numbers[i], link.type));
            value = maker.add(link.op, link.type, std::move(operands));
        }
        maker.stores[m_store].step = value;
        maker.finish();
        return true;
    }

private:
    struct Read {
        std::size_t kernel;
        int load;
        int end;
    };

    [[nodiscard]] bool isMadeTwice() const {
        int count = 0;
        for (const FusedKernel &kernel : m_plan.kernels)
            for (const KernelStore &store : kernel.stores)
                count += store.buffer == m_buffer;
        const bool isWindow =
            std::any_of(m_plan.buffers.begin(), m_plan.buffers.end(), [this](const PlanBuffer &some) {
                return some.kind == PlanBuffer::Kind::Window && some.window.buffer == m_buffer;
            });
        return count != 1 || isWindow;
    }

    /// All loads of it, each with the same chain behind; false: there are others, or it gains nothing.
    bool findReaders() {
        const FusedKernel &maker = m_plan.kernels[m_maker];
        const KernelStore &made = maker.stores[m_store];
        bool isOften = false;
        for (std::size_t k = 0; k < m_plan.kernels.size(); ++k) {
            const FusedKernel &kernel = m_plan.kernels[k];
            for (int i = 0; i < static_cast<int>(kernel.steps.size()); ++i) {
                const KernelStep &step = kernel.step(i);
                if (step.op != KernelOp::Load ||
                    kernel.leaves[static_cast<std::size_t>(step.leaf)].buffer != m_buffer)
                    continue;
                const Chain chain = chainOf(kernel, i);
                if (!isOfLoops(kernel) || step.isGuarded || step.type != made.type || chain.end < 0 ||
                    (m_links && *m_links != chain.links))
                    return false;
                m_links = chain.links;
                m_reads.push_back({k, i, chain.end});
                // A row's threads make it once a row each; else it is made for each element.
                const double reads =
                    static_cast<double>(kernel.rows()) *
                    (step.level >= StepLevel::Column ? static_cast<double>(kernel.columns()) : 1);
                isOften = isOften ||
                          (reads >= leastReads * elementsOf(made.address) && step.level >= StepLevel::Column);
            }
        }
        return isOften && isReadByNoOther();
    }

    /// A library's operands and places have no step.
    [[nodiscard]] bool isReadByNoOther() const {
        return std::none_of(m_plan.kernels.begin(), m_plan.kernels.end(), [this](const FusedKernel &kernel) {
            return !isOfLoops(kernel) &&
                   std::any_of(kernel.leaves.begin(), kernel.leaves.end(),
                               [this](const KernelLeaf &leaf) { return leaf.buffer == m_buffer; });
        });
    }

    [[nodiscard]] double elementsOf(const AffineIndex &address) const {
        const FusedKernel &maker = m_plan.kernels[m_maker];
        double count = 1;
        for (std::size_t k = 0; k < maker.loops.size(); ++k)
            count *= address.steps[k] != 0 ? static_cast<double>(maker.loops[k]) : 1;
        return count;
    }

    /// Whoever reads the chain's end reads what was loaded; finish() drops the rest.
    static void replace(FusedKernel &kernel, int load, int end) {
        for (KernelStep &step : kernel.steps)
            std::replace(step.operands.begin(), step.operands.end(), end, load);
        for (KernelStore &store : kernel.stores)
            if (store.step == end)
                store.step = load;
    }

    KernelPlan &m_plan;
    std::size_t m_maker;
    std::size_t m_store;
    int m_buffer;
    std::optional<std::vector<Link>> m_links; ///< of all that read it
    std::vector<Read> m_reads;
};

} // namespace

void hoistSteps(KernelPlan &plan) {
    for (std::size_t maker = 0; maker < plan.kernels.size(); ++maker)
        for (std::size_t store = 0; store < plan.kernels[maker].stores.size(); ++store)
            Hoisting(plan, maker, store).run();
}

} // namespace warpwright
