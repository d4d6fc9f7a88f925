// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/fusion/fuse_consumer.h"

#include "agent/playbook/analysis/matmul_pattern.h"
#include "agent/playbook/fusion/eliminate_copies.h"
#include "agent/playbook/fusion/fuse_matmuls.h"
#include "agent/playbook/fusion/matmul_epilogue.h"
#include "agent/playbook/ir/matmul_terms.h"
#include "agent/playbook/schedule/matmul/skinny_matmul.h"
#include "agent/playbook/schedule/matmul/sm90_matmul.h"
#include "agent/playbook/schedule/sm90_convolution.h"

#include <algorithm>
#include <utility>

namespace warpwright {
namespace {

constexpr std::size_t mostStores = 4; ///< of a depthwise convolution

/// A matmul, or an NHWC convolution, split in two: the first half of its columns (filters), and the second
/// half.
std::vector<Kernel> halvesOf(const Kernel &matmul) {
    std::vector<Kernel> halves(2, matmul);
    const std::int64_t columns = matmul.loops[1] / 2;
    for (Kernel &half : halves) {
        half.loops[1] = columns;
        if (Convolution *convolution = half.convolution())
            convolution->sizes.output[1] = convolution->sizes.weight[0] = columns;
    }
    halves[1].inputs[1].address.offset += matmul.isConvolution()
                                              ? elementCount(halves[1].convolution()->sizes.weight)
                                              : columns * matmul.inputs[1].address.steps[1];
    halves[1].stores[0].address.offset += columns * matmul.stores[0].address.steps[1];
    return halves;
}

/// Two matmuls of one first matrix (or convolutions of one input) fused into their common consumer, if that
/// is the only one; or the two halves of one of them.
bool fusePairIntoConsumer(Program &program, std::size_t producer, std::size_t consumerPosition) {
    const Kernel &matmul = program.kernels[producer];
    Kernel &consumer = program.kernels[consumerPosition];
    const bool isConvolution = matmul.isConvolution();
    if ((!isConvolution && matmul.loops.size() != 3) || consumer.stores.size() != 1)
        return false;
    const auto tryFuse = [&](const std::vector<Kernel> &producers) {
        std::optional<Kernel> all = withConsumer(producers, consumer);
        const bool isGood = all && secondSumOf(*all) >= 0 &&
                            (isConvolution ? canBeSm90Convolution(*all) : canBeSm90Matmul(*all));
        if (isGood)
            consumer = std::move(*all);
        return isGood;
    };
    if (matmul.loops[1] % 2 == 0 && tryFuse(halvesOf(matmul))) {
        program.kernels.erase(program.kernels.begin() + static_cast<std::ptrdiff_t>(producer));
        return true;
    }
    for (std::size_t other = 0; other < consumerPosition; ++other) {
        const Kernel &second = program.kernels[other];
        if (other == producer || second.structuredOp != matmul.structuredOp || second.hasEpilogue() ||
            isSm90Matmul(second) || isSm90Convolution(second) || second.loops != matmul.loops ||
            second.inputs[0] != matmul.inputs[0] || onlyConsumer(program, other) != consumerPosition ||
            !tryFuse({matmul, second}))
            continue;
        const auto [first, last] = std::minmax(producer, other);
        program.kernels.erase(program.kernels.begin() + static_cast<std::ptrdiff_t>(last));
        program.kernels.erase(program.kernels.begin() + static_cast<std::ptrdiff_t>(first));
        return true;
    }
    return false;
}

/// The matmul without the zero columns that were appended for a library.
Kernel withoutPadding(const Program &program, const Kernel &matmul) {
    Kernel own = matmul;
    const TensorLayout &layout = program.buffers[static_cast<std::size_t>(matmul.stores[0].buffer)].layout;
    if (matmul.loops.size() == 3 && !layout.shape.empty() && layout.strides.back() == 1 &&
        matmul.stores[0].address.steps[1] == 1)
        own.loops[1] = std::min(own.loops[1], layout.shape.back());
    return own;
}

/// The matmul with its rows split into batches, as a consumer does: an epilogue operand may be one for all
/// rows of a batch, or the same for each batch.
std::optional<Kernel> inBatchesOf(const Kernel &consumer, const Kernel &matmul) {
    if (matmul.loops.size() != 3)
        return std::nullopt;
    const KernelStore &made = matmul.stores[0];
    for (const KernelInput &input : consumer.inputs)
        for (std::size_t k = 0; input.buffer == made.buffer && k < consumer.loops.size(); ++k) {
            // A loop over rows, or over all elements of them.
            const std::int64_t step = input.address.steps[k];
            const std::int64_t columns = matmul.loops[1];
            const bool isOfElements =
                step == made.address.steps[1] && made.address.steps[0] == step * columns;
            const std::int64_t rows = step == made.address.steps[0] ? consumer.loops[k]
                                      : isOfElements && consumer.loops[k] % columns == 0
                                          ? consumer.loops[k] / columns
                                          : 0;
            if (rows <= 1 || rows >= matmul.loops[0] || matmul.loops[0] % rows != 0)
                continue;
            Kernel batched = matmul;
            const auto part = [rows](AffineExpr &index) {
                index.steps.insert(index.steps.begin(), index.steps[0] * rows);
            };
            batched.loops[0] = rows;
            batched.loops.insert(batched.loops.begin(), matmul.loops[0] / rows);
            batched.outer = batched.loops.size() - 1;
            for (KernelInput &some : batched.inputs)
                part(some.address);
            part(batched.stores[0].address);
            return batched;
        }
    return std::nullopt;
}

/// Fuses our kernel at `producer` into its only consumer, if that is a loop nest. `mayCopy`: also where a
/// copy of a matrix then takes the producer's position.
bool fuseIntoConsumer(Program &program, std::size_t producer, bool mayCopy) {
    const Kernel &structuredOp = program.kernels[producer];
    const bool isDepthwise = structuredOp.isDepthwiseConvolution() && !structuredOp.hasEpilogue();
    const bool isBareMatmul =
        structuredOp.isMatmul() && !structuredOp.hasEpilogue() && !hasFusedEpilogue(structuredOp);
    const bool isSmall = isBareMatmul && canBeSkinnyMatmulWithEpilogue(structuredOp);
    const bool mayBeSm90Matmul = program.choices.hasSm90Matmuls && isBareMatmul && !isSmall;
    const bool mayBeSm90Convolution = program.choices.hasSm90Matmuls && structuredOp.isConvolution() &&
                                      structuredOp.convolution()->sizes.isChannelsLast && !isDepthwise &&
                                      !structuredOp.hasEpilogue() && !isSm90Convolution(structuredOp);
    const bool isFusible =
        isDepthwise || isSmall || mayBeSm90Matmul || mayBeSm90Convolution || structuredOp.isAttention();
    if (!isFusible || structuredOp.stores.size() > 1)
        return false;
    if (mayBeSm90Matmul && fuseMatmuls(program, producer))
        return true;
    const std::optional<std::size_t> consumerPosition = onlyConsumer(program, producer);
    if (!consumerPosition)
        return false;
    Kernel &consumer = program.kernels[*consumerPosition];
    if (!consumer.isLoops() || consumer.hasReductions() || consumer.stores.size() != 1)
        return false;
    if ((mayBeSm90Matmul || mayBeSm90Convolution) &&
        fusePairIntoConsumer(program, producer, *consumerPosition))
        return true;
    std::optional<Kernel> all =
        withConsumer({mayBeSm90Matmul ? withoutPadding(program, structuredOp) : structuredOp}, consumer);
    std::optional<Kernel> batched;
    if (!all && mayBeSm90Matmul && (batched = inBatchesOf(consumer, structuredOp)))
        all = withConsumer({*batched}, consumer);
    if (mayCopy && mayBeSm90Matmul && all && isSm90Matmul(*all) && !canBeSm90Matmul(*all)) {
        const auto transposed = withRepackedMatrix(structuredOp, static_cast<int>(program.buffers.size()));
        batched = transposed && batched ? inBatchesOf(consumer, transposed->matmul) : std::nullopt;
        all = batched      ? withConsumer({*batched}, consumer)
              : transposed ? withConsumer({transposed->matmul}, consumer)
                           : std::nullopt;
        if (!all || !canBeSm90Matmul(*all))
            return false;
        const int node = program.buffers[static_cast<std::size_t>(structuredOp.inputs[1].buffer)].node;
        consumer = std::move(*all);
        program.buffers.push_back({ProgramBuffer::Kind::Temporary, node, transposed->layout});
        program.kernels[producer] = transposed->copy;
        return true;
    }
    if (!all || (mayBeSm90Matmul && (!isSm90Matmul(*all) || !canBeSm90Matmul(*all))) ||
        (isSmall && !canBeSkinnyMatmulWithEpilogue(*all)) ||
        (mayBeSm90Convolution && !canBeSm90Convolution(*all)))
        return false;
    consumer = std::move(*all);
    program.kernels.erase(program.kernels.begin() + static_cast<std::ptrdiff_t>(producer));
    return true;
}

/// Whether the address advances with the convolution's result loops (or, with `mayStay`, is constant in one).
bool followsResults(const Kernel &convolution, const AffineExpr &address, bool mayStay) {
    const std::vector<std::int64_t> &made = convolution.stores[0].address.steps;
    for (std::size_t d = 0; d < made.size(); ++d)
        if (convolution.loops[d] > 1 && made[d] == 1 && address.steps[d] != 1 &&
            !(mayStay && address.steps[d] == 0))
            return false;
    return true;
}

/// A depthwise convolution that also stores what the consumer computes; empty: that does not follow its
/// results.
std::optional<Kernel> withExtraStores(const Kernel &structuredOp, const Kernel &consumer) {
    const bool isOfElements =
        consumer.isLoops() && !consumer.hasReductions() && !consumer.hasScans() && !consumer.isScattered();
    if (!isOfElements)
        return std::nullopt;
    std::optional<Kernel> all = withConsumer({structuredOp}, consumer, ConsumerCoverage::Whole);
    if (!all)
        return std::nullopt;
    for (auto i = structuredOp.inputs.size(); i < all->inputs.size(); ++i)
        if (!followsResults(structuredOp, all->inputs[i].address, true))
            return std::nullopt;
    for (auto i = structuredOp.stores.size(); i < all->stores.size(); ++i)
        if (!followsResults(structuredOp, all->stores[i].address, false))
            return std::nullopt;
    return all;
}

bool readsAny(const Kernel &kernel, const std::vector<KernelStore> &stores) {
    return std::any_of(stores.begin(), stores.end(),
                       [&kernel](const KernelStore &store) { return reads(kernel, store.buffer); });
}

/// Where two stores are equal and one of them is a temporary, its consumers read the other one.
void dropEqualStores(Program &program, std::size_t producer) {
    std::vector<KernelStore> &stores = program.kernels[producer].stores;
    for (std::size_t i = 0; i < stores.size(); ++i)
        for (std::size_t k = 0; k < stores.size(); ++k) {
            const ProgramBuffer &buffer = program.buffers[static_cast<std::size_t>(stores[i].buffer)];
            KernelStore moved = stores[i];
            moved.buffer = stores[k].buffer;
            // The first store counts results: it has to cover all of them.
            const bool isCounted = i == 0 && !stores[1].every.empty();
            if (i == k || buffer.kind != ProgramBuffer::Kind::Temporary || moved != stores[k] || isCounted)
                continue;
            for (Kernel &kernel : program.kernels)
                for (KernelInput &input : kernel.inputs)
                    if (input.buffer == stores[i].buffer)
                        input.buffer = moved.buffer;
            stores.erase(stores.begin() + static_cast<std::ptrdiff_t>(i));
            return;
        }
}

/// Stores what one of several consumers, or one with several results, computes from each result of a
/// depthwise convolution as extra outputs of that.
bool fuseAsExtraStores(Program &program, std::size_t producer) {
    const Kernel &structuredOp = program.kernels[producer];
    if (!structuredOp.isDepthwiseConvolution() || structuredOp.hasEpilogue())
        return false;
    const KernelStore own = structuredOp.stores[0];
    const bool isTemporary =
        program.buffers[static_cast<std::size_t>(own.buffer)].kind == ProgramBuffer::Kind::Temporary;
    std::vector<std::size_t> consumers;
    for (std::size_t i = producer + 1; i < program.kernels.size(); ++i)
        if (readsAny(program.kernels[i], {own}))
            consumers.push_back(i);
    const bool isNeeded = !isTemporary || consumers.size() > 1; // whichever of them is fused
    for (const std::size_t position : consumers) {
        std::optional<Kernel> all = withExtraStores(structuredOp, program.kernels[position]);
        if (!all)
            continue;
        // The store that all others are counted by has to cover every position.
        const auto whole = std::find_if(all->stores.begin() + 1, all->stores.end(),
                                        [](const KernelStore &store) { return store.every.empty(); });
        if (!isNeeded && whole == all->stores.end())
            continue;
        if (!isNeeded) {
            std::iter_swap(all->stores.begin(), whole);
            all->stores.erase(whole);
        }
        // Both at the position of one of them: all inputs are ready there, or nobody needs a result earlier.
        bool isEarly = true;
        bool isLate = true;
        for (std::size_t i = producer + 1; i < position; ++i) {
            isEarly = isEarly && !readsAny(program.kernels[position], program.kernels[i].stores);
            isLate = isLate && !readsAny(program.kernels[i], structuredOp.stores);
        }
        if ((!isEarly && !isLate) || all->stores.size() > mostStores)
            continue;
        program.kernels[isEarly ? producer : position] = std::move(*all);
        program.kernels.erase(program.kernels.begin() +
                              static_cast<std::ptrdiff_t>(isEarly ? position : producer));
        dropEqualStores(program, isEarly ? producer : position - 1);
        return true;
    }
    return false;
}

} // namespace

void fuseConsumers(Program &program) {
    for (std::size_t i = 0; i < program.kernels.size();)
        if (!fuseIntoConsumer(program, i, true))
            ++i;
    for (std::size_t i = 0; program.timeLoops.empty() && i < program.kernels.size();)
        if (!fuseAsExtraStores(program, i))
            ++i;
    for (std::size_t i = 0; program.timeLoops.empty() && i < program.kernels.size();)
        if (!eliminateCopy(program, i))
            ++i;
}

bool fuseMatmulIntoConsumer(Program &program, std::size_t producer) {
    return program.kernels[producer].isMatmul() && fuseIntoConsumer(program, producer, false);
}

bool fuseConsumer(Program &program, std::size_t consumer) {
    for (std::size_t producer = 0; producer < consumer; ++producer)
        if (onlyConsumer(program, producer) == consumer && fuseIntoConsumer(program, producer, false))
            return true;
    return false;
}

} // namespace warpwright
