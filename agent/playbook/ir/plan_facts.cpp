// SPDX-License-Identifier: GPL-3.0-or-later
// What a finished plan says of itself.
#include "agent/playbook/ir/kernel_plan.h"

#include <algorithm>

namespace warpwright {

double KernelPlan::bytes() const {
    double sum = 0;
    for (std::size_t i = 0; i < kernels.size(); ++i)
        sum += kernels[i].bytes() * static_cast<double>(turnsOf(i));
    return sum;
}

double KernelPlan::operations() const {
    double sum = 0;
    for (std::size_t i = 0; i < kernels.size(); ++i)
        sum += kernels[i].operations() * static_cast<double>(turnsOf(i));
    return sum;
}

std::int64_t KernelPlan::turnsOf(std::size_t kernel) const {
    for (const PlanRepeat &repeat : repeats)
        if (kernel >= repeat.first && kernel < repeat.first + repeat.count)
            return repeat.turns;
    return 1;
}

int KernelPlan::memoryOf(int buffer) const {
    int memory = buffer;
    while (buffers[static_cast<std::size_t>(memory)].kind == PlanBuffer::Kind::Window)
        memory = buffers[static_cast<std::size_t>(memory)].window.buffer;
    return memory;
}

QString KernelPlan::signature() const {
    QStringList parts;
    for (std::size_t i = 0; i < kernels.size(); ++i)
        parts << kernels[i].signature() +
                     (turnsOf(i) > 1 ? QStringLiteral(" times %1").arg(turnsOf(i)) : QString());
    return cannot.isEmpty() ? parts.join(QLatin1Char('\n')) : QStringLiteral("cannot: ") + cannot;
}

bool reads(const FusedKernel &kernel, int buffer) {
    return std::any_of(kernel.leaves.begin(), kernel.leaves.end(),
                       [buffer](const KernelLeaf &leaf) { return leaf.buffer == buffer; });
}

std::optional<std::size_t> onlyReader(const KernelPlan &plan, std::size_t kernel) {
    const int buffer = plan.kernels[kernel].stores[0].buffer;
    if (plan.buffers[static_cast<std::size_t>(buffer)].kind != PlanBuffer::Kind::Temporary)
        return std::nullopt;
    std::optional<std::size_t> reader;
    for (std::size_t i = kernel + 1; i < plan.kernels.size(); ++i) {
        if (!reads(plan.kernels[i], buffer))
            continue;
        if (reader)
            return std::nullopt;
        reader = i;
    }
    return reader;
}

} // namespace warpwright
