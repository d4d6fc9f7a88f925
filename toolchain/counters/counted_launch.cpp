// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/counters/counted_launch.h"

#include "toolchain/tool_output/kernel_name.h"

namespace warpwright {

const KernelCounters *CountedLaunch::launch() const {
    if (!counters || kernel < 0 || static_cast<std::size_t>(kernel) >= counters->kernels.size())
        return nullptr;
    return &counters->kernels[static_cast<std::size_t>(kernel)];
}

QString CountedLaunch::name() const {
    const KernelCounters *own = launch();
    if (own == nullptr)
        return origin;
    const QString words =
        QStringLiteral("%1, launch %2").arg(shortKernelName(own->name)).arg(own->launch + 1);
    return origin.isEmpty() ? words : origin + QStringLiteral(": ") + words;
}

int matchingLaunch(const Counters &counters, const Counters &of, int kernel) {
    const KernelCounters &wanted = of.kernels[static_cast<std::size_t>(kernel)];
    int place = 0;
    for (int i = 0; i < kernel; ++i) {
        const KernelCounters &other = of.kernels[static_cast<std::size_t>(i)];
        place += other.arm == wanted.arm && other.function == wanted.function ? 1 : 0;
    }
    int found = -1;
    for (std::size_t i = 0; i < counters.kernels.size() && place >= 0; ++i) {
        const KernelCounters &other = counters.kernels[i];
        if (other.arm == wanted.arm && other.function == wanted.function) {
            found = static_cast<int>(i);
            --place;
        }
    }
    return found;
}

} // namespace warpwright
