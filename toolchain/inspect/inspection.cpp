// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/inspect/inspection.h"

#include "toolchain/base/figures.h"

#include <algorithm>

namespace warpwright {
namespace {

std::optional<KernelCode> find(const std::vector<KernelCode> &codes, const QString &mangled,
                               const QString &workspace) {
    const auto found = std::find_if(codes.begin(), codes.end(), [&mangled](const KernelCode &code) {
        return code.mangled == mangled && !code.isFunction;
    });
    if (found == codes.end())
        return std::nullopt;
    KernelCode code = *found;
    nameFilesFrom(workspace, code);
    return code;
}

std::vector<Occupancy> occupanciesOf(const InspectedKernel &kernel, int threads) {
    const auto limits = multiprocessorLimits(kernel.resources.arch);
    std::vector<Occupancy> found;
    if (!limits || kernel.resources.registers == 0)
        return found;
    const std::vector<int> sizes =
        threads > 0 ? std::vector{threads} : usualBlockSizes(kernel.launchThreads());
    for (const int size : sizes)
        found.push_back(
            occupancyOf(*limits, {size, kernel.resources.registers, kernel.resources.staticSharedBytes,
                                  kernel.resources.barriers, kernel.launchThreads()}));
    return found;
}

} // namespace

int InspectedKernel::launchThreads() const {
    return sass ? sass->launchThreads : ptx ? ptx->launchThreads : 0;
}

std::vector<InspectedKernel> inspectedKernels(const std::vector<InspectedSource> &sources,
                                              const QString &workspace, int threads) {
    std::vector<InspectedKernel> kernels;
    for (const InspectedSource &source : sources)
        for (const KernelResources &resources : source.resources) {
            InspectedKernel kernel;
            kernel.source = source.source;
            kernel.resources = resources;
            kernel.sass = find(source.sass, resources.mangled, workspace);
            kernel.ptx = find(source.ptx, resources.mangled, workspace);
            if (kernel.sass)
                kernel.mix = opcodeMixOf(*kernel.sass);
            kernel.occupancies = occupanciesOf(kernel, threads);
            kernels.push_back(std::move(kernel));
        }
    return kernels;
}

QString occupancyText(const Occupancy &occupancy) {
    const QString why = limiterNames(occupancy).join(QStringLiteral(", "));
    if (occupancy.blocks == 0)
        return QStringLiteral("does not launch, for its %1").arg(why);
    const QString text = QStringLiteral("%1 of %2 warps, %3")
                             .arg(occupancy.warps)
                             .arg(occupancy.maxWarps)
                             .arg(percentText(occupancy.share(), 0));
    return occupancy.warps == occupancy.maxWarps ? text : text + QStringLiteral(", limited by ") + why;
}

} // namespace warpwright
