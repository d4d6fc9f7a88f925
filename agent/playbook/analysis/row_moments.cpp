// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/analysis/row_moments.h"

#include <algorithm>
#include <cmath>

namespace warpwright {
namespace {

bool isAloneInPass(const FusedKernel &kernel, int reduction) {
    return std::none_of(kernel.steps.begin(), kernel.steps.end(), [&](const KernelStep &step) {
        const bool isOther = &step != &kernel.step(reduction);
        return isReduction(step.op) && isOther && step.pass == kernel.step(reduction).pass;
    });
}

// Whether a store's loop is the one that forms this sum.
bool isStoredBeside(const FusedKernel &kernel, int reduction) {
    return std::any_of(kernel.stores.begin(), kernel.stores.end(), [&](const KernelStore &store) {
        const KernelStep &step = kernel.step(store.step);
        return step.level >= StepLevel::Column && !isReduction(step.op) &&
               std::max(step.pass, 0) == kernel.step(reduction).pass - 1;
    });
}

std::optional<RowMoments> momentsWith(const FusedKernel &kernel, int squares) {
    const KernelStep &outer = kernel.step(squares);
    if (outer.op != KernelOp::RowSum)
        return {};
    const KernelStep &square = kernel.step(outer.operands[0]);
    if (square.op != KernelOp::Multiply || square.operands[0] != square.operands[1])
        return {};
    const int apart = square.operands[0];
    const KernelStep &difference = kernel.step(apart);
    if (difference.op != KernelOp::Subtract || difference.level != StepLevel::Element)
        return {};
    const KernelStep &mean = kernel.step(difference.operands[1]);
    if (mean.operands.empty())
        return {};
    const int sum = mean.operands[0];
    const KernelStep &inner = kernel.step(sum);
    if (inner.op != KernelOp::RowSum || !isMeanOf(kernel, mean, sum) ||
        inner.operands[0] != difference.operands[0] || inner.pass + 1 != outer.pass ||
        inner.type != outer.type || !isAloneInPass(kernel, sum) || !isAloneInPass(kernel, squares) ||
        isStoredBeside(kernel, squares))
        return {};
    return RowMoments{sum, difference.operands[1], squares, {apart, outer.operands[0]}};
}

} // namespace

bool isMeanOf(const FusedKernel &kernel, const KernelStep &step, int sum) {
    if (step.operands.size() != 2 || step.operands[0] != sum)
        return false;
    const KernelStep &other = kernel.step(step.operands[1]);
    const auto length = static_cast<double>(kernel.columns());
    const double wanted = step.op == KernelOp::Divide ? length : 1.0 / length;
    return (step.op == KernelOp::Divide || step.op == KernelOp::Multiply) && other.op == KernelOp::Number &&
           std::abs(other.number - wanted) <= 1e-12 * wanted;
}

std::optional<RowMoments> rowMomentsOf(const FusedKernel &kernel) {
    if (kernel.hasScans() || kernel.hasRanks())
        return {};
    for (std::size_t i = 0; i < kernel.steps.size(); ++i)
        if (const auto moments = momentsWith(kernel, static_cast<int>(i)))
            return moments;
    return {};
}

QString joinMomentsLine(const QString &sum, const QString &squares) {
    return QStringLiteral("joinMoments<BLOCKS, THREADS>(%1, %2, center, part, %2Partials, ofBlocks);")
        .arg(sum, squares);
}

QString meanOfPartLine(const QString &type, const QString &sum) {
    return QStringLiteral("const %1 center = part > 0 ? %2 / part : 0;").arg(type, sum);
}

QStringList partOfRowLines(const QString &type, int width) {
    const QString packs = width > 1 ? QStringLiteral(" * kWidth") : QString();
    return {QStringLiteral("__shared__ Moments<%1> ofBlocks[BLOCKS];").arg(type),
            QStringLiteral("// How many elements of the row are this block's."),
            QStringLiteral("constexpr int kPiece = THREADS%1;").arg(packs),
            QStringLiteral("int part = 0;"),
            QStringLiteral("for (int c = blockIdx.x % BLOCKS * kPiece; c < kColumns; c += BLOCKS * kPiece)"),
            QStringLiteral("    part += c + kPiece < kColumns ? kPiece : kColumns - c;")};
}

QString joinMomentsText() {
    return QStringLiteral(
        R"(// What a block knows of its part of a row.
template <typename T> struct Moments {
    T sum, mean, squares; // these around the part's own mean
    int part;             // elements
};

// The row's sum and the squares around its mean, from those of the parts. A part's squares are around another mean
// than the row's: what is missing is the square of their distance, once for each element. So the blocks meet once;
// squares around the row's mean would have to wait until all blocks know it.
template <int BLOCKS, int THREADS, typename T>
__device__ void joinMoments(T &sum, T &squares, T mean, int part, T *partials, Moments<T> *ofBlocks) {
    squares = reduceBlock<THREADS>(squares, partials, [](T a, T b) { return a + b; });
    if (threadIdx.x < BLOCKS) {
        Moments<T> *const mine = &ofBlocks[__clusterRelativeBlockRank()];
        *static_cast<Moments<T> *>(__cluster_map_shared_rank(mine, threadIdx.x)) = {sum, mean, squares, part};
    }
    meetInCluster();
    sum = 0;
    squares = 0;
#pragma unroll
    for (int block = 0; block < BLOCKS; ++block)
        sum += ofBlocks[block].sum;
#pragma unroll
    for (int block = 0; block < BLOCKS; ++block) {
        const T apart = ofBlocks[block].mean - sum / kColumns;
        squares += ofBlocks[block].squares + ofBlocks[block].part * apart * apart;
    }
}

)");
}

} // namespace warpwright
