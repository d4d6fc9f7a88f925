// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/cuda/launcher.h"

#include "agent/playbook/analysis/kernel_family.h"
#include "agent/playbook/codegen/loop_names.h"
#include "agent/playbook/codegen/scatter.h"
#include "agent/playbook/schedule/cluster_shapes.h"
#include "agent/playbook/schedule/loop_space.h"
#include "agent/playbook/schedule/shared_memory_gather.h"
#include "agent/playbook/schedule/thread_mapping.h"

namespace warpwright {

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
    const bool isScan = mapping.mode == MappingMode::ColumnScan;
    const KernelFamily family = familyOf(kernel);
    const QString call = cudaArguments(graph, program, names).join(QLatin1String(", "));
    const QString word =
        mapping.mode == MappingMode::Flat ? QStringLiteral("blocks per SM; 0: enough for all the work")
        : isScan                          ? QStringLiteral("threads per row (blockDim.y)")
        : mapping.isClustered             ? QStringLiteral("threads per row")
        : mapping.mode == MappingMode::BlockPerRow ? QStringLiteral("threads per row")
        : mapping.mode == MappingMode::ThreadPerRowVector
            ? QStringLiteral("threads per block, several adjacent rows each")
        : mapping.mode == MappingMode::SlidingWindow
            ? QStringLiteral("threads per block, several windows below each other each")
        : family == KernelFamily::Windows ? QStringLiteral("threads per block, a row each")
                                          : QStringLiteral("threads per reduction (blockDim.y)");
    QStringList meanings;
    for (const QString &meaning : configLabels(kernel, knobs, choices))
        meanings << QStringLiteral("%1 -> %2").arg(meanings.size()).arg(meaning);
    QString text = wrapped(QStringLiteral("config = %1: %2.").arg(word, meanings.join(QLatin1String(", "))),
                           QStringLiteral("// "), QStringLiteral("// "));
    text += wrappedCall(QStringLiteral("extern \"C\" void %1(").arg(names.launcher()),
                        launcherParameters(graph, program, names) +
                            QStringLiteral(", int config, cudaStream_t stream"),
                        QStringLiteral(") {"));
    if (mapping.mode == MappingMode::Flat) {
        QStringList values;
        for (const int choice : choices)
            values << QString::number(std::max(choice, 0));
        const qsizetype ofTwo =
            std::find(choices.begin(), choices.end(), twoVectorsPerThread) - choices.begin();
        const QString ofBlock = mapping.elementsPerThread > 1
                                    ? QStringLiteral("kElementsPerThread * kThreads")
                                : mapping.hasTwoVectors ? QStringLiteral("vectors * kThreads")
                                                        : QStringLiteral("kThreads");
        if (mapping.hasTwoVectors)
            text += QStringLiteral("    const int vectors = config == %1 ? 2 : 1;\n").arg(ofTwo);
        text += QStringLiteral(
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
                    .arg(ofBlock,
                         ofBlock.contains(QLatin1Char(' ')) ? QStringLiteral("(%1)").arg(ofBlock) : ofBlock);
        const auto launch = [&](const QString &before, const QString &which) {
            return wrappedCall(before + names.function + which +
                                   QLatin1String("<<<static_cast<unsigned>(blocks), kThreads, 0, stream>>>("),
                               call, QStringLiteral(");"));
        };
        if (mapping.hasTwoVectors)
            text += QStringLiteral("    if (vectors == 2)\n") +
                    launch(QStringLiteral("        "), QStringLiteral("<2>")) + QStringLiteral("    else\n") +
                    launch(QStringLiteral("        "), QStringLiteral("<1>"));
        else
            text += scatterInitialization(kernel, names) + launch(QStringLiteral("    "), QString());
        return text + QLatin1String("}\n");
    }
    const auto gather = mapping.usesSharedGather ? sharedMemoryGatherOf(kernel) : std::nullopt;
    const QString shared =
        gather && gather->isLarge() ? QString::number(gather->bytes()) : QStringLiteral("0");
    const std::vector<ClusterShape> shapes =
        mapping.isClustered ? clusterShapes(kernel, knobs) : std::vector<ClusterShape>();
    text += QLatin1String("    switch (config) {\n");
    for (std::size_t i = choices.size(); i-- > 0;) {
        text += i == 0 ? QStringLiteral("    default:\n") : QStringLiteral("    case %1:\n").arg(i);
        const QString shape =
            mapping.isClustered ? QStringLiteral("<%1, %2><<<kRows * %1, %2, 0, stream>>>(")
                                      .arg(shapes[i].blocks)
                                      .arg(shapes[i].threads)
            : mapping.hasShortRows && isShort(choices[i])
                ? QStringLiteral("<%1><<<(kRows + %2) / %3, dim3(%1, %3), 0, stream>>>(")
                      .arg(choices[i])
                      .arg(mapping.shortRowThreads / choices[i] - 1)
                      .arg(mapping.shortRowThreads / choices[i])
            : mapping.mode == MappingMode::BlockPerRow
                ? QStringLiteral("<%1><<<kRows%3, %1, %2, stream>>>(")
                      .arg(QString::number(choices[i]), shared,
                           gather && gather->hasRows() ? QStringLiteral(" / kRowsPerBlock") : QString())
            : (family == KernelFamily::Windows || mapping.mode == MappingMode::ThreadPerRowVector) && !isScan
                ? QStringLiteral("<%1><<<(%3 + %2) / %1, %1, 0, stream>>>(")
                      .arg(choices[i])
                      .arg(choices[i] - 1)
                      .arg(mapping.mode == MappingMode::ThreadPerRowVector ? QStringLiteral("kVectors")
                           : mapping.mode == MappingMode::SlidingWindow    ? QStringLiteral("kTiles")
                                                                           : QStringLiteral("kRows"))
                : QStringLiteral(
                      "<%1><<<(kRows%2 + kThreadsX - 1) / kThreadsX, dim3(kThreadsX, %1), 0, stream>>>(")
                      .arg(choices[i])
                      .arg(mapping.sums > 1 ? QStringLiteral(" / kWidth") : QString());
        if (gather && gather->isLarge()) // where this is refused, the launch fails with an error
            text += QStringLiteral("        cudaFuncSetAttribute(%1<%2>, "
                                   "cudaFuncAttributeMaxDynamicSharedMemorySize, %3);\n")
                        .arg(names.function)
                        .arg(choices[i])
                        .arg(shared);
        text += wrappedCall(QStringLiteral("        %1%2").arg(names.function, shape), call,
                            QStringLiteral(");"));
        text += QLatin1String("        break;\n");
    }
    return text + QLatin1String("    }\n}\n");
}

} // namespace warpwright
