// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/cuda/kernel_header.h"

#include "agent/playbook/codegen/cuda/thread_mapping_text.h"
#include "agent/playbook/codegen/loop_names.h"
#include "agent/playbook/schedule/column_scan.h"
#include "agent/playbook/schedule/cuda_space.h"
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

QString cudaHead(const Kernel &kernel, const KernelNames &names, const ThreadMapping &mapping) {
    const MappingMode mode = mapping.mode;
    const bool isPersistent = mapping.isPersistent;
    QString text;
    for (const QString &line : formulaOf(kernel, names).split(QLatin1Char('\n')))
        text += wrapped(line, QStringLiteral("//   "), QStringLiteral("//       "));
    const QString why =
        mode == MappingMode::Flat ? QStringLiteral("Every element is read once and written once; what is "
                                                   "computed between stays in registers, so "
                                                   "the speed of memory is all that is left.")
        : mode == MappingMode::ColumnReduction
            ? (mapping.blockWidth < 32
                   ? QStringLiteral(
                         "The elements of a sum lie far apart, and its few neighbours side by side. "
                         "So a thread takes one of the neighbours, and the threads of a block go on "
                         "with the next elements of all: together they read memory in order. They meet "
                         "in shared memory.")
                   : QStringLiteral("The elements of a sum lie far apart, and its neighbours "
                                    "side by side. So a thread takes one of "
                                    "the neighbours: the 32 of a warp read one line of memory "
                                    "together. Several warps share the length "
                                    "of a sum and meet in shared memory.")) +
                  (mapping.sums > 1
                       ? QStringLiteral(
                             " Where rows of neighbours begin within a sector of 32 bytes, a warp "
                             "reads one more than it uses: of %1 neighbours a thread, one of twice "
                             "as many.")
                             .arg(mapping.sums)
                       : QString()) +
                  (isPersistent
                       ? QStringLiteral(" Each thread keeps its part in registers: memory is read once.")
                       : QString()) +
                  (hasOnlineSoftmax(kernel)
                       ? QStringLiteral(" Sums of exponentials go along with the largest element so "
                                        "far: when a larger one comes, what was summed is multiplied "
                                        "by the exponential of their distance.")
                       : QString())
        : mode == MappingMode::ColumnScan
            ? QStringLiteral(
                  "The elements of a row lie far apart, and its neighbours side by side. So the 32 "
                  "threads of a warp take neighbours, and read one line of memory together. The "
                  "warps of a block share the rows' length, a piece each: first what each piece "
                  "comes to, then what came before it, then every element.") +
                  (scanBlockWidth(kernel) > 32
                       ? QStringLiteral(" %1 warps take rows side by side: memory is quicker where what "
                                        "is read and written lies together for some lines.")
                             .arg(scanBlockWidth(kernel) / 32)
                       : QString())
        : mode == MappingMode::TransposeTiles && transposeTileOf(kernel) &&
                !transposeTileOf(kernel)->values.empty()
            ? QStringLiteral(
                  "What lies side by side at a place that is looked up lies apart where it is written. So a "
                  "block takes a tile: its threads read and compute as things lie at their places, where all "
                  "of a sector is used and each works out a place once for several results; these are turned "
                  "in shared memory, and written line by line.")
        : mode == MappingMode::TransposeTiles
            ? QStringLiteral(
                  "What lies side by side where it is read lies apart where it is written. A line of "
                  "memory is 32 floats, and costs as much if one of them is used. So a block takes "
                  "a square: it is read line by line, turned in shared memory, and written line by line.")
        : mode == MappingMode::ThreadPerRowVector && loadsRowsAsScalars(kernel)
            ? QStringLiteral(
                  "One thread takes some short rows that lie side by side: where they are is worked out once "
                  "for all of them, and what they have in common is loaded once, for that is known when "
                  "loops are unrolled. Their results are stored together.")
        : mode == MappingMode::SlidingWindow
            ? QStringLiteral(
                  "Windows that lie below each other have most of their rows in common. So one thread takes "
                  "some of them: it goes down the rows of all, works out once what a row comes to, and each "
                  "window that has it takes that. Its neighbours take the windows beside, and read a line of "
                  "memory together.")
        : mode == MappingMode::ThreadPerRowVector
            ? QStringLiteral(
                  "One thread takes some short rows that lie side by side wherever they are read: where "
                  "they are, is worked out once for all of them, and a load brings an element of each.")
        : kernel.isRowPerThread
            ? QStringLiteral("Where things are read, and by what they are weighed, is the same for many "
                             "results. So one thread works it out once and makes some of them; its "
                             "neighbours make those beside, and read neighbouring memory.")
        : mode == MappingMode::ThreadPerRow
            ? QStringLiteral("One thread takes one row, element by element. Rows are many, and "
                             "neighbouring threads read neighbouring memory, so they need not meet.")
        : mapping.usesSharedGather
            ? QStringLiteral(
                  "A row looks up elements of a segment of memory, each somewhere. So a block takes a "
                  "row: it brings the segment into shared memory line by line, and looks up there.")
        : kernel.hasScans()
            ? QStringLiteral("One block takes one row, piece by piece. What runs along the row is "
                             "formed for all elements of a piece at once, and carried on to the "
                             "next piece.")
        : mapping.isClustered && isPersistent
            ? QStringLiteral("A row is too long for the registers of one block. So the blocks of a cluster "
                             "take it together, and each keeps its part in registers from the first read to "
                             "the last write; they tell each other their parts of a sum in shared memory.")
        : mapping.isClustered
            ? QStringLiteral("Rows are few and long. So the blocks of a cluster take one together, for more "
                             "of the device to be at work, and tell each other their parts of a sum in "
                             "shared memory.")
        : hasOnlineSoftmax(kernel)
            ? QStringLiteral("Sums of exponentials go along with the largest element so far: when a larger "
                             "one comes, what was "
                             "summed is multiplied by the exponential of their distance. So one loop over "
                             "the row is enough, and "
                             "at its end each thread's sums are brought to the largest of all.")
        : isPersistent ? QStringLiteral("The threads of a row keep it in "
                                        "registers from the first read to the last write; "
                                        "they meet once for each sum.")
                       : QStringLiteral("The threads of a row go through it once "
                                        "for each sum that has to be complete "
                                        "before the next loop begins.");
    text += QLatin1String("//\n") + wrapped(why, QStringLiteral("// "), QStringLiteral("// "));
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

// Of the templates of a kernel whose rows a block or a cluster takes.
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
                    ? QStringLiteral("// PACKS: of a thread. Loads of several do not wait for each other.\n"
                                     "template <int PACKS>\n")
                    : QString()) +
               QStringLiteral("__global__ void __launch_bounds__(kThreads)\n    ");
    if (mapping.mode == MappingMode::ColumnReduction)
        return QStringLiteral(
            "template <int GROUPS>\n__global__ void __launch_bounds__(kLanes * GROUPS)\n    ");
    return QStringLiteral("template <%1>\n__global__ void %2__launch_bounds__(%3)\n    ")
        .arg(blockParameters(mapping),
             mapping.isClustered ? QStringLiteral("__cluster_dims__(BLOCKS) ") : QString(),
             mapping.hasShortRows   ? QStringLiteral("THREADS * kRowsOfBlock<THREADS>")
             : mapping.isPersistent ? QStringLiteral("THREADS, kResident<%1>").arg(blockArguments(mapping))
             : mapping.hasManyRegisters ? QStringLiteral("THREADS, THREADS < 512 ? 512 / THREADS : 1")
                                        : QStringLiteral("THREADS"));
}

QString vecIndexType(const Kernel &kernel, int width) {
    return kernel.rows() * kernel.columns() / width < (std::int64_t(1) << 31)
               ? QStringLiteral("unsigned")
               : QStringLiteral("std::int64_t");
}

namespace {

// How much of a row a thread keeps, and how many blocks are to lie on a multiprocessor with that.
QString persistentConstants(const Kernel &kernel, const ThreadMapping &mapping, int width) {
    if (mapping.mode == MappingMode::ColumnReduction)
        return QStringLiteral("template <int GROUPS> constexpr int kPacksOf = (kColumns + GROUPS - 1) / "
                              "GROUPS; // elements a thread\n");
    const QString blockWidth = cudaThreadsOf(mapping) + (width > 1 ? QStringLiteral(" * kWidth") : QString());
    const std::optional<UnalignedRows> unaligned = width > 1 ? unalignedRowsOf(kernel) : std::nullopt;
    QString text =
        QStringLiteral("template <%3> constexpr int kPacksOf = (kColumns%2 + %1 - 1) / (%1);\n")
            .arg(blockWidth, unaligned && unaligned->hasLead() ? QStringLiteral(" + kWidth - 1") : QString(),
                 blockParameters(mapping));
    if (mapping.hasShortRows) // these keep little
        return text;
    const int halves = cachedHalves(kernel, mapping, width);
    const QString kept = halves == 1       ? QStringLiteral(" / 2")
                         : halves % 2 == 1 ? QStringLiteral(" * %1 / 2").arg(halves)
                         : halves > 2      ? QStringLiteral(" * %1").arg(halves / 2)
                                           : QString();
    text +=
        QStringLiteral(
            "// A multiprocessor has 64 Ki registers, for 2048 threads at most, by eights. With what each "
            "keeps "
            "of the row\n// and %2 more, so many blocks have room there, and work while others wait.\n"
            "template <%3> constexpr int kRegisters = (kPacksOf<%4>%1 + %2 + 7) / 8 * 8;\n"
            "template <%3>\n"
            "constexpr int kResident = (kRegisters<%4> < 32 ? 2048 : 64 * 1024 / kRegisters<%4>) / "
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
        text += QStringLiteral("constexpr int kWidth = %1; // neighbours that a thread takes at once\n")
                    .arg(width);
    if (mode == MappingMode::Flat) {
        const bool isUnaligned = width > 1 && unalignedRowsOf(kernel).has_value();
        if (isUnaligned)
            text += QStringLiteral("constexpr int kColumns = %1;\n").arg(kernel.columns());
        const std::int64_t vecs = vectorsOf(kernel, width);
        text += QStringLiteral("constexpr std::int64_t kPacks = %1;%2\n")
                    .arg(vecs)
                    .arg(width == 1 ? QStringLiteral(" // elements") : QString());
        if (kernel.outer > 0)
            text += QStringLiteral("constexpr %1 kPacksPerRow = %2;\n")
                        .arg(vecIndexType(kernel, width))
                        .arg(vecs / kernel.rows());
        text += QStringLiteral("constexpr int kThreads = %1;\n").arg(flatThreads);
        if (mapping.elementsPerThread > 1)
            text += QStringLiteral(
                        "constexpr int kTogether = %1; // elements of a thread, whose loads do not wait for "
                        "each other\n")
                        .arg(mapping.elementsPerThread);
    }
    if (const auto gather = mapping.usesSharedGather ? sharedMemoryGatherOf(kernel) : std::nullopt;
        gather && gather->hasRows())
        text +=
            QStringLiteral("constexpr int kRowsOfBlock = %1; // look up in one order, read once for them\n")
                .arg(gather->rows);
    if (mapping.isPersistent)
        text += persistentConstants(kernel, mapping, width);
    if (mapping.batchesRescaling)
        text += mode == MappingMode::ColumnReduction
                    ? QLatin1String("template <int GROUPS> constexpr int kAtOnce = kColumns / GROUPS >= 64 ? "
                                    "8 : 4; // that the largest rises to\n")
                    : QLatin1String(
                          "template <int THREADS> constexpr int kAtOnce = 8; // that the largest rises to\n");
    if (mapping.hasShortRows)
        text += QStringLiteral(
                    "// Launching a block costs more than a short row does: several share one.\n"
                    "template <int THREADS> constexpr int kRowsOfBlock = THREADS <= 32 ? %1 / THREADS : 1;\n")
                    .arg(mapping.shortRowThreads);
    const int blockWidth = mode == MappingMode::ColumnScan ? scanBlockWidth(kernel) : mapping.blockWidth;
    if (mode == MappingMode::ColumnReduction || mode == MappingMode::ColumnScan)
        text += QStringLiteral("constexpr int kLanes = %1; // %2, for neighbours in memory\n")
                    .arg(blockWidth)
                    .arg(blockWidth > 32    ? QStringLiteral("threads of %1 warps").arg(blockWidth / 32)
                         : blockWidth == 32 ? QStringLiteral("a warp's threads")
                                            : QStringLiteral("a thread each"));
    return text + QLatin1Char('\n');
}

} // namespace warpwright
