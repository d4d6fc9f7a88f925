// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/cuda/cuda_head.h"

#include "agent/playbook/codegen/cuda/cuda_sharing.h"
#include "agent/playbook/codegen/loop_text.h"
#include "agent/playbook/schedule/column_scan.h"
#include "agent/playbook/schedule/cuda_choices.h"
#include "agent/playbook/schedule/kept_packs.h"
#include "agent/playbook/schedule/kernel_schedule.h"
#include "agent/playbook/schedule/online_reduction.h"
#include "agent/playbook/schedule/packs_of_rows.h"
#include "agent/playbook/schedule/ragged_rows.h"
#include "agent/playbook/schedule/staged_gathers.h"
#include "agent/playbook/schedule/transpose_tile.h"
#include "agent/playbook/schedule/vector_width.h"
#include "agent/playbook/schedule/vectorized_pooling.h"

#include <algorithm>

namespace warpwright {

QString cudaHead(const FusedKernel &kernel, const KernelNames &names, const CudaSharing &sharing) {
    const CudaMode mode = sharing.mode;
    const bool isOnePass = sharing.isOnePass;
    QString text;
    for (const QString &line : formulaOf(kernel, names).split(QLatin1Char('\n')))
        text += wrapped(line, QStringLiteral("//   "), QStringLiteral("//       "));
    const QString why =
        mode == CudaMode::Flat ? QStringLiteral("Every element is read once and written once; what is "
                                                "computed between stays in registers, so "
                                                "the speed of memory is all that is left.")
        : mode == CudaMode::LanesOfRows
            ? (sharing.lanes < 32
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
                  (sharing.sums > 1
                       ? QStringLiteral(
                             " Where rows of neighbours begin within a sector of 32 bytes, a warp "
                             "reads one more than it uses: of %1 neighbours a thread, one of twice "
                             "as many.")
                             .arg(sharing.sums)
                       : QString()) +
                  (isOnePass
                       ? QStringLiteral(" Each thread keeps its part in registers: memory is read once.")
                       : QString()) +
                  (runsAlong(kernel)
                       ? QStringLiteral(" Sums of exponentials go along with the largest element so "
                                        "far: when a larger one comes, what was summed is multiplied "
                                        "by the exponential of their distance.")
                       : QString())
        : mode == CudaMode::LanesOfScan
            ? QStringLiteral(
                  "The elements of a row lie far apart, and its neighbours side by side. So the 32 "
                  "threads of a warp take neighbours, and read one line of memory together. The "
                  "warps of a block share the rows' length, a piece each: first what each piece "
                  "comes to, then what came before it, then every element.") +
                  (lanesOfScan(kernel) > 32
                       ? QStringLiteral(" %1 warps take rows side by side: memory is quicker where what "
                                        "is read and written lies together for some lines.")
                             .arg(lanesOfScan(kernel) / 32)
                       : QString())
        : mode == CudaMode::Tiles && tiledLoopsOf(kernel) && !tiledLoopsOf(kernel)->values.empty()
            ? QStringLiteral(
                  "What lies side by side at a place that is looked up lies apart where it is written. So a "
                  "block takes a tile: its threads read and compute as things lie at their places, where all "
                  "of a sector is used and each works out a place once for several results; these are turned "
                  "in shared memory, and written line by line.")
        : mode == CudaMode::Tiles
            ? QStringLiteral(
                  "What lies side by side where it is read lies apart where it is written. A line of "
                  "memory is 32 floats, and costs as much if one of them is used. So a block takes "
                  "a square: it is read line by line, turned in shared memory, and written line by line.")
        : mode == CudaMode::PackOfRows && readsRowsSingly(kernel)
            ? QStringLiteral(
                  "One thread takes some short rows that lie side by side: where they are is worked out once "
                  "for all of them, and what they have in common is loaded once, for that is known when "
                  "loops are unrolled. Their results are stored together.")
        : mode == CudaMode::SlidingWindows
            ? QStringLiteral(
                  "Windows that lie below each other have most of their rows in common. So one thread takes "
                  "some of them: it goes down the rows of all, works out once what a row comes to, and each "
                  "window that has it takes that. Its neighbours take the windows beside, and read a line of "
                  "memory together.")
        : mode == CudaMode::PackOfRows
            ? QStringLiteral(
                  "One thread takes some short rows that lie side by side wherever they are read: where "
                  "they are, is worked out once for all of them, and a load brings an element of each.")
        : kernel.isOfPlaces
            ? QStringLiteral("Where things are read, and by what they are weighed, is the same for many "
                             "results. So one thread works it out once and makes some of them; its "
                             "neighbours make those beside, and read neighbouring memory.")
        : mode == CudaMode::ThreadOfRow
            ? QStringLiteral("One thread takes one row, element by element. Rows are many, and "
                             "neighbouring threads read neighbouring memory, so they need not meet.")
        : sharing.isStaged
            ? QStringLiteral(
                  "A row looks up elements of a segment of memory, each somewhere. So a block takes a "
                  "row: it brings the segment into shared memory line by line, and looks up there.")
        : kernel.hasScans()
            ? QStringLiteral("One block takes one row, piece by piece. What runs along the row is "
                             "formed for all elements of a piece at once, and carried on to the "
                             "next piece.")
        : sharing.isClustered && isOnePass
            ? QStringLiteral("A row is too long for the registers of one block. So the blocks of a cluster "
                             "take it together, and each keeps its part in registers from the first read to "
                             "the last write; they tell each other their parts of a sum in shared memory.")
        : sharing.isClustered
            ? QStringLiteral("Rows are few and long. So the blocks of a cluster take one together, for more "
                             "of the device to be at work, and tell each other their parts of a sum in "
                             "shared memory.")
        : runsAlong(kernel)
            ? QStringLiteral("Sums of exponentials go along with the largest element so far: when a larger "
                             "one comes, what was "
                             "summed is multiplied by the exponential of their distance. So one loop over "
                             "the row is enough, and "
                             "at its end each thread's sums are brought to the largest of all.")
        : isOnePass ? QStringLiteral("The threads of a row keep it in "
                                     "registers from the first read to the last write; "
                                     "they meet once for each sum.")
                    : QStringLiteral("The threads of a row go through it once "
                                     "for each sum that has to be complete "
                                     "before the next loop begins.");
    text += QLatin1String("//\n") + wrapped(why, QStringLiteral("// "), QStringLiteral("// "));
    text += QLatin1String("#include <cuda_runtime.h>\n");
    const auto uses = [&kernel](ElementType type) {
        return std::any_of(kernel.leaves.begin(), kernel.leaves.end(),
                           [type](const KernelLeaf &leaf) { return leaf.type == type; }) ||
               std::any_of(kernel.stores.begin(), kernel.stores.end(),
                           [type](const KernelStore &store) { return store.type == type; });
    };
    if (uses(ElementType::BFloat16))
        text += QLatin1String("#include <cuda_bf16.h>\n");
    if (uses(ElementType::Float16))
        text += QLatin1String("#include <cuda_fp16.h>\n");
    return text + QLatin1String("\n#include <cmath>\n#include <cstdint>\n\n");
}

QString cudaSignature(const ReferenceGraph &graph, const KernelPlan &plan, const KernelNames &names) {
    QStringList parameters;
    const auto add = [&](const std::vector<int> &buffers, const QString &constant) {
        for (const int buffer : buffers)
            parameters << QStringLiteral("%1%2 *__restrict__ %3")
                              .arg(constant, cTypeName(typeOfBuffer(graph, plan, buffer), true),
                                   names.nameOf(buffer));
    };
    add(names.readBuffers, QStringLiteral("const "));
    add(names.writtenBuffers, {});
    return wrappedCall(QStringLiteral("    %1(").arg(names.function), parameters.join(QLatin1String(", ")),
                       QStringLiteral(") {"));
}

namespace {

// Of the templates of a kernel whose rows a block or a cluster takes.
QString blockParameters(const CudaSharing &sharing) {
    return sharing.isClustered ? QStringLiteral("int BLOCKS, int THREADS") : QStringLiteral("int THREADS");
}

QString blockArguments(const CudaSharing &sharing) {
    return sharing.isClustered ? QStringLiteral("BLOCKS, THREADS") : QStringLiteral("THREADS");
}

} // namespace

QString cudaBounds(const CudaSharing &sharing) {
    if (sharing.mode == CudaMode::Flat)
        return (sharing.hasTwoPacks
                    ? QStringLiteral("// PACKS: of a thread. Loads of several do not wait for each other.\n"
                                     "template <int PACKS>\n")
                    : QString()) +
               QStringLiteral("__global__ void __launch_bounds__(kThreads)\n    ");
    if (sharing.mode == CudaMode::LanesOfRows)
        return QStringLiteral(
            "template <int GROUPS>\n__global__ void __launch_bounds__(kLanes * GROUPS)\n    ");
    return QStringLiteral("template <%1>\n__global__ void %2__launch_bounds__(%3)\n    ")
        .arg(blockParameters(sharing),
             sharing.isClustered ? QStringLiteral("__cluster_dims__(BLOCKS) ") : QString(),
             sharing.hasShortRows ? QStringLiteral("THREADS * kRowsOfBlock<THREADS>")
             : sharing.isOnePass  ? QStringLiteral("THREADS, kResident<%1>").arg(blockArguments(sharing))
             : sharing.hasManyRegisters ? QStringLiteral("THREADS, THREADS < 512 ? 512 / THREADS : 1")
                                        : QStringLiteral("THREADS"));
}

QString packType(const FusedKernel &kernel, int width) {
    return kernel.rows() * kernel.columns() / width < (std::int64_t(1) << 31)
               ? QStringLiteral("unsigned")
               : QStringLiteral("std::int64_t");
}

namespace {

// How much of a row a thread keeps, and how many blocks are to lie on a multiprocessor with that.
QString onePassConstants(const FusedKernel &kernel, const CudaSharing &sharing, int width) {
    if (sharing.mode == CudaMode::LanesOfRows)
        return QStringLiteral("template <int GROUPS> constexpr int kPacksOf = (kColumns + GROUPS - 1) / "
                              "GROUPS; // elements a thread\n");
    const QString lanes = cudaThreadsOf(sharing) + (width > 1 ? QStringLiteral(" * kWidth") : QString());
    const std::optional<RaggedRows> ragged = width > 1 ? raggedRowsOf(kernel) : std::nullopt;
    QString text = QStringLiteral("template <%3> constexpr int kPacksOf = (kColumns%2 + %1 - 1) / (%1);\n")
                       .arg(lanes, ragged && ragged->hasLead() ? QStringLiteral(" + kWidth - 1") : QString(),
                            blockParameters(sharing));
    if (sharing.hasShortRows) // these keep little
        return text;
    const int halves = halvesKept(kernel, sharing, width);
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
            .arg(registersBesideKept(kernel, width) +
                 (keptAsRead(kernel, sharing, width).empty() ? 0 : 2 * width))
            .arg(blockParameters(sharing), blockArguments(sharing));
    return text;
}

} // namespace

QString cudaConstants(const FusedKernel &kernel, const CudaSharing &sharing, int width) {
    const CudaMode mode = sharing.mode;
    QString text;
    if (mode != CudaMode::Flat)
        text += QStringLiteral("constexpr std::int64_t kRows = %1;\nconstexpr int kColumns = %2;\n")
                    .arg(kernel.rows())
                    .arg(kernel.columns());
    if (width > 1)
        text += QStringLiteral("constexpr int kWidth = %1; // neighbours that a thread takes at once\n")
                    .arg(width);
    if (mode == CudaMode::Flat) {
        const bool isRagged = width > 1 && raggedRowsOf(kernel).has_value();
        if (isRagged)
            text += QStringLiteral("constexpr int kColumns = %1;\n").arg(kernel.columns());
        const std::int64_t packs = packsOf(kernel, width);
        text += QStringLiteral("constexpr std::int64_t kPacks = %1;%2\n")
                    .arg(packs)
                    .arg(width == 1 ? QStringLiteral(" // elements") : QString());
        if (kernel.outer > 0)
            text += QStringLiteral("constexpr %1 kPacksPerRow = %2;\n")
                        .arg(packType(kernel, width))
                        .arg(packs / kernel.rows());
        text += QStringLiteral("constexpr int kThreads = %1;\n").arg(flatThreads);
        if (sharing.together > 1)
            text += QStringLiteral(
                        "constexpr int kTogether = %1; // elements of a thread, whose loads do not wait for "
                        "each other\n")
                        .arg(sharing.together);
    }
    if (const auto staged = sharing.isStaged ? stagedGatherOf(kernel) : std::nullopt;
        staged && staged->hasRows())
        text +=
            QStringLiteral("constexpr int kRowsOfBlock = %1; // look up in one order, read once for them\n")
                .arg(staged->rows);
    if (sharing.isOnePass)
        text += onePassConstants(kernel, sharing, width);
    if (sharing.risesAtOnce)
        text += mode == CudaMode::LanesOfRows
                    ? QLatin1String("template <int GROUPS> constexpr int kAtOnce = kColumns / GROUPS >= 64 ? "
                                    "8 : 4; // that the largest rises to\n")
                    : QLatin1String(
                          "template <int THREADS> constexpr int kAtOnce = 8; // that the largest rises to\n");
    if (sharing.hasShortRows)
        text += QStringLiteral(
                    "// Launching a block costs more than a short row does: several share one.\n"
                    "template <int THREADS> constexpr int kRowsOfBlock = THREADS <= 32 ? %1 / THREADS : 1;\n")
                    .arg(sharing.threadsOfShorts);
    const int lanes = mode == CudaMode::LanesOfScan ? lanesOfScan(kernel) : sharing.lanes;
    if (mode == CudaMode::LanesOfRows || mode == CudaMode::LanesOfScan)
        text += QStringLiteral("constexpr int kLanes = %1; // %2, for neighbours in memory\n")
                    .arg(lanes)
                    .arg(lanes > 32    ? QStringLiteral("threads of %1 warps").arg(lanes / 32)
                         : lanes == 32 ? QStringLiteral("a warp's threads")
                                       : QStringLiteral("a thread each"));
    return text + QLatin1Char('\n');
}

} // namespace warpwright
