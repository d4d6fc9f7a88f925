// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/fusion/matmul_epilogue.h"

#include "agent/playbook/ir/index_map.h"
#include "agent/playbook/ir/kernel_op.h"
#include "agent/playbook/ir/library_anchor.h"

#include <algorithm>
#include <utility>

namespace warpwright {
namespace {

/// Where the loops that an anchor's result lies in are among those of a kernel that reads it.
struct ResultInLoops {
    struct Dimension {
        int loop = -1;           ///< -1: of size 1
        std::int64_t factor = 1; ///< of the loop's steps: a loop may count several dimensions at once
        std::int64_t size = 1;   ///< that the loop meets
        std::int64_t every = 1;  ///< of the result's places are met

        bool operator==(const Dimension &) const = default;
    };
    std::vector<Dimension> dimensions;

    [[nodiscard]] AffineIndex moved(const AffineIndex &index) const {
        AffineIndex answer{index.offset, {}};
        for (const Dimension &some : dimensions)
            answer.steps.push_back(
                some.loop < 0 ? 0 : index.steps[static_cast<std::size_t>(some.loop)] * some.factor);
        return answer;
    }
    /// As a store has it.
    [[nodiscard]] std::vector<std::int64_t> skipped() const {
        std::vector<std::int64_t> every;
        for (const Dimension &some : dimensions)
            every.push_back(some.every);
        if (std::all_of(every.begin(), every.end(), [](std::int64_t number) { return number == 1; }))
            every.clear();
        return every;
    }
    /// Whether it hangs on a counter of every second place, which the result's loops do not have.
    [[nodiscard]] bool countsSkipped(const AffineIndex &index) const {
        for (std::size_t d = 0; d < dimensions.size(); ++d)
            if (dimensions[d].every > 1 && index.steps[d] != 0)
                return true;
        return false;
    }
    bool operator==(const ResultInLoops &) const = default;
};

constexpr std::int64_t mostSkipped = 4;

/// Empty: the loops do not meet that.
std::optional<ResultInLoops> resultIn(const FusedKernel &anchor, const FusedKernel &reader,
                                      const AffineIndex &address, MetByReader met = MetByReader::Block) {
    const AffineIndex &made = anchor.stores[0].address;
    if (address.offset != made.offset)
        return std::nullopt;
    ResultInLoops found;
    found.dimensions.resize(anchor.loops.size());
    for (std::size_t k = 0; k < reader.loops.size(); ++k) {
        std::int64_t step = address.steps[k];
        std::int64_t left = reader.loops[k];
        for (std::int64_t factor = 1; left > 1;) {
            std::size_t d = 0;
            // Where the reader repeats a result its step is 0, as a sum's loop has it: that is no place of
            // one.
            while (d < anchor.loops.size() && (anchor.loops[d] == 1 || made.steps[d] == 0 ||
                                               made.steps[d] != step || found.dimensions[d].loop >= 0))
                ++d;
            std::int64_t every = 1;
            if (d == anchor.loops.size() && met == MetByReader::Whole)
                for (d = 2; d < anchor.loops.size(); ++d) {
                    every = made.steps[d] == 0 ? 1 : step / made.steps[d];
                    if (anchor.loops[d] > every && every > 1 && every <= mostSkipped &&
                        step == every * made.steps[d] && found.dimensions[d].loop < 0)
                        break;
                }
            if (d == anchor.loops.size())
                return std::nullopt;
            const std::int64_t size = std::min(left, (anchor.loops[d] - 1) / every + 1);
            if (left % size != 0)
                return std::nullopt;
            found.dimensions[d] = {static_cast<int>(k), factor, size, every};
            factor *= size;
            step *= size;
            left /= size;
        }
    }
    for (std::size_t d = 0; d < anchor.loops.size(); ++d) {
        if (anchor.anchor != Anchor::Convolution && made.steps[d] == 0)
            continue; // a sum goes over it
        const bool isSpace = anchor.anchor == Anchor::Convolution && d >= 2 && met == MetByReader::Block;
        if (found.dimensions[d].size != (anchor.loops[d] - 1) / found.dimensions[d].every + 1 &&
            (!isSpace || found.dimensions[d].loop < 0))
            return std::nullopt;
    }
    return found;
}

/// A product's steps in those of another one with the same first matrix: the step with its sums.
int addProduct(FusedKernel &all, const FusedKernel &product) {
    std::vector<int> place;
    for (const KernelStep &step : product.steps) {
        std::vector<int> operands;
        for (const int operand : step.operands)
            operands.push_back(place[static_cast<std::size_t>(operand)]);
        if (step.op == KernelOp::Load)
            place.push_back(all.load(product.leaves[static_cast<std::size_t>(step.leaf)], {},
                                     step.isGuarded ? operands.back() : -1));
        else if (step.op == KernelOp::Index)
            place.push_back(all.index(step.index));
        else
            place.push_back(step.op == KernelOp::Number ? all.number(step.number, step.type)
                                                        : all.add(step.op, step.type, std::move(operands)));
    }
    return place[static_cast<std::size_t>(product.stores[0].step)];
}

/// Which of these kernels makes what is read; -1: none, -2: a part that none of them makes.
int makerOf(const std::vector<FusedKernel> &makers, const KernelLeaf &leaf) {
    int found = -1;
    for (std::size_t i = 0; i < makers.size() && found < 0; ++i)
        if (const KernelStore &made = makers[i].stores[0]; made.buffer == leaf.buffer)
            found =
                makers.size() == 1 || made.address.offset == leaf.address.offset ? static_cast<int>(i) : -2;
    return found;
}

} // namespace

std::optional<FusedKernel> withReader(const std::vector<FusedKernel> &makers, const FusedKernel &reader,
                                      MetByReader met, bool mayMixTypes) {
    const FusedKernel &anchor = makers[0];
    const KernelStore made = anchor.stores[0];
    const bool isOneType = anchor.anchor != Anchor::Attention && !mayMixTypes; // its texts know one
    std::vector<const KernelLeaf *> own(makers.size());
    for (const KernelLeaf &leaf : reader.leaves) {
        const int maker = makerOf(makers, leaf);
        if (!leaf.isPlain() || maker < -1 || (leaf.type != made.type && (maker >= 0 || isOneType)))
            return std::nullopt;
        if (maker >= 0 && std::exchange(own[static_cast<std::size_t>(maker)], &leaf) != nullptr)
            return std::nullopt;
    }
    if (std::find(own.begin(), own.end(), nullptr) != own.end() ||
        (isOneType && std::any_of(reader.stores.begin(), reader.stores.end(),
                                  [&made](const KernelStore &store) { return store.type != made.type; })))
        return std::nullopt;
    const auto result = resultIn(anchor, reader, own[0]->address, met);
    for (std::size_t i = 1; i < makers.size(); ++i)
        if (resultIn(makers[i], reader, own[i]->address) != result)
            return std::nullopt;
    if (!result)
        return std::nullopt;
    FusedKernel all = anchor;
    if (anchor.anchor == Anchor::Convolution && met == MetByReader::Block) {
        for (std::size_t d = 0; d < all.loops.size(); ++d)
            all.loops[d] = result->dimensions[d].size;
        all.convolution.output = all.loops;
    }
    std::vector<int> sums{made.step};
    for (std::size_t i = 1; i < makers.size(); ++i)
        sums.push_back(addProduct(all, makers[i]));
    std::vector<int> place;
    for (const KernelStep &step : reader.steps) {
        if (step.isGuarded)
            return std::nullopt;
        if (step.op == KernelOp::Load) {
            KernelLeaf leaf = reader.leaves[static_cast<std::size_t>(step.leaf)];
            const int maker = makerOf(makers, leaf);
            leaf.address = result->moved(leaf.address);
            if (maker < 0 && result->countsSkipped(leaf.address))
                return std::nullopt;
            place.push_back(maker >= 0 ? sums[static_cast<std::size_t>(maker)] : all.load(leaf));
        } else if (step.op == KernelOp::Number) {
            place.push_back(all.number(step.number, step.type));
        } else if (step.op == KernelOp::Index) {
            if (result->countsSkipped(result->moved(step.index)))
                return std::nullopt;
            place.push_back(all.index(result->moved(step.index)));
        } else {
            std::vector<int> operands;
            for (const int operand : step.operands)
                operands.push_back(place[static_cast<std::size_t>(operand)]);
            place.push_back(all.add(step.op, step.type, std::move(operands)));
        }
    }
    if (met == MetByReader::Block)
        all.stores.clear();
    for (const KernelStore &store : reader.stores)
        all.stores.push_back({place[static_cast<std::size_t>(store.step)], store.buffer, store.type,
                              result->moved(store.address), result->skipped()});
    return all;
}

std::optional<FusedKernel> productsInReader(const std::vector<FusedKernel> &products,
                                            const FusedKernel &reader) {
    return withReader(products, reader, MetByReader::Block, true);
}

} // namespace warpwright
