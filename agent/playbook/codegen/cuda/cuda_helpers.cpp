// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/cuda/cuda_helpers.h"

#include "agent/playbook/codegen/anchor_text.h"
#include "agent/playbook/codegen/cuda/loops/templates/moments.h"

#include <algorithm>

namespace warpwright {
namespace {

QString scanText(bool hasBefore) {
    return filled(scanBlockText,
                  {{"beforeParameter", hasBefore ? QStringLiteral(", T *beforeElement") : QString()},
                   {"beforeElement",
                    hasBefore ? QStringLiteral(
                                    "    const T ofOthers = __shfl_up_sync(0xffffffffu, value, 1);\n"
                                    "    *beforeElement = threadIdx.x % 32 > 0 ? combine(before, ofOthers) : "
                                    "before;\n")
                              : QString()}});
}

} // namespace

QString cudaMeetingTexts(const FusedKernel &kernel, const CudaSharing &sharing, bool hasMoments) {
    const auto sums = std::count_if(kernel.steps.begin(), kernel.steps.end(),
                                    [](const KernelStep &step) { return isReduction(step.op); });
    QString text;
    if (sharing.mode == CudaMode::BlockOfRow && sums > 0)
        text += sharing.meetsOnce ? meetOnceText : reduceBlockText;
    if (sharing.isClustered)
        text += meetInClusterText;
    if (sharing.isClustered && sums > (hasMoments ? 2 : 0))
        text += reduceClusterText;
    if (hasMoments)
        text += joinMomentsText;
    if (sharing.mode == CudaMode::BlockOfRow && kernel.hasScans())
        text += scanText(std::any_of(kernel.steps.begin(), kernel.steps.end(),
                                     [](const KernelStep &step) { return step.op == KernelOp::ScanBefore; }));
    if (sharing.mode == CudaMode::LanesOfRows)
        text += sharing.sums > 1 ? reduceSumsOfLanesText : reduceLanesText;
    return text;
}

QString packName(const QString &buffer, const std::map<int, QString> &packs, const QString &word) {
    const QString first = buffer + word;
    QString name = first;
    const auto isTaken = [&name](const auto &entry) {
        return entry.second == name;
    };
    for (int number = 2; std::any_of(packs.begin(), packs.end(), isTaken); ++number)
        name = first + QString::number(number);
    return name;
}

QString packLoad(const QString &type, const QString &buffer, const QString &address, const QString &guard) {
    const QString pack =
        QStringLiteral("*reinterpret_cast<const Pack<%1> *>(%2 + %3)").arg(type, buffer, address);
    return guard.isEmpty() ? pack : QStringLiteral("%1 ? %2 : Pack<%3>()").arg(guard, pack, type);
}

QString packStore(const QString &type, const QString &buffer, const QString &address, const QString &pack) {
    const QString place = address.contains(QLatin1Char(' ')) ? QStringLiteral("(%1)").arg(address) : address;
    return QStringLiteral("reinterpret_cast<Pack<%1> *>(%2)[%3 / kWidth] = %4;")
        .arg(type, buffer, place, pack);
}

} // namespace warpwright
