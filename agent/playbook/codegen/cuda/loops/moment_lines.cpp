// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/cuda/loops/moment_lines.h"

namespace warpwright {

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
