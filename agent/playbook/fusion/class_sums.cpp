// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/fusion/class_sums.h"

#include "agent/playbook/analysis/kernel_family.h"
#include "agent/playbook/ir/kernel_parts.h"
#include "agent/playbook/schedule/vector_width.h"

#include <algorithm>
#include <set>

namespace warpwright {
namespace {

constexpr std::int64_t mostClasses = 16;
constexpr std::ptrdiff_t mostSums = 36;    ///< that a thread has registers for, beside what is on its way
constexpr std::size_t mostSteps = 400;     ///< of what is written out
constexpr double leastRead = 100e6;        ///< from the caches, by all classes
constexpr double cacheRate = 1.8;          ///< of the second level, beside memory's
constexpr std::int64_t leastColumns = 512; ///< elements of a sum

/// Sums alone, whose results are one a row.
bool isOfSums(const FusedKernel &kernel) {
    const bool areResultsOfRows =
        std::all_of(kernel.stores.begin(), kernel.stores.end(), [&](const KernelStore &store) {
            return kernel.step(store.step).level <= StepLevel::Row &&
                   kernel.levelOf(store.address) <= StepLevel::Row;
        });
    return isOfLoops(kernel) && kernel.hasReductions() && !kernel.hasScans() && !kernel.hasRanks() &&
           areResultsOfRows;
}

bool isOfLongSums(const FusedKernel &kernel) {
    return isOfSums(kernel) && familyOf(kernel) == KernelFamily::Rows && kernel.passCount() == 1 &&
           kernel.columns() >= leastColumns;
}

/// What blocks of a row each read of the caches.
double readByRows(const FusedKernel &kernel) {
    double bytes = 0;
    for (const KernelLeaf &leaf : kernel.leaves)
        if (kernel.levelOf(leaf.address) >= StepLevel::Column)
            bytes += static_cast<double>(kernel.rows() * kernel.columns()) * bytesOf(leaf.type);
    return bytes;
}

/// With all rounds of these outer loops side by side; empty: too many, or none.
std::optional<FusedKernel> withClassesBeside(const FusedKernel &kernel,
                                             const std::vector<std::size_t> &loops) {
    std::int64_t classes = 1;
    for (const std::size_t loop : loops)
        classes *= kernel.loops[loop];
    const auto sums = std::count_if(kernel.steps.begin(), kernel.steps.end(),
                                    [](const KernelStep &step) { return isReduction(step.op); });
    if (classes < 2 || classes > mostClasses || classes * sums > mostSums ||
        static_cast<std::size_t>(classes) * kernel.steps.size() > mostSteps)
        return std::nullopt;
    FusedKernel all = kernel;
    for (const std::size_t loop : loops)
        all = unrolled(all, loop);
    return all;
}

bool isBetter(const FusedKernel &beside, const FusedKernel &kernel) {
    return isOfLongSums(beside) && widthOf(beside) >= widthOf(kernel) && beside.steps.size() <= mostSteps;
}

/// Outer loops that the address does not go along.
std::vector<std::size_t> loopsBeside(const FusedKernel &kernel, const AffineIndex &address) {
    std::vector<std::size_t> loops;
    for (std::size_t k = 0; k < kernel.outer; ++k)
        if (address.steps[k] == 0 && kernel.loops[k] > 1)
            loops.push_back(k);
    return loops;
}

bool reads(const FusedKernel &kernel, const std::set<int> &buffers) {
    return std::any_of(kernel.leaves.begin(), kernel.leaves.end(),
                       [&](const KernelLeaf &leaf) { return buffers.contains(leaf.buffer); });
}

/// The one kernel that reads any of what this one leaves, all of which is temporary.
std::optional<std::size_t> readerOfAll(const KernelPlan &plan, std::size_t maker) {
    std::set<int> buffers;
    for (const KernelStore &store : plan.kernels[maker].stores)
        buffers.insert(store.buffer);
    std::optional<std::size_t> reader;
    for (std::size_t i = 0; i < plan.kernels.size(); ++i)
        if (i != maker && reads(plan.kernels[i], buffers)) {
            if (reader)
                return std::nullopt;
            reader = i;
        }
    const bool areTemporary = std::all_of(buffers.begin(), buffers.end(), [&plan](int buffer) {
        return plan.buffers[static_cast<std::size_t>(buffer)].kind == PlanBuffer::Kind::Temporary;
    });
    return areTemporary ? reader : std::nullopt;
}

/// The reader with the maker's rows of few elements written out among its classes.
std::optional<FusedKernel> withRowsOfClassesInside(const FusedKernel &maker, const FusedKernel &reader) {
    if (!isOfSums(maker) || maker.columns() > mostClasses || !isOfLongSums(reader) ||
        readByRows(reader) < leastRead)
        return std::nullopt;
    const auto chain = withRowsWrittenOut(maker);
    if (!chain)
        return std::nullopt;
    for (const KernelLeaf &leaf : reader.leaves)
        for (const KernelStore &store : chain->stores) {
            if (store.buffer != leaf.buffer || !leaf.isPlain())
                continue;
            const auto beside = withClassesBeside(reader, loopsBeside(reader, leaf.address));
            const auto loops =
                beside ? loopsOfReader(*chain, store.address, *beside, leaf.address) : std::nullopt;
            auto both = loops ? bothIn(*loops, *chain, *beside) : std::nullopt;
            if (!both)
                return std::nullopt;
            std::erase_if(both->stores, [&](const KernelStore &some) {
                return std::any_of(chain->stores.begin(), chain->stores.end(),
                                   [&](const KernelStore &made) { return made.buffer == some.buffer; });
            });
            both->finish();
            return isBetter(*both, reader) && both->bytes() <= reader.bytes() ? both : std::nullopt;
        }
    return std::nullopt;
}

/// What the classes have in common is most of what the caches bring.
std::optional<FusedKernel> withSharedElements(const FusedKernel &kernel) {
    if (!isOfLongSums(kernel) || readByRows(kernel) < leastRead ||
        readByRows(kernel) < cacheRate * kernel.bytes())
        return std::nullopt;
    for (const KernelLeaf &leaf : kernel.leaves) {
        if (kernel.levelOf(leaf.address) < StepLevel::Column)
            continue;
        auto beside = withClassesBeside(kernel, loopsBeside(kernel, leaf.address));
        if (!beside)
            continue;
        beside->finish();
        if (isBetter(*beside, kernel) && readByRows(*beside) * cacheRate < readByRows(kernel))
            return beside;
    }
    return std::nullopt;
}

} // namespace

void foldClassSums(KernelPlan &plan) {
    for (std::size_t maker = 0; maker < plan.kernels.size();) {
        const auto reader = readerOfAll(plan, maker);
        auto inside = reader && *reader > maker
                          ? withRowsOfClassesInside(plan.kernels[maker], plan.kernels[*reader])
                          : std::nullopt;
        if (!inside) {
            ++maker;
            continue;
        }
        plan.kernels[*reader] = std::move(*inside);
        plan.kernels.erase(plan.kernels.begin() + static_cast<std::ptrdiff_t>(maker));
    }
    for (FusedKernel &kernel : plan.kernels)
        if (auto beside = withSharedElements(kernel))
            kernel = std::move(*beside);
}

} // namespace warpwright
