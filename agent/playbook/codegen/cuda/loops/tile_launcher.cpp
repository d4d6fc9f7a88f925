// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/cuda/loops/tile_launcher.h"

#include "agent/playbook/codegen/cuda/launcher.h"
#include "agent/playbook/codegen/loop_names.h"

namespace warpwright {

QString planeCounters(const Kernel &kernel, std::size_t across, const QString &index) {
    QString lines;
    std::int64_t planes = 1;
    for (std::size_t k = kernel.loops.size() - 1; k-- > 0;) {
        if (k == across)
            continue;
        QString value = QStringLiteral("blockIdx.x / (kColumnTiles<TILE_COLUMNS> * kRowTiles<TILE_ROWS>%1)")
                            .arg(planes > 1 ? QStringLiteral(" * %1").arg(planes) : QString());
        planes *= kernel.loops[k];
        value += QStringLiteral(" % %1").arg(kernel.loops[k]);
        lines.prepend(QStringLiteral("    const %1 i%2 = %3;\n").arg(index).arg(k).arg(value));
    }
    return lines;
}

QString tileLauncher(const KernelSource &source, const std::vector<TileSize> &sizes) {
    const auto &[graph, program, kernel, names, knobs] = source;
    const QString arguments = cudaArguments(graph, program, names).join(QLatin1String(", "));
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
    return QStringLiteral("// config = a tile's extent along the output and along the input: %1.\n")
               .arg(meanings.join(QLatin1String(", "))) +
           wrappedCall(QStringLiteral("extern \"C\" void %1(").arg(names.launcher()),
                       launcherParameters(graph, program, names) +
                           QStringLiteral(", int config, cudaStream_t stream"),
                       QStringLiteral(") {")) +
           QStringLiteral("    switch (config) {\n%1    }\n}").arg(calls);
}

} // namespace warpwright
