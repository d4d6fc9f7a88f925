// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/schedule/sort_space.h"

#include "agent/playbook/ir/element_type.h"
#include "agent/playbook/ir/structured_op.h"

#include <algorithm>

namespace warpwright {
namespace {

constexpr std::int64_t mostThreads = 1024;
constexpr std::int64_t minSectorThreads = 8;      ///< that fill a sector of 32 bytes
constexpr std::int64_t threadsOfGpu = 128 * 1024; ///< with fewer in all a large GPU's latency is exposed

} // namespace

ElementType comparedType(const Kernel &kernel) {
    // Integers are computed in 64 bits, and sorted in their stored type.
    const ElementType type = kernel.step(kernel.stores[0].step).type;
    return isFloating(type) ? type : kernel.inputs[0].type;
}

int bytesOfEntry(const Kernel &kernel) {
    return (bytesOf(comparedType(kernel)) == 8 ? 8 : 4) * (kernel.sortedRows()->isStable ? 2 : 1);
}

std::vector<int> sortedPerThread(const Kernel &kernel) {
    const int bytes = bytesOfEntry(kernel);
    const std::int64_t padded = nextPowerOfTwo(kernel.columns());
    // More in registers is less to exchange, as long as they fit.
    std::vector<int> choices = bytes == 4   ? std::vector<int>{32, 16, 8, 4}
                               : bytes == 8 ? std::vector<int>{16, 8, 4, 2}
                                            : std::vector<int>{8, 4, 2, 1};
    const auto isUnsupported = [&](int each) {
        return each > padded || padded / each > mostThreads;
    };
    choices.erase(std::remove_if(choices.begin(), choices.end(), isUnsupported), choices.end());
    if (choices.empty())
        return {static_cast<int>(padded)};
    // Adjacent threads that read a row should fill whole memory sectors.
    std::stable_partition(choices.begin(), choices.end(),
                          [&](int each) { return padded / each >= minSectorThreads; });
    // Rows are few: more threads for each.
    if (kernel.rows() * padded / choices.front() < threadsOfGpu)
        std::sort(choices.begin(), choices.end());
    return choices;
}

} // namespace warpwright
