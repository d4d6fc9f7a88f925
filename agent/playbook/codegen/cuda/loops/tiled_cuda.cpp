// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/cuda/loops/tiled_cuda.h"

#include "agent/playbook/analysis/whole_numbers.h"
#include "agent/playbook/codegen/anchor_text.h"
#include "agent/playbook/codegen/cuda/cuda_head.h"
#include "agent/playbook/codegen/cuda/loops/templates/transpose_tile.h"
#include "agent/playbook/codegen/cuda/loops/tile_launcher.h"
#include "agent/playbook/codegen/cuda/loops/turned_values_cuda.h"
#include "agent/playbook/codegen/loop_text.h"
#include "agent/playbook/codegen/scalar_text.h"
#include "agent/playbook/schedule/kernel_schedule.h"
#include "agent/playbook/schedule/transpose_tile.h"

#include <algorithm>

namespace warpwright {
namespace {

constexpr int mostAheadBytes = 12; ///< of an element, in registers: 16 elements of a thread with large tiles

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
            leaf.address.steps[tiled.across] == 0 || readConditionOf(kernel, number) != -1 ||
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
        if (const int condition = *readConditionOf(kernel, leaf); condition >= 0)
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
                  tiledAhead,
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
