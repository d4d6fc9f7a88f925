// SPDX-License-Identifier: GPL-3.0-or-later
// Figures and queries of a finished program.
#include "agent/playbook/ir/program.h"

#include <algorithm>

namespace warpwright {

double Program::bytes() const {
    double sum = 0;
    for (std::size_t i = 0; i < kernels.size(); ++i)
        sum += kernels[i].bytes() * static_cast<double>(timeStepsOf(i));
    return sum;
}

double Program::operations() const {
    double sum = 0;
    for (std::size_t i = 0; i < kernels.size(); ++i)
        sum += kernels[i].operations() * static_cast<double>(timeStepsOf(i));
    return sum;
}

std::int64_t Program::timeStepsOf(std::size_t kernel) const {
    for (const TimeLoop &timeLoop : timeLoops)
        if (kernel >= timeLoop.first && kernel < timeLoop.first + timeLoop.count)
            return timeLoop.timeSteps;
    return 1;
}

int Program::memoryOf(int buffer) const {
    int memory = buffer;
    while (buffers[static_cast<std::size_t>(memory)].kind == ProgramBuffer::Kind::Window)
        memory = buffers[static_cast<std::size_t>(memory)].window.buffer;
    return memory;
}

QString Program::signature() const {
    QStringList parts;
    for (std::size_t i = 0; i < kernels.size(); ++i)
        parts << kernels[i].signature() +
                     (timeStepsOf(i) > 1 ? QStringLiteral(" times %1").arg(timeStepsOf(i)) : QString());
    return unsupported.isEmpty() ? parts.join(QLatin1Char('\n')) : QStringLiteral("cannot: ") + unsupported;
}

bool reads(const Kernel &kernel, int buffer) {
    return std::any_of(kernel.inputs.begin(), kernel.inputs.end(),
                       [buffer](const KernelInput &input) { return input.buffer == buffer; });
}

std::optional<std::size_t> onlyConsumer(const Program &program, std::size_t kernel) {
    const int buffer = program.kernels[kernel].stores[0].buffer;
    if (program.buffers[static_cast<std::size_t>(buffer)].kind != ProgramBuffer::Kind::Temporary)
        return std::nullopt;
    std::optional<std::size_t> consumer;
    for (std::size_t i = kernel + 1; i < program.kernels.size(); ++i) {
        if (!reads(program.kernels[i], buffer))
            continue;
        if (consumer)
            return std::nullopt;
        consumer = i;
    }
    return consumer;
}

} // namespace warpwright
