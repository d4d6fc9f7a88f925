// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/schedule/reduction_schedule.h"

#include <algorithm>
#include <map>

namespace warpwright {
namespace {

// A plain loop counter: no other name makes it clearer.
bool isBareCounter(const KernelStep &step) {
    std::int64_t sum = 0;
    for (const std::int64_t some : step.index.steps)
        sum += std::abs(some);
    return step.op == Opcode::Index && step.index.offset == 0 && sum <= 1;
}

bool isOfElements(const KernelStep &step) {
    return step.level >= StepLevel::Column && !isReduction(step.op);
}

/// Loads, and weighted instructions, that computing a step from memory takes.
struct Cost {
    int loads = 0;
    int instructions = 0;
};

Cost costOf(const Kernel &kernel, int number, std::set<int> &seen) {
    Cost cost;
    const KernelStep &step = kernel.step(number);
    if (!isOfElements(step) || !seen.insert(number).second)
        return cost;
    cost.loads = step.op == Opcode::Load ? 1 : 0;
    if (step.op == Opcode::Load)
        cost.instructions =
            kernel.inputs[static_cast<std::size_t>(step.input)].type == ElementType::Float16 ? 8 : 0;
    else
        cost.instructions = isExpensive(step.op) ? 20 : step.op == Opcode::Divide ? 4 : 1;
    for (const int operand : step.operands) {
        const Cost part = costOf(kernel, operand, seen);
        cost.loads += part.loads;
        cost.instructions += part.instructions;
    }
    return cost;
}

bool isWorthCaching(const Kernel &kernel, int number, RowCaching caching) {
    const KernelStep &step = kernel.step(number);
    if (caching == RowCaching::Nothing || step.level != StepLevel::Element)
        return false;
    if (caching == RowCaching::All)
        return true;
    std::set<int> seen;
    const Cost cost = costOf(kernel, number, seen);
    return cost.instructions >= 8 || (cost.loads >= 2 && cost.instructions >= 1);
}

class Scheduler {
public:
    Scheduler(const Kernel &kernel, RowCaching caching, const std::set<int> &fleeting)
        : m_kernel(kernel), m_caching(caching), m_fleeting(fleeting) {}

    ReductionSchedule run() {
        const int count = m_kernel.passCount();
        m_schedule.passes.resize(static_cast<std::size_t>(count));
        m_schedule.uses.assign(m_kernel.steps.size(), 0);
        for (std::size_t i = 0; i < m_kernel.stores.size(); ++i) {
            const KernelStep &step = m_kernel.step(m_kernel.stores[i].step);
            if (isOfElements(step) || isInLoop(m_kernel.stores[i]))
                passAt(std::max(step.pass, 0)).stores.push_back(static_cast<int>(i));
            else
                m_schedule.rowStores.push_back(static_cast<int>(i));
        }
        for (std::size_t i = 0; i < m_kernel.steps.size(); ++i)
            if (isReduction(m_kernel.steps[i].op) && m_kernel.steps[i].op != Opcode::RowKthValue)
                passAt(m_kernel.steps[i].pass - 1).reductions.push_back(static_cast<int>(i));
        for (std::size_t p = 0; p < m_schedule.passes.size(); ++p)
            fillPass(p);
        for (const int position : m_schedule.rowStores)
            use(m_kernel.stores[static_cast<std::size_t>(position)].step);
        nameRowSteps();
        std::sort(m_schedule.cached.begin(), m_schedule.cached.end());
        return std::move(m_schedule);
    }

private:
    ReductionPass &passAt(int pass) { return m_schedule.passes[static_cast<std::size_t>(pass)]; }

    // A per-row value that is written to each element.
    [[nodiscard]] bool isInLoop(const KernelStore &store) const {
        return m_kernel.levelOf(store.address) >= StepLevel::Column;
    }

    void use(int number) { ++m_schedule.uses[static_cast<std::size_t>(number)]; }

    void fillPass(std::size_t p) {
        ReductionPass &pass = m_schedule.passes[p];
        std::set<int> needed;
        const auto need = [&](int step) {
            use(step);
            collect(step, p, pass, needed);
        };
        for (const int reduction : pass.reductions)
            need(m_kernel.step(reduction).operands[0]);
        for (const int position : pass.stores)
            need(m_kernel.stores[static_cast<std::size_t>(position)].step);
        for (const int step : selectsAfter(p + 1)) // the values they search are computed once
            if (isWorthCaching(m_kernel, m_kernel.step(step).operands[0], m_caching))
                need(m_kernel.step(step).operands[0]);
        pass.computed.assign(needed.begin(), needed.end());
        for (const int step : needed)
            m_firstPass.emplace(step, p);
        for (const int step : selectsAfter(p)) {
            ReductionPass &search = pass.selects.emplace_back();
            search.reductions = {step};
            std::set<int> searched;
            use(m_kernel.step(step).operands[0]);
            collect(m_kernel.step(step).operands[0], p + 1, search, searched);
            search.computed.assign(searched.begin(), searched.end());
        }
    }

    // K-th values that are known after pass p.
    [[nodiscard]] std::vector<int> selectsAfter(std::size_t p) const {
        std::vector<int> steps;
        for (std::size_t i = 0; i < m_kernel.steps.size(); ++i)
            if (m_kernel.steps[i].op == Opcode::RowKthValue &&
                static_cast<std::size_t>(m_kernel.steps[i].pass) == p + 1)
                steps.push_back(static_cast<int>(i));
        return steps;
    }

    void collect(int number, std::size_t p, ReductionPass &pass, std::set<int> &needed) {
        const KernelStep &step = m_kernel.step(number);
        if (!isOfElements(step)) {
            m_usedInLoop.insert(number);
            return;
        }
        if (needed.contains(number))
            return;
        if (std::find(pass.reused.begin(), pass.reused.end(), number) != pass.reused.end())
            return;
        const auto first = m_firstPass.find(number);
        if (first != m_firstPass.end() && first->second < p && !m_fleeting.contains(number) &&
            isWorthCaching(m_kernel, number, m_caching)) {
            pass.reused.push_back(number);
            ReductionPass &before = m_schedule.passes[first->second];
            if (std::find(before.cached.begin(), before.cached.end(), number) == before.cached.end()) {
                before.cached.push_back(number);
                m_schedule.cached.push_back(number);
            }
            return;
        }
        for (const int operand : step.operands) {
            use(operand);
            collect(operand, p, pass, needed);
        }
        needed.insert(number);
    }

    // Per-row steps that loops use, or several others do, get a name as soon as they can be computed.
    void nameRowSteps() {
        m_schedule.named.resize(m_schedule.passes.size() + 1);
        std::vector<int> uses = m_schedule.uses;
        for (const KernelStep &step : m_kernel.steps)
            if (!isOfElements(step) && !isReduction(step.op))
                for (const int operand : step.operands)
                    ++uses[static_cast<std::size_t>(operand)];
        for (std::size_t i = 0; i < m_kernel.steps.size(); ++i) {
            const KernelStep &step = m_kernel.steps[i];
            const auto number = static_cast<int>(i);
            if (isOfElements(step) || isReduction(step.op) || step.op == Opcode::Number ||
                isBareCounter(step))
                continue;
            const bool isShared = uses[i] > 1 && step.op != Opcode::Load;
            if (m_usedInLoop.contains(number) || isShared)
                m_schedule.named[static_cast<std::size_t>(step.pass)].push_back(number);
        }
        m_schedule.uses = uses;
    }

    const Kernel &m_kernel;
    RowCaching m_caching;
    const std::set<int> &m_fleeting;
    ReductionSchedule m_schedule;
    std::map<int, std::size_t> m_firstPass;
    std::set<int> m_usedInLoop;
};

} // namespace

int usesIn(const Kernel &kernel, const ReductionPass &pass, int step) {
    int count = 0;
    if (isBareCounter(kernel.step(step)))
        return 1;
    const bool isComputed = kernel.step(step).op > Opcode::Index || !kernel.step(step).operands.empty();
    for (const int other : pass.computed) {
        const KernelStep &user = kernel.step(other);
        for (std::size_t i = 0; i < user.operands.size(); ++i) {
            if (user.operands[i] != step)
                continue;
            const bool isChosen = user.op == Opcode::Select && i > 0;
            const bool isCompared = user.op == Opcode::Maximum || user.op == Opcode::Minimum ||
                                    user.op == Opcode::ScanMaximum || user.op == Opcode::ScanMinimum;
            count += isComputed && (isChosen || isCompared) ? 2 : 1;
        }
    }
    for (const int sum : pass.reductions) {
        const Opcode op = kernel.step(sum).op;
        const bool isCompared = op == Opcode::RowMaximum || op == Opcode::RowMinimum;
        count += kernel.step(sum).operands[0] == step ? (isCompared ? 2 : 1) : 0;
    }
    for (const int position : pass.stores)
        count += kernel.stores[static_cast<std::size_t>(position)].step == step ? 1 : 0;
    return count;
}

int maxCachedAtOnce(const ReductionSchedule &schedule) {
    const auto holds = [](const std::vector<int> &steps, int step) {
        return std::find(steps.begin(), steps.end(), step) != steps.end();
    };
    const auto takes = [&holds](const ReductionPass &pass, int step) {
        return holds(pass.reused, step) ||
               std::any_of(pass.selects.begin(), pass.selects.end(),
                           [&](const ReductionPass &search) { return holds(search.reused, step); });
    };
    std::ptrdiff_t most = 0;
    for (auto next = schedule.passes.begin(); next != schedule.passes.end(); ++next)
        most = std::max(most, std::count_if(schedule.cached.begin(), schedule.cached.end(), [&](int step) {
                            const bool isThere =
                                std::any_of(schedule.passes.begin(), next, [&](const ReductionPass &pass) {
                                    return holds(pass.cached, step);
                                });
                            return isThere &&
                                   std::any_of(next, schedule.passes.end(),
                                               [&](const ReductionPass &pass) { return takes(pass, step); });
                        }));
    return static_cast<int>(most);
}

ReductionSchedule scheduleOf(const Kernel &kernel, RowCaching caching, const std::set<int> &fleeting) {
    return Scheduler(kernel, caching, fleeting).run();
}

} // namespace warpwright
