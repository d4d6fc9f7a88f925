// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/cuda/cuda_sharing.h"

#include "agent/playbook/schedule/ragged_rows.h"

#include <algorithm>

namespace warpwright {
namespace {

constexpr std::int64_t unrolledRow = 64;
const QString unrolledLoads = QStringLiteral("#pragma unroll 4 // loads that are on their way together");
// Where a thread reads four bytes at a time, or waits for what it had before.
const QString moreLoads = QStringLiteral("#pragma unroll 8 // loads that are on their way together");

QString threadOf(const CudaSharing &sharing) {
    return sharing.isClustered ? QStringLiteral("mine") : QStringLiteral("threadIdx.x");
}

// Elements of a thread lie so far from each other.
QString apartOf(const CudaSharing &sharing) {
    return sharing.mode == CudaMode::LanesOfRows ? QStringLiteral("GROUPS") : QStringLiteral("THREADS");
}

QString timesWidth(int width) {
    return width > 1 ? QStringLiteral(" * kWidth") : QString();
}

// True for the one thread that writes what a row has in common; empty: each has a row of its own, or the
// others have gone.
QString isFirst(const CudaSharing &sharing) {
    switch (sharing.mode) {
    case CudaMode::BlockOfRow:
        return sharing.meetsOnce ? QString() : threadOf(sharing) + QStringLiteral(" == 0");
    case CudaMode::LanesOfRows:
        return QStringLiteral("isThere && threadIdx.y == 0");
    default:
        return {};
    }
}

// A question for each element would part the loads, and ptxas has each wait for the one before. Packs keep
// theirs: with all of them on their way together a row of many does not fit into the registers.
const QString onlyLastAsks =
    QStringLiteral("    if (p + 1 < kPacks || c < kColumns) { // only the last may lie beyond the row");

} // namespace

QString cudaThreadsOf(const CudaSharing &sharing) {
    return sharing.isClustered ? QStringLiteral("BLOCKS * THREADS") : QStringLiteral("THREADS");
}

QStringList cudaRowLines(const FusedKernel &kernel, const CudaSharing &sharing) {
    const bool isOne = kernel.rows() == 1; // then nobody asks for its number
    QStringList lines;
    switch (sharing.mode) {
    case CudaMode::BlockOfRow:
        if (sharing.isClustered)
            lines << (isOne ? QStringList()
                            : QStringList(QStringLiteral("const std::int64_t row = blockIdx.x / BLOCKS;")))
                  << QStringLiteral("const int mine = blockIdx.x % BLOCKS * THREADS + threadIdx.x;")
                  << QStringLiteral("__cluster_barrier_arrive_relaxed(); // Nobody writes into a block "
                                    "that has not begun.");
        else if (sharing.hasShortRows && !isOne)
            lines << QStringLiteral("const std::int64_t wanted = "
                                    "std::int64_t(blockIdx.x) * kRowsOfBlock<THREADS> + threadIdx.y;")
                  << QStringLiteral("// Threads beyond the last row have to be there when the others meet: "
                                    "they do that row again.")
                  << QStringLiteral("const std::int64_t row = wanted < kRows ? wanted : kRows - 1;");
        else if (!isOne)
            lines << QStringLiteral("const std::int64_t row = blockIdx.x;");
        break;
    case CudaMode::ThreadOfRow:
        lines << QStringLiteral("const std::int64_t row = std::int64_t(blockIdx.x) * THREADS + threadIdx.x;")
              << QStringLiteral("if (row >= kRows)") << QStringLiteral("    return;");
        break;
    case CudaMode::LanesOfRows:
    case CudaMode::LanesOfScan:
        lines << (sharing.sums > 1
                      ? QStringLiteral("const std::int64_t mine = "
                                       "(std::int64_t(blockIdx.x) * kLanes + threadIdx.x) * kWidth;")
                      : QStringLiteral("const std::int64_t mine = "
                                       "std::int64_t(blockIdx.x) * kLanes + threadIdx.x;"))
              << QStringLiteral(
                     "// Threads beyond the last row have to be there when the others meet: they do "
                     "that row again.")
              << QStringLiteral("const bool isThere = mine < kRows;")
              << QStringLiteral("const std::int64_t row = isThere ? mine : kRows - %1;")
                     .arg(sharing.sums > 1 ? QStringLiteral("kWidth") : QStringLiteral("1"));
        break;
    case CudaMode::Flat:
    case CudaMode::PackOfRows:
    case CudaMode::SlidingWindows:
    case CudaMode::Tiles:
        break;
    }
    if (sharing.isOnePass)
        lines << QStringLiteral("// Known when compiled: an array that is indexed by unrolled loops only is "
                                "kept in registers.")
              << QStringLiteral("constexpr int kPacks = kPacksOf<%1>;")
                     .arg(sharing.mode == CudaMode::LanesOfRows ? QStringLiteral("GROUPS")
                          : sharing.isClustered                 ? QStringLiteral("BLOCKS, THREADS")
                                                                : QStringLiteral("THREADS"));
    return lines;
}

QStringList cudaLoopLines(const FusedKernel &kernel, const CudaSharing &sharing, int width, bool meets) {
    const std::optional<RaggedRows> ragged = width > 1 ? raggedRowsOf(kernel) : std::nullopt;
    // Packs as they lie in memory: the first one may begin before the row.
    const QString lead = ragged && ragged->hasLead() ? QStringLiteral(" - lead") : QString();
    const QString packs = timesWidth(width);
    if (sharing.mode == CudaMode::ThreadOfRow) {
        QStringList lines;
        lines << (kernel.columns() <= unrolledRow ? QStringLiteral("#pragma unroll") : moreLoads);
        return lines << QStringLiteral("for (int c = 0; c < kColumns; ++c) {");
    }
    if (meets)
        return {QStringLiteral("for (int first = 0; first < kColumns; first += THREADS) {"),
                QStringLiteral("    // Threads beyond the row's end have to be there when the others meet."),
                QStringLiteral("    const bool isThere = first + static_cast<int>(threadIdx.x) < kColumns;"),
                QStringLiteral(
                    "    const int c = isThere ? first + static_cast<int>(threadIdx.x) : kColumns - 1;")};
    if (sharing.risesAtOnce && sharing.mode == CudaMode::BlockOfRow)
        return {QStringLiteral("int first = threadIdx.x;"), QStringLiteral("{")};
    if (sharing.risesAtOnce)
        return {QStringLiteral("for (int first = threadIdx.y; first < kColumns; first += %1 * GROUPS) {")
                    .arg(cudaRisingCount(sharing))};
    if (sharing.mode == CudaMode::LanesOfRows && sharing.isOnePass)
        return {QStringLiteral("#pragma unroll"), QStringLiteral("for (int p = 0; p < kPacks; ++p) {"),
                QStringLiteral("    const int c = p * GROUPS + static_cast<int>(threadIdx.y);"),
                onlyLastAsks};
    if (sharing.mode == CudaMode::LanesOfRows)
        return {moreLoads, QStringLiteral("for (int c = threadIdx.y; c < kColumns; c += GROUPS) {")};
    if (sharing.isOnePass)
        return {QStringLiteral("#pragma unroll"), QStringLiteral("for (int p = 0; p < kPacks; ++p) {"),
                QStringLiteral("    const int c = (p * %1 + %2)%3%4;")
                    .arg(cudaThreadsOf(sharing), threadOf(sharing), packs, lead),
                width == 1 ? onlyLastAsks
                : sharing.loadsAhead || sharing.onlyLastAsks
                    ? QStringLiteral("    if ((p + 1) * %1 * kWidth <= kColumns || c < kColumns) { "
                                     "// only the last may lie beyond the row")
                          .arg(cudaThreadsOf(sharing))
                    : QStringLiteral("    if (c < kColumns) {")};
    const QString first =
        lead.isEmpty() ? threadOf(sharing) + packs
                       : QStringLiteral("static_cast<int>(%1%2)%3").arg(threadOf(sharing), packs, lead);
    return {unrolledLoads, QStringLiteral("for (int c = %1; c < kColumns; c += %2%3) {")
                               .arg(first, cudaThreadsOf(sharing), packs)};
}

QStringList cudaFlatLoopLines(const CudaSharing &sharing) {
    if (sharing.hasTwoPacks)
        return {QStringLiteral(
                    "for (std::int64_t mine = std::int64_t(blockIdx.x) * PACKS * kThreads + threadIdx.x; "
                    "mine < kPacks; mine += PACKS * all) {"),
                QStringLiteral("#pragma unroll"),
                QStringLiteral("    for (int some = 0; some < PACKS; ++some) {"),
                QStringLiteral("        const std::int64_t pack = mine + some * kThreads;")};
    if (sharing.together == 1)
        return {QStringLiteral("for (std::int64_t pack = std::int64_t(blockIdx.x) * kThreads + threadIdx.x; "
                               "pack < kPacks; pack += all) {")};
    return {
        QStringLiteral(
            "for (std::int64_t mine = std::int64_t(blockIdx.x) * kTogether * kThreads + threadIdx.x; "
            "mine < kPacks; mine += kTogether * all) {"),
        QStringLiteral("#pragma unroll"),
        QStringLiteral("    for (int some = 0; some < kTogether; ++some) {"),
        QStringLiteral(
            "        // Beyond the end the last one is read once more: a condition would part the loads."),
        QStringLiteral("        const std::int64_t pack = mine + some * kThreads < kPacks ? mine + some * "
                       "kThreads : kPacks - 1;")};
}

QStringList cudaAskedStore(const QString &type, const QString &name, const QString &target,
                           const QString &value) {
    const bool isNamed =
        std::all_of(value.begin(), value.end(), [](QChar letter) { return letter.isLetterOrNumber(); });
    QStringList lines;
    if (!isNamed)
        lines << QStringLiteral("const %1 %2 = %3;").arg(type, name, value);
    return lines << QStringLiteral("if (mine + some * kThreads < kPacks)")
                 << QStringLiteral("    %1 = %2;").arg(target, isNamed ? value : name);
}

QString cudaRisingCount(const CudaSharing &sharing) {
    return QStringLiteral("kAtOnce<%1>").arg(apartOf(sharing));
}

QStringList cudaRisingGuard(const CudaSharing &sharing) {
    return {QStringLiteral("const int c = first + k * %1;").arg(apartOf(sharing)),
            QStringLiteral("if (!isThere(c))"), QStringLiteral("    continue;")};
}

QStringList cudaRisingPlace(const CudaSharing &sharing) {
    const QString place = QStringLiteral("first + k * %1").arg(apartOf(sharing));
    return {
        QStringLiteral("// Beyond the end the last one is read once more: a condition would part the loads."),
        QStringLiteral("const int c = isThere(%1) ? %1 : kColumns - 1;").arg(place)};
}

QStringList cudaRisenLines(const CudaSharing &sharing) {
    const QString last =
        QStringLiteral("first + (%1 - 1) * %2 < kColumns").arg(cudaRisingCount(sharing), apartOf(sharing));
    if (sharing.mode == CudaMode::BlockOfRow) // in a loop of its own, whose turns' loads do not wait
        return {QStringLiteral("};"),
                QStringLiteral("#pragma unroll 2 // loads that are on their way together"),
                QStringLiteral("for (; %1; first += %2 * THREADS)").arg(last, cudaRisingCount(sharing)),
                QStringLiteral("    take([](int) { return true; });"),
                QStringLiteral("if (first < kColumns)"),
                QStringLiteral("    take([](int c) { return c < kColumns; });")};
    return {QStringLiteral("};"),
            QStringLiteral("if (%1) // nearly always: nothing to ask for each element").arg(last),
            QStringLiteral("    take([](int) { return true; });"), QStringLiteral("else"),
            QStringLiteral("    take([](int c) { return c < kColumns; });")};
}

int bracketsOf(const CudaSharing &sharing) {
    return sharing.isOnePass || sharing.together > 1 || sharing.hasTwoPacks ? 2 : 1;
}

QStringList cudaPartialsLines(const CudaSharing &sharing, const QString &type, const QString &name,
                              bool isTwice) {
    if (sharing.mode == CudaMode::ThreadOfRow)
        return {};
    const QString twice = isTwice ? QStringLiteral("[2]") : QString();
    if (sharing.mode == CudaMode::LanesOfRows)
        return {QStringLiteral("__shared__ %1 %2Partials%3%4[GROUPS][kLanes];")
                    .arg(type, name, twice, sharing.sums > 1 ? QStringLiteral("[kWidth]") : QString())};
    QStringList lines{QStringLiteral("__shared__ %1 %2Partials%3[%4];")
                          .arg(type, name, twice,
                               sharing.hasShortRows ? QStringLiteral("(THREADS + 31) / 32")
                                                    : QStringLiteral("THREADS / 32"))};
    if (sharing.isClustered)
        lines << QStringLiteral("__shared__ %1 %2OfBlocks%3[BLOCKS];").arg(type, name, twice);
    return lines;
}

QStringList cudaMeetOnceLines() {
    return {QStringLiteral("__syncthreads(); // once for all sums"), QStringLiteral("if (threadIdx.x > 0)"),
            QStringLiteral("    return; // one thread goes on with them")};
}

QString cudaTellLine(const QString &type, const QString &name, const QString &how) {
    return QStringLiteral("tellBlock(%1, %1Partials, [](%2 a, %2 b) { return %3; });").arg(name, type, how);
}

QString cudaCombineLine(const CudaSharing &sharing, const QString &type, const QString &name,
                        const QString &how, const QString &half) {
    const QString call =
        (sharing.mode == CudaMode::LanesOfRows ? QStringLiteral("reduceLanes<GROUPS>(%1, %1Partials%2")
         : sharing.meetsOnce                   ? QStringLiteral("toldByBlock<THREADS>(%1Partials")
         : sharing.isClustered
             ? QStringLiteral("reduceCluster<BLOCKS, THREADS>(%1, %1Partials%2, %1OfBlocks%2")
             : QStringLiteral("reduceBlock<THREADS>(%1, %1Partials%2"))
            .arg(name, half);
    const QString combined = QStringLiteral("%1, [](%2 a, %2 b) { return %3; });").arg(call, type, how);
    return sharing.sums > 1 ? combined : QStringLiteral("%1 = %2").arg(name, combined);
}

QString cudaSumLine(const CudaSharing &sharing, const QString &type, const QString &name,
                    const QString &start) {
    if (sharing.sums == 1)
        return QStringLiteral("%1 %2 = %3;").arg(type, name, start);
    return QStringLiteral("%1 %2[kWidth] = {%3};")
        .arg(type, name, QStringList(sharing.sums, start).join(QStringLiteral(", ")));
}

QStringList cudaRowValueLines(const CudaSharing &sharing, const QString &type, const QString &name,
                              const QString &value) {
    if (sharing.sums == 1)
        return {QStringLiteral("const %1 %2 = %3;").arg(type, name, value)};
    return {QStringLiteral("%1 %2[kWidth];").arg(type, name), QStringLiteral("#pragma unroll"),
            QStringLiteral("for (int k = 0; k < kWidth; ++k)"),
            QStringLiteral("    %1[k] = %2;").arg(name, value)};
}

QString cudaSumOfThread(const CudaSharing &sharing, const QString &name) {
    return sharing.sums > 1 ? name + QStringLiteral("[k]") : name;
}

QStringList cudaRowStoreLines(const CudaSharing &sharing, QStringList stores) {
    const auto within = [](const QString &head, const QStringList &lines) {
        QStringList all{head};
        for (const QString &line : lines)
            all << (line.startsWith(QLatin1Char('#')) ? line : QStringLiteral("    ") + line);
        return all << QStringLiteral("}");
    };
    if (stores.isEmpty())
        return stores;
    if (sharing.sums > 1)
        stores = QStringList(QStringLiteral("#pragma unroll")) +
                 within(QStringLiteral("for (int k = 0; k < kWidth; ++k) {"), stores);
    const QString first = isFirst(sharing);
    return first.isEmpty() ? stores : within(QStringLiteral("if (%1) {").arg(first), stores);
}

} // namespace warpwright
