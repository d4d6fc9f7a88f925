// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/analysis/kernel_family.h"

#include "agent/playbook/ir/overloaded.h"

#include <cstdlib>

namespace warpwright {

bool hasCoalescedRows(const Kernel &kernel) {
    constexpr std::int64_t nearStep = 4; // a pooling window's stride: a quarter of each cache line is used
    if (kernel.outer == 0)
        return false;
    double near = 0;
    double far = 0;
    for (const KernelInput &input : kernel.inputs) {
        if (input.isPlain() ? kernel.levelOf(input.address) != StepLevel::Element
                            : kernel.isReadOncePerRow(input))
            continue;
        const std::int64_t step = std::abs(input.address.steps[kernel.outer - 1]);
        if (step > 0) // else neighbouring rows share it
            (step <= nearStep ? near : far) += bytesOf(input.type);
    }
    return near > far;
}

namespace {

KernelFamily familyOfLoops(const Kernel &kernel) {
    constexpr std::int64_t shortRow = 32;   // elements, as many as a warp has threads
    constexpr std::int64_t manyRows = 4096; // enough threads for a GPU with a row each
    constexpr std::int64_t longWindow = 1024;
    constexpr std::int64_t fewChannels = 4;
    if (!kernel.hasReductions())
        return kernel.isRowPerThread ? KernelFamily::Windows : KernelFamily::Pointwise;
    double near = 0;
    double far = 0;
    for (const KernelInput &input : kernel.inputs) {
        if (input.isPlain() ? kernel.levelOf(input.address) != StepLevel::Element
                            : kernel.isReadOncePerRow(input))
            continue;
        double size = bytesOf(input.type);
        for (std::size_t k = 0; k < kernel.loops.size(); ++k)
            size *=
                input.address.steps[k] != 0 || !input.isPlain() ? static_cast<double>(kernel.loops[k]) : 1;
        const std::int64_t step = std::abs(input.address.steps.back());
        const bool isInterleaved = // one of a few interleaved channels: rows share no cache line
            kernel.outer > 0 && step > 1 && step <= fewChannels &&
            std::abs(input.address.steps[kernel.outer - 1]) > step;
        (step == 1 || kernel.outer == 0 || isInterleaved ? near : far) += size;
    }
    if (kernel.hasScans())
        return far > near ? KernelFamily::Windows : KernelFamily::Rows;
    const bool isShort = kernel.columns() <= shortRow && kernel.rows() >= manyRows;
    // Both a row's elements and neighbouring rows are contiguous: overlapping windows.
    if (isShort || (near >= far && hasCoalescedRows(kernel) && kernel.columns() <= longWindow))
        return KernelFamily::Windows;
    const bool hasWideOuterLoop = kernel.outer > 0 && kernel.loops[kernel.outer - 1] >= 8;
    return far > near && hasWideOuterLoop ? KernelFamily::Columns : KernelFamily::Rows;
}

} // namespace

KernelFamily familyOf(const Kernel &kernel) {
    return std::visit(Overloaded{
                          [&kernel](const std::monostate &) { return familyOfLoops(kernel); },
                          [](const Matmul &) { return KernelFamily::Matmul; },
                          [](const Convolution &) { return KernelFamily::Convolution; },
                          [](const Attention &) { return KernelFamily::Attention; },
                          [](const ScatteredRows &) { return KernelFamily::ScatteredRows; },
                          [](const SortedRows &) { return KernelFamily::SortedRows; },
                      },
                      kernel.structuredOp);
}

} // namespace warpwright
