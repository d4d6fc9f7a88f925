// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/schedule/sampled_tensors.h"

#include "agent/playbook/schedule/index_sharing.h"
#include "agent/playbook/schedule/transpose_tile.h"
#include "agent/playbook/schedule/vector_width.h"
#include "agent/playbook/schedule/vectorization.h"
#include "agent/playbook/schedule/vectorized_pooling.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace warpwright {
namespace {

constexpr double sectorBytes = 32;
constexpr double ofSector = 2;   ///< adjacent pixels, of which one sector mostly has both
constexpr double clearly = 2;    ///< times a copy's bytes: successive positions share sectors anyway
constexpr double leastReads = 2; ///< of each element: what is read about once is found in cached rows
constexpr std::int64_t leastChannels = 4;

const KernelInput &inputOf(const Kernel &kernel, const KernelStep &load) {
    return kernel.inputs[static_cast<std::size_t>(load.input)];
}

/// By step: whether it depends on a value from memory that changes along one of the two innermost loops of
/// the result, or along a reduced row. An angle or a shift of a whole image does not.
std::vector<bool> dependsOnNeighbours(const Kernel &kernel) {
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
    std::vector<bool> depends;
    for (const KernelStep &step : kernel.steps) {
        bool here = false;
        if (step.op == Opcode::Load)
            for (const std::size_t k : near)
                here = here || inputOf(kernel, step).address.steps[k] != 0;
        for (const int operand : step.operands)
            here = here || depends[static_cast<std::size_t>(operand)];
        depends.push_back(here);
    }
    return depends;
}

/// Bytes of the sectors that contiguous runs of so many elements touch.
double bytesOfRuns(double elements, std::int64_t run, int bytes) {
    const double whole = static_cast<double>(run) * bytes;
    return elements * bytes * std::ceil(whole / sectorBytes) * sectorBytes / whole;
}

double bytesApart(double elements, int bytes) {
    return elements * std::max(sectorBytes / ofSector, static_cast<double>(bytes));
}

/// Load steps at positions from memory, and how often each is executed.
std::map<int, double> scatteredLoads(const Kernel &kernel) {
    std::map<int, double> found;
    if (kernel.stores.empty() || !kernel.isLoops())
        return found;
    const std::vector<bool> depends = dependsOnNeighbours(kernel);
    for (std::size_t i = 0; i < kernel.steps.size(); ++i) {
        const KernelStep &step = kernel.steps[i];
        if (step.op != Opcode::Load || inputOf(kernel, step).isPlain())
            continue;
        // The last operand of a guarded load is its condition.
        const auto positions = step.operands.end() - (step.isGuarded ? 1 : 0);
        if (std::any_of(step.operands.begin(), positions,
                        [&depends](int operand) { return depends[static_cast<std::size_t>(operand)]; }))
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

/// The loop over the channels of an NCHW gather: all are read at one position, with a larger stride than the
/// gathered dimensions. Empty: there is none, or it is contiguous already.
std::optional<std::size_t> channelLoop(const Kernel &kernel, const KernelStep &load) {
    const KernelInput &input = inputOf(kernel, load);
    const std::int64_t lookedUp = *std::max_element(input.strides.begin(), input.strides.end());
    std::optional<std::size_t> best;
    for (std::size_t k = 0; k < kernel.loops.size(); ++k) {
        const std::int64_t step = input.address.steps[k];
        if (step == 1 && kernel.loops[k] > 1)
            return std::nullopt;
        if (step <= lookedUp || kernel.loops[k] < leastChannels ||
            (best && input.address.steps[*best] <= step))
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
    const KernelInput *input = nullptr;
    double reads = 0; ///< of elements
    double saved = 0; ///< bytes of sectors, by a copy
};

/// By buffer: tensors whose copy saves clearly more bytes than it moves.
std::map<int, Sampled> sampledBuffers(const Kernel &kernel) {
    std::map<int, Sampled> tensors;
    for (const auto &[step, elements] : scatteredLoads(kernel)) {
        const KernelInput &input = inputOf(kernel, kernel.step(step));
        const std::optional<std::size_t> loop = channelLoop(kernel, kernel.step(step));
        Sampled &tensor = tensors.emplace(input.buffer, Sampled{loop, &input, 0, 0}).first->second;
        if (tensor.loop != loop)
            tensor.loop.reset();
        if (!tensor.loop)
            continue;
        const int bytes = bytesOf(input.type);
        tensor.reads += elements;
        tensor.saved += bytesApart(elements, bytes) - bytesOfRuns(elements, kernel.loops[*loop], bytes);
    }
    std::erase_if(tensors, [](const auto &entry) {
        const Sampled &tensor = entry.second;
        const auto all = static_cast<double>(tensor.input->elements);
        return !tensor.loop || all == 0 || tensor.reads < leastReads * all ||
               tensor.saved < clearly * 2 * all * bytesOf(tensor.input->type);
    });
    return tensors;
}

bool isContiguous(const TensorLayout &layout) {
    return layout.strides == contiguousStrides(layout.shape) && layout.offset == 0 && layout.isDense();
}

/// Rows are channels: each is gathered at one position, and stores are contiguous along it.
bool areRowsGathered(const Kernel &kernel, const std::set<int> &buffers) {
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
               return step.op != Opcode::Load || !buffers.contains(inputOf(kernel, step).buffer) ||
                      inputOf(kernel, step).isPlain() ||
                      (inputOf(kernel, step).address.steps.back() == 1 &&
                       std::none_of(step.operands.begin(), step.operands.end(),
                                    [&](int operand) { return differs[static_cast<std::size_t>(operand)]; }));
           });
}

} // namespace

double scatteredBytes(const Kernel &kernel) {
    double vain = 0;
    for (const auto &[buffer, tensor] : sampledBuffers(kernel))
        vain += tensor.saved;
    return vain;
}

std::vector<SampledTensor> sampledTensors(const Kernel &kernel, const std::vector<ProgramBuffer> &buffers) {
    std::vector<SampledTensor> tensors;
    for (const auto &[number, tensor] : sampledBuffers(kernel)) {
        const TensorLayout &layout = buffers[static_cast<std::size_t>(number)].layout;
        const Shape strides = contiguousStrides(layout.shape);
        for (std::size_t d = 0; d < strides.size() && isContiguous(layout); ++d)
            if (strides[d] == tensor.input->address.steps[*tensor.loop] && layout.shape[d] >= leastChannels &&
                kernel.loops[*tensor.loop] % layout.shape[d] == 0)
                tensors.push_back({number, d, *tensor.loop});
    }
    return tensors;
}

TensorLayout layoutWithInnermost(const Shape &shape, std::size_t innermost) {
    std::vector<std::size_t> order;
    for (std::size_t d = 0; d < shape.size(); ++d)
        if (d != innermost)
            order.push_back(d);
    order.push_back(innermost);
    return layoutInOrder(shape, order, 1, shape[innermost]);
}

TensorLayout layoutAsSampled(const Kernel &kernel, const std::vector<ProgramBuffer> &buffers,
                             const Shape &shape, const AffineMap &map) {
    for (const SampledTensor &tensor : sampledTensors(kernel, buffers))
        for (std::size_t d = 0; d < map.size(); ++d)
            if (map[d].steps[tensor.loop] == 1 && shape[d] == kernel.loops[tensor.loop])
                return layoutWithInnermost(shape, d);
    return contiguousLayout(shape);
}

bool sharesIndices(const Kernel &kernel, const std::set<int> &buffers) {
    if (kernel.hasReductions())
        return rowsPerThread(kernel) > 1 || areRowsGathered(kernel, buffers);
    if (const auto tiled = transposeTileOf(kernel))
        return !tiled->values.empty();
    const int width = widthOf(kernel);
    return width > 1 && std::all_of(kernel.steps.begin(), kernel.steps.end(), [&](const KernelStep &step) {
               return step.op != Opcode::Load || !buffers.contains(inputOf(kernel, step).buffer) ||
                      inputOf(kernel, step).isPlain() || isGatheredVector(kernel, step, width);
           });
}

} // namespace warpwright
