// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/fusion/fuse_scatter.h"

#include <algorithm>

namespace warpwright {
namespace {

/// Whether a kernel of ours produces the rows element by element, in the order in which they are scattered.
bool makesRows(const Kernel &kernel, const ScatterSizes &scatter) {
    return kernel.isLoops() && !kernel.isScattered() && !kernel.hasReductions() && !kernel.hasScans() &&
           kernel.loops == Shape{scatter.count, scatter.columns} && kernel.stores.size() == 1 &&
           kernel.stores[0].address == AffineExpr{0, {scatter.columns, 1}};
}

bool touches(const Kernel &kernel, int buffer) {
    const auto isIt = [buffer](const auto &what) {
        return what.buffer == buffer;
    };
    return std::any_of(kernel.inputs.begin(), kernel.inputs.end(), isIt) ||
           std::any_of(kernel.stores.begin(), kernel.stores.end(), isIt);
}

// If one kernel produces the initial values only for this, it writes them into the result.
void initializeInResult(Program &program, std::size_t position) {
    Kernel &kernel = program.kernels[position];
    if (!kernel.isScattered() || kernel.scatter()->base < 0 || !program.timeLoops.empty() ||
        kernel.scatter()->base != static_cast<int>(kernel.inputs.size()) - 1)
        return;
    const int base = kernel.inputs.back().buffer;
    const int result = kernel.stores[0].buffer;
    const ProgramBuffer &made = program.buffers[static_cast<std::size_t>(base)];
    std::vector<Kernel *> producers;
    for (std::size_t i = 0; i < program.kernels.size(); ++i) {
        if (i == position)
            continue;
        if (i < position ? touches(program.kernels[i], result) : touches(program.kernels[i], base))
            return;
        if (touches(program.kernels[i], base))
            producers.push_back(&program.kernels[i]);
    }
    for (std::size_t i = 0; i < program.buffers.size(); ++i)
        if (const int memory = program.memoryOf(static_cast<int>(i));
            memory != static_cast<int>(i) && (memory == base || memory == result))
            return;
    const bool isOnlyBase =
        std::count_if(kernel.inputs.begin(), kernel.inputs.end(),
                      [base](const KernelInput &input) { return input.buffer == base; }) == 1;
    if (made.kind != ProgramBuffer::Kind::Temporary || producers.size() != 1 || !isOnlyBase ||
        made.layout != program.buffers[static_cast<std::size_t>(result)].layout || !made.layout.isDense() ||
        !producers[0]->isLoops() || producers[0]->isScattered())
        return;
    for (KernelStore &some : producers[0]->stores) // a concatenation has several parts
        some.buffer = some.buffer == base ? result : some.buffer;
    kernel.inputs.pop_back();
    kernel.scatter()->base = -1;
    kernel.scatter()->isInitialized = true;
}

} // namespace

void fuseScatters(Program &program) {
    for (std::size_t i = 0; i < program.kernels.size(); ++i) {
        const Kernel scatter = program.kernels[i];
        if (!scatter.isScatteredRows())
            continue;
        const int rows = scatter.inputs[0].buffer;
        // Neither the initial values nor the indices may be what would no longer be written.
        const auto consumers =
            std::count_if(scatter.inputs.begin(), scatter.inputs.end(), [&](const KernelInput &input) {
                return program.memoryOf(input.buffer) == program.memoryOf(rows);
            });
        if (consumers != 1)
            continue;
        for (std::size_t producer = 0; producer < i; ++producer) {
            const Kernel &made = program.kernels[producer];
            if (made.stores[0].buffer != rows || onlyConsumer(program, producer) != i ||
                !makesRows(made, *scatter.scatter()))
                continue;
            Kernel all = made;
            ScatterSizes sizes = *scatter.scatter();
            const auto add = [&all](KernelInput input, std::vector<std::int64_t> steps) {
                input.address = {input.address.offset, std::move(steps)};
                all.inputs.push_back(std::move(input));
                return static_cast<int>(all.inputs.size()) - 1;
            };
            sizes.positions = add(scatter.inputs[static_cast<std::size_t>(sizes.positions)], {1, 0});
            if (sizes.base >= 0)
                sizes.base = add(scatter.inputs[static_cast<std::size_t>(sizes.base)], {0, 0});
            all.scatteredStore = sizes;
            all.stores[0].buffer = scatter.stores[0].buffer;
            program.kernels[i] = std::move(all);
            program.kernels.erase(program.kernels.begin() + static_cast<std::ptrdiff_t>(producer));
            --i;
            break;
        }
    }
    for (std::size_t i = 0; i < program.kernels.size(); ++i)
        initializeInResult(program, i);
}

} // namespace warpwright
