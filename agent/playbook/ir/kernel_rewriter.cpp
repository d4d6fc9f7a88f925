// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/ir/kernel_rewriter.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <functional>

namespace warpwright {
namespace {

using IndexRemap = std::function<AffineExpr(const AffineExpr &)>;

class StepCopier {
public:
    StepCopier(Kernel &to, const Kernel &from, IndexRemap remap)
        : m_to(to), m_from(from), m_remap(std::move(remap)) {}

    /// False: a step loads elements of a fused buffer that are not computed at the same index.
    bool run() {
        for (const KernelStep &step : m_from.steps)
            if (!copy(step))
                return false;
        copyStores();
        return true;
    }

    /// Copies the next step; false: see run().
    bool copy(const KernelStep &step) {
        KernelStep some = step;
        some.pass = 0;
        for (int &operand : some.operands)
            operand = copyOf(operand);
        const int position = some.op == Opcode::Load    ? loaded(std::move(some))
                             : some.op == Opcode::Index ? counted(std::move(some))
                                                        : computed(std::move(some));
        m_copies.push_back(position);
        return position >= 0;
    }

    /// Instead of copy(): maps the next step to an existing one.
    void put(int position) { m_copies.push_back(position); }
    /// The copy of a step.
    [[nodiscard]] int copyOf(int step) const { return m_copies[static_cast<std::size_t>(step)]; }

    void copyStores() {
        std::vector<KernelStore> stores;
        for (KernelStore store : m_from.stores) {
            store.step = copyOf(store.step);
            store.address = m_remap(store.address);
            stores.push_back(std::move(store));
        }
        m_to.stores.insert(m_to.stores.end(), stores.begin(), stores.end());
    }

private:
    int loaded(KernelStep some) {
        KernelInput input = m_from.inputs[static_cast<std::size_t>(some.input)];
        input.address = m_remap(input.address);
        if (some.isGuarded)
            if (const auto isThere = decided(some.operands.back())) {
                if (!*isThere)
                    return m_to.number(some.number, some.type);
                some.operands.pop_back();
                some.isGuarded = false;
                some.number = 0;
            }
        bool isMade = false;
        for (const KernelStore &store : m_to.stores) {
            if (store.buffer != input.buffer)
                continue;
            isMade = true;
            // Unrounded: within a kernel, values are not rounded to half precision between operators.
            if (some.operands.empty() && store.address == input.address &&
                m_to.step(store.step).type == some.type)
                return store.step;
        }
        if (isMade)
            return -1;
        foldIndices(some, input);
        const auto found = std::find(m_to.inputs.begin(), m_to.inputs.end(), input);
        some.input = static_cast<int>(found - m_to.inputs.begin());
        some.level = m_to.levelOf(input.address);
        if (found == m_to.inputs.end())
            m_to.inputs.push_back(std::move(input));
        return m_to.append(std::move(some));
    }

    // Constant indices become an offset of the address.
    void foldIndices(KernelStep &some, KernelInput &input) const {
        const std::size_t count = input.strides.size();
        const auto end = some.operands.begin() + static_cast<std::ptrdiff_t>(count);
        if (count == 0 || !std::all_of(some.operands.begin(), end, [this](int operand) {
                return m_to.step(operand).op == Opcode::Number;
            }))
            return;
        for (std::size_t i = 0; i < count; ++i)
            input.address.offset +=
                input.strides[i] * static_cast<std::int64_t>(m_to.step(some.operands[i]).number);
        input.strides.clear();
        some.operands.erase(some.operands.begin(), end);
    }

    int counted(KernelStep some) {
        some.index = m_remap(some.index);
        some.level = m_to.levelOf(some.index);
        if (some.level == StepLevel::Constant && isExact(some.index.offset))
            return m_to.number(static_cast<double>(some.index.offset), some.type);
        return m_to.append(std::move(some));
    }

    // Whether a double, which is what a step's number is, holds the value exactly.
    static bool isExact(std::int64_t value) { return std::abs(value) <= std::int64_t(1) << 53; }

    int computed(KernelStep some) {
        some.level = StepLevel::Constant;
        const std::vector<int> operands = some.operands;
        if (some.op == Opcode::Select) {
            if (const auto isFirst = decided(operands[0]))
                return operands[*isFirst ? 1 : 2];
        } else if (some.op == Opcode::And || some.op == Opcode::Or) {
            for (const std::size_t i : {0U, 1U})
                if (const auto is = decided(operands[i]))
                    return *is == (some.op == Opcode::And) ? operands[1 - i] : operands[i];
        } else if (isComparison(some.op)) {
            if (const auto is = compared(some))
                return m_to.number(*is ? 1 : 0, ElementType::Bool);
        } else if (const auto value = foldedInteger(some); value && isExact(*value)) {
            return m_to.number(static_cast<double>(*value), some.type);
        }
        // add() sorts the operands anew: the canonical order depends on the loops.
        return isCommutative(some.op) ? m_to.add(some.op, some.type, operands) : m_to.append(std::move(some));
    }

    // Folds 64-bit integers, as index arithmetic uses them; empty: an operand is no constant.
    [[nodiscard]] std::optional<std::int64_t> foldedInteger(const KernelStep &some) const {
        if (some.type != ElementType::Int64 || some.operands.size() != 2)
            return std::nullopt;
        std::array<std::int64_t, 2> values{};
        for (std::size_t i = 0; i < 2; ++i) {
            const KernelStep &operand = m_to.step(some.operands[i]);
            constexpr double mostCounted = 1e9; // 64 bits hold their product
            if (operand.op != Opcode::Number || std::abs(operand.number) > mostCounted)
                return std::nullopt;
            values[i] = static_cast<std::int64_t>(operand.number);
        }
        switch (some.op) {
        case Opcode::Add:
            return values[0] + values[1];
        case Opcode::Subtract:
            return values[0] - values[1];
        case Opcode::Multiply:
            return values[0] * values[1];
        case Opcode::Remainder: // with the divisor's sign
            return values[1] > 0 ? std::optional((values[0] % values[1] + values[1]) % values[1])
                                 : std::nullopt;
        default:
            return std::nullopt;
        }
    }

    [[nodiscard]] std::optional<bool> decided(int step) const {
        const KernelStep &some = m_to.step(step);
        return some.op == Opcode::Number ? std::optional(some.number != 0) : std::nullopt;
    }

    // Smallest and largest value; empty: neither index nor constant.
    [[nodiscard]] std::optional<std::pair<double, double>> rangeOf(int step) const {
        const KernelStep &some = m_to.step(step);
        if (some.op == Opcode::Number)
            return std::pair(some.number, some.number);
        if (some.op != Opcode::Index)
            return std::nullopt;
        const auto range = warpwright::rangeOf(some.index, m_to.loops);
        return std::pair(static_cast<double>(range.first), static_cast<double>(range.second));
    }

    [[nodiscard]] std::optional<bool> compared(const KernelStep &some) const {
        const auto one = rangeOf(some.operands[0]);
        const auto other = rangeOf(some.operands[1]);
        if (!one || !other)
            return std::nullopt;
        const bool isDisjoint = one->second < other->first || other->second < one->first;
        const bool isSame = one->first == one->second && *one == *other;
        switch (some.op) {
        case Opcode::Less:
            return one->second < other->first    ? std::optional(true)
                   : one->first >= other->second ? std::optional(false)
                                                 : std::nullopt;
        case Opcode::LessOrEqual:
            return one->second <= other->first  ? std::optional(true)
                   : one->first > other->second ? std::optional(false)
                                                : std::nullopt;
        case Opcode::Equal:
        case Opcode::NotEqual:
            return isSame       ? std::optional(some.op == Opcode::Equal)
                   : isDisjoint ? std::optional(some.op == Opcode::NotEqual)
                                : std::nullopt;
        default:
            return std::nullopt;
        }
    }

    Kernel &m_to;
    const Kernel &m_from;
    IndexRemap m_remap;
    std::vector<int> m_copies; ///< by step of `m_from`
};

} // namespace

std::optional<Kernel> fusedIn(const AlignedLoops &loops, const Kernel &first, const Kernel &second) {
    Kernel both;
    both.device = first.device;
    both.loops = loops.loops;
    both.outer = loops.outer;
    for (const auto &[kernel, parts] : {std::pair(&first, &loops.first), std::pair(&second, &loops.second)}) {
        const IndexRemap remap = [&, parts = parts](const AffineExpr &index) {
            return overParts(index, *parts, loops.loops.size());
        };
        if (!StepCopier(both, *kernel, remap).run())
            return std::nullopt;
    }
    return both;
}

namespace {

/// The producer's loop counters by the consumer's, for a load at `address` of its store; empty: not affine.
std::optional<AffineMap> loopsAt(const Kernel &producer, AffineExpr address, const Shape &loops) {
    const AffineExpr &made = producer.stores[0].address;
    address.offset -= made.offset;
    std::vector<std::size_t> order;
    for (std::size_t k = 0; k < producer.loops.size(); ++k)
        if (producer.loops[k] > 1)
            order.push_back(k);
    std::stable_sort(order.begin(), order.end(),
                     [&made](std::size_t a, std::size_t b) { return made.steps[a] > made.steps[b]; });
    Shape sizes;
    for (const std::size_t k : order)
        sizes.push_back(producer.loops[k]);
    const Shape dense = contiguousStrides(sizes);
    for (std::size_t i = 0; i < order.size(); ++i)
        if (made.steps[order[i]] != dense[i])
            return std::nullopt;
    std::optional<LoopSplit> split;
    const auto digits = address.offset < 0 ? std::nullopt : delinearize(address, sizes, loops, split);
    if (!digits)
        return std::nullopt;
    AffineMap map(producer.loops.size(), constantIndex(0, loops.size()));
    for (std::size_t i = 0; i < order.size(); ++i)
        map[order[i]] = (*digits)[i];
    return map;
}

} // namespace

std::optional<Kernel> withProducerInside(const Kernel &producer, const Kernel &consumer) {
    Kernel all;
    all.device = consumer.device;
    all.loops = consumer.loops;
    all.outer = consumer.outer;
    const int buffer = producer.stores[0].buffer;
    for (const KernelInput &input : consumer.inputs) {
        if (input.buffer != buffer)
            continue;
        const auto map = input.isPlain() ? loopsAt(producer, input.address, consumer.loops) : std::nullopt;
        if (!map)
            return std::nullopt;
        const IndexRemap remap = [&](const AffineExpr &index) {
            AffineExpr answer = linearize(*map, index.steps, index.offset);
            answer.steps.resize(consumer.loops.size(), 0);
            return answer;
        };
        if (!StepCopier(all, producer, remap).run())
            return std::nullopt;
    }
    if (!StepCopier(all, consumer, [](const AffineExpr &index) { return index; }).run())
        return std::nullopt;
    std::erase_if(all.stores, [buffer](const KernelStore &store) { return store.buffer == buffer; });
    return all;
}

Kernel loopSlice(const Kernel &kernel, std::size_t loop, std::int64_t begin, std::int64_t end) {
    Kernel part;
    part.device = kernel.device;
    part.loops = kernel.loops;
    part.loops[loop] = end - begin;
    part.outer = kernel.outer;
    const IndexRemap remap = [&](AffineExpr index) {
        index.offset += index.steps[loop] * begin;
        return index;
    };
    StepCopier(part, kernel, remap).run();
    return part;
}

Kernel unrolled(const Kernel &kernel, std::size_t loop) {
    Kernel all;
    all.device = kernel.device;
    all.loops = kernel.loops;
    all.loops[loop] = 1;
    all.outer = kernel.outer;
    for (std::int64_t iteration = 0; iteration < kernel.loops[loop]; ++iteration) {
        const IndexRemap remap = [&](AffineExpr index) {
            index.offset += index.steps[loop] * iteration;
            index.steps[loop] = 0;
            return index;
        };
        StepCopier(all, kernel, remap).run();
    }
    return all;
}

std::optional<Kernel> withReductionsUnrolled(const Kernel &kernel) {
    const auto isOther = [](const KernelStep &step) {
        return isScan(step.op) || step.op == Opcode::RowKthValue;
    };
    if (std::any_of(kernel.steps.begin(), kernel.steps.end(), isOther))
        return std::nullopt;
    Kernel all;
    all.device = kernel.device;
    all.loops = kernel.loops;
    std::fill(all.loops.begin() + static_cast<std::ptrdiff_t>(kernel.outer), all.loops.end(), 1);
    const Shape inner(kernel.loops.begin() + static_cast<std::ptrdiff_t>(kernel.outer), kernel.loops.end());
    const Shape strides = contiguousStrides(inner);
    std::vector<StepCopier> elements;
    for (std::int64_t element = 0; element < kernel.columns(); ++element)
        elements.emplace_back(all, kernel, [&, element](AffineExpr index) {
            for (std::size_t k = 0; k < inner.size(); ++k) {
                std::int64_t &step = index.steps[kernel.outer + k];
                index.offset += step * (element / strides[k] % inner[k]);
                step = 0;
            }
            return index;
        });
    for (const KernelStep &step : kernel.steps) {
        if (!isReduction(step.op)) {
            for (StepCopier &element : elements)
                element.copy(step);
            continue;
        }
        int chain = elements[0].copyOf(step.operands[0]);
        for (std::size_t i = 1; i < elements.size(); ++i)
            chain = all.add(combinerOf(step.op, step.type == ElementType::Bool), step.type,
                            {chain, elements[i].copyOf(step.operands[0])});
        for (StepCopier &element : elements)
            element.put(chain);
    }
    const bool isOfElements =
        std::any_of(kernel.stores.begin(), kernel.stores.end(), [&kernel](const KernelStore &store) {
            return kernel.levelOf(store.address) > StepLevel::Row;
        });
    for (std::size_t i = 0; i < (isOfElements ? elements.size() : 1); ++i)
        elements[i].copyStores();
    return all;
}

bool isReadInclusively(const Kernel &kernel, int scan) {
    return std::any_of(kernel.steps.begin(), kernel.steps.end(),
                       [scan](const KernelStep &step) {
                           return step.op != Opcode::ScanExclusive &&
                                  std::find(step.operands.begin(), step.operands.end(), scan) !=
                                      step.operands.end();
                       }) ||
           std::any_of(kernel.stores.begin(), kernel.stores.end(),
                       [scan](const KernelStore &store) { return store.step == scan; });
}

std::set<int> ancestorsOf(const Kernel &kernel, int step) {
    std::set<int> found = {step};
    for (int number = step; number >= 0; --number)
        if (found.contains(number))
            found.insert(kernel.step(number).operands.begin(), kernel.step(number).operands.end());
    return found;
}

bool isGuarded(const Kernel &kernel, int input) {
    return std::any_of(kernel.steps.begin(), kernel.steps.end(), [input](const KernelStep &step) {
        return step.op == Opcode::Load && step.input == input && step.isGuarded;
    });
}

} // namespace warpwright
