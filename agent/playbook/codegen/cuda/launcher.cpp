// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/cuda/launcher.h"

#include "agent/playbook/codegen/loop_names.h"
#include "agent/playbook/codegen/scatter.h"
#include "agent/playbook/schedule/cluster_shapes.h"
#include "agent/playbook/schedule/loop_space.h"
#include "agent/playbook/schedule/shared_memory_gather.h"
#include "agent/playbook/schedule/thread_mapping.h"

#include <algorithm>
#include <optional>

namespace warpwright {
namespace {

/// What the launcher of a mapping states.
struct LaunchWords {
    QString configs;   ///< what a config is a number of
    QString perThread; ///< the constant that counts what a thread has for itself; empty: threads share a row
};

LaunchWords launchWords(MappingMode mode) {
    switch (mode) {
    case MappingMode::Flat:
        return {QStringLiteral("blocks per SM; 0: enough for all the work"), {}};
    case MappingMode::BlockPerRow:
        return {QStringLiteral("threads per row"), {}};
    case MappingMode::ColumnReduction:
        return {QStringLiteral("threads per reduction (blockDim.y)"), {}};
    case MappingMode::ColumnScan:
        return {QStringLiteral("threads per row (blockDim.y)"), {}};
    case MappingMode::ThreadPerRow:
        return {QStringLiteral("threads per block, a row each"), QStringLiteral("kRows")};
    case MappingMode::ThreadPerRowVector:
        return {QStringLiteral("threads per block, several adjacent rows each"), QStringLiteral("kVectors")};
    case MappingMode::SlidingWindow:
        return {QStringLiteral("threads per block, several windows below each other each"),
                QStringLiteral("kTiles")};
    case MappingMode::TransposeTiles: // tile_launcher
        break;
    }
    return {};
}

/// Launches as many blocks as a config gives an SM. `call`: the arguments.
QString flatLaunch(const KernelSource &source, const ThreadMapping &mapping, const std::vector<int> &choices,
                   const QString &call) {
    QStringList values;
    for (const int choice : choices)
        values << QString::number(std::max(choice, 0));
    const qsizetype ofTwo = std::find(choices.begin(), choices.end(), twoVectorsPerThread) - choices.begin();
    const QString ofBlock = mapping.elementsPerThread > 1 ? QStringLiteral("kElementsPerThread * kThreads")
                            : mapping.hasTwoVectors       ? QStringLiteral("vectors * kThreads")
                                                          : QStringLiteral("kThreads");
    QString text;
    if (mapping.hasTwoVectors)
        text += QStringLiteral("    const int vectors = config == %1 ? 2 : 1;\n").arg(ofTwo);
    text +=
        QStringLiteral(
            "    constexpr int kBlocksPerSm[] = {%1};\n"
            "    const std::int64_t neededBlocks = (kVectors + %3 - 1) / %4;\n"
            "    std::int64_t blocks = neededBlocks;\n"
            "    if (const int blocksPerSm = kBlocksPerSm[config > 0 && config < %2 ? config : 0]; "
            "blocksPerSm > 0) {\n"
            "        int device = 0;\n"
            "        int smCount = 1;\n"
            "        cudaGetDevice(&device);\n"
            "        cudaDeviceGetAttribute(&smCount, cudaDevAttrMultiProcessorCount, device);\n"
            "        blocks = std::int64_t(smCount) * blocksPerSm;\n"
            "    }\n"
            "    blocks = blocks < neededBlocks ? blocks : neededBlocks;\n")
            .arg(values.join(QLatin1String(", ")))
            .arg(choices.size())
            .arg(ofBlock, ofBlock.contains(QLatin1Char(' ')) ? QStringLiteral("(%1)").arg(ofBlock) : ofBlock);
    const auto launch = [&](const QString &before, const QString &which) {
        return wrappedCall(before + source.names.function + which +
                               QLatin1String("<<<static_cast<unsigned>(blocks), kThreads, 0, stream>>>("),
                           call, QStringLiteral(");"));
    };
    if (mapping.hasTwoVectors)
        text += QStringLiteral("    if (vectors == 2)\n") +
                launch(QStringLiteral("        "), QStringLiteral("<2>")) + QStringLiteral("    else\n") +
                launch(QStringLiteral("        "), QStringLiteral("<1>"));
    else
        text +=
            scatterInitialization(source.kernel, source.names) + launch(QStringLiteral("    "), QString());
    return text;
}

/// Dynamic shared memory of a block.
QString sharedBytes(const std::optional<SharedMemoryGather> &gather) {
    return gather && gather->isLarge() ? QString::number(gather->bytes()) : QStringLiteral("0");
}

/// Template arguments and execution configuration of a config where blocks take rows.
QString blockPerRowLaunch(const ThreadMapping &mapping, int choice, const ClusterShape &cluster,
                          const std::optional<SharedMemoryGather> &gather) {
    if (mapping.isClustered)
        return QStringLiteral("<%1, %2><<<kRows * %1, %2, 0, stream>>>(")
            .arg(cluster.blocks)
            .arg(cluster.threads);
    if (mapping.hasShortRows && isShort(choice))
        return QStringLiteral("<%1><<<(kRows + %2) / %3, dim3(%1, %3), 0, stream>>>(")
            .arg(choice)
            .arg(mapping.shortRowThreads / choice - 1)
            .arg(mapping.shortRowThreads / choice);
    return QStringLiteral("<%1><<<kRows%3, %1, %2, stream>>>(")
        .arg(QString::number(choice), sharedBytes(gather),
             gather && gather->hasRows() ? QStringLiteral(" / kRowsPerBlock") : QString());
}

/// The same where each thread has something for itself, or shares a row with those above it.
QString threadLaunch(const ThreadMapping &mapping, int choice, const QString &perThread) {
    if (!perThread.isEmpty())
        return QStringLiteral("<%1><<<(%3 + %2) / %1, %1, 0, stream>>>(")
            .arg(choice)
            .arg(choice - 1)
            .arg(perThread);
    return QStringLiteral("<%1><<<(kRows%2 + kThreadsX - 1) / kThreadsX, dim3(kThreadsX, %1), 0, stream>>>(")
        .arg(choice)
        .arg(mapping.sums > 1 ? QStringLiteral(" / kWidth") : QString());
}

} // namespace

QStringList cudaArguments(const ReferenceGraph &graph, const Program &program, const KernelNames &names) {
    QStringList arguments;
    const auto add = [&](int buffer, const char *constant) {
        const ElementType type = typeOfBuffer(graph, program, buffer);
        const bool isHalf = type == ElementType::Float16 || type == ElementType::BFloat16;
        arguments << (isHalf ? QStringLiteral("static_cast<%1%2 *>(%3)")
                                   .arg(QLatin1String(constant), cTypeName(type, true), names.nameOf(buffer))
                             : names.nameOf(buffer));
    };
    for (const int buffer : names.readBuffers)
        add(buffer, "const ");
    for (const int buffer : names.writtenBuffers)
        add(buffer, "");
    return arguments;
}

QString cudaLauncher(const KernelSource &source, const std::vector<int> &choices) {
    const auto &[graph, program, kernel, names, knobs] = source;
    const ThreadMapping mapping = threadMappingOf(kernel, knobs);
    const LaunchWords words = launchWords(mapping.mode);
    const QString call = cudaArguments(graph, program, names).join(QLatin1String(", "));
    QStringList meanings;
    for (const QString &meaning : configLabels(kernel, knobs, choices))
        meanings << QStringLiteral("%1 -> %2").arg(meanings.size()).arg(meaning);
    QString text =
        wrapped(QStringLiteral("config = %1: %2.").arg(words.configs, meanings.join(QLatin1String(", "))),
                QStringLiteral("// "), QStringLiteral("// "));
    text += wrappedCall(QStringLiteral("extern \"C\" void %1(").arg(names.launcher()),
                        launcherParameters(graph, program, names) +
                            QStringLiteral(", int config, cudaStream_t stream"),
                        QStringLiteral(") {"));
    if (mapping.mode == MappingMode::Flat)
        return text + flatLaunch(source, mapping, choices, call) + QLatin1String("}\n");
    const auto gather = mapping.usesSharedGather ? sharedMemoryGatherOf(kernel) : std::nullopt;
    const std::vector<ClusterShape> shapes =
        mapping.isClustered ? clusterShapes(kernel, knobs) : std::vector<ClusterShape>(choices.size());
    text += QLatin1String("    switch (config) {\n");
    for (std::size_t i = choices.size(); i-- > 0;) {
        text += i == 0 ? QStringLiteral("    default:\n") : QStringLiteral("    case %1:\n").arg(i);
        const QString shape = mapping.mode == MappingMode::BlockPerRow
                                  ? blockPerRowLaunch(mapping, choices[i], shapes[i], gather)
                                  : threadLaunch(mapping, choices[i], words.perThread);
        if (gather && gather->isLarge()) // where this is refused, the launch fails with an error
            text += QStringLiteral("        cudaFuncSetAttribute(%1<%2>, "
                                   "cudaFuncAttributeMaxDynamicSharedMemorySize, %3);\n")
                        .arg(names.function)
                        .arg(choices[i])
                        .arg(sharedBytes(gather));
        text += wrappedCall(QStringLiteral("        %1%2").arg(names.function, shape), call,
                            QStringLiteral(");"));
        text += QLatin1String("        break;\n");
    }
    return text + QLatin1String("    }\n}\n");
}

} // namespace warpwright
