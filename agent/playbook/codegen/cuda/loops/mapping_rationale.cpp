// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/cuda/loops/mapping_rationale.h"

#include "agent/playbook/schedule/online_reduction.h"
#include "agent/playbook/schedule/vector_width.h"

#include <algorithm>
#include <cstdlib>
#include <set>

namespace warpwright {

const QString blockScanRationale =
    QStringLiteral("One block takes one row, chunk by chunk. Its threads scan a chunk together, "
                   "and carry the chunk's total over to the next one.");

namespace {

const QString sharedIndicesRationale =
    QStringLiteral("Many results read at the same indices, with the same weights. So one thread "
                   "computes these once and produces several results; neighbouring threads "
                   "produce the adjacent ones and load adjacent elements (coalesced).");
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

/// No element is read by two results, or by one of them twice.
bool readsElementsOnce(const Kernel &kernel) {
    std::set<int> buffers;
    return std::all_of(kernel.inputs.begin(), kernel.inputs.end(), [&](const KernelInput &input) {
        bool isOnce = buffers.insert(input.buffer).second;
        std::vector<int> alongLoops; // of which no two traverse the same elements
        for (std::size_t k = 0; k < kernel.loops.size(); ++k)
            if (kernel.loops[k] > 1)
                alongLoops.push_back(static_cast<int>(k));
        const auto step = [&](int loop) {
            return std::abs(input.address.steps[static_cast<std::size_t>(loop)]);
        };
        std::sort(alongLoops.begin(), alongLoops.end(), [&](int a, int b) { return step(a) < step(b); });
        std::int64_t end = 1; // elements that the loops with smaller steps span
        for (const int loop : alongLoops) {
            isOnce = isOnce && step(loop) >= end;
            end += step(loop) * (kernel.loops[static_cast<std::size_t>(loop)] - 1);
        }
        return isOnce;
    });
}

QString flatRationale(const Kernel &kernel) {
    if (!std::all_of(kernel.inputs.begin(), kernel.inputs.end(),
                     [](const KernelInput &input) { return input.isPlain(); }))
        return QStringLiteral("Indices in memory say which elements are loaded: some several times, others "
                              "never. Each result is stored once, and intermediate values stay in "
                              "registers.");
    if (readsElementsOnce(kernel))
        return QStringLiteral("Every element is loaded once and stored once, and intermediate values stay in "
                              "registers: memory bandwidth is the only limit.");
    return QStringLiteral("Each result is stored once, and intermediate values stay in registers. Elements "
                          "that several results need are loaded for each of them: caches spare most of these "
                          "loads.");
}

QString threadPerRowRationale(const Kernel &kernel) {
    const QString text =
        QStringLiteral("One thread takes one row, element by element, so threads need not cooperate.");
    if (kernel.rows() == 1)
        return text;
    const QString rows = QStringLiteral(" There are %1 rows").arg(kernel.rows());
    std::int64_t farthest = 0; // step between the elements of neighbouring threads
    for (const KernelInput &input : kernel.inputs)
        if (kernel.levelOf(input.address) == StepLevel::Element)
            farthest = std::max(farthest, std::abs(input.address.steps[kernel.outer - 1]));
    if (farthest == 0)
        return text + rows + QLatin1Char('.');
    if (farthest == 1)
        return text + rows + QLatin1String(", and neighbouring threads read adjacent memory (coalesced).");
    return text + rows +
           QStringLiteral(", and neighbouring threads read memory up to %1 elements apart.").arg(farthest);
}

QString clusterRationale(const Kernel &kernel, const ThreadMapping &mapping) {
    if (!mapping.isPersistent)
        return QStringLiteral("Rows are few and long. So the blocks of a cluster share one row, which keeps "
                              "more SMs busy, and exchange partial sums through distributed shared memory.");
    return canBePersistent(kernel, false)
               ? QStringLiteral(
                     "Rows are few and long. So the blocks of a cluster share one row, which keeps "
                     "more SMs busy. Each keeps its part in registers from the first read to the "
                     "last write, and they exchange partial sums through distributed shared memory.")
               : QStringLiteral(
                     "A row is too long for the registers of one block. So the blocks of a cluster "
                     "share it, and each keeps its part in registers from the first read to the "
                     "last write; they exchange partial sums through distributed shared memory.");
}

} // namespace

QString mappingRationale(const Kernel &kernel, const ThreadMapping &mapping) {
    if (mapping.mode == MappingMode::Flat)
        return flatRationale(kernel);
    if (mapping.mode == MappingMode::ColumnReduction)
        return columnReductionRationale(kernel, mapping);
    if (kernel.isRowPerThread)
        return sharedIndicesRationale;
    if (mapping.mode == MappingMode::ThreadPerRow)
        return threadPerRowRationale(kernel);
    if (mapping.usesSharedGather)
        return sharedGatherRationale;
    if (kernel.hasScans())
        return blockScanRationale;
    if (mapping.isClustered)
        return clusterRationale(kernel, mapping);
    if (hasOnlineSoftmax(kernel))
        return onlineSoftmaxRationale + QLatin1String(" So one pass over the row is enough; at its end each "
                                                      "thread's sums are rescaled to the maximum of the "
                                                      "whole row.");
    if (mapping.isPersistent)
        return QStringLiteral("The threads that share a row keep it in registers from the first "
                              "read to the last write; they combine their partial results "
                              "once per reduction.");
    if (kernel.passCount() == 1)
        return QStringLiteral("The threads that share a row make one pass over it, and combine their "
                              "partial results at its end.");
    return QStringLiteral("The threads that share a row make one pass over it for each "
                          "reduction that has to be complete before the next pass begins.");
}

} // namespace warpwright
