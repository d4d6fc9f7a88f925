// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/fusion/fuse_scan.h"

#include "agent/playbook/ir/kernel_rewriter.h"
#include "agent/playbook/schedule/row_scan.h"

#include <algorithm>
#include <map>

namespace warpwright {
namespace {

constexpr std::size_t mostSteps = 300;     ///< as many as a kernel is unrolled to
constexpr std::int64_t mostIterations = 4; ///< of a loop that is unrolled

bool hasSums(const Kernel &kernel) {
    return std::any_of(kernel.steps.begin(), kernel.steps.end(),
                       [](const KernelStep &step) { return isReduction(step.op); });
}

bool isFusibleScan(const Program &program, const Kernel &producer) {
    return isLoopNest(producer) && producer.hasScans() && !hasSums(producer) && !producer.isScattered() &&
           producer.loops.size() == producer.outer + 1 && producer.stores.size() == 1 &&
           producer.stores[0].every.empty() && isScan(producer.step(producer.stores[0].step).op) &&
           producer.stores[0].type == producer.step(producer.stores[0].step).type &&
           program.buffers[static_cast<std::size_t>(producer.stores[0].buffer)].kind ==
               ProgramBuffer::Kind::Temporary;
}

/// Offset of this index from the element's position in its row; empty: it is no such index.
std::optional<std::int64_t> offsetFromColumn(const Kernel &kernel, int number) {
    const KernelStep &position = kernel.step(number);
    std::vector<std::int64_t> column(kernel.loops.size(), 0);
    column.back() = 1;
    return position.op == Opcode::Index && position.index.steps == column
               ? std::optional(position.index.offset)
               : std::nullopt;
}

/// The first element of a row for which this condition can hold.
std::int64_t firstFor(const Kernel &kernel, int condition) {
    const KernelStep &step = kernel.step(condition);
    if (step.op == Opcode::And)
        return std::max(firstFor(kernel, step.operands[0]), firstFor(kernel, step.operands[1]));
    if (step.op != Opcode::LessOrEqual && step.op != Opcode::Less)
        return 0;
    const KernelStep &least = kernel.step(step.operands[0]);
    const auto beyond = offsetFromColumn(kernel, step.operands[1]);
    return least.op == Opcode::Number && beyond
               ? static_cast<std::int64_t>(least.number) - *beyond + (step.op == Opcode::Less ? 1 : 0)
               : 0;
}

/// Whether it holds for a row's first element alone.
bool isFirst(const Kernel &kernel, int condition) {
    const KernelStep &step = kernel.step(condition);
    if (step.op != Opcode::Less)
        return false;
    const KernelStep &end = kernel.step(step.operands[1]);
    const auto beyond = offsetFromColumn(kernel, step.operands[0]);
    return end.op == Opcode::Number && beyond && end.number - static_cast<double>(*beyond) == 1;
}

/// Whether it holds for all elements of a row but the first.
bool isAllButFirst(const Kernel &kernel, int condition) {
    return kernel.step(condition).op != Opcode::And && firstFor(kernel, condition) == 1;
}

/// The scan's initial value.
bool beginsWith(Opcode scan, double number) {
    return (scan == Opcode::ScanSum && number == 0) || (scan == Opcode::ScanProduct && number == 1);
}

class ScanFusion {
public:
    ScanFusion(const Kernel &producer, const Kernel &consumer)
        : m_producer(producer), m_consumer(consumer), m_scan(producer.stores[0].step), m_both(producer) {}

    std::optional<Kernel> run() {
        m_both.stores.clear();
        for (const KernelStep &step : m_consumer.steps) {
            const int made = taken(step);
            if (made < 0)
                return std::nullopt;
            m_newSteps.push_back(made);
        }
        for (KernelStore store : m_consumer.stores) {
            store.step = m_newSteps[static_cast<std::size_t>(store.step)];
            m_both.stores.push_back(std::move(store));
        }
        m_both.finish();
        return std::move(m_both);
    }

private:
    /// The step's counterpart in the fused kernel; -1: it reads the scan at another position.
    int taken(KernelStep step) {
        for (int &operand : step.operands)
            operand = m_newSteps[static_cast<std::size_t>(operand)];
        if (step.op == Opcode::Select)
            return chosen(std::move(step));
        if (step.op != Opcode::Load)
            return m_both.append(std::move(step));
        const KernelInput &input = m_consumer.inputs[static_cast<std::size_t>(step.input)];
        if (input.buffer == m_producer.stores[0].buffer)
            return made(step, input);
        const auto known = std::find(m_both.inputs.begin(), m_both.inputs.end(), input);
        step.input = static_cast<int>(known - m_both.inputs.begin());
        if (known == m_both.inputs.end())
            m_both.inputs.push_back(input);
        return m_both.append(std::move(step));
    }

    /// `first ? 1 : not first ? before : 0` is the exclusive scan.
    int chosen(KernelStep step) {
        int &other = step.operands[2];
        if (isFirst(m_both, step.operands[0])) {
            const KernelStep inner = m_both.step(other);
            if (inner.op == Opcode::Select && m_both.step(inner.operands[1]).op == Opcode::ScanExclusive &&
                isAllButFirst(m_both, inner.operands[0]))
                other = inner.operands[1];
            const KernelStep &begin = m_both.step(step.operands[1]);
            if (m_both.step(other).op == Opcode::ScanExclusive && begin.op == Opcode::Number &&
                beginsWith(m_both.step(m_scan).op, begin.number))
                return other;
        }
        return m_both.append(std::move(step));
    }

    int made(const KernelStep &load, const KernelInput &input) {
        AffineExpr here = m_producer.stores[0].address;
        if (!input.isPlain())
            return -1;
        int value = m_scan;
        if (input.address != here) {
            here.offset -= here.steps.back();
            if (input.address != here || !load.isGuarded || firstFor(m_both, load.operands.back()) < 1)
                return -1;
            value = m_both.add(Opcode::ScanExclusive, m_both.step(m_scan).type, {m_scan});
        }
        if (value != m_scan && isAllButFirst(m_both, load.operands.back()) &&
            beginsWith(m_both.step(m_scan).op, load.number))
            return value;
        return load.isGuarded
                   ? m_both.add(Opcode::Select, load.type,
                                {load.operands.back(), value, m_both.number(load.number, load.type)})
                   : value;
    }

    const Kernel &m_producer;
    const Kernel &m_consumer;
    int m_scan;
    Kernel m_both;
    std::vector<int> m_newSteps; ///< of the consumer's steps
};

/// Unrolls short loops that read the scan again: a colour's channels.
Kernel withRowsOnce(Kernel consumer, int buffer) {
    for (std::size_t k = consumer.outer; k-- > 0;) {
        const bool isAgain =
            std::all_of(consumer.inputs.begin(), consumer.inputs.end(), [&](const KernelInput &input) {
                return input.buffer != buffer || input.address.steps[k] == 0;
            });
        if (!isAgain || consumer.loops[k] == 1 || consumer.loops[k] > mostIterations)
            continue;
        consumer = unrolled(consumer, k);
        consumer.finish();
        k = std::min(k, consumer.outer); // the outer loops may be others now
    }
    return consumer;
}

std::optional<Kernel> both(const Program &program, std::size_t producer, std::size_t consumer) {
    const Kernel &first = program.kernels[producer];
    if (!isLoopNest(program.kernels[consumer]))
        return std::nullopt;
    const Kernel second = withRowsOnce(program.kernels[consumer], first.stores[0].buffer);
    if (second.hasScans() || second.isScattered() || first.loops != second.loops ||
        first.outer != second.outer || first.steps.size() + second.steps.size() > mostSteps)
        return std::nullopt;
    auto merged = ScanFusion(first, second).run();
    return merged && rowScanOf(*merged) && merged->bytes() < first.bytes() + second.bytes() ? merged
                                                                                            : std::nullopt;
}

} // namespace

void fuseScans(Program &program) {
    if (program.choices.isForCpu || !program.timeLoops.empty())
        return;
    for (std::size_t producer = 0; producer < program.kernels.size(); ++producer) {
        if (!isFusibleScan(program, program.kernels[producer]))
            continue;
        const std::optional<std::size_t> consumer = onlyConsumer(program, producer);
        if (!consumer)
            continue;
        auto merged = both(program, producer, *consumer);
        if (!merged)
            continue;
        program.kernels[*consumer] = std::move(*merged);
        program.kernels.erase(program.kernels.begin() + static_cast<std::ptrdiff_t>(producer));
        --producer;
    }
}

} // namespace warpwright
