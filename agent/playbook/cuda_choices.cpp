// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/cuda_choices.h"

#include "agent/playbook/depthwise_choices.h"
#include "agent/playbook/kernel_schedule.h"
#include "agent/playbook/kernel_text.h"
#include "agent/playbook/small_product_cuda.h"
#include "agent/playbook/tiled_cuda.h"

#include <algorithm>

namespace warpwright {
namespace {

constexpr int loadBytes = 16;     ///< the widest load of a thread
constexpr int mostRegisters = 96; ///< floats of a row that one thread may keep: beyond it they spill

int keptCount(const FusedKernel &kernel) {
    return static_cast<int>(scheduleOf(kernel, Keeping::All).kept.size());
}

bool fits(const FusedKernel &kernel, int threads) {
    const std::int64_t width = widthOf(kernel);
    const std::int64_t packs = (kernel.columns() + width * threads - 1) / (width * threads);
    return packs * width * std::max(keptCount(kernel), 1) <= mostRegisters;
}

} // namespace

bool isWide(const FusedKernel &kernel, const AffineIndex &address, int width) {
    if (address.steps.empty() || address.steps.back() != 1 || address.offset % width != 0)
        return false;
    return std::all_of(address.steps.begin(), address.steps.end() - 1,
                       [width](std::int64_t step) { return step % width == 0; }) &&
           kernel.loops.back() % width == 0;
}

bool canBeWide(const FusedKernel &kernel) {
    return widthOf(kernel) > 1;
}

int widthOf(const FusedKernel &kernel) {
    if (tiledLoopsOf(kernel)) // along which neither reads
        return 1;
    // A thread of a scan or of a window takes element by element.
    const KernelFamily family = familyOf(kernel);
    if (kernel.hasScans() || family == KernelFamily::Columns || family == KernelFamily::Windows)
        return 1;
    int largest = 1;
    for (const KernelLeaf &leaf : kernel.leaves)
        if (kernel.levelOf(leaf.address) >= StepLevel::Column)
            largest = std::max(largest, bytesOf(leaf.type));
    for (const KernelStore &store : kernel.stores)
        if (kernel.levelOf(store.address) >= StepLevel::Column)
            largest = std::max(largest, bytesOf(store.type));
    for (int width = loadBytes / largest; width > 1; width /= 2) {
        const bool isUseful =
            std::any_of(kernel.leaves.begin(), kernel.leaves.end(), [&](const KernelLeaf &leaf) {
                return leaf.isPlain() && isWide(kernel, leaf.address, width);
            });
        if (isUseful)
            return width;
    }
    return 1;
}

bool isOurs(const FusedKernel &kernel) {
    return kernel.anchor == Anchor::None || isSmallProduct(kernel) ||
           (kernel.anchor == Anchor::Convolution && kernel.convolution.isDepthwise());
}

bool canBeOnePass(const FusedKernel &kernel) {
    return kernel.anchor == Anchor::None && kernel.hasReductions() && !kernel.hasScans() &&
           kernel.passCount() > 1 && familyOf(kernel) == KernelFamily::Rows && fits(kernel, 1024);
}

std::vector<int> configChoices(const FusedKernel &kernel, bool isOnePass) {
    if (kernel.anchor == Anchor::Convolution && kernel.convolution.isDepthwise()) {
        std::vector<int> results;
        const int bytes = kernel.leaves[0].type == ElementType::Float64 ? 8 : 4;
        for (const DepthwiseCut &cut : depthwiseCuts(kernel.convolution, bytes))
            results.push_back(cut.across * cut.down);
        return results;
    }
    if (isSmallProduct(kernel))
        return smallProductRows(kernel);
    if (kernel.anchor != Anchor::None)
        return {0, 1, 2, 3}; // a library's proposals
    if (tiledLoopsOf(kernel))
        return {0};
    if (!kernel.hasReductions())
        return {0, 32, 16, 8};
    if (familyOf(kernel) == KernelFamily::Columns)
        return {8, 4, 16, 32, 1};
    if (familyOf(kernel) == KernelFamily::Windows)
        return {128, 256, 64, 512};
    const std::int64_t packs = kernel.columns() / widthOf(kernel);
    std::vector<int> choices;
    // The first is where a thread has two to four loads on their way at once.
    for (const int threads : {32, 128, 256, 512, 1024})
        if ((!isOnePass || fits(kernel, threads)) && (threads == 32 || packs * 2 >= threads))
            choices.push_back(threads);
    if (choices.empty())
        return {1024};
    const auto best = std::min_element(choices.begin(), choices.end(), [packs](int a, int b) {
        const auto away = [packs](int threads) {
            return std::abs(static_cast<double>(packs) / threads - 3.0);
        };
        return away(a) < away(b);
    });
    std::rotate(choices.begin(), best, best + 1);
    return choices;
}

} // namespace warpwright
