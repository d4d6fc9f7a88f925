// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/schedule/kept_packs.h"

#include "agent/playbook/schedule/kernel_schedule.h"
#include "agent/playbook/schedule/packs_of_rows.h"

#include <algorithm>

namespace warpwright {
namespace {

bool isHalfPack(const FusedKernel &kernel, int step, int width) {
    const KernelStep &load = kernel.step(step);
    if (load.op != KernelOp::Load || load.isGuarded)
        return false;
    const KernelLeaf &leaf = kernel.leaves[static_cast<std::size_t>(load.leaf)];
    return leaf.isPlain() && isFloating(leaf.type) && bytesOf(leaf.type) == 2 &&
           isWide(kernel, leaf.address, width);
}

} // namespace

std::set<int> keptAsRead(const FusedKernel &kernel, const CudaSharing &sharing, int width) {
    if (sharing.mode != CudaMode::BlockOfRow || !sharing.isOnePass || sharing.isClustered || width == 1 ||
        kernel.hasRanks())
        return {};
    std::set<int> found;
    const KernelSchedule usual = scheduleOf(kernel, Keeping::All);
    for (const int step : usual.passes.front().kept)
        if (isHalfPack(kernel, step, width))
            found.insert(step);
    return scheduleOf(kernel, Keeping::All, found).kept.empty() ? found : std::set<int>();
}

int halvesKept(const FusedKernel &kernel, const CudaSharing &sharing, int width) {
    const std::set<int> asRead = keptAsRead(kernel, sharing, width);
    return asRead.empty() ? 2 * mostKeptAtOnce(scheduleOf(kernel, Keeping::All))
                          : static_cast<int>(asRead.size());
}

} // namespace warpwright
