// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/cuda/loops/tiled_cuda.h"

#include "agent/playbook/analysis/whole_numbers.h"
#include "agent/playbook/codegen/anchor_text.h"
#include "agent/playbook/codegen/cuda/cuda_head.h"
#include "agent/playbook/codegen/cuda/cuda_launcher.h"
#include "agent/playbook/codegen/cuda/loops/turned_values_cuda.h"
#include "agent/playbook/codegen/loop_text.h"
#include "agent/playbook/codegen/scalar_text.h"
#include "agent/playbook/schedule/kernel_schedule.h"
#include "agent/playbook/schedule/turned_values.h"

#include <algorithm>
#include <bit>

namespace warpwright {
namespace {

constexpr int mostTileBytes =
    28; ///< of an element in all tiles: with 32 times 33 of them, within 48 kB of a block
constexpr int mostLargeTileBytes =
    8; ///< the same with 64 times 65, for two blocks of a multiprocessor and more
constexpr int largeTile = 64;
constexpr int smallTile = 32;
constexpr int mostAheadBytes = 12; ///< of an element, in registers: 16 elements of a thread with large tiles
constexpr std::int64_t longLoop = 256; ///< of such tiles few are cut off
constexpr int leastTile = 16; ///< of a tile's 32: below it most of its threads would have nothing to do
constexpr std::int64_t leastShort = 5; ///< shorter loops are unrolled (short_loops)
constexpr int wholeColumns = 128;      ///< beside all of a short loop

const QString tiledText =
    QStringLiteral(R"(constexpr @index@ kColumns = @columns@; // side by side where results go
constexpr @index@ kAcross = @across@; // side by side where a tile comes from
constexpr int kThreads = 256;
template <int COLUMNS> constexpr @index@ kTilesAlong = (kColumns + COLUMNS - 1) / COLUMNS;
template <int ACROSS> constexpr @index@ kTilesAcross = (kAcross + ACROSS - 1) / ACROSS;
template <int COLUMNS, int ACROSS>
constexpr std::int64_t kTiles = @planes@kTilesAcross<ACROSS> * kTilesAlong<COLUMNS>;

@functions@template <int COLUMNS, int ACROSS>
__global__ void __launch_bounds__(kThreads)
@head@
    constexpr int kReaders = kThreads / ACROSS; // so many lines are read at a time
    constexpr int kWriters = kThreads / COLUMNS;
    // One more than a row has: elements of a column are in different banks of the shared memory.
@tiles@    const @index@ firstColumn = blockIdx.x % kTilesAlong<COLUMNS> * COLUMNS;
    const @index@ firstAcross = blockIdx.x / kTilesAlong<COLUMNS> % kTilesAcross<ACROSS> * ACROSS;
@planeCounters@
@ahead@#pragma unroll // loads that are on their way together
    for (int i = 0; i < COLUMNS / kReaders; ++i) {
        const int k = i * kReaders + threadIdx.x / ACROSS;
        const @index@ @acrossCounter@ = firstAcross + threadIdx.x % ACROSS;
        const @index@ c = firstColumn + k;
        if (@acrossCounter@ < kAcross && c < kColumns) {
@reads@        }
    }
    __syncthreads();

    const @index@ c = firstColumn + threadIdx.x % COLUMNS;
#pragma unroll
    for (int i = 0; i < ACROSS / kWriters; ++i) {
        const int k = i * kWriters + threadIdx.x / COLUMNS;
        const @index@ @acrossCounter@ = firstAcross + k;
        if (@acrossCounter@ < kAcross && c < kColumns) {
@statements@        }
    }
}

} // namespace

@launcher@
)");

const QString aheadText = QStringLiteral(
    R"(    // What no tile turns is asked for first: it comes while the tiles do. A plain load would be put off until
    // its value is used, behind a branch each, one after the other; these stay where they are.
@arrays@#pragma unroll
    for (int i = 0; i < ACROSS / kWriters; ++i) {
        const @index@ @acrossCounter@ = firstAcross + i * kWriters + threadIdx.x / COLUMNS;
        const @index@ c = firstColumn + threadIdx.x % COLUMNS;
        if (@acrossCounter@ < kAcross && c < kColumns) {
@loads@        }
    }

)");

// A short loop across: its elements side by side are less than a line of memory, and a kernel that has it
// outside reads each line again for each of them. A tile holds all of it, beside many columns.
bool isShortAcross(const FusedKernel &kernel, std::size_t across) {
    return kernel.loops[across] >= leastShort && kernel.loops[across] < leastTile &&
           kernel.loops.back() >= longLoop;
}

bool readsMemory(const FusedKernel &kernel, int step) {
    const KernelStep &some = kernel.step(step);
    return some.op == KernelOp::Load ||
           std::any_of(some.operands.begin(), some.operands.end(),
                       [&](int operand) { return readsMemory(kernel, operand); });
}

// The one condition under which a leaf is read, which the counters alone decide; -1: always. Empty: there are
// several, or it hangs on what is read.
std::optional<int> conditionOf(const FusedKernel &kernel, int leaf) {
    std::set<int> conditions;
    for (const KernelStep &step : kernel.steps)
        if (step.op == KernelOp::Load && step.leaf == leaf)
            conditions.insert(step.isGuarded ? step.operands.back() : -1);
    if (conditions.size() != 1)
        return std::nullopt;
    const int condition = *conditions.begin();
    return condition >= 0 && readsMemory(kernel, condition) ? std::nullopt : std::optional(condition);
}

// Leaves that are read for each element of a tile, or for each line.
std::vector<int> leavesAhead(const FusedKernel &kernel, const TiledLoops &tiled) {
    std::vector<int> leaves;
    int bytes = 0;
    for (std::size_t i = 0; i < kernel.leaves.size(); ++i) {
        const int number = static_cast<int>(i);
        const KernelLeaf &leaf = kernel.leaves[i];
        // Of other types the compiler may move such a load.
        const bool stays = leaf.type == ElementType::Float32 || leaf.type == ElementType::Float64 ||
                           leaf.type == ElementType::Int32 || leaf.type == ElementType::Int64;
        if (!leaf.isPlain() || !stays || tiled.leaves.contains(number) ||
            leaf.address.steps[tiled.across] == 0 || conditionOf(kernel, number) != -1 ||
            bytes + bytesOf(leaf.type) > mostAheadBytes)
            continue;
        leaves.push_back(number);
        bytes += bytesOf(leaf.type);
    }
    return leaves;
}

QString planesText(const FusedKernel &kernel, std::size_t across) {
    const std::int64_t planes = planesOf(kernel, across);
    return planes > 1 ? QStringLiteral("%1 * ").arg(planes) : QString();
}

/// Read once, or again by others.
const char *loadAhead(const KernelLeaf &leaf) {
    const auto &steps = leaf.address.steps;
    return std::find(steps.begin(), steps.end(), 0) == steps.end() ? "__ldcs" : "__ldca";
}

} // namespace

std::optional<TiledLoops> tiledLoopsOf(const FusedKernel &kernel) {
    if (kernel.anchor != Anchor::None || !kernel.scatter.isEmpty() || kernel.hasReductions() ||
        kernel.loops.size() < 2 || kernel.loops.back() < leastTile)
        return std::nullopt;
    const std::size_t last = kernel.loops.size() - 1;
    const bool isAlong =
        std::all_of(kernel.stores.begin(), kernel.stores.end(),
                    [last](const KernelStore &store) { return store.address.steps[last] == 1; });
    if (!isAlong)
        return std::nullopt;
    if (const auto turned = turnedValuesOf(kernel))
        return turned;
    // The loop of which most bytes hang.
    TiledLoops best;
    int most = 0;
    for (std::size_t k = 0; k < last; ++k) {
        TiledLoops tiled{k, {}, {}};
        int bytes = 0;
        for (std::size_t i = 0; i < kernel.leaves.size(); ++i) {
            const KernelLeaf &leaf = kernel.leaves[i];
            const bool isAcross =
                leaf.isPlain() && leaf.address.steps[k] == 1 && leaf.address.steps[last] > 1;
            const bool isShort = isShortAcross(kernel, k);
            if (!isAcross || (kernel.loops[k] < leastTile && !isShort) ||
                bytes + bytesOf(leaf.type) > (isShort ? mostLargeTileBytes : mostTileBytes) ||
                !conditionOf(kernel, static_cast<int>(i)))
                continue;
            tiled.leaves.insert(static_cast<int>(i));
            bytes += bytesOf(leaf.type);
        }
        if (bytes > most) {
            most = bytes;
            best = tiled;
        }
    }
    return most > 0 ? std::optional(best) : std::nullopt;
}

std::vector<TileSize> tileSizes(const FusedKernel &kernel, const TiledLoops &tiled) {
    if (!tiled.values.empty())
        return sizesOfTurned(kernel, tiled);
    if (isShortAcross(kernel, tiled.across)) {
        const int side = static_cast<int>(std::bit_ceil(static_cast<unsigned>(kernel.loops[tiled.across])));
        return {{wholeColumns, side}, {2 * wholeColumns, side}};
    }
    int bytes = 0;
    for (const int leaf : tiled.leaves)
        bytes += bytesOf(kernel.leaves[static_cast<std::size_t>(leaf)].type);
    // More of each line of memory at a time, and more of it on its way, where there is room for it.
    const auto suits = [](std::int64_t loop) {
        return loop >= longLoop || loop % largeTile == 0;
    };
    const bool hasRoom = bytes <= mostLargeTileBytes;
    const bool isLong = hasRoom && suits(kernel.loops.back());
    const bool isBroad = hasRoom && suits(kernel.loops[tiled.across]);
    std::vector<TileSize> sizes;
    if (isBroad && kernel.loops.back() == leastTile) // half of a wider tile would be empty
        sizes = {{leastTile, 2 * largeTile}, {leastTile, largeTile}};
    else if (isLong && isBroad)
        sizes = {{largeTile, largeTile}, {smallTile, 2 * largeTile}, {2 * largeTile, smallTile}};
    else if (isBroad)
        sizes = {{smallTile, largeTile}, {smallTile, 2 * largeTile}};
    else if (isLong)
        sizes = {{largeTile, smallTile}, {2 * largeTile, smallTile}};
    sizes.push_back({smallTile, smallTile});
    return sizes;
}

std::int64_t planesOf(const FusedKernel &kernel, std::size_t across) {
    return elementCount(kernel.loops) / (kernel.loops.back() * kernel.loops[across]);
}

QString planeCounters(const FusedKernel &kernel, std::size_t across, const QString &index) {
    QString lines;
    std::int64_t planes = 1;
    for (std::size_t k = kernel.loops.size() - 1; k-- > 0;) {
        if (k == across)
            continue;
        QString value = QStringLiteral("blockIdx.x / (kTilesAlong<COLUMNS> * kTilesAcross<ACROSS>%1)")
                            .arg(planes > 1 ? QStringLiteral(" * %1").arg(planes) : QString());
        planes *= kernel.loops[k];
        value += QStringLiteral(" % %1").arg(kernel.loops[k]);
        lines.prepend(QStringLiteral("    const %1 i%2 = %3;\n").arg(index).arg(k).arg(value));
    }
    return lines;
}

QString tileLauncher(const ReferenceGraph &graph, const KernelPlan &plan, const FusedKernel &kernel,
                     const KernelNames &names, const std::vector<TileSize> &sizes) {
    const QString arguments = cudaArguments(graph, plan, names).join(QLatin1String(", "));
    QStringList meanings;
    QString calls;
    for (std::size_t i = sizes.size(); i-- > 0;) {
        meanings.prepend(QStringLiteral("%1 -> %2 by %3").arg(i).arg(sizes[i].columns).arg(sizes[i].across));
        calls += i == 0 ? QStringLiteral("    default:\n") : QStringLiteral("    case %1:\n").arg(i);
        calls +=
            wrappedCall(
                QStringLiteral(
                    "        %1<%2, %3><<<static_cast<unsigned>(kTiles<%2, %3>), kThreads, 0, stream>>>(")
                    .arg(names.function)
                    .arg(sizes[i].columns)
                    .arg(sizes[i].across),
                arguments, QStringLiteral(");")) +
            QStringLiteral("        break;\n");
    }
    return QStringLiteral("// config = a tile's columns where results go, and lines of them: %1.\n")
               .arg(meanings.join(QLatin1String(", "))) +
           wrappedCall(QStringLiteral("extern \"C\" void %1(").arg(names.launcher()),
                       launcherParameters(graph, plan, kernel, names) +
                           QStringLiteral(", int config, cudaStream_t stream"),
                       QStringLiteral(") {")) +
           QStringLiteral("    switch (config) {\n%1    }\n}").arg(calls);
}

QString tiledCudaText(const ReferenceGraph &graph, const KernelPlan &plan, const FusedKernel &kernel,
                      const KernelNames &names, const TiledLoops &tiled) {
    if (!tiled.values.empty())
        return turnedCudaText(graph, plan, kernel, names, tiled);
    const std::size_t last = kernel.loops.size() - 1;
    QStringList counters;
    for (std::size_t k = 0; k < last; ++k)
        counters << QStringLiteral("i%1").arg(k);
    counters << QStringLiteral("c");

    std::map<int, QString> tileOf;
    std::map<int, QString> aheadOf;
    ScalarText text(kernel, TextDialect::Cuda, [&](int leaf) {
        if (leaf < 0)
            return indexText(kernel.step(-1 - leaf).index, counters);
        if (const auto tile = tileOf.find(leaf); tile != tileOf.end())
            return tile->second + QStringLiteral("[threadIdx.x % COLUMNS][k]");
        if (const auto ahead = aheadOf.find(leaf); ahead != aheadOf.end())
            return ahead->second + QStringLiteral("[i]");
        const KernelLeaf &what = kernel.leaves[static_cast<std::size_t>(leaf)];
        return QStringLiteral("%1[%2]").arg(names.nameOf(what.buffer), indexText(what.address, counters));
    });
    const QString indent(12, QLatin1Char(' '));
    QString tiles;
    QString reads;
    for (const int leaf : tiled.leaves) {
        const KernelLeaf &what = kernel.leaves[static_cast<std::size_t>(leaf)];
        const QString name = names.nameOf(what.buffer) + QStringLiteral("Tile") +
                             (tileOf.empty() ? QString() : QString::number(tileOf.size() + 1));
        tileOf[leaf] = name;
        tiles += QStringLiteral("    __shared__ %1 %2[COLUMNS][ACROSS + 1];\n")
                     .arg(cTypeName(what.type, true), name);
        if (const int condition = *conditionOf(kernel, leaf); condition >= 0)
            reads += QStringLiteral("            if (%1)\n    ").arg(text.definition(condition));
        reads += QStringLiteral("            %1[k][threadIdx.x % ACROSS] = %2[%3];\n")
                     .arg(name, names.nameOf(what.buffer), indexText(what.address, counters));
    }
    QString arrays;
    QString loads;
    for (const int leaf : leavesAhead(kernel, tiled)) {
        const KernelLeaf &what = kernel.leaves[static_cast<std::size_t>(leaf)];
        const QString buffer = names.nameOf(what.buffer);
        QString name = buffer + QStringLiteral("Ahead");
        if (arrays.contains(name + QLatin1Char('[')))
            name += QString::number(aheadOf.size() + 1);
        aheadOf[leaf] = name;
        arrays += QStringLiteral("    %1 %2[ACROSS / kWriters];\n").arg(cTypeName(what.type, true), name);
        loads += QStringLiteral("            %1[i] = %2(&%3[%4]);\n")
                     .arg(name, QLatin1String(loadAhead(what)), buffer, indexText(what.address, counters));
    }
    const KernelSchedule schedule = scheduleOf(kernel, Keeping::Nothing);
    QString statements;
    const auto define = [&](int step, const QString &name) {
        statements += wrapped(QStringLiteral("const %1 %2 = %3;")
                                  .arg(cTypeName(kernel.step(step).type, true), name, text.definition(step)),
                              indent, indent + QString(4, QLatin1Char(' ')));
        text.name(step, name);
    };
    int count = 0;
    for (const std::vector<int> &ofRow : schedule.named)
        for (const int step : ofRow)
            define(step, QStringLiteral("r%1").arg(++count));
    count = 0;
    for (const KernelPass &pass : schedule.passes) {
        for (const int step : pass.computed)
            if (usesIn(kernel, pass, step) > 1)
                define(step, QStringLiteral("h%1").arg(++count));
        for (const int some : pass.stores) {
            const KernelStore &store = kernel.stores[static_cast<std::size_t>(some)];
            statements += wrapped(QStringLiteral("%1[%2] = %3;")
                                      .arg(names.nameOf(store.buffer), indexText(store.address, counters),
                                           text.stored(store.step, store.type)),
                                  indent, indent + QString(4, QLatin1Char(' ')));
        }
    }

    const QString index = hasNarrowCounters(kernel) ? QStringLiteral("int") : QStringLiteral("std::int64_t");
    const QString acrossCounter = counters[static_cast<qsizetype>(tiled.across)];
    const QString ahead =
        loads.isEmpty()
            ? QString()
            : filled(
                  aheadText,
                  {{"arrays", arrays}, {"index", index}, {"acrossCounter", acrossCounter}, {"loads", loads}});
    return cudaHead(kernel, names, {CudaMode::Tiles}) + QStringLiteral("namespace {\n\n") +
           filled(tiledText,
                  {{"index", index},
                   {"ahead", ahead},
                   {"columns", QString::number(kernel.loops[last])},
                   {"across", QString::number(kernel.loops[tiled.across])},
                   {"planes", planesText(kernel, tiled.across)},
                   {"functions", functionTexts(text.functions(), TextDialect::Cuda)},
                   {"head", cudaSignature(graph, plan, names).chopped(1)},
                   {"tiles", tiles},
                   {"planeCounters", planeCounters(kernel, tiled.across, index)},
                   {"acrossCounter", acrossCounter},
                   {"reads", reads},
                   {"statements", statements},
                   {"launcher", tileLauncher(graph, plan, kernel, names, tileSizes(kernel, tiled))}});
}

} // namespace warpwright
