// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/fusion/reader_folding.h"

#include "agent/playbook/analysis/product_plan.h"
#include "agent/playbook/fusion/copy_dropping.h"
#include "agent/playbook/fusion/joined_products.h"
#include "agent/playbook/fusion/matmul_epilogue.h"
#include "agent/playbook/ir/product_terms.h"
#include "agent/playbook/schedule/matmul/own_product.h"
#include "agent/playbook/schedule/matmul/skinny_matmul.h"
#include "agent/playbook/schedule/own_convolution.h"

#include <algorithm>
#include <utility>

namespace warpwright {
namespace {

constexpr std::size_t mostStores = 4; ///< of a depthwise convolution

/// A product, or a convolution with channels last, in two: of the first half of its columns, or filters, and
/// of the second one.
std::vector<FusedKernel> halvesOf(const FusedKernel &product) {
    std::vector<FusedKernel> halves(2, product);
    const std::int64_t columns = product.loops[1] / 2;
    const bool isConvolution = product.anchor == Anchor::Convolution;
    ConvolutionSizes sizes = product.convolution;
    if (isConvolution)
        sizes.output[1] = sizes.weight[0] = columns;
    for (FusedKernel &half : halves) {
        half.loops[1] = columns;
        half.convolution = sizes;
    }
    halves[1].leaves[1].address.offset +=
        isConvolution ? elementCount(sizes.weight) : columns * product.leaves[1].address.steps[1];
    halves[1].stores[0].address.offset += columns * product.stores[0].address.steps[1];
    return halves;
}

/// Two products of one matrix, or convolutions of one image, in the reader of both, where that is all that
/// reads them; or the two halves of one.
bool foldPairIntoReader(KernelPlan &plan, std::size_t maker, std::size_t readerPlace) {
    const FusedKernel &product = plan.kernels[maker];
    FusedKernel &reader = plan.kernels[readerPlace];
    const bool isConvolution = product.anchor == Anchor::Convolution;
    if ((!isConvolution && product.loops.size() != 3) || reader.stores.size() != 1)
        return false;
    const auto taken = [&](const std::vector<FusedKernel> &makers) {
        std::optional<FusedKernel> all = withReader(makers, reader);
        const bool isGood = all && otherSumOf(*all) >= 0 &&
                            (isConvolution ? canBeOwnConvolution(*all) : canBeOwnProduct(*all));
        if (isGood)
            reader = std::move(*all);
        return isGood;
    };
    if (product.loops[1] % 2 == 0 && taken(halvesOf(product))) {
        plan.kernels.erase(plan.kernels.begin() + static_cast<std::ptrdiff_t>(maker));
        return true;
    }
    for (std::size_t other = 0; other < readerPlace; ++other) {
        const FusedKernel &second = plan.kernels[other];
        if (other == maker || second.anchor != product.anchor || !second.epilogue.isEmpty() ||
            isOwnProduct(second) || isOwnConvolution(second) || second.convolution != product.convolution ||
            second.loops != product.loops || second.leaves[0] != product.leaves[0] ||
            onlyReader(plan, other) != readerPlace || !taken({product, second}))
            continue;
        const auto [first, last] = std::minmax(maker, other);
        plan.kernels.erase(plan.kernels.begin() + static_cast<std::ptrdiff_t>(last));
        plan.kernels.erase(plan.kernels.begin() + static_cast<std::ptrdiff_t>(first));
        return true;
    }
    return false;
}

/// The product without the columns of zeros that were put behind its own for a library.
FusedKernel withoutPadding(const KernelPlan &plan, const FusedKernel &product) {
    FusedKernel own = product;
    const BufferLayout &layout = plan.buffers[static_cast<std::size_t>(product.stores[0].buffer)].layout;
    if (product.loops.size() == 3 && !layout.shape.empty() && layout.strides.back() == 1 &&
        product.stores[0].address.steps[1] == 1)
        own.loops[1] = std::min(own.loops[1], layout.shape.back());
    return own;
}

/// The product with its rows as rows of batches, which a reader tells apart: what is read beside may be one
/// for all rows of a batch, or the same for each batch.
std::optional<FusedKernel> inBatchesOf(const FusedKernel &reader, const FusedKernel &product) {
    if (product.loops.size() != 3)
        return std::nullopt;
    const KernelStore &made = product.stores[0];
    for (const KernelLeaf &leaf : reader.leaves)
        for (std::size_t k = 0; leaf.buffer == made.buffer && k < reader.loops.size(); ++k) {
            // A loop over rows, or over all elements of these.
            const std::int64_t step = leaf.address.steps[k];
            const std::int64_t columns = product.loops[1];
            const bool isOfElements =
                step == made.address.steps[1] && made.address.steps[0] == step * columns;
            const std::int64_t rows = step == made.address.steps[0] ? reader.loops[k]
                                      : isOfElements && reader.loops[k] % columns == 0
                                          ? reader.loops[k] / columns
                                          : 0;
            if (rows <= 1 || rows >= product.loops[0] || product.loops[0] % rows != 0)
                continue;
            FusedKernel parted = product;
            const auto part = [rows](AffineIndex &index) {
                index.steps.insert(index.steps.begin(), index.steps[0] * rows);
            };
            parted.loops[0] = rows;
            parted.loops.insert(parted.loops.begin(), product.loops[0] / rows);
            parted.outer = parted.loops.size() - 1;
            for (KernelLeaf &some : parted.leaves)
                part(some.address);
            part(parted.stores[0].address);
            return parted;
        }
    return std::nullopt;
}

/// The kernel of ours at `maker` in its only reader, if that is one that goes over elements. `mayCopy`: also
/// where a copy of a matrix then stands in the maker's place.
bool foldIntoReader(KernelPlan &plan, std::size_t maker, bool mayCopy) {
    const FusedKernel &anchor = plan.kernels[maker];
    const bool isDepthwise =
        anchor.anchor == Anchor::Convolution && anchor.convolution.isDepthwise() && anchor.epilogue.isEmpty();
    const bool isBareProduct =
        anchor.anchor == Anchor::Product && anchor.epilogue.isEmpty() && !isFinishedProduct(anchor);
    const bool isSmall = isBareProduct && canBeFinishedSmallProduct(anchor);
    const bool mayBeOwn = plan.choices.hasOwnProducts && isBareProduct && !isSmall;
    const bool mayBeOwnConvolution = plan.choices.hasOwnProducts && anchor.anchor == Anchor::Convolution &&
                                     anchor.convolution.isChannelsLast && !isDepthwise &&
                                     anchor.epilogue.isEmpty() && !isOwnConvolution(anchor);
    const bool isOurs =
        isDepthwise || isSmall || mayBeOwn || mayBeOwnConvolution || anchor.anchor == Anchor::Attention;
    if (!isOurs || anchor.stores.size() > 1)
        return false;
    if (mayBeOwn && joinProducts(plan, maker))
        return true;
    const std::optional<std::size_t> readerPlace = onlyReader(plan, maker);
    if (!readerPlace)
        return false;
    FusedKernel &reader = plan.kernels[*readerPlace];
    if (reader.anchor != Anchor::None || reader.hasReductions() || reader.stores.size() != 1)
        return false;
    if ((mayBeOwn || mayBeOwnConvolution) && foldPairIntoReader(plan, maker, *readerPlace))
        return true;
    std::optional<FusedKernel> all = withReader({mayBeOwn ? withoutPadding(plan, anchor) : anchor}, reader);
    std::optional<FusedKernel> parted;
    if (!all && mayBeOwn && (parted = inBatchesOf(reader, anchor)))
        all = withReader({*parted}, reader);
    if (mayCopy && mayBeOwn && all && isOwnProduct(*all) && !canBeOwnProduct(*all)) {
        const auto turned = withTurnedMatrix(anchor, static_cast<int>(plan.buffers.size()));
        parted = turned && parted ? inBatchesOf(reader, turned->product) : std::nullopt;
        all = parted   ? withReader({*parted}, reader)
              : turned ? withReader({turned->product}, reader)
                       : std::nullopt;
        if (!all || !canBeOwnProduct(*all))
            return false;
        const int node = plan.buffers[static_cast<std::size_t>(anchor.leaves[1].buffer)].node;
        reader = std::move(*all);
        plan.buffers.push_back({PlanBuffer::Kind::Temporary, node, turned->layout});
        plan.kernels[maker] = turned->copy;
        return true;
    }
    if (!all || (mayBeOwn && (!isOwnProduct(*all) || !canBeOwnProduct(*all))) ||
        (isSmall && !canBeFinishedSmallProduct(*all)) || (mayBeOwnConvolution && !canBeOwnConvolution(*all)))
        return false;
    reader = std::move(*all);
    plan.kernels.erase(plan.kernels.begin() + static_cast<std::ptrdiff_t>(maker));
    return true;
}

/// Whether the loops that follow each other in a convolution's results do so at this address, or stay.
bool followsResults(const FusedKernel &convolution, const AffineIndex &address, bool mayStay) {
    const std::vector<std::int64_t> &made = convolution.stores[0].address.steps;
    for (std::size_t d = 0; d < made.size(); ++d)
        if (convolution.loops[d] > 1 && made[d] == 1 && address.steps[d] != 1 &&
            !(mayStay && address.steps[d] == 0))
            return false;
    return true;
}

/// A depthwise convolution that stores what the reader makes as well; empty: that does not go along with its
/// results.
std::optional<FusedKernel> withStoresBeside(const FusedKernel &anchor, const FusedKernel &reader) {
    const bool isOfElements = reader.anchor == Anchor::None && !reader.hasReductions() &&
                              !reader.hasScans() && reader.scatter.isEmpty();
    if (!isOfElements)
        return std::nullopt;
    std::optional<FusedKernel> all = withReader({anchor}, reader, MetByReader::Whole);
    if (!all)
        return std::nullopt;
    for (auto i = anchor.leaves.size(); i < all->leaves.size(); ++i)
        if (!followsResults(anchor, all->leaves[i].address, true))
            return std::nullopt;
    for (auto i = anchor.stores.size(); i < all->stores.size(); ++i)
        if (!followsResults(anchor, all->stores[i].address, false))
            return std::nullopt;
    return all;
}

bool readsAny(const FusedKernel &kernel, const std::vector<KernelStore> &stores) {
    return std::any_of(stores.begin(), stores.end(),
                       [&kernel](const KernelStore &store) { return reads(kernel, store.buffer); });
}

/// Where two stores are the same, and one of them is between kernels, the other one is read instead.
void dropEqualStores(KernelPlan &plan, std::size_t maker) {
    std::vector<KernelStore> &stores = plan.kernels[maker].stores;
    for (std::size_t i = 0; i < stores.size(); ++i)
        for (std::size_t k = 0; k < stores.size(); ++k) {
            const PlanBuffer &buffer = plan.buffers[static_cast<std::size_t>(stores[i].buffer)];
            KernelStore moved = stores[i];
            moved.buffer = stores[k].buffer;
            // The first one counts results: it has to be of all of them.
            const bool isCounted = i == 0 && !stores[1].every.empty();
            if (i == k || buffer.kind != PlanBuffer::Kind::Temporary || moved != stores[k] || isCounted)
                continue;
            for (FusedKernel &kernel : plan.kernels)
                for (KernelLeaf &leaf : kernel.leaves)
                    if (leaf.buffer == stores[i].buffer)
                        leaf.buffer = moved.buffer;
            stores.erase(stores.begin() + static_cast<std::ptrdiff_t>(i));
            return;
        }
}

/// What one of several readers, or one with several results, makes of each result of a depthwise convolution
/// is stored beside that.
bool foldBeside(KernelPlan &plan, std::size_t maker) {
    const FusedKernel &anchor = plan.kernels[maker];
    if (anchor.anchor != Anchor::Convolution || !anchor.convolution.isDepthwise() ||
        !anchor.epilogue.isEmpty())
        return false;
    const KernelStore own = anchor.stores[0];
    const bool isTemporary =
        plan.buffers[static_cast<std::size_t>(own.buffer)].kind == PlanBuffer::Kind::Temporary;
    std::vector<std::size_t> readers;
    for (std::size_t i = maker + 1; i < plan.kernels.size(); ++i)
        if (readsAny(plan.kernels[i], {own}))
            readers.push_back(i);
    const bool isNeeded = !isTemporary || readers.size() > 1; // whatever one of them does
    for (const std::size_t place : readers) {
        std::optional<FusedKernel> all = withStoresBeside(anchor, plan.kernels[place]);
        if (!all)
            continue;
        // The one that all others are counted by is stored at every place.
        const auto whole = std::find_if(all->stores.begin() + 1, all->stores.end(),
                                        [](const KernelStore &store) { return store.every.empty(); });
        if (!isNeeded && whole == all->stores.end())
            continue;
        if (!isNeeded) {
            std::iter_swap(all->stores.begin(), whole);
            all->stores.erase(whole);
        }
        // Both at the place of one of them: all that is read is there, or nobody waits for a result.
        bool isEarly = true;
        bool isLate = true;
        for (std::size_t i = maker + 1; i < place; ++i) {
            isEarly = isEarly && !readsAny(plan.kernels[place], plan.kernels[i].stores);
            isLate = isLate && !readsAny(plan.kernels[i], anchor.stores);
        }
        if ((!isEarly && !isLate) || all->stores.size() > mostStores)
            continue;
        plan.kernels[isEarly ? maker : place] = std::move(*all);
        plan.kernels.erase(plan.kernels.begin() + static_cast<std::ptrdiff_t>(isEarly ? place : maker));
        dropEqualStores(plan, isEarly ? maker : place - 1);
        return true;
    }
    return false;
}

} // namespace

void foldReaders(KernelPlan &plan) {
    for (std::size_t i = 0; i < plan.kernels.size();)
        if (!foldIntoReader(plan, i, true))
            ++i;
    for (std::size_t i = 0; plan.repeats.empty() && i < plan.kernels.size();)
        if (!foldBeside(plan, i))
            ++i;
    for (std::size_t i = 0; plan.repeats.empty() && i < plan.kernels.size();)
        if (!dropCopy(plan, i))
            ++i;
}

bool foldProduct(KernelPlan &plan, std::size_t maker) {
    return plan.kernels[maker].anchor == Anchor::Product && foldIntoReader(plan, maker, false);
}

bool foldReader(KernelPlan &plan, std::size_t reader) {
    for (std::size_t maker = 0; maker < reader; ++maker)
        if (onlyReader(plan, maker) == reader && foldIntoReader(plan, maker, false))
            return true;
    return false;
}

} // namespace warpwright
