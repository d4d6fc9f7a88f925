// SPDX-License-Identifier: GPL-3.0-or-later
// How sorted rows are shared by threads, and what they are called.
#include "agent/playbook/codegen/sort_text.h"

#include <algorithm>

namespace warpwright {
namespace {

constexpr std::int64_t mostThreads = 1024;
constexpr std::int64_t leastLanes = 8;            ///< that fill a sector of 32 bytes
constexpr std::int64_t threadsOfGpu = 128 * 1024; ///< with fewer in all a large GPU waits for each of them

} // namespace

ElementType comparedType(const FusedKernel &kernel) {
    // Whole numbers are computed with in 64 bits, and sorted as they lie in memory.
    const ElementType type = kernel.step(kernel.stores[0].step).type;
    return isFloating(type) ? type : kernel.leaves[0].type;
}

int bytesOfEntry(const FusedKernel &kernel) {
    return (bytesOf(comparedType(kernel)) == 8 ? 8 : 4) * (kernel.sorting.isStable ? 2 : 1);
}

std::vector<int> sortedOfThread(const FusedKernel &kernel) {
    const int bytes = bytesOfEntry(kernel);
    const std::int64_t padded = wholePower(kernel.columns());
    // More in registers is less to exchange, as long as there is room for them.
    std::vector<int> choices = bytes == 4   ? std::vector<int>{32, 16, 8, 4}
                               : bytes == 8 ? std::vector<int>{16, 8, 4, 2}
                                            : std::vector<int>{8, 4, 2, 1};
    const auto cannotBe = [&](int each) {
        return each > padded || padded / each > mostThreads;
    };
    choices.erase(std::remove_if(choices.begin(), choices.end(), cannotBe), choices.end());
    if (choices.empty())
        return {static_cast<int>(padded)};
    // Threads that read a row side by side should fill whole sectors of memory.
    std::stable_partition(choices.begin(), choices.end(),
                          [&](int each) { return padded / each >= leastLanes; });
    // Rows are few: more threads for each.
    if (kernel.rows() * padded / choices.front() < threadsOfGpu)
        std::sort(choices.begin(), choices.end());
    return choices;
}

QStringList sortFormula(const FusedKernel &kernel, const KernelNames &names, const QString &element) {
    const SortSizes &sort = kernel.sorting;
    const auto nameOf = [&](int store) {
        return names.nameOf(kernel.stores[static_cast<std::size_t>(store)].buffer);
    };
    const QString which = sort.kept < kernel.columns()
                              ? QStringLiteral("the first %1 of each row").arg(sort.kept)
                              : QStringLiteral("each row");
    const QString order = sort.isDescending ? QStringLiteral("in order, from the largest on")
                                            : QStringLiteral("in order, from the smallest on");
    QStringList lines;
    if (sort.values >= 0)
        lines << QStringLiteral("%1 = %2 of %3, %4").arg(nameOf(sort.values), which, element, order);
    if (sort.places >= 0)
        lines << (sort.values >= 0 ? QStringLiteral("%1 = where in its row each was").arg(nameOf(sort.places))
                                   : QStringLiteral("%1 = where in its row each of %2 of %3 was, %4")
                                         .arg(nameOf(sort.places), which, element, order));
    return lines;
}

} // namespace warpwright
