// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/fusion/hoist_into_producer.h"

#include "agent/playbook/ir/kernel_rewriter.h"

#include <algorithm>

namespace warpwright {
namespace {

constexpr double leastReads = 4; ///< of each element: below it the producer would compute as much

/// One step of a chain: an operator whose other operand, if any, is a constant.
struct Link {
    Opcode op = Opcode::Number;
    ElementType type = ElementType::Float32;
    std::vector<double> numbers; ///< by operand; not read for the chain's own
    std::size_t position = 0;    ///< of the chain's own operand

    bool operator==(const Link &) const = default;
};

bool isCostly(const Link &link) {
    return isExpensive(link.op) || link.op == Opcode::Sqrt || link.op == Opcode::Divide;
}

/// Steps that read `step`; -1 for each store of it.
std::vector<int> consumersOf(const Kernel &kernel, int step) {
    std::vector<int> consumers;
    for (int i = 0; i < static_cast<int>(kernel.steps.size()); ++i) {
        const std::vector<int> &operands = kernel.step(i).operands;
        if (std::find(operands.begin(), operands.end(), step) != operands.end())
            consumers.push_back(i);
    }
    for (const KernelStore &store : kernel.stores)
        if (store.step == step)
            consumers.push_back(-1);
    return consumers;
}

/// What the only consumer computes from `step` and constants alone; empty: it has several uses, or another
/// operand.
std::optional<std::pair<int, Link>> nextLink(const Kernel &kernel, int step) {
    const std::vector<int> consumers = consumersOf(kernel, step);
    if (consumers.size() != 1 || consumers[0] < 0)
        return std::nullopt;
    const KernelStep &consumer = kernel.step(consumers[0]);
    if (consumer.op == Opcode::Load || isReduction(consumer.op) || isScan(consumer.op) ||
        !isFloating(consumer.type) || consumer.op == Opcode::Convert ||
        std::count(consumer.operands.begin(), consumer.operands.end(), step) != 1)
        return std::nullopt;
    Link link{consumer.op, consumer.type, {}, 0};
    for (std::size_t i = 0; i < consumer.operands.size(); ++i) {
        const KernelStep &operand = kernel.step(consumer.operands[i]);
        if (consumer.operands[i] == step)
            link.position = i;
        else if (operand.op != Opcode::Number || operand.type != consumer.type)
            return std::nullopt;
        link.numbers.push_back(consumer.operands[i] == step ? 0 : operand.number);
    }
    return std::pair(consumers[0], link);
}

/// From a load on: the operations up to the last costly one, and the step that is their result.
struct Chain {
    std::vector<Link> links;
    int end = -1;
};

Chain chainOf(const Kernel &kernel, int load) {
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
    Hoisting(Program &program, std::size_t producer, std::size_t store)
        : m_program(program),
          m_producer(producer),
          m_store(store),
          m_buffer(program.kernels[producer].stores[store].buffer) {}

    bool run() {
        Kernel &producer = m_program.kernels[m_producer];
        const KernelStore &made = producer.stores[m_store];
        const ProgramBuffer &buffer = m_program.buffers[static_cast<std::size_t>(m_buffer)];
        if (!isLoopNest(producer) || !made.every.empty() || buffer.kind != ProgramBuffer::Kind::Temporary ||
            made.type != producer.step(made.step).type || isMadeTwice() || !findConsumers())
            return false;
        for (const auto &[kernel, load, end] : m_reads)
            replace(m_program.kernels[kernel], load, end);
        for (const auto &[kernel, load, end] : m_reads)
            m_program.kernels[kernel].finish();
        int value = made.step;
        for (const Link &link : *m_links) {
            std::vector<int> operands;
            for (std::size_t i = 0; i < link.numbers.size(); ++i)
                operands.push_back(i == link.position ? value : producer.number(link.numbers[i], link.type));
            value = producer.add(link.op, link.type, std::move(operands));
        }
        producer.stores[m_store].step = value;
        producer.finish();
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
        for (const Kernel &kernel : m_program.kernels)
            for (const KernelStore &store : kernel.stores)
                count += store.buffer == m_buffer;
        const bool isWindow = std::any_of(
            m_program.buffers.begin(), m_program.buffers.end(), [this](const ProgramBuffer &some) {
                return some.kind == ProgramBuffer::Kind::Window && some.window.buffer == m_buffer;
            });
        return count != 1 || isWindow;
    }

    /// All loads of it, each followed by the same chain; false: there are others, or nothing is saved.
    bool findConsumers() {
        const Kernel &producer = m_program.kernels[m_producer];
        const KernelStore &made = producer.stores[m_store];
        bool isOften = false;
        for (std::size_t k = 0; k < m_program.kernels.size(); ++k) {
            const Kernel &kernel = m_program.kernels[k];
            for (int i = 0; i < static_cast<int>(kernel.steps.size()); ++i) {
                const KernelStep &step = kernel.step(i);
                if (step.op != Opcode::Load ||
                    kernel.inputs[static_cast<std::size_t>(step.input)].buffer != m_buffer)
                    continue;
                const Chain chain = chainOf(kernel, i);
                if (!isLoopNest(kernel) || step.isGuarded || step.type != made.type || chain.end < 0 ||
                    (m_links && *m_links != chain.links))
                    return false;
                m_links = chain.links;
                m_reads.push_back({k, i, chain.end});
                // Each thread of a row computes it once per row; else it is computed per element.
                const double reads =
                    static_cast<double>(kernel.rows()) *
                    (step.level >= StepLevel::Column ? static_cast<double>(kernel.columns()) : 1);
                isOften = isOften ||
                          (reads >= leastReads * elementsOf(made.address) && step.level >= StepLevel::Column);
            }
        }
        return isOften && isReadByNoOther();
    }

    /// Operands of structured ops and scatter indices have no step.
    [[nodiscard]] bool isReadByNoOther() const {
        return std::none_of(m_program.kernels.begin(), m_program.kernels.end(), [this](const Kernel &kernel) {
            return !isLoopNest(kernel) &&
                   std::any_of(kernel.inputs.begin(), kernel.inputs.end(),
                               [this](const KernelInput &input) { return input.buffer == m_buffer; });
        });
    }

    [[nodiscard]] double elementsOf(const AffineExpr &address) const {
        const Kernel &producer = m_program.kernels[m_producer];
        double count = 1;
        for (std::size_t k = 0; k < producer.loops.size(); ++k)
            count *= address.steps[k] != 0 ? static_cast<double>(producer.loops[k]) : 1;
        return count;
    }

    /// Replaces uses of the chain's end by the load; finish() removes dead steps.
    static void replace(Kernel &kernel, int load, int end) {
        for (KernelStep &step : kernel.steps)
            std::replace(step.operands.begin(), step.operands.end(), end, load);
        for (KernelStore &store : kernel.stores)
            if (store.step == end)
                store.step = load;
    }

    Program &m_program;
    std::size_t m_producer;
    std::size_t m_store;
    int m_buffer;
    std::optional<std::vector<Link>> m_links; ///< common to all consumers
    std::vector<Read> m_reads;
};

} // namespace

void hoistIntoProducers(Program &program) {
    for (std::size_t producer = 0; producer < program.kernels.size(); ++producer)
        for (std::size_t store = 0; store < program.kernels[producer].stores.size(); ++store)
            Hoisting(program, producer, store).run();
}

} // namespace warpwright
