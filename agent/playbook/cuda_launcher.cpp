// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/cuda_launcher.h"

#include "agent/playbook/cuda_choices.h"
#include "agent/playbook/cuda_sharing.h"
#include "agent/playbook/loop_text.h"
#include "agent/playbook/scatter_text.h"

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
        family == KernelFamily::Pointwise
            ? QStringLiteral("blocks for each multiprocessor; 0: as many as there is work for")
        : isScan                               ? QStringLiteral("groups of threads that share a row")
        : sharing.isClustered                  ? QStringLiteral("threads of each block that shares a row")
        : family == KernelFamily::Rows         ? QStringLiteral("threads a row")
        : sharing.mode == CudaMode::PackOfRows ? QStringLiteral("threads a block, each with a pack of rows")
        : sharing.mode == CudaMode::SlidingWindows
            ? QStringLiteral("threads a block, each with some windows below each other")
        : family == KernelFamily::Windows ? QStringLiteral("threads a block, each with a row")
                                          : QStringLiteral("groups of threads that share a sum");
    QStringList meanings;
    for (std::size_t i = 0; i < choices.size(); ++i)
        meanings << QStringLiteral("%1 -> %2").arg(i).arg(choices[i]);
    QString text = wrapped(QStringLiteral("config = %1: %2.").arg(word, meanings.join(QLatin1String(", "))),
                           QStringLiteral("// "), QStringLiteral("// "));
    text += wrappedCall(QStringLiteral("extern \"C\" void %1(").arg(names.launcher()),
                        launcherParameters(graph, plan, kernel, names) +
                            QStringLiteral(", int config, cudaStream_t stream"),
                        QStringLiteral(") {"));
    if (family == KernelFamily::Pointwise) {
        QStringList values;
        for (const int choice : choices)
            values << QString::number(choice);
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
                .arg(sharing.together > 1 ? QStringLiteral("kTogether * kThreads")
                                          : QStringLiteral("kThreads"),
                     sharing.together > 1 ? QStringLiteral("(kTogether * kThreads)")
                                          : QStringLiteral("kThreads"));
        return text + scatterBegin(kernel, names) +
               wrappedCall(QStringLiteral("    %1<<<static_cast<unsigned>(blocks), kThreads, 0, stream>>>(")
                               .arg(names.function),
                           call, QStringLiteral(");")) +
               QLatin1String("}\n");
    }
    text += QLatin1String("    switch (config) {\n");
    for (std::size_t i = choices.size(); i-- > 0;) {
        text += i == 0 ? QStringLiteral("    default:\n") : QStringLiteral("    case %1:\n").arg(i);
        const QString shape =
            sharing.isClustered ? QStringLiteral("<%1><<<kRows * kBlocks, %1, 0, stream>>>(").arg(choices[i])
            : sharing.hasShortRows && isShort(choices[i])
                ? QStringLiteral("<%1><<<(kRows + %2) / %3, dim3(%1, %3), 0, stream>>>(")
                      .arg(choices[i])
                      .arg(threadsOfShortRows / choices[i] - 1)
                      .arg(threadsOfShortRows / choices[i])
            : family == KernelFamily::Rows ? QStringLiteral("<%1><<<kRows, %1, 0, stream>>>(").arg(choices[i])
            : family == KernelFamily::Windows && !isScan
                ? QStringLiteral("<%1><<<(%3 + %2) / %1, %1, 0, stream>>>(")
                      .arg(choices[i])
                      .arg(choices[i] - 1)
                      .arg(sharing.mode == CudaMode::PackOfRows       ? QStringLiteral("kPacks")
                           : sharing.mode == CudaMode::SlidingWindows ? QStringLiteral("kStrips")
                                                                      : QStringLiteral("kRows"))
                : QStringLiteral("<%1><<<(kRows + kLanes - 1) / kLanes, dim3(kLanes, %1), 0, stream>>>(")
                      .arg(choices[i]);
        text += wrappedCall(QStringLiteral("        %1%2").arg(names.function, shape), call,
                            QStringLiteral(");"));
        text += QLatin1String("        break;\n");
    }
    return text + QLatin1String("    }\n}\n");
}

} // namespace warpwright
