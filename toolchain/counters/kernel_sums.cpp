// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/counters/kernel_sums.h"

#include <algorithm>
#include <numeric>

namespace warpwright {
namespace {

struct Gathered {
    KernelSum sum;
    std::vector<double> times;
};

bool isBetterShown(const KernelCounters &one, const KernelCounters *than) {
    if (than == nullptr || one.isBrief != than->isBrief)
        return than == nullptr || than->isBrief;
    return one.microseconds().value_or(0) > than->microseconds().value_or(0);
}

void finish(Gathered &kernel) {
    std::vector<double> &times = kernel.times;
    std::sort(times.begin(), times.end());
    kernel.sum.launches = static_cast<int>(times.size());
    kernel.sum.total = std::accumulate(times.begin(), times.end(), 0.0);
    if (times.empty())
        return;
    kernel.sum.least = times.front();
    kernel.sum.most = times.back();
    kernel.sum.median = (times[times.size() / 2] + times[(times.size() - 1) / 2]) / 2;
}

} // namespace

std::vector<KernelSum> kernelSums(const Counters &counters, const QString &arm) {
    std::vector<Gathered> kernels;
    std::map<QString, std::size_t> places;
    const auto of = [&](const QString &name, const QString &function) -> Gathered & {
        const auto [place, isNew] = places.try_emplace(name, kernels.size());
        if (isNew) {
            kernels.emplace_back();
            kernels.back().sum.name = name;
            kernels.back().sum.function = function;
        }
        return kernels[place->second];
    };
    for (const KernelCounters *launch : counters.kernelsOf(arm)) {
        Gathered &kernel = of(launch->name, launch->function);
        kernel.times.push_back(launch->microseconds().value_or(0));
        if (isBetterShown(*launch, kernel.sum.shown))
            kernel.sum.shown = launch;
    }
    // Whose they are is not kept: only a report of one arm has so many launches.
    if (arm == counters.arms().value(0))
        for (const LeftOutLaunches &left : counters.leftOut) {
            Gathered &kernel = of(left.name, left.function);
            kernel.times.insert(kernel.times.end(), left.microseconds.begin(), left.microseconds.end());
        }
    double all = 0;
    std::vector<KernelSum> sums;
    for (Gathered &kernel : kernels) {
        finish(kernel);
        all += kernel.sum.total;
        sums.push_back(kernel.sum);
    }
    for (KernelSum &sum : sums)
        sum.share = all > 0 ? sum.total / all : 0;
    std::stable_sort(sums.begin(), sums.end(),
                     [](const KernelSum &one, const KernelSum &other) { return one.total > other.total; });
    return sums;
}

} // namespace warpwright
