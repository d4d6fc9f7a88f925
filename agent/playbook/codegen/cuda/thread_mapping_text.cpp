// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/cuda/thread_mapping_text.h"

#include "agent/playbook/schedule/unaligned_rows.h"

#include <algorithm>

namespace warpwright {
namespace {

constexpr std::int64_t unrolledRow = 64;
const QString unrolledLoads = QStringLiteral("#pragma unroll 4 // keeps several loads in flight");
// For 4-byte loads, or iterations that depend on the one before.
const QString moreLoads = QStringLiteral("#pragma unroll 8 // keeps several loads in flight");

/// Names of the threads that share a row.
struct RowThreads {
    QString index;     ///< of a thread among them
    QString ofBlock;   ///< how many of a block there are: the distance between a thread's elements
    QString arguments; ///< how many there are, as arguments of a template
};

RowThreads rowThreads(const ThreadMapping &mapping) {
    const QString threads = QStringLiteral("THREADS");
    if (mapping.mode == MappingMode::ColumnReduction)
        return {QStringLiteral("threadIdx.y"), QStringLiteral("THREADS_Y"), QStringLiteral("THREADS_Y")};
    if (mapping.isClustered)
        return {QStringLiteral("clusterThread"), threads, QStringLiteral("BLOCKS, THREADS")};
    return {QStringLiteral("threadIdx.x"), threads, threads};
}

QString timesWidth(int width) {
    return width > 1 ? QStringLiteral(" * kWidth") : QString();
}

// True for the one thread that stores per-row results; empty: each thread has its own row, or the others have
// returned.
QString isFirst(const ThreadMapping &mapping) {
    switch (mapping.mode) {
    case MappingMode::BlockPerRow:
        return mapping.fusesBlockReductions ? QString() : rowThreads(mapping).index + QStringLiteral(" == 0");
    case MappingMode::ColumnReduction:
        return QStringLiteral("isInBounds && threadIdx.y == 0");
    default:
        return {};
    }
}

// A bounds check per element would separate the loads, and ptxas makes each wait for the one before. Vectors
// keep their checks: with all loads in flight together a long row does not fit into registers.
const QString predicatesOnlyLast =
    QStringLiteral("    if (p + 1 < kVectors || c < kColumns) { // only the last can be past the end");

} // namespace

QString cudaThreadsOf(const ThreadMapping &mapping) {
    return mapping.isClustered ? QStringLiteral("BLOCKS * THREADS") : QStringLiteral("THREADS");
}

QStringList cudaRowLines(const Kernel &kernel, const ThreadMapping &mapping) {
    const bool isOne = kernel.rows() == 1; // then the row's index is not used
    QStringList lines;
    switch (mapping.mode) {
    case MappingMode::BlockPerRow:
        if (mapping.isClustered)
            lines << (isOne ? QStringList()
                            : QStringList(QStringLiteral("const std::int64_t row = blockIdx.x / BLOCKS;")))
                  << QStringLiteral("const int clusterThread = blockIdx.x % BLOCKS * THREADS + threadIdx.x;")
                  << QStringLiteral("__cluster_barrier_arrive_relaxed(); // No remote write before "
                                    "every block has started.");
        else if (mapping.hasShortRows && !isOne)
            lines << QStringLiteral("const std::int64_t unclampedRow = "
                                    "std::int64_t(blockIdx.x) * kRowsPerBlock<THREADS> + threadIdx.y;")
                  << QStringLiteral("// Threads past the last row must take part in the reductions: "
                                    "they repeat that row.")
                  << QStringLiteral(
                         "const std::int64_t row = unclampedRow < kRows ? unclampedRow : kRows - 1;");
        else if (!isOne)
            lines << QStringLiteral("const std::int64_t row = blockIdx.x;");
        break;
    case MappingMode::ThreadPerRow:
        lines << QStringLiteral("const std::int64_t row = std::int64_t(blockIdx.x) * THREADS + threadIdx.x;")
              << QStringLiteral("if (row >= kRows)") << QStringLiteral("    return;");
        break;
    case MappingMode::ColumnReduction:
    case MappingMode::ColumnScan:
        lines << (mapping.sums > 1
                      ? QStringLiteral("const std::int64_t unclampedRow = "
                                       "(std::int64_t(blockIdx.x) * kThreadsX + threadIdx.x) * kWidth;")
                      : QStringLiteral("const std::int64_t unclampedRow = "
                                       "std::int64_t(blockIdx.x) * kThreadsX + threadIdx.x;"))
              << QStringLiteral(
                     "// Threads past the last row must take part in the barriers: they repeat that row.")
              << QStringLiteral("const bool isInBounds = unclampedRow < kRows;")
              << QStringLiteral("const std::int64_t row = isInBounds ? unclampedRow : kRows - %1;")
                     .arg(mapping.sums > 1 ? QStringLiteral("kWidth") : QStringLiteral("1"));
        break;
    case MappingMode::Flat:
    case MappingMode::ThreadPerRowVector:
    case MappingMode::SlidingWindow:
    case MappingMode::TransposeTiles:
        break;
    }
    if (mapping.isPersistent)
        lines << QStringLiteral("// A compile-time constant: an array that only unrolled loops index "
                                "stays in registers.")
              << QStringLiteral("constexpr int kVectors = kVectorsPerThread<%1>;")
                     .arg(rowThreads(mapping).arguments);
    return lines;
}

namespace {

QStringList loopOfThread(const Kernel &kernel) {
    return {kernel.columns() <= unrolledRow ? QStringLiteral("#pragma unroll") : moreLoads,
            QStringLiteral("for (int c = 0; c < kColumns; ++c) {")};
}

QStringList loopOfColumn(const ThreadMapping &mapping) {
    if (mapping.batchesRescaling)
        return {QStringLiteral("for (int first = threadIdx.y; first < kColumns; first += %1 * THREADS_Y) {")
                    .arg(cudaRescalingCount(mapping))};
    if (mapping.isPersistent)
        return {QStringLiteral("#pragma unroll"), QStringLiteral("for (int p = 0; p < kVectors; ++p) {"),
                QStringLiteral("    const int c = p * THREADS_Y + static_cast<int>(threadIdx.y);"),
                predicatesOnlyLast};
    return {moreLoads, QStringLiteral("for (int c = threadIdx.y; c < kColumns; c += THREADS_Y) {")};
}

QStringList loopOfBlock(const Kernel &kernel, const ThreadMapping &mapping, int width, bool hasBarriers) {
    if (hasBarriers)
        return {
            QStringLiteral("for (int first = 0; first < kColumns; first += THREADS) {"),
            QStringLiteral("    // Threads past the end of the row must take part in the barriers."),
            QStringLiteral("    const bool isInBounds = first + static_cast<int>(threadIdx.x) < kColumns;"),
            QStringLiteral(
                "    const int c = isInBounds ? first + static_cast<int>(threadIdx.x) : kColumns - 1;")};
    if (mapping.batchesRescaling)
        return {QStringLiteral("int first = threadIdx.x;"), QStringLiteral("{")};
    // Aligned vectors: the first one may begin before the row.
    const std::optional<UnalignedRows> unaligned = width > 1 ? unalignedRowsOf(kernel) : std::nullopt;
    const QString lead = unaligned && unaligned->hasLead() ? QStringLiteral(" - misalignment") : QString();
    const QString vecs = timesWidth(width);
    if (mapping.isPersistent)
        return {QStringLiteral("#pragma unroll"), QStringLiteral("for (int p = 0; p < kVectors; ++p) {"),
                QStringLiteral("    const int c = (p * %1 + %2)%3%4;")
                    .arg(cudaThreadsOf(mapping), rowThreads(mapping).index, vecs, lead),
                width == 1 ? predicatesOnlyLast
                : mapping.prefetchesLoads || mapping.predicatesOnlyLast
                    ? QStringLiteral("    if ((p + 1) * %1 * kWidth <= kColumns || c < kColumns) { "
                                     "// only the last can be past the end")
                          .arg(cudaThreadsOf(mapping))
                    : QStringLiteral("    if (c < kColumns) {")};
    const QString first =
        lead.isEmpty()
            ? rowThreads(mapping).index + vecs
            : QStringLiteral("static_cast<int>(%1%2)%3").arg(rowThreads(mapping).index, vecs, lead);
    return {unrolledLoads, QStringLiteral("for (int c = %1; c < kColumns; c += %2%3) {")
                               .arg(first, cudaThreadsOf(mapping), vecs)};
}

} // namespace

QStringList cudaLoopLines(const Kernel &kernel, const ThreadMapping &mapping, int width, bool hasBarriers) {
    switch (mapping.mode) {
    case MappingMode::ThreadPerRow:
        return loopOfThread(kernel);
    case MappingMode::ColumnReduction:
        return loopOfColumn(mapping);
    case MappingMode::BlockPerRow:
        return loopOfBlock(kernel, mapping, width, hasBarriers);
    case MappingMode::Flat: // cudaFlatLoopLines()
    case MappingMode::ColumnScan:
    case MappingMode::ThreadPerRowVector:
    case MappingMode::SlidingWindow:
    case MappingMode::TransposeTiles: // templates of their own
        break;
    }
    return {};
}

QStringList cudaFlatLoopLines(const ThreadMapping &mapping) {
    if (mapping.hasTwoVectors)
        return {QStringLiteral("for (std::int64_t firstVector = std::int64_t(blockIdx.x) * VECTORS * "
                               "kThreads + threadIdx.x; "
                               "firstVector < kVectors; firstVector += VECTORS * gridThreads) {"),
                QStringLiteral("#pragma unroll"), QStringLiteral("    for (int i = 0; i < VECTORS; ++i) {"),
                QStringLiteral("        const std::int64_t vector = firstVector + i * kThreads;")};
    if (mapping.elementsPerThread == 1)
        return {
            QStringLiteral("for (std::int64_t vector = std::int64_t(blockIdx.x) * kThreads + threadIdx.x; "
                           "vector < kVectors; vector += gridThreads) {")};
    return {
        QStringLiteral("for (std::int64_t firstVector = std::int64_t(blockIdx.x) * kElementsPerThread * "
                       "kThreads + threadIdx.x; "
                       "firstVector < kVectors; firstVector += kElementsPerThread * gridThreads) {"),
        QStringLiteral("#pragma unroll"),
        QStringLiteral("    for (int i = 0; i < kElementsPerThread; ++i) {"),
        QStringLiteral(
            "        // Past the end the last one is read again: a branch would serialize the loads."),
        QStringLiteral(
            "        const std::int64_t vector = firstVector + i * kThreads < kVectors ? firstVector + i * "
            "kThreads : kVectors - 1;")};
}

QStringList cudaPredicatedStore(const QString &type, const QString &name, const QString &target,
                                const QString &value) {
    const bool isNamed =
        std::all_of(value.begin(), value.end(), [](QChar letter) { return letter.isLetterOrNumber(); });
    QStringList lines;
    if (!isNamed)
        lines << QStringLiteral("const %1 %2 = %3;").arg(type, name, value);
    return lines << QStringLiteral("if (firstVector + i * kThreads < kVectors)")
                 << QStringLiteral("    %1 = %2;").arg(target, isNamed ? value : name);
}

QString cudaRescalingCount(const ThreadMapping &mapping) {
    return QStringLiteral("kBatch<%1>").arg(rowThreads(mapping).ofBlock);
}

QStringList cudaRescalingGuard(const ThreadMapping &mapping) {
    return {QStringLiteral("const int c = first + k * %1;").arg(rowThreads(mapping).ofBlock),
            QStringLiteral("if (!isInBounds(c))"), QStringLiteral("    continue;")};
}

QStringList cudaRescalingIndex(const ThreadMapping &mapping) {
    const QString position = QStringLiteral("first + k * %1").arg(rowThreads(mapping).ofBlock);
    return {QStringLiteral("// Past the end the last one is read again: a branch would serialize the loads."),
            QStringLiteral("const int c = isInBounds(%1) ? %1 : kColumns - 1;").arg(position)};
}

QStringList cudaRescalingLines(const ThreadMapping &mapping) {
    const QString last = QStringLiteral("first + (%1 - 1) * %2 < kColumns")
                             .arg(cudaRescalingCount(mapping), rowThreads(mapping).ofBlock);
    if (mapping.mode == MappingMode::BlockPerRow) // in a loop of its own, whose iterations' loads overlap
        return {QStringLiteral("};"),
                QStringLiteral("#pragma unroll 2 // keeps several loads in flight"),
                QStringLiteral("for (; %1; first += %2 * THREADS)").arg(last, cudaRescalingCount(mapping)),
                QStringLiteral("    process([](int) { return true; });"),
                QStringLiteral("if (first < kColumns)"),
                QStringLiteral("    process([](int c) { return c < kColumns; });")};
    return {QStringLiteral("};"),
            QStringLiteral("if (%1) // nearly always: no bounds check per element").arg(last),
            QStringLiteral("    process([](int) { return true; });"), QStringLiteral("else"),
            QStringLiteral("    process([](int c) { return c < kColumns; });")};
}

int bracketsOf(const ThreadMapping &mapping) {
    return mapping.isPersistent || mapping.elementsPerThread > 1 || mapping.hasTwoVectors ? 2 : 1;
}

QStringList cudaPartialsLines(const ThreadMapping &mapping, const QString &type, const QString &name,
                              bool isTwice) {
    const QString twice = isTwice ? QStringLiteral("[2]") : QString();
    switch (mapping.mode) {
    case MappingMode::ColumnReduction:
        return {QStringLiteral("__shared__ %1 %2Partials%3%4[THREADS_Y][kThreadsX];")
                    .arg(type, name, twice, mapping.sums > 1 ? QStringLiteral("[kWidth]") : QString())};
    case MappingMode::BlockPerRow:
        break;
    default: // no threads share a row
        return {};
    }
    QStringList lines{QStringLiteral("__shared__ %1 %2Partials%3[%4];")
                          .arg(type, name, twice,
                               mapping.hasShortRows ? QStringLiteral("(THREADS + 31) / 32")
                                                    : QStringLiteral("THREADS / 32"))};
    if (mapping.isClustered)
        lines << QStringLiteral("__shared__ %1 %2BlockPartials%3[BLOCKS];").arg(type, name, twice);
    return lines;
}

QStringList cudaFusedReductionLines() {
    return {QStringLiteral("__syncthreads(); // one barrier for all reductions"),
            QStringLiteral("if (threadIdx.x > 0)"), QStringLiteral("    return; // thread 0 does the rest")};
}

QString cudaStorePartialLine(const QString &type, const QString &name, const QString &how) {
    return QStringLiteral("storeWarpPartial(%1, %1Partials, [](%2 a, %2 b) { return %3; });")
        .arg(name, type, how);
}

namespace {

/// The call that reduces over these threads, without the operator; fused: over what the warps stored.
QString reductionCall(const ThreadMapping &mapping, const QString &name, const QString &half) {
    const QString partials = name + QStringLiteral("Partials") + half;
    if (mapping.mode == MappingMode::ColumnReduction)
        return QStringLiteral("reduceOverY<THREADS_Y>(%1, %2").arg(name, partials);
    if (mapping.fusesBlockReductions)
        return QStringLiteral("combineWarpPartials<THREADS>(%1Partials").arg(name);
    if (mapping.isClustered)
        return QStringLiteral("reduceCluster<BLOCKS, THREADS>(%1, %2, %1BlockPartials%3")
            .arg(name, partials, half);
    return QStringLiteral("reduceBlock<THREADS>(%1, %2").arg(name, partials);
}

} // namespace

QString cudaCombineLine(const ThreadMapping &mapping, const QString &type, const QString &name,
                        const QString &how, const QString &half) {
    const QString combined = QStringLiteral("%1, [](%2 a, %2 b) { return %3; });")
                                 .arg(reductionCall(mapping, name, half), type, how);
    return mapping.sums > 1 ? combined : QStringLiteral("%1 = %2").arg(name, combined);
}

QString cudaSumLine(const ThreadMapping &mapping, const QString &type, const QString &name,
                    const QString &start) {
    if (mapping.sums == 1)
        return QStringLiteral("%1 %2 = %3;").arg(type, name, start);
    return QStringLiteral("%1 %2[kWidth] = {%3};")
        .arg(type, name, QStringList(mapping.sums, start).join(QStringLiteral(", ")));
}

QStringList cudaRowValueLines(const ThreadMapping &mapping, const QString &type, const QString &name,
                              const QString &value) {
    if (mapping.sums == 1)
        return {QStringLiteral("const %1 %2 = %3;").arg(type, name, value)};
    return {QStringLiteral("%1 %2[kWidth];").arg(type, name), QStringLiteral("#pragma unroll"),
            QStringLiteral("for (int k = 0; k < kWidth; ++k)"),
            QStringLiteral("    %1[k] = %2;").arg(name, value)};
}

QString cudaSumOfThread(const ThreadMapping &mapping, const QString &name) {
    return mapping.sums > 1 ? name + QStringLiteral("[k]") : name;
}

QStringList cudaRowStoreLines(const ThreadMapping &mapping, QStringList stores) {
    const auto within = [](const QString &head, const QStringList &lines) {
        QStringList all{head};
        for (const QString &line : lines)
            all << (line.startsWith(QLatin1Char('#')) ? line : QStringLiteral("    ") + line);
        return all << QStringLiteral("}");
    };
    if (stores.isEmpty())
        return stores;
    if (mapping.sums > 1)
        stores = QStringList(QStringLiteral("#pragma unroll")) +
                 within(QStringLiteral("for (int k = 0; k < kWidth; ++k) {"), stores);
    const QString first = isFirst(mapping);
    return first.isEmpty() ? stores : within(QStringLiteral("if (%1) {").arg(first), stores);
}

} // namespace warpwright
