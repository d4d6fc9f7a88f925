// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/cuda/device_helpers.h"

#include "agent/playbook/codegen/cuda/loops/templates/moments.h"
#include "agent/playbook/codegen/template_fill.h"

#include <algorithm>

namespace warpwright {
namespace {

QString scanText(bool hasExclusiveScan) {
    return fillTemplate(
        scanBlockText,
        {{"beforeParameter", hasExclusiveScan ? QStringLiteral(", T *beforeElement") : QString()},
         {"beforeElement",
          hasExclusiveScan
              ? QStringLiteral("    const T previous = __shfl_up_sync(0xffffffffu, value, 1);\n"
                               "    *beforeElement = threadIdx.x % 32 > 0 ? combine(before, previous) : "
                               "before;\n")
              : QString()}});
}

} // namespace

QString blockReductionFunctions(const Kernel &kernel, const ThreadMapping &mapping, bool hasMoments) {
    const auto sums = std::count_if(kernel.steps.begin(), kernel.steps.end(),
                                    [](const KernelStep &step) { return isReduction(step.op); });
    QString text;
    if (mapping.mode == MappingMode::BlockPerRow && sums > 0)
        text += mapping.fusesBlockReductions ? fusedReductionText : reduceBlockText;
    if (mapping.isClustered)
        text += syncClusterText;
    if (mapping.isClustered && sums > (hasMoments ? 2 : 0))
        text += reduceClusterText;
    if (hasMoments)
        text += combineMomentsText;
    if (mapping.mode == MappingMode::BlockPerRow && kernel.hasScans())
        text += scanText(std::any_of(kernel.steps.begin(), kernel.steps.end(), [](const KernelStep &step) {
            return step.op == Opcode::ScanExclusive;
        }));
    if (mapping.mode == MappingMode::ColumnReduction)
        text += mapping.sums > 1 ? reduceVectorsOverYText : reduceOverYText;
    return text;
}

QString vecName(const QString &buffer, const std::map<int, QString> &vecs, const QString &word) {
    const QString first = buffer + word;
    QString name = first;
    const auto isTaken = [&name](const auto &entry) {
        return entry.second == name;
    };
    for (int number = 2; std::any_of(vecs.begin(), vecs.end(), isTaken); ++number)
        name = first + QString::number(number);
    return name;
}

QString vecLoad(const QString &type, const QString &buffer, const QString &address, const QString &guard) {
    const QString vec =
        QStringLiteral("*reinterpret_cast<const Vec<%1> *>(%2 + %3)").arg(type, buffer, address);
    return guard.isEmpty() ? vec : QStringLiteral("%1 ? %2 : Vec<%3>()").arg(guard, vec, type);
}

QString vecStore(const QString &type, const QString &buffer, const QString &address, const QString &vec) {
    const QString position =
        address.contains(QLatin1Char(' ')) ? QStringLiteral("(%1)").arg(address) : address;
    return QStringLiteral("reinterpret_cast<Vec<%1> *>(%2)[%3 / kWidth] = %4;")
        .arg(type, buffer, position, vec);
}

} // namespace warpwright
