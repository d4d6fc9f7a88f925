// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/measured/launched_kernels.h"

#include "toolchain/base/figures.h"
#include "toolchain/comparison/launched_names.h"
#include "toolchain/tool_output/kernel_name.h"

#include <QCoreApplication>

#include <algorithm>

namespace warpwright {
namespace {

constexpr int assumedThreads = 256; // where the compiler does not say

QString tr(const char *text) {
    return QCoreApplication::translate("OccupancyView", text);
}

struct Launch {
    QString name; ///< short
    int threads = 0;
    std::optional<double> sharedBytes; ///< static and dynamic; none: not told
    double microseconds = 0;
};

// The longest launch of each speaks for it.
std::vector<OccupancyKernel> withLongest(std::vector<OccupancyKernel> kernels, std::vector<Launch> launches,
                                         const QString &source) {
    std::stable_sort(launches.begin(), launches.end(),
                     [](const Launch &a, const Launch &b) { return a.microseconds > b.microseconds; });
    std::vector<OccupancyKernel> ordered;
    for (const Launch &launch : launches) {
        const auto found =
            std::find_if(kernels.begin(), kernels.end(),
                         [&launch](const OccupancyKernel &kernel) { return kernel.name == launch.name; });
        if (found == kernels.end() || launch.threads <= 0)
            continue; // another launch of it came before, or it is none of the text's own
        OccupancyKernel kernel = *found;
        kernels.erase(found);
        kernel.needs.threads = launch.threads;
        kernel.basis = tr("%1 threads as launched").arg(numberText(launch.threads));
        if (launch.sharedBytes) {
            kernel.needs.sharedBytes = static_cast<int>(*launch.sharedBytes);
            kernel.basis += tr(" with %1 of shared memory").arg(bytesText(*launch.sharedBytes));
        }
        kernel.basis += QStringLiteral(" (%1)").arg(source);
        ordered.push_back(std::move(kernel));
    }
    ordered.insert(ordered.end(), kernels.begin(), kernels.end());
    return ordered;
}

} // namespace

OccupancyKernel occupancyKernel(const KernelResources &resources, int launchThreads) {
    OccupancyKernel kernel;
    kernel.name = shortKernelName(resources.name);
    kernel.architecture = resources.arch;
    kernel.needs.threads = launchThreads > 0 ? launchThreads : assumedThreads;
    kernel.needs.registers = resources.registers;
    kernel.needs.sharedBytes = resources.staticSharedBytes;
    kernel.needs.barriers = resources.barriers;
    kernel.needs.launchThreads = launchThreads;
    kernel.basis = (launchThreads > 0 ? tr("%1 threads by its launch bound").arg(numberText(launchThreads))
                                      : tr("%1 threads assumed").arg(assumedThreads)) +
                   tr("; shared memory that a launch adds is not known: counters or a trace would tell");
    return kernel;
}

std::vector<OccupancyKernel> withLaunches(std::vector<OccupancyKernel> kernels, const Counters &counters) {
    std::vector<Launch> launches;
    for (const KernelCounters &kernel : counters.kernels) {
        if (kernel.arm != QLatin1String("candidate"))
            continue;
        Launch launch{
            shortKernelName(kernel.name), kernel.threadsPerBlock(), {}, kernel.microseconds().value_or(0)};
        const auto fixed = kernel.number("launch__shared_mem_per_block_static");
        const auto dynamic = kernel.number("launch__shared_mem_per_block_dynamic");
        if (fixed && dynamic)
            launch.sharedBytes = *fixed + *dynamic;
        launches.push_back(std::move(launch));
    }
    return withLongest(std::move(kernels), std::move(launches), tr("counters"));
}

std::vector<OccupancyKernel> withLaunches(std::vector<OccupancyKernel> kernels, const Timeline &timeline) {
    std::vector<Launch> launches;
    for (const TimelineArm &arm : timeline.arms) {
        if (arm.name != QLatin1String("candidate"))
            continue;
        for (const TimelineEvent &event : arm.events)
            if (event.kind == TimelineEvent::Kind::Kernel)
                launches.push_back({shortKernelName(event.name),
                                    event.block[0] * event.block[1] * event.block[2], event.sharedBytes,
                                    event.durationUs});
    }
    return withLongest(std::move(kernels), std::move(launches), tr("timeline"));
}

QStringList launchedByText(const Counters *counters, const std::optional<Timeline> &timeline,
                           const std::optional<Evaluation> &evaluation) {
    const QString candidate = QStringLiteral("candidate");
    LaunchedNames launched;
    if (counters != nullptr)
        launched = launchedNames(*counters, candidate);
    if (launched.names.isEmpty() && timeline)
        launched = launchedNames(*timeline, candidate);
    if (launched.names.isEmpty() && evaluation)
        launched = launchedNames(*evaluation);
    return launched.names;
}

} // namespace warpwright
