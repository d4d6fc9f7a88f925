// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/schedule/register_cache.h"

#include "agent/playbook/schedule/reduction_schedule.h"
#include "agent/playbook/schedule/vectorization.h"

#include <algorithm>

namespace warpwright {
namespace {

bool isHalfVector(const Kernel &kernel, int step, int width) {
    const KernelStep &load = kernel.step(step);
    if (load.op != Opcode::Load || load.isGuarded)
        return false;
    const KernelInput &input = kernel.inputs[static_cast<std::size_t>(load.input)];
    return input.isPlain() && isFloating(input.type) && bytesOf(input.type) == 2 &&
           isWide(kernel, input.address, width);
}

} // namespace

std::set<int> cachedAsLoaded(const Kernel &kernel, const ThreadMapping &mapping, int width) {
    if (mapping.mode != MappingMode::BlockPerRow || !mapping.isPersistent || mapping.isClustered ||
        width == 1 || kernel.hasKthValues())
        return {};
    std::set<int> found;
    const ReductionSchedule usual = scheduleOf(kernel, RowCaching::All);
    for (const int step : usual.passes.front().cached)
        if (isHalfVector(kernel, step, width))
            found.insert(step);
    return scheduleOf(kernel, RowCaching::All, found).cached.empty() ? found : std::set<int>();
}

int cachedHalves(const Kernel &kernel, const ThreadMapping &mapping, int width) {
    const std::set<int> asRead = cachedAsLoaded(kernel, mapping, width);
    return asRead.empty() ? 2 * maxCachedAtOnce(scheduleOf(kernel, RowCaching::All))
                          : static_cast<int>(asRead.size());
}

} // namespace warpwright
