// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/cuda/loops/transpose_tile.h"

#include "agent/playbook/analysis/integer_ranges.h"
#include "agent/playbook/codegen/cuda/kernel_header.h"
#include "agent/playbook/codegen/cuda/loops/templates/transpose_tile.h"
#include "agent/playbook/codegen/cuda/loops/tile_launcher.h"
#include "agent/playbook/codegen/cuda/loops/transposed_gather.h"
#include "agent/playbook/codegen/expression_printer.h"
#include "agent/playbook/codegen/loop_names.h"
#include "agent/playbook/codegen/template_fill.h"
#include "agent/playbook/schedule/reduction_schedule.h"
#include "agent/playbook/schedule/transpose_tile.h"

#include <algorithm>

namespace warpwright {
namespace {

constexpr int mostAheadBytes = 12; ///< per element, in registers; a thread has 16 elements with large tiles

const QString rationale = QStringLiteral(
    "Elements that are adjacent in the input are strided in the output. Memory moves whole "
    "sectors of 32 bytes, even if one float of each is used. So a block takes a tile: it loads "
    "the tile along the input (coalesced), transposes it in shared memory, and stores it along "
    "the output (coalesced).");

// Inputs that are read for each element of a tile, or for each of its rows.
std::vector<int> prefetchedInputs(const Kernel &kernel, const TransposeTile &tiled) {
    std::vector<int> inputs;
    int bytes = 0;
    for (std::size_t i = 0; i < kernel.inputs.size(); ++i) {
        const int number = static_cast<int>(i);
        const KernelInput &input = kernel.inputs[i];
        // The compiler may move such a load of another type.
        const bool stays = input.type == ElementType::Float32 || input.type == ElementType::Float64 ||
                           input.type == ElementType::Int32 || input.type == ElementType::Int64;
        if (!input.isPlain() || !stays || tiled.inputs.contains(number) ||
            input.address.steps[tiled.across] == 0 || readConditionOf(kernel, number) != -1 ||
            bytes + bytesOf(input.type) > mostAheadBytes)
            continue;
        inputs.push_back(number);
        bytes += bytesOf(input.type);
    }
    return inputs;
}

QString planesText(const Kernel &kernel, std::size_t across) {
    const std::int64_t planes = planesOf(kernel, across);
    return planes > 1 ? QStringLiteral("%1 * ").arg(planes) : QString();
}

/// Streaming where each element is read once, else cached.
const char *loadAhead(const KernelInput &input) {
    const auto &steps = input.address.steps;
    return std::find(steps.begin(), steps.end(), 0) == steps.end() ? "__ldcs" : "__ldca";
}

} // namespace

QString transposeTileCudaText(const KernelSource &source) {
    const auto &[graph, program, kernel, names, knobs] = source;
    const TransposeTile tiled = *transposeTileOf(kernel);
    if (!tiled.values.empty())
        return transposedGatherCudaText(source, tiled);
    const std::size_t last = kernel.loops.size() - 1;
    QStringList counters;
    for (std::size_t k = 0; k < last; ++k)
        counters << QStringLiteral("i%1").arg(k);
    counters << QStringLiteral("c");

    std::map<int, QString> tileOf;
    std::map<int, QString> aheadOf;
    ExpressionPrinter text(kernel, CodeDialect::Cuda, [&](int input) {
        if (input < 0)
            return indexExpression(kernel.step(-1 - input).index, counters);
        if (const auto tile = tileOf.find(input); tile != tileOf.end())
            return tile->second + QStringLiteral("[threadIdx.x % TILE_COLUMNS][k]");
        if (const auto ahead = aheadOf.find(input); ahead != aheadOf.end())
            return ahead->second + QStringLiteral("[i]");
        const KernelInput &what = kernel.inputs[static_cast<std::size_t>(input)];
        return QStringLiteral("%1[%2]").arg(names.nameOf(what.buffer),
                                            indexExpression(what.address, counters));
    });
    const QString indent(12, QLatin1Char(' '));
    QString tiles;
    QString reads;
    for (const int input : tiled.inputs) {
        const KernelInput &what = kernel.inputs[static_cast<std::size_t>(input)];
        const QString name = names.nameOf(what.buffer) + QStringLiteral("Tile") +
                             (tileOf.empty() ? QString() : QString::number(tileOf.size() + 1));
        tileOf[input] = name;
        tiles += QStringLiteral("    __shared__ %1 %2[TILE_COLUMNS][TILE_ROWS + 1];\n")
                     .arg(cTypeName(what.type, true), name);
        if (const int condition = *readConditionOf(kernel, input); condition >= 0)
            reads += QStringLiteral("            if (%1)\n    ").arg(text.definition(condition));
        reads += QStringLiteral("            %1[k][threadIdx.x % TILE_ROWS] = %2[%3];\n")
                     .arg(name, names.nameOf(what.buffer), indexExpression(what.address, counters));
    }
    QString arrays;
    QString loads;
    for (const int input : prefetchedInputs(kernel, tiled)) {
        const KernelInput &what = kernel.inputs[static_cast<std::size_t>(input)];
        const QString buffer = names.nameOf(what.buffer);
        QString name = buffer + QStringLiteral("Prefetched");
        if (arrays.contains(name + QLatin1Char('[')))
            name += QString::number(aheadOf.size() + 1);
        aheadOf[input] = name;
        arrays += QStringLiteral("    %1 %2[TILE_ROWS / kWriters];\n").arg(cTypeName(what.type, true), name);
        loads +=
            QStringLiteral("            %1[i] = %2(&%3[%4]);\n")
                .arg(name, QLatin1String(loadAhead(what)), buffer, indexExpression(what.address, counters));
    }
    const ReductionSchedule schedule = scheduleOf(kernel, RowCaching::Nothing);
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
    for (const ReductionPass &pass : schedule.passes) {
        for (const int step : pass.computed)
            if (usesIn(kernel, pass, step) > 1)
                define(step, QStringLiteral("h%1").arg(++count));
        for (const int some : pass.stores) {
            const KernelStore &store = kernel.stores[static_cast<std::size_t>(some)];
            statements +=
                wrapped(QStringLiteral("%1[%2] = %3;")
                            .arg(names.nameOf(store.buffer), indexExpression(store.address, counters),
                                 text.stored(store.step, store.type)),
                        indent, indent + QString(4, QLatin1Char(' ')));
        }
    }

    const QString index = hasInt32Indexing(kernel) ? QStringLiteral("int") : QStringLiteral("std::int64_t");
    const QString acrossCounter = counters[static_cast<qsizetype>(tiled.across)];
    const QString ahead =
        loads.isEmpty()
            ? QString()
            : fillTemplate(
                  transposeTilePrefetch,
                  {{"arrays", arrays}, {"index", index}, {"acrossCounter", acrossCounter}, {"loads", loads}});
    return cudaHead(kernel, names, rationale) + QStringLiteral("namespace {\n\n") +
           fillTemplate(transposeTileText,
                        {{"index", index},
                         {"ahead", ahead},
                         {"columns", QString::number(kernel.loops[last])},
                         {"across", QString::number(kernel.loops[tiled.across])},
                         {"planes", planesText(kernel, tiled.across)},
                         {"functions", helperFunctions(text.functions(), CodeDialect::Cuda)},
                         {"head", cudaSignature(graph, program, names).chopped(1)},
                         {"tiles", tiles},
                         {"planeCounters", planeCounters(kernel, tiled.across, index)},
                         {"acrossCounter", acrossCounter},
                         {"reads", reads},
                         {"statements", statements},
                         {"launcher", tileLauncher(source, tileSizes(kernel, tiled))}});
}

} // namespace warpwright
