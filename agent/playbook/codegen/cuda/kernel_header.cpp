// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/cuda/kernel_header.h"

#include "agent/playbook/codegen/cuda/thread_mapping_text.h"
#include "agent/playbook/codegen/loop_names.h"
#include "agent/playbook/schedule/column_scan.h"
#include "agent/playbook/schedule/loop_space.h"
#include "agent/playbook/schedule/online_reduction.h"
#include "agent/playbook/schedule/reduction_schedule.h"
#include "agent/playbook/schedule/register_cache.h"
#include "agent/playbook/schedule/shared_memory_gather.h"
#include "agent/playbook/schedule/transpose_tile.h"
#include "agent/playbook/schedule/unaligned_rows.h"
#include "agent/playbook/schedule/vector_width.h"
#include "agent/playbook/schedule/vectorization.h"
#include "agent/playbook/schedule/vectorized_pooling.h"

#include <algorithm>

namespace warpwright {

QString cudaHead(const Kernel &kernel, const KernelNames &names, const QString &rationale) {
    QString text;
    for (const QString &line : formulaOf(kernel, names).split(QLatin1Char('\n')))
        text += wrapped(line, QStringLiteral("//   "), QStringLiteral("//       "));
    text += QLatin1String("//\n") + wrapped(rationale, QStringLiteral("// "), QStringLiteral("// "));
    text += QLatin1String("#include <cuda_runtime.h>\n");
    const auto uses = [&kernel](ElementType type) {
        return std::any_of(kernel.inputs.begin(), kernel.inputs.end(),
                           [type](const KernelInput &input) { return input.type == type; }) ||
               std::any_of(kernel.stores.begin(), kernel.stores.end(),
                           [type](const KernelStore &store) { return store.type == type; });
    };
    if (uses(ElementType::BFloat16))
        text += QLatin1String("#include <cuda_bf16.h>\n");
    if (uses(ElementType::Float16))
        text += QLatin1String("#include <cuda_fp16.h>\n");
    return text + QLatin1String("\n#include <cmath>\n#include <cstdint>\n\n");
}

QString cudaSignature(const ReferenceGraph &graph, const Program &program, const KernelNames &names) {
    QStringList parameters;
    const auto add = [&](const std::vector<int> &buffers, const QString &constant) {
        for (const int buffer : buffers)
            parameters << QStringLiteral("%1%2 *__restrict__ %3")
                              .arg(constant, cTypeName(typeOfBuffer(graph, program, buffer), true),
                                   names.nameOf(buffer));
    };
    add(names.readBuffers, QStringLiteral("const "));
    add(names.writtenBuffers, {});
    return wrappedCall(QStringLiteral("    %1(").arg(names.function), parameters.join(QLatin1String(", ")),
                       QStringLiteral(") {"));
}

namespace {

// Template parameters of a kernel with a block or a cluster per row.
QString blockParameters(const ThreadMapping &mapping) {
    return mapping.isClustered ? QStringLiteral("int BLOCKS, int THREADS") : QStringLiteral("int THREADS");
}

QString blockArguments(const ThreadMapping &mapping) {
    return mapping.isClustered ? QStringLiteral("BLOCKS, THREADS") : QStringLiteral("THREADS");
}

} // namespace

QString cudaBounds(const ThreadMapping &mapping) {
    if (mapping.mode == MappingMode::Flat)
        return (mapping.hasTwoVectors
                    ? QStringLiteral("// VECTORS: vectors per thread; their loads are in flight together.\n"
                                     "template <int VECTORS>\n")
                    : QString()) +
               QStringLiteral("__global__ void __launch_bounds__(kThreads)\n    ");
    if (mapping.mode == MappingMode::ColumnReduction)
        return QStringLiteral(
            "template <int THREADS_Y>\n__global__ void __launch_bounds__(kThreadsX * THREADS_Y)\n    ");
    return QStringLiteral("template <%1>\n__global__ void %2__launch_bounds__(%3)\n    ")
        .arg(blockParameters(mapping),
             mapping.isClustered ? QStringLiteral("__cluster_dims__(BLOCKS) ") : QString(),
             mapping.hasShortRows ? QStringLiteral("THREADS * kRowsPerBlock<THREADS>")
             : mapping.isPersistent
                 ? QStringLiteral("THREADS, kMinBlocksPerSm<%1>").arg(blockArguments(mapping))
             : mapping.hasManyRegisters ? QStringLiteral("THREADS, THREADS < 512 ? 512 / THREADS : 1")
                                        : QStringLiteral("THREADS"));
}

QString vecIndexType(const Kernel &kernel, int width) {
    return kernel.rows() * kernel.columns() / width < (std::int64_t(1) << 31)
               ? QStringLiteral("unsigned")
               : QStringLiteral("std::int64_t");
}

namespace {

// The vectors of a row that a thread caches in registers, and the resident blocks per SM that this allows.
QString persistentConstants(const Kernel &kernel, const ThreadMapping &mapping, int width) {
    if (mapping.mode == MappingMode::ColumnReduction)
        return QStringLiteral(
            "template <int THREADS_Y> constexpr int kVectorsPerThread = (kColumns + THREADS_Y - 1) / "
            "THREADS_Y; // elements per thread\n");
    const QString blockWidth = cudaThreadsOf(mapping) + (width > 1 ? QStringLiteral(" * kWidth") : QString());
    const std::optional<UnalignedRows> unaligned = width > 1 ? unalignedRowsOf(kernel) : std::nullopt;
    QString text =
        QStringLiteral("template <%3> constexpr int kVectorsPerThread = (kColumns%2 + %1 - 1) / (%1);\n")
            .arg(blockWidth, unaligned && unaligned->hasLead() ? QStringLiteral(" + kWidth - 1") : QString(),
                 blockParameters(mapping));
    if (mapping.hasShortRows) // short rows need few registers
        return text;
    const int halves = cachedHalves(kernel, mapping, width);
    const QString kept = halves == 1       ? QStringLiteral(" / 2")
                         : halves % 2 == 1 ? QStringLiteral(" * %1 / 2").arg(halves)
                         : halves > 2      ? QStringLiteral(" * %1").arg(halves / 2)
                                           : QString();
    text +=
        QStringLiteral(
            "// An SM has 64 Ki registers for at most 2048 threads, allocated by eights. A thread needs "
            "those for\n// its part of the row and %2 more: so many blocks fit, some work while others "
            "wait.\n"
            "template <%3> constexpr int kRegistersPerThread = (kVectorsPerThread<%4>%1 + %2 + 7) / 8 * 8;\n"
            "template <%3>\n"
            "constexpr int kMinBlocksPerSm = (kRegistersPerThread<%4> < 32 ? 2048 : 64 * 1024 / "
            "kRegistersPerThread<%4>) / "
            "THREADS;\n")
            .arg((width > 1 ? QStringLiteral(" * kWidth") : QString()) + kept)
            .arg(uncachedRegisters(kernel, width) +
                 (cachedAsLoaded(kernel, mapping, width).empty() ? 0 : 2 * width))
            .arg(blockParameters(mapping), blockArguments(mapping));
    return text;
}

} // namespace

QString cudaConstants(const Kernel &kernel, const ThreadMapping &mapping, int width) {
    const MappingMode mode = mapping.mode;
    QString text;
    if (mode != MappingMode::Flat)
        text += QStringLiteral("constexpr std::int64_t kRows = %1;\nconstexpr int kColumns = %2;\n")
                    .arg(kernel.rows())
                    .arg(kernel.columns());
    if (width > 1)
        text +=
            QStringLiteral("constexpr int kWidth = %1; // adjacent elements that a thread takes at once\n")
                .arg(width);
    if (mode == MappingMode::Flat) {
        const bool isUnaligned = width > 1 && unalignedRowsOf(kernel).has_value();
        if (isUnaligned)
            text += QStringLiteral("constexpr int kColumns = %1;\n").arg(kernel.columns());
        const std::int64_t vecs = vectorsOf(kernel, width);
        text += QStringLiteral("constexpr std::int64_t kVectors = %1;%2\n")
                    .arg(vecs)
                    .arg(width == 1 ? QStringLiteral(" // elements") : QString());
        if (kernel.outer > 0)
            text += QStringLiteral("constexpr %1 kVectorsPerRow = %2;\n")
                        .arg(vecIndexType(kernel, width))
                        .arg(vecs / kernel.rows());
        text += QStringLiteral("constexpr int kThreads = %1;\n").arg(flatThreads);
        if (mapping.elementsPerThread > 1)
            text += QStringLiteral("constexpr int kElementsPerThread = %1; // their loads are in flight "
                                   "together\n")
                        .arg(mapping.elementsPerThread);
    }
    if (const auto gather = mapping.usesSharedGather ? sharedMemoryGatherOf(kernel) : std::nullopt;
        gather && gather->hasRows())
        text += QStringLiteral("constexpr int kRowsPerBlock = %1; // gather by the same indices, read once\n")
                    .arg(gather->rows);
    if (mapping.isPersistent)
        text += persistentConstants(kernel, mapping, width);
    if (mapping.batchesRescaling)
        text += mode == MappingMode::ColumnReduction
                    ? QLatin1String(
                          "template <int THREADS_Y> constexpr int kBatch = kColumns / THREADS_Y >= 64 ? "
                          "8 : 4; // elements per update of the maximum\n")
                    : QLatin1String("template <int THREADS> constexpr int kBatch = 8; // elements per "
                                    "update of the maximum\n");
    if (mapping.hasShortRows)
        text +=
            QStringLiteral(
                "// Launching a block costs more than a short row: several rows share a block.\n"
                "template <int THREADS> constexpr int kRowsPerBlock = THREADS <= 32 ? %1 / THREADS : 1;\n")
                .arg(mapping.shortRowThreads);
    const int blockWidth = mode == MappingMode::ColumnScan ? scanBlockWidth(kernel) : mapping.blockWidth;
    if (mode == MappingMode::ColumnReduction || mode == MappingMode::ColumnScan)
        text += QStringLiteral("constexpr int kThreadsX = %1; // blockDim.x: %2\n")
                    .arg(blockWidth)
                    .arg(blockWidth > 32
                             ? QStringLiteral("%1 warps, along adjacent elements").arg(blockWidth / 32)
                         : blockWidth == 32 ? QStringLiteral("one warp, along adjacent elements")
                                            : QStringLiteral("one thread per adjacent element"));
    return text + QLatin1Char('\n');
}

} // namespace warpwright
