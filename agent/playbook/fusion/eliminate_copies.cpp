// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/fusion/eliminate_copies.h"

#include "agent/playbook/analysis/matmul_pattern.h"

namespace warpwright {
namespace {

bool isOfWholeMemory(const ProgramBuffer &buffer, std::int64_t elements) {
    return buffer.layout.offset == 0 && elementCount(buffer.layout.memory) == elements &&
           buffer.layout.isDense();
}

} // namespace

bool eliminateCopy(Program &program, std::size_t position) {
    const Kernel &copy = program.kernels[position];
    if (!copy.isLoops() || copy.isScattered() || copy.inputs.size() != 1 || copy.stores.size() != 1 ||
        copy.loops.size() != 1 || !isPlainLoad(copy, copy.stores[0].step))
        return false;
    const KernelInput from = copy.inputs[0];
    const KernelStore to = copy.stores[0];
    const AffineExpr inOrder{0, {1}};
    const ProgramBuffer &made = program.buffers[static_cast<std::size_t>(from.buffer)];
    const bool isWhole = isOfWholeMemory(made, copy.loops[0]) &&
                         isOfWholeMemory(program.buffers[static_cast<std::size_t>(to.buffer)], copy.loops[0]);
    if (made.kind != ProgramBuffer::Kind::Temporary || from.type != to.type || from.address != inOrder ||
        to.address != inOrder || !isWhole)
        return false;
    for (std::size_t i = 0; i < program.buffers.size(); ++i)
        if (const int memory = program.memoryOf(static_cast<int>(i));
            memory != static_cast<int>(i) && (memory == from.buffer || memory == to.buffer))
            return false;
    for (std::size_t i = 0; i < program.kernels.size(); ++i)
        for (const KernelInput &input : program.kernels[i].inputs)
            if (i != position && input.buffer == from.buffer)
                return false;
    for (Kernel &kernel : program.kernels)
        for (KernelStore &store : kernel.stores)
            if (store.buffer == from.buffer)
                store.buffer = to.buffer;
    program.kernels.erase(program.kernels.begin() + static_cast<std::ptrdiff_t>(position));
    return true;
}

} // namespace warpwright
