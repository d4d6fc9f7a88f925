// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/schedule/kernel_schedule.h"

#include <algorithm>
#include <map>

namespace warpwright {
namespace {

// A loop's counter as it is: no other name makes it clearer.
bool isBareCounter(const KernelStep &step) {
    std::int64_t sum = 0;
    for (const std::int64_t some : step.index.steps)
        sum += std::abs(some);
    return step.op == KernelOp::Index && step.index.offset == 0 && sum <= 1;
}

bool isOfElements(const KernelStep &step) {
    return step.level >= StepLevel::Column && !isReduction(step.op);
}

/// Loads, and instructions weighed, that computing a step from memory takes.
struct Cost {
    int loads = 0;
    int instructions = 0;
};

Cost costOf(const FusedKernel &kernel, int number, std::set<int> &seen) {
    Cost cost;
    const KernelStep &step = kernel.step(number);
    if (!isOfElements(step) || !seen.insert(number).second)
        return cost;
    cost.loads = step.op == KernelOp::Load ? 1 : 0;
    if (step.op == KernelOp::Load)
        cost.instructions =
            kernel.leaves[static_cast<std::size_t>(step.leaf)].type == ElementType::Float16 ? 8 : 0;
    else
        cost.instructions = isExpensive(step.op) ? 20 : step.op == KernelOp::Divide ? 4 : 1;
    for (const int operand : step.operands) {
        const Cost part = costOf(kernel, operand, seen);
        cost.loads += part.loads;
        cost.instructions += part.instructions;
    }
    return cost;
}

bool isWorthKeeping(const FusedKernel &kernel, int number, Keeping keeping) {
    const KernelStep &step = kernel.step(number);
    if (keeping == Keeping::Nothing || step.level != StepLevel::Element)
        return false;
    if (keeping == Keeping::All)
        return true;
    std::set<int> seen;
    const Cost cost = costOf(kernel, number, seen);
    return cost.instructions >= 8 || (cost.loads >= 2 && cost.instructions >= 1);
}

class Scheduler {
public:
    Scheduler(const FusedKernel &kernel, Keeping keeping, const std::set<int> &fleeting)
        : m_kernel(kernel), m_keeping(keeping), m_fleeting(fleeting) {}

    KernelSchedule run() {
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
            if (isReduction(m_kernel.steps[i].op) && m_kernel.steps[i].op != KernelOp::RowRanked)
                passAt(m_kernel.steps[i].pass - 1).reductions.push_back(static_cast<int>(i));
        for (std::size_t p = 0; p < m_schedule.passes.size(); ++p)
            fillPass(p);
        for (const int place : m_schedule.rowStores)
            use(m_kernel.stores[static_cast<std::size_t>(place)].step);
        nameRowSteps();
        std::sort(m_schedule.kept.begin(), m_schedule.kept.end());
        return std::move(m_schedule);
    }

private:
    KernelPass &passAt(int pass) { return m_schedule.passes[static_cast<std::size_t>(pass)]; }

    // A value of a row that is written to each of its elements.
    [[nodiscard]] bool isInLoop(const KernelStore &store) const {
        return m_kernel.levelOf(store.address) >= StepLevel::Column;
    }

    void use(int number) { ++m_schedule.uses[static_cast<std::size_t>(number)]; }

    void fillPass(std::size_t p) {
        KernelPass &pass = m_schedule.passes[p];
        std::set<int> needed;
        const auto need = [&](int step) {
            use(step);
            collect(step, p, pass, needed);
        };
        for (const int reduction : pass.reductions)
            need(m_kernel.step(reduction).operands[0]);
        for (const int place : pass.stores)
            need(m_kernel.stores[static_cast<std::size_t>(place)].step);
        for (const int step : ranksAfter(p + 1)) // what they search in is computed once
            if (isWorthKeeping(m_kernel, m_kernel.step(step).operands[0], m_keeping))
                need(m_kernel.step(step).operands[0]);
        pass.computed.assign(needed.begin(), needed.end());
        for (const int step : needed)
            m_firstPass.emplace(step, p);
        for (const int step : ranksAfter(p)) {
            KernelPass &search = pass.ranked.emplace_back();
            search.reductions = {step};
            std::set<int> searched;
            use(m_kernel.step(step).operands[0]);
            collect(m_kernel.step(step).operands[0], p + 1, search, searched);
            search.computed.assign(searched.begin(), searched.end());
        }
    }

    // What is known of ranks once pass p is over.
    [[nodiscard]] std::vector<int> ranksAfter(std::size_t p) const {
        std::vector<int> steps;
        for (std::size_t i = 0; i < m_kernel.steps.size(); ++i)
            if (m_kernel.steps[i].op == KernelOp::RowRanked &&
                static_cast<std::size_t>(m_kernel.steps[i].pass) == p + 1)
                steps.push_back(static_cast<int>(i));
        return steps;
    }

    void collect(int number, std::size_t p, KernelPass &pass, std::set<int> &needed) {
        const KernelStep &step = m_kernel.step(number);
        if (!isOfElements(step)) {
            m_usedInLoop.insert(number);
            return;
        }
        if (needed.contains(number))
            return;
        if (std::find(pass.taken.begin(), pass.taken.end(), number) != pass.taken.end())
            return;
        const auto first = m_firstPass.find(number);
        if (first != m_firstPass.end() && first->second < p && !m_fleeting.contains(number) &&
            isWorthKeeping(m_kernel, number, m_keeping)) {
            pass.taken.push_back(number);
            KernelPass &before = m_schedule.passes[first->second];
            if (std::find(before.kept.begin(), before.kept.end(), number) == before.kept.end()) {
                before.kept.push_back(number);
                m_schedule.kept.push_back(number);
            }
            return;
        }
        for (const int operand : step.operands) {
            use(operand);
            collect(operand, p, pass, needed);
        }
        needed.insert(number);
    }

    // A row's steps that loops need, or that several others do, get a name as soon as they can be computed.
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
            if (isOfElements(step) || isReduction(step.op) || step.op == KernelOp::Number ||
                isBareCounter(step))
                continue;
            const bool isShared = uses[i] > 1 && step.op != KernelOp::Load;
            if (m_usedInLoop.contains(number) || isShared)
                m_schedule.named[static_cast<std::size_t>(step.pass)].push_back(number);
        }
        m_schedule.uses = uses;
    }

    const FusedKernel &m_kernel;
    Keeping m_keeping;
    const std::set<int> &m_fleeting;
    KernelSchedule m_schedule;
    std::map<int, std::size_t> m_firstPass;
    std::set<int> m_usedInLoop;
};

} // namespace

int usesIn(const FusedKernel &kernel, const KernelPass &pass, int step) {
    int count = 0;
    if (isBareCounter(kernel.step(step)))
        return 1;
    const bool isComputed = kernel.step(step).op > KernelOp::Index || !kernel.step(step).operands.empty();
    for (const int other : pass.computed) {
        const KernelStep &user = kernel.step(other);
        for (std::size_t i = 0; i < user.operands.size(); ++i) {
            if (user.operands[i] != step)
                continue;
            const bool isChosen = user.op == KernelOp::Select && i > 0;
            const bool isCompared = user.op == KernelOp::Maximum || user.op == KernelOp::Minimum ||
                                    user.op == KernelOp::ScanMaximum || user.op == KernelOp::ScanMinimum;
            count += isComputed && (isChosen || isCompared) ? 2 : 1;
        }
    }
    for (const int sum : pass.reductions) {
        const KernelOp op = kernel.step(sum).op;
        const bool isCompared = op == KernelOp::RowMaximum || op == KernelOp::RowMinimum;
        count += kernel.step(sum).operands[0] == step ? (isCompared ? 2 : 1) : 0;
    }
    for (const int place : pass.stores)
        count += kernel.stores[static_cast<std::size_t>(place)].step == step ? 1 : 0;
    return count;
}

int mostKeptAtOnce(const KernelSchedule &schedule) {
    const auto holds = [](const std::vector<int> &steps, int step) {
        return std::find(steps.begin(), steps.end(), step) != steps.end();
    };
    const auto takes = [&holds](const KernelPass &pass, int step) {
        return holds(pass.taken, step) ||
               std::any_of(pass.ranked.begin(), pass.ranked.end(),
                           [&](const KernelPass &search) { return holds(search.taken, step); });
    };
    std::ptrdiff_t most = 0;
    for (auto next = schedule.passes.begin(); next != schedule.passes.end(); ++next)
        most = std::max(most, std::count_if(schedule.kept.begin(), schedule.kept.end(), [&](int step) {
                            const bool isThere =
                                std::any_of(schedule.passes.begin(), next,
                                            [&](const KernelPass &pass) { return holds(pass.kept, step); });
                            return isThere &&
                                   std::any_of(next, schedule.passes.end(),
                                               [&](const KernelPass &pass) { return takes(pass, step); });
                        }));
    return static_cast<int>(most);
}

KernelSchedule scheduleOf(const FusedKernel &kernel, Keeping keeping, const std::set<int> &fleeting) {
    return Scheduler(kernel, keeping, fleeting).run();
}

} // namespace warpwright
