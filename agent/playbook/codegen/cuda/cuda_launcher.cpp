// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/cuda/cuda_launcher.h"

#include "agent/playbook/analysis/kernel_family.h"
#include "agent/playbook/codegen/loop_text.h"
#include "agent/playbook/codegen/scatter_text.h"
#include "agent/playbook/schedule/cluster_shapes.h"
#include "agent/playbook/schedule/cuda_choices.h"
#include "agent/playbook/schedule/staged_gathers.h"
#include "agent/playbook/schedule/thread_mapping.h"

namespace warpwright {

QStringList cudaArguments(const ReferenceGraph &graph, const KernelPlan &plan, const KernelNames &names) {
    QStringList arguments;
    const auto add = [&](int buffer, const char *constant) {
        const ElementType type = typeOfBuffer(graph, plan, buffer);
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

QString cudaLauncher(const ReferenceGraph &graph, const KernelPlan &plan, const FusedKernel &kernel,
                     const KernelNames &names, const KernelTuning &tuning) {
    const CudaSharing sharing = cudaSharingOf(kernel, tuning);
    const bool isScan = sharing.mode == CudaMode::LanesOfScan;
    const KernelFamily family = familyOf(kernel);
    const QString call = cudaArguments(graph, plan, names).join(QLatin1String(", "));
    const std::vector<int> choices = configChoices(kernel, tuning);
    const QString word =
        sharing.mode == CudaMode::Flat
            ? QStringLiteral("blocks for each multiprocessor; 0: as many as there is work for")
        : isScan                               ? QStringLiteral("groups of threads that share a row")
        : sharing.isClustered                  ? QStringLiteral("threads that share a row")
        : sharing.mode == CudaMode::BlockOfRow ? QStringLiteral("threads a row")
        : sharing.mode == CudaMode::PackOfRows ? QStringLiteral("threads a block, each with a pack of rows")
        : sharing.mode == CudaMode::SlidingWindows
            ? QStringLiteral("threads a block, each with some windows below each other")
        : family == KernelFamily::Windows ? QStringLiteral("threads a block, each with a row")
                                          : QStringLiteral("groups of threads that share a sum");
    QStringList meanings;
    for (const QString &meaning : choiceWords(kernel, tuning))
        meanings << QStringLiteral("%1 -> %2").arg(meanings.size()).arg(meaning);
    QString text = wrapped(QStringLiteral("config = %1: %2.").arg(word, meanings.join(QLatin1String(", "))),
                           QStringLiteral("// "), QStringLiteral("// "));
    text += wrappedCall(QStringLiteral("extern \"C\" void %1(").arg(names.launcher()),
                        launcherParameters(graph, plan, kernel, names) +
                            QStringLiteral(", int config, cudaStream_t stream"),
                        QStringLiteral(") {"));
    if (sharing.mode == CudaMode::Flat) {
        QStringList values;
        for (const int choice : choices)
            values << QString::number(std::max(choice, 0));
        const qsizetype ofTwo = std::find(choices.begin(), choices.end(), ofTwoPacks) - choices.begin();
        const QString ofBlock = sharing.together > 1  ? QStringLiteral("kTogether * kThreads")
                                : sharing.hasTwoPacks ? QStringLiteral("packs * kThreads")
                                                      : QStringLiteral("kThreads");
        if (sharing.hasTwoPacks)
            text += QStringLiteral("    const int packs = config == %1 ? 2 : 1;\n").arg(ofTwo);
        text +=
            QStringLiteral(
                "    constexpr int kBlocks[] = {%1};\n"
                "    const std::int64_t enough = (kPacks + %3 - 1) / %4;\n"
                "    std::int64_t blocks = enough;\n"
                "    if (const int ofEach = kBlocks[config > 0 && config < %2 ? config : 0]; ofEach > 0) {\n"
                "        int device = 0;\n"
                "        int processors = 1;\n"
                "        cudaGetDevice(&device);\n"
                "        cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);\n"
                "        blocks = std::int64_t(processors) * ofEach;\n"
                "    }\n"
                "    blocks = blocks < enough ? blocks : enough;\n")
                .arg(values.join(QLatin1String(", ")))
                .arg(choices.size())
                .arg(ofBlock,
                     ofBlock.contains(QLatin1Char(' ')) ? QStringLiteral("(%1)").arg(ofBlock) : ofBlock);
        const auto launch = [&](const QString &before, const QString &which) {
            return wrappedCall(before + names.function + which +
                                   QLatin1String("<<<static_cast<unsigned>(blocks), kThreads, 0, stream>>>("),
                               call, QStringLiteral(");"));
        };
        if (sharing.hasTwoPacks)
            text += QStringLiteral("    if (packs == 2)\n") +
                    launch(QStringLiteral("        "), QStringLiteral("<2>")) + QStringLiteral("    else\n") +
                    launch(QStringLiteral("        "), QStringLiteral("<1>"));
        else
            text += scatterBegin(kernel, names) + launch(QStringLiteral("    "), QString());
        return text + QLatin1String("}\n");
    }
    const auto staged = sharing.isStaged ? stagedGatherOf(kernel) : std::nullopt;
    const QString shared =
        staged && staged->isLarge() ? QString::number(staged->bytes()) : QStringLiteral("0");
    const std::vector<ClusterShape> shapes =
        sharing.isClustered ? clusterShapes(kernel, tuning) : std::vector<ClusterShape>();
    text += QLatin1String("    switch (config) {\n");
    for (std::size_t i = choices.size(); i-- > 0;) {
        text += i == 0 ? QStringLiteral("    default:\n") : QStringLiteral("    case %1:\n").arg(i);
        const QString shape =
            sharing.isClustered ? QStringLiteral("<%1, %2><<<kRows * %1, %2, 0, stream>>>(")
                                      .arg(shapes[i].blocks)
                                      .arg(shapes[i].threads)
            : sharing.hasShortRows && isShort(choices[i])
                ? QStringLiteral("<%1><<<(kRows + %2) / %3, dim3(%1, %3), 0, stream>>>(")
                      .arg(choices[i])
                      .arg(sharing.threadsOfShorts / choices[i] - 1)
                      .arg(sharing.threadsOfShorts / choices[i])
            : sharing.mode == CudaMode::BlockOfRow
                ? QStringLiteral("<%1><<<kRows%3, %1, %2, stream>>>(")
                      .arg(QString::number(choices[i]), shared,
                           staged && staged->hasRows() ? QStringLiteral(" / kRowsOfBlock") : QString())
            : (family == KernelFamily::Windows || sharing.mode == CudaMode::PackOfRows) && !isScan
                ? QStringLiteral("<%1><<<(%3 + %2) / %1, %1, 0, stream>>>(")
                      .arg(choices[i])
                      .arg(choices[i] - 1)
                      .arg(sharing.mode == CudaMode::PackOfRows       ? QStringLiteral("kPacks")
                           : sharing.mode == CudaMode::SlidingWindows ? QStringLiteral("kStrips")
                                                                      : QStringLiteral("kRows"))
                : QStringLiteral("<%1><<<(kRows%2 + kLanes - 1) / kLanes, dim3(kLanes, %1), 0, stream>>>(")
                      .arg(choices[i])
                      .arg(sharing.sums > 1 ? QStringLiteral(" / kWidth") : QString());
        if (staged && staged->isLarge()) // a launch that gets no more fails, and says so
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
