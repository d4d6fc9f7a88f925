// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/cuda/loops/mapping_rationale.h"

#include "agent/playbook/schedule/online_reduction.h"

namespace warpwright {

const QString blockScanRationale =
    QStringLiteral("One block takes one row, chunk by chunk. Its threads scan a chunk together, "
                   "and carry the chunk's total over to the next one.");

namespace {

const QString flatRationale =
    QStringLiteral("Every element is loaded once and stored once, and intermediate values stay in "
                   "registers: memory bandwidth is the only limit.");
const QString sharedIndicesRationale =
    QStringLiteral("Many results read at the same indices, with the same weights. So one thread "
                   "computes these once and produces several results; neighbouring threads "
                   "produce the adjacent ones and load adjacent elements (coalesced).");
const QString threadPerRowRationale =
    QStringLiteral("One thread takes one row, element by element. There are many rows, and "
                   "neighbouring threads read adjacent memory, so threads need not cooperate.");
const QString sharedGatherRationale = QStringLiteral(
    "A row gathers elements from anywhere in one segment of memory. So a block takes a row: it "
    "copies the segment into shared memory (coalesced), and gathers from there.");
const QString onlineSoftmaxRationale =
    QStringLiteral("Sums of exponentials are formed in the same pass as the maximum (online "
                   "softmax): when a larger element comes, each sum so far is multiplied by "
                   "exp(old maximum - new maximum).");

QString columnReductionRationale(const Kernel &kernel, const ThreadMapping &mapping) {
    QString text =
        mapping.blockWidth < 32
            ? QStringLiteral("The elements of one reduction are strided in memory, and adjacent elements "
                             "belong to different reductions, of which there are fewer than a warp has "
                             "threads. So threadIdx.x selects the reduction and threadIdx.y the element: a "
                             "warp loads consecutive addresses (coalesced). The threads combine their "
                             "partial results in shared memory.")
            : QStringLiteral("The elements of one reduction are strided in memory, and adjacent "
                             "elements belong to different reductions. So each thread takes "
                             "one reduction, and the 32 threads of a warp load adjacent "
                             "elements (coalesced). Several warps split "
                             "each reduction and combine their partial results in shared "
                             "memory.");
    if (mapping.sums > 1)
        text += QStringLiteral(" Where the elements of a warp begin inside a 32-byte sector, it reads one "
                               "sector more than it uses. So a thread takes %1 adjacent reductions: one "
                               "extra sector for %1 times as many.")
                    .arg(mapping.sums);
    if (mapping.isPersistent)
        text += QLatin1String(" Each thread keeps its elements in registers: memory is read once.");
    if (hasOnlineSoftmax(kernel))
        text += QLatin1Char(' ') + onlineSoftmaxRationale;
    return text;
}

QString clusterRationale(const ThreadMapping &mapping) {
    return mapping.isPersistent
               ? QStringLiteral(
                     "A row is too long for the registers of one block. So the blocks of a cluster "
                     "share it, and each keeps its part in registers from the first read to the "
                     "last write; they exchange partial sums through distributed shared memory.")
               : QStringLiteral(
                     "Rows are few and long. So the blocks of a cluster share one row, which keeps "
                     "more SMs busy, and exchange partial sums through distributed shared memory.");
}

} // namespace

QString mappingRationale(const Kernel &kernel, const ThreadMapping &mapping) {
    if (mapping.mode == MappingMode::Flat)
        return flatRationale;
    if (mapping.mode == MappingMode::ColumnReduction)
        return columnReductionRationale(kernel, mapping);
    if (kernel.isRowPerThread)
        return sharedIndicesRationale;
    if (mapping.mode == MappingMode::ThreadPerRow)
        return threadPerRowRationale;
    if (mapping.usesSharedGather)
        return sharedGatherRationale;
    if (kernel.hasScans())
        return blockScanRationale;
    if (mapping.isClustered)
        return clusterRationale(mapping);
    if (hasOnlineSoftmax(kernel))
        return onlineSoftmaxRationale + QLatin1String(" So one pass over the row is enough; at its end each "
                                                      "thread's sums are rescaled to the maximum of the "
                                                      "whole row.");
    if (mapping.isPersistent)
        return QStringLiteral("The threads that share a row keep it in registers from the first "
                              "read to the last write; they combine their partial results "
                              "once per reduction.");
    return QStringLiteral("The threads that share a row make one pass over it for each "
                          "reduction that has to be complete before the next pass begins.");
}

} // namespace warpwright
