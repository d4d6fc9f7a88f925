// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/sampled_images.h"

#include "agent/playbook/cuda_choices.h"
#include "agent/playbook/places_cuda.h"
#include "agent/playbook/tiled_cuda.h"
#include "agent/playbook/wide_windows_cuda.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace warpwright {
namespace {

constexpr double sectorBytes = 32;
constexpr double ofSector = 2;   ///< neighbours between pixels, of which one sector mostly has both
constexpr double clearly = 2;    ///< times a copy's bytes: places that follow each other share sectors anyway
constexpr std::int64_t leastChannels = 4;

const KernelLeaf &leafOf(const FusedKernel &kernel, const KernelStep &load) {
    return kernel.leaves[static_cast<std::size_t>(load.leaf)];
}

/// By step: whether it hangs on a value from memory that changes along one of the two loops that results lie
/// nearest along, or along a row that is summed. An angle or a shift of a whole image does not.
std::vector<bool> hangsOnNear(const FusedKernel &kernel) {
    std::vector<std::pair<std::int64_t, std::size_t>> steps;
    for (std::size_t k = 0; k < kernel.loops.size(); ++k)
        if (const std::int64_t step = std::abs(kernel.stores[0].address.steps[k]);
            step != 0 && kernel.loops[k] > 1)
            steps.emplace_back(step, k);
    std::sort(steps.begin(), steps.end());
    std::set<std::size_t> near;
    for (std::size_t i = 0; i < std::min<std::size_t>(steps.size(), 2); ++i)
        near.insert(steps[i].second);
    if (kernel.hasReductions())
        for (std::size_t k = kernel.outer; k < kernel.loops.size(); ++k)
            near.insert(k);
    std::vector<bool> hangs;
    for (const KernelStep &step : kernel.steps) {
        bool here = false;
        if (step.op == KernelOp::Load)
            for (const std::size_t k : near)
                here = here || leafOf(kernel, step).address.steps[k] != 0;
        for (const int operand : step.operands)
            here = here || hangs[static_cast<std::size_t>(operand)];
        hangs.push_back(here);
    }
    return hangs;
}

/// Bytes of the sectors that runs of so many elements lie in.
double bytesOfRuns(double elements, std::int64_t run, int bytes) {
    const double whole = static_cast<double>(run) * bytes;
    return elements * bytes * std::ceil(whole / sectorBytes) * sectorBytes / whole;
}

double bytesApart(double elements, int bytes) {
    return elements * std::max(sectorBytes / ofSector, static_cast<double>(bytes));
}

/// Steps that are loads at places from memory, and how often each is done.
std::map<int, double> scatteredLoads(const FusedKernel &kernel) {
    std::map<int, double> found;
    if (kernel.stores.empty() || kernel.anchor != Anchor::None)
        return found;
    const std::vector<bool> hangs = hangsOnNear(kernel);
    for (std::size_t i = 0; i < kernel.steps.size(); ++i) {
        const KernelStep &step = kernel.steps[i];
        if (step.op != KernelOp::Load || leafOf(kernel, step).isPlain())
            continue;
        // The last operand of a guarded load is its condition.
        const auto places = step.operands.end() - (step.isGuarded ? 1 : 0);
        if (std::any_of(step.operands.begin(), places,
                        [&hangs](int operand) { return hangs[static_cast<std::size_t>(operand)]; }))
            found[static_cast<int>(i)] = 1;
    }
    if (found.empty())
        return found;
    for (std::size_t k = 0; k < kernel.loops.size(); ++k) {
        const std::vector<bool> differs = differsAlong(kernel, k);
        for (auto &[step, elements] : found)
            if (differs[static_cast<std::size_t>(step)])
                elements *= static_cast<double>(kernel.loops[k]);
    }
    return found;
}

/// The dimension of a tensor by rows that a load follows by a loop of its own, all that is looked up being
/// behind it. Empty: there is none.
std::optional<SampledImage> imageOf(const FusedKernel &kernel, const KernelStep &load, const Shape &shape) {
    const KernelLeaf &leaf = leafOf(kernel, load);
    const Shape strides = contiguousStrides(shape);
    const std::int64_t lookedUp = *std::max_element(leaf.strides.begin(), leaf.strides.end());
    for (std::size_t d = shape.size(); d-- > 0;) {
        if (strides[d] <= lookedUp || shape[d] < leastChannels)
            continue;
        for (std::size_t k = 0; k < kernel.loops.size(); ++k) {
            if (leaf.address.steps[k] != strides[d] || kernel.loops[k] % shape[d] != 0)
                continue;
            const std::vector<bool> differs = differsAlong(kernel, k);
            if (std::none_of(load.operands.begin(), load.operands.end(),
                             [&](int operand) { return differs[static_cast<std::size_t>(operand)]; }))
                return SampledImage{leaf.buffer, d, k};
        }
        return std::nullopt;
    }
    return std::nullopt;
}

bool isByRows(const BufferLayout &layout) {
    return layout.strides == contiguousStrides(layout.shape) && layout.offset == 0 && layout.isDense();
}

} // namespace

double scatteredBytes(const FusedKernel &kernel) {
    double vain = 0;
    for (const auto &[step, elements] : scatteredLoads(kernel)) {
        const KernelLeaf &leaf = leafOf(kernel, kernel.step(step));
        const int bytes = bytesOf(leaf.type);
        std::int64_t run = 0;
        for (std::size_t k = 0; k < kernel.loops.size(); ++k)
            if (leaf.address.steps[k] == 1)
                run = std::max(run, kernel.loops[k]);
        vain += (run > 1 ? bytesOfRuns(elements, run, bytes) : bytesApart(elements, bytes)) - elements * bytes;
    }
    return vain;
}

std::vector<SampledImage> sampledImages(const FusedKernel &kernel, const std::vector<PlanBuffer> &buffers) {
    struct Found {
        std::optional<SampledImage> image;
        double spared = 0;
    };
    std::map<int, Found> images; // by buffer
    for (const auto &[step, elements] : scatteredLoads(kernel)) {
        const KernelLeaf &leaf = leafOf(kernel, kernel.step(step));
        const PlanBuffer &buffer = buffers[static_cast<std::size_t>(leaf.buffer)];
        if (!isByRows(buffer.layout))
            continue;
        const auto image = imageOf(kernel, kernel.step(step), buffer.layout.shape);
        const auto [known, isNew] = images.emplace(leaf.buffer, Found{image, 0});
        if (!isNew && known->second.image != image)
            known->second.image.reset();
        if (!image)
            continue;
        const int bytes = bytesOf(leaf.type);
        known->second.spared += bytesApart(elements, bytes) -
                                bytesOfRuns(elements, buffer.layout.shape[image->channels], bytes);
    }
    std::vector<SampledImage> worth;
    for (const auto &[number, found] : images) {
        const BufferLayout &layout = buffers[static_cast<std::size_t>(number)].layout;
        const auto leaf = std::find_if(kernel.leaves.begin(), kernel.leaves.end(),
                                       [number = number](const KernelLeaf &some) { return some.buffer == number; });
        const double moved = 2.0 * static_cast<double>(elementCount(layout.shape)) * bytesOf(leaf->type);
        if (found.image && found.spared >= clearly * moved)
            worth.push_back(*found.image);
    }
    return worth;
}

BufferLayout layoutWithInnermost(const Shape &shape, std::size_t innermost) {
    std::vector<std::size_t> order;
    for (std::size_t d = 0; d < shape.size(); ++d)
        if (d != innermost)
            order.push_back(d);
    order.push_back(innermost);
    return layoutInOrder(shape, order, 1, shape[innermost]);
}

BufferLayout layoutAsSampled(const FusedKernel &kernel, const std::vector<PlanBuffer> &buffers,
                             const Shape &shape, const IndexMap &map) {
    for (const SampledImage &image : sampledImages(kernel, buffers))
        for (std::size_t d = 0; d < map.size(); ++d)
            if (map[d].steps[image.loop] == 1 && shape[d] == kernel.loops[image.loop])
                return layoutWithInnermost(shape, d);
    return layoutByRows(shape);
}

bool sharesPlaces(const FusedKernel &kernel, const std::set<int> &buffers) {
    if (kernel.hasReductions())
        return rowsOfThread(kernel) > 1;
    if (const auto tiled = tiledLoopsOf(kernel))
        return !tiled->values.empty();
    const int width = widthOf(kernel);
    return width > 1 &&
           std::all_of(kernel.steps.begin(), kernel.steps.end(), [&](const KernelStep &step) {
               return step.op != KernelOp::Load || !buffers.contains(leafOf(kernel, step).buffer) ||
                      leafOf(kernel, step).isPlain() || isGatheredPack(kernel, step, width);
           });
}

} // namespace warpwright
