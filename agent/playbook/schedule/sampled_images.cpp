// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/schedule/sampled_images.h"

#include "agent/playbook/schedule/packs_of_rows.h"
#include "agent/playbook/schedule/places_cuda.h"
#include "agent/playbook/schedule/transpose_tile.h"
#include "agent/playbook/schedule/vector_width.h"
#include "agent/playbook/schedule/vectorized_pooling.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace warpwright {
namespace {

constexpr double sectorBytes = 32;
constexpr double ofSector = 2; ///< neighbours between pixels, of which one sector mostly has both
constexpr double clearly = 2;  ///< times a copy's bytes: places that follow each other share sectors anyway
constexpr double leastReads =
    2; ///< of each element: what is read about once is found in the row that is at hand
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

/// The loop over elements that are all read at a load's place, by rows: each lies as far from the next as all
/// that is looked up. Empty: there is none, or they lie side by side already.
std::optional<std::size_t> channelLoop(const FusedKernel &kernel, const KernelStep &load) {
    const KernelLeaf &leaf = leafOf(kernel, load);
    const std::int64_t lookedUp = *std::max_element(leaf.strides.begin(), leaf.strides.end());
    std::optional<std::size_t> best;
    for (std::size_t k = 0; k < kernel.loops.size(); ++k) {
        const std::int64_t step = leaf.address.steps[k];
        if (step == 1 && kernel.loops[k] > 1)
            return std::nullopt;
        if (step <= lookedUp || kernel.loops[k] < leastChannels ||
            (best && leaf.address.steps[*best] <= step))
            continue;
        const std::vector<bool> differs = differsAlong(kernel, k);
        if (std::none_of(load.operands.begin(), load.operands.end(),
                         [&](int operand) { return differs[static_cast<std::size_t>(operand)]; }))
            best = k;
    }
    return best;
}

struct Sampled {
    std::optional<std::size_t> loop; ///< over channels
    const KernelLeaf *leaf = nullptr;
    double reads = 0;  ///< of elements
    double spared = 0; ///< bytes of sectors, by a copy
};

/// By buffer: images whose copy spares clearly more than it moves.
std::map<int, Sampled> sampledBuffers(const FusedKernel &kernel) {
    std::map<int, Sampled> images;
    for (const auto &[step, elements] : scatteredLoads(kernel)) {
        const KernelLeaf &leaf = leafOf(kernel, kernel.step(step));
        const std::optional<std::size_t> loop = channelLoop(kernel, kernel.step(step));
        Sampled &image = images.emplace(leaf.buffer, Sampled{loop, &leaf, 0, 0}).first->second;
        if (image.loop != loop)
            image.loop.reset();
        if (!image.loop)
            continue;
        const int bytes = bytesOf(leaf.type);
        image.reads += elements;
        image.spared += bytesApart(elements, bytes) - bytesOfRuns(elements, kernel.loops[*loop], bytes);
    }
    std::erase_if(images, [](const auto &entry) {
        const Sampled &image = entry.second;
        const auto all = static_cast<double>(image.leaf->elements);
        return !image.loop || all == 0 || image.reads < leastReads * all ||
               image.spared < clearly * 2 * all * bytesOf(image.leaf->type);
    });
    return images;
}

bool isByRows(const BufferLayout &layout) {
    return layout.strides == contiguousStrides(layout.shape) && layout.offset == 0 && layout.isDense();
}

/// Rows are channels: each lies at one place, and what is written of it lies along it.
bool areRowsAtPlaces(const FusedKernel &kernel, const std::set<int> &buffers) {
    std::vector<bool> differs(kernel.steps.size(), false);
    for (std::size_t k = kernel.outer; k < kernel.loops.size(); ++k) {
        const std::vector<bool> here = differsAlong(kernel, k);
        for (std::size_t i = 0; i < here.size(); ++i)
            differs[i] = differs[i] || here[i];
    }
    return std::all_of(kernel.stores.begin(), kernel.stores.end(),
                       [&](const KernelStore &store) {
                           return kernel.levelOf(store.address) < StepLevel::Column ||
                                  store.address.steps.back() == 1;
                       }) &&
           std::all_of(kernel.steps.begin(), kernel.steps.end(), [&](const KernelStep &step) {
               return step.op != KernelOp::Load || !buffers.contains(leafOf(kernel, step).buffer) ||
                      leafOf(kernel, step).isPlain() ||
                      (leafOf(kernel, step).address.steps.back() == 1 &&
                       std::none_of(step.operands.begin(), step.operands.end(),
                                    [&](int operand) { return differs[static_cast<std::size_t>(operand)]; }));
           });
}

} // namespace

double scatteredBytes(const FusedKernel &kernel) {
    double vain = 0;
    for (const auto &[buffer, image] : sampledBuffers(kernel))
        vain += image.spared;
    return vain;
}

std::vector<SampledImage> sampledImages(const FusedKernel &kernel, const std::vector<PlanBuffer> &buffers) {
    std::vector<SampledImage> images;
    for (const auto &[number, image] : sampledBuffers(kernel)) {
        const BufferLayout &layout = buffers[static_cast<std::size_t>(number)].layout;
        const Shape strides = contiguousStrides(layout.shape);
        for (std::size_t d = 0; d < strides.size() && isByRows(layout); ++d)
            if (strides[d] == image.leaf->address.steps[*image.loop] && layout.shape[d] >= leastChannels &&
                kernel.loops[*image.loop] % layout.shape[d] == 0)
                images.push_back({number, d, *image.loop});
    }
    return images;
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
        return rowsOfThread(kernel) > 1 || areRowsAtPlaces(kernel, buffers);
    if (const auto tiled = tiledLoopsOf(kernel))
        return !tiled->values.empty();
    const int width = widthOf(kernel);
    return width > 1 && std::all_of(kernel.steps.begin(), kernel.steps.end(), [&](const KernelStep &step) {
               return step.op != KernelOp::Load || !buffers.contains(leafOf(kernel, step).buffer) ||
                      leafOf(kernel, step).isPlain() || isGatheredPack(kernel, step, width);
           });
}

} // namespace warpwright
