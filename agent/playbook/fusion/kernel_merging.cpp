// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/fusion/kernel_merging.h"

#include "agent/playbook/analysis/kernel_family.h"
#include "agent/playbook/fusion/sliced_sums.h"
#include "agent/playbook/ir/kernel_parts.h"
#include "agent/playbook/schedule/cluster_shapes.h"
#include "agent/playbook/schedule/online_reduction.h"
#include "agent/playbook/schedule/transpose_tile.h"
#include "agent/playbook/schedule/vector_width.h"
#include "agent/playbook/schedule/vectorized_pooling.h"

#include <algorithm>

namespace warpwright {
namespace {

constexpr std::size_t mostSteps = 300;     ///< as many as are written for one kernel at once
constexpr double clearShare = 0.15;        ///< of what both move: below it two simple kernels are better
constexpr double pointwiseShare = 0.1;     ///< the same of pointwise kernels, which stay as simple
constexpr std::int64_t mostRounds = 4;     ///< of a loop that is written out
constexpr std::int64_t longestRow = 65536; ///< that is in a cache still when it is gone through again
constexpr double launchBytes = 8e6;        ///< that an H200 moves in the time of a launch
constexpr double halfShare = 0.6;
constexpr double smallBytes = 2e6;         ///< of a kernel that is little but its launch
constexpr std::size_t mostSmallStores = 8; ///< of several of them in one
/// A row that costs more than where its results are written.
constexpr std::int64_t costlyRow = 64;
constexpr std::int64_t nearStep = 16; ///< results of neighbouring rows that share lines of memory

bool readsFrom(const FusedKernel &kernel, const FusedKernel &maker) {
    return std::any_of(kernel.leaves.begin(), kernel.leaves.end(), [&](const KernelLeaf &leaf) {
        return std::any_of(maker.stores.begin(), maker.stores.end(),
                           [&](const KernelStore &store) { return store.buffer == leaf.buffer; });
    });
}

struct AddressPair {
    AffineIndex first;
    AffineIndex second;
    std::int64_t count = 0; ///< of elements there
};

// What says which loop is which: where one leaves what the other reads, else what both read, the largest
// first.
std::vector<AddressPair> commonAddresses(const FusedKernel &first, const FusedKernel &second) {
    std::vector<AddressPair> pairs;
    const auto add = [&](const FusedKernel &kernel, const AffineIndex &one, const AffineIndex &other) {
        std::int64_t count = 1;
        for (std::size_t k = 0; k < kernel.loops.size(); ++k)
            count *= one.steps[k] != 0 ? kernel.loops[k] : 1;
        pairs.push_back({one, other, count});
    };
    const bool isMaker = readsFrom(second, first);
    for (const KernelLeaf &leaf : second.leaves) {
        if (!leaf.isPlain())
            continue;
        for (const KernelStore &store : first.stores)
            if (store.buffer == leaf.buffer)
                add(first, store.address, leaf.address);
        for (const KernelLeaf &other : first.leaves)
            if (!isMaker && other.buffer == leaf.buffer && other.isPlain())
                add(first, other.address, leaf.address);
    }
    std::stable_sort(pairs.begin(), pairs.end(),
                     [](const AddressPair &a, const AddressPair &b) { return a.count > b.count; });
    return pairs;
}

// With short outer loops written out that something does not depend on: a colour's channels, each a sum over
// the same row.
FusedKernel withShortLoopsUnrolled(FusedKernel kernel, const AffineIndex &address) {
    for (std::size_t k = 0; k < kernel.outer; ++k)
        if (address.steps[k] == 0 && kernel.loops[k] > 1 && kernel.loops[k] <= mostRounds)
            kernel = unrolled(kernel, k);
    return kernel;
}

class Merger {
public:
    Merger(const KernelPlan &plan, std::size_t first, std::size_t second)
        : m_plan(plan), m_firstPlace(first), m_secondPlace(second) {}

    [[nodiscard]] std::optional<FusedKernel> run() const {
        const FusedKernel &first = m_plan.kernels[m_firstPlace];
        const FusedKernel &second = m_plan.kernels[m_secondPlace];
        if (auto both = smallOnes(first, second))
            return both;
        if (auto both = withUpdateInside(first, second))
            return both;
        // A row of pointwise work is a row's only where what it works on is made.
        if (first.anchor != Anchor::None || second.anchor != Anchor::None ||
            (!first.hasReductions() && second.hasReductions()) ||
            (!second.hasReductions() && !readsFrom(second, first)))
            return std::nullopt;
        for (const AddressPair &pair : commonAddresses(first, second)) {
            if (auto merged = tried(first, pair.first, second, pair.second))
                return merged;
            if (!second.hasReductions())
                continue;
            for (const bool isFirst : {false, true}) {
                const FusedKernel one = isFirst ? withShortLoopsUnrolled(first, pair.first) : first;
                const FusedKernel other = isFirst ? second : withShortLoopsUnrolled(second, pair.second);
                if (one == first && other == second)
                    continue;
                if (auto merged = tried(one, pair.first, other, pair.second))
                    return merged;
            }
        }
        return slices(first, second);
    }

private:
    /// What slices of the same memory are summed up to, in one reading of it.
    [[nodiscard]] std::optional<FusedKernel> slices(const FusedKernel &first,
                                                    const FusedKernel &second) const {
        std::optional<FusedKernel> merged =
            first.steps.size() + second.steps.size() > mostSteps ? std::nullopt : sumsOfSlices(first, second);
        if (!merged)
            return std::nullopt;
        std::erase_if(merged->stores, [this](const KernelStore &store) { return isDead(store.buffer); });
        merged->finish();
        const bool isClearlyLess = merged->bytes() < (1 - clearShare) * (first.bytes() + second.bytes());
        return isClearlyLess && familyOf(*merged) == KernelFamily::Rows && merged->passCount() == 1
                   ? merged
                   : std::nullopt;
    }

    /// Two that have nothing to do with each other, in the same loops: filters that are brought into another
    /// order, what norms of as many channels come to, weights of two means, running sums. One launch is
    /// saved.
    [[nodiscard]] std::optional<FusedKernel> smallOnes(const FusedKernel &first,
                                                       const FusedKernel &second) const {
        const auto isSmall = [](const FusedKernel &kernel) {
            return kernel.anchor == Anchor::None && kernel.scatter.isEmpty() && kernel.bytes() < smallBytes;
        };
        if (!isSmall(first) || !isSmall(second) || first.loops != second.loops ||
            first.hasReductions() != second.hasReductions() || first.hasScans() != second.hasScans() ||
            familyOf(first) != familyOf(second) || first.outer != second.outer || readsFrom(second, first) ||
            first.stores.size() + second.stores.size() > mostSmallStores ||
            first.steps.size() + second.steps.size() > mostSteps)
            return std::nullopt;
        AlignedLoops loops{first.loops, first.outer, {}, {}};
        for (std::size_t k = 0; k < first.loops.size(); ++k)
            loops.first.push_back(first.loops[k] > 1 ? std::vector<LoopPart>{{k, 1}}
                                                     : std::vector<LoopPart>());
        loops.second = loops.first;
        std::optional<FusedKernel> both = bothIn(loops, first, second);
        if (both)
            both->finish();
        return both && familyOf(*both) == familyOf(first) && staysSimple(*both) ? both : std::nullopt;
    }

    /// A row's elements, where they are summed up: a state that is brought up to date, and what is read from
    /// it.
    [[nodiscard]] std::optional<FusedKernel> withUpdateInside(const FusedKernel &maker,
                                                              const FusedKernel &reader) const {
        if (!isOfLoops(maker) || !isOfLoops(reader) || maker.hasReductions() || !reader.hasReductions() ||
            reader.hasScans() || tiledLoopsOf(maker) || maker.steps.size() + reader.steps.size() > mostSteps)
            return std::nullopt;
        for (const KernelLeaf &leaf : reader.leaves)
            for (const KernelStore &store : maker.stores) {
                if (store.buffer != leaf.buffer || !leaf.isPlain())
                    continue;
                const auto loops = loopsOfReader(maker, store.address, reader, leaf.address);
                auto both = loops ? bothIn(*loops, maker, reader) : std::nullopt;
                if (!both)
                    continue;
                std::erase_if(both->stores, [this](const KernelStore &some) { return isDead(some.buffer); });
                both->finish();
                if (familyOf(*both) == familyOf(reader) && widthOf(*both) >= widthOf(reader) &&
                    both->passCount() <= reader.passCount() &&
                    both->bytes() < (1 - clearShare) * (maker.bytes() + reader.bytes()))
                    return both;
            }
        return std::nullopt;
    }

    [[nodiscard]] std::optional<FusedKernel> tried(const FusedKernel &first, const AffineIndex &firstAddress,
                                                   const FusedKernel &second,
                                                   const AffineIndex &secondAddress) const {
        const auto loops = alignedLoops(first, firstAddress, second, secondAddress);
        if (!loops || first.steps.size() + second.steps.size() > mostSteps)
            return std::nullopt;
        std::optional<FusedKernel> merged = bothIn(*loops, first, second);
        if (!merged)
            return std::nullopt;
        std::erase_if(merged->stores, [this](const KernelStore &store) { return isDead(store.buffer); });
        merged->finish();
        return isBetter(*merged) ? merged : std::nullopt;
    }

    /// Nobody else reads it.
    [[nodiscard]] bool isDead(int buffer) const {
        if (m_plan.buffers[static_cast<std::size_t>(buffer)].kind != PlanBuffer::Kind::Temporary)
            return false;
        for (std::size_t i = 0; i < m_plan.kernels.size(); ++i)
            if (i != m_firstPlace && i != m_secondPlace && reads(m_plan.kernels[i], buffer))
                return false;
        return true;
    }

    [[nodiscard]] bool isBetter(const FusedKernel &merged) const {
        const FusedKernel &first = m_plan.kernels[m_firstPlace];
        const FusedKernel &second = m_plan.kernels[m_secondPlace];
        if (familyOf(merged) != familyOf(first))
            return false;
        const double before = first.bytes() + second.bytes();
        if (!first.hasReductions())
            return staysSimple(merged) &&
                   merged.bytes() < (before < launchBytes ? 1 : 1 - pointwiseShare) * before;
        if (!second.hasReductions()) // one kernel fewer as well
            return merged.bytes() < before && writesWell(merged) && sharesPlacesStill(first, merged);
        if (familyOf(merged) != familyOf(second))
            return false;
        if (merged.bytes() > (1 - clearShare) * before && !isLaunchSpared(merged))
            return false;
        // A row that registers held is gone through again and again otherwise.
        const auto canHold = [](const FusedKernel &kernel) {
            return runsAlong(kernel) || canBeOnePass(kernel, false) ||
                   (canBeClustered(kernel) && canBeOnePass(kernel, true));
        };
        if (merged.passCount() > 1 && !canHold(merged) && (canHold(first) || canHold(second)))
            return false;
        return merged.passCount() <= std::max(first.passCount(), second.passCount()) ||
               merged.columns() <= longestRow;
    }

    /// Short sums over the same rows, one of which is little more than its launch: a field's values in grids
    /// of several sizes.
    [[nodiscard]] bool isLaunchSpared(const FusedKernel &merged) const {
        const FusedKernel &first = m_plan.kernels[m_firstPlace];
        const FusedKernel &second = m_plan.kernels[m_secondPlace];
        return familyOf(merged) == KernelFamily::Windows && first.rows() == second.rows() &&
               merged.rows() == first.rows() && second.bytes() < 2 * launchBytes &&
               merged.bytes() < first.bytes() + second.bytes() && !merged.hasScans() &&
               rowsOfThread(merged) >= std::max(rowsOfThread(first), rowsOfThread(second));
    }

    /// Pointwise work as before, as wide as before.
    [[nodiscard]] bool staysSimple(const FusedKernel &merged) const {
        const FusedKernel &first = m_plan.kernels[m_firstPlace];
        const FusedKernel &second = m_plan.kernels[m_secondPlace];
        // Half of the bytes are worth more than wide loads of all of them.
        const bool isAsWide = widthOf(merged) >= std::max(widthOf(first), widthOf(second)) ||
                              merged.bytes() < halfShare * (first.bytes() + second.bytes());
        return merged.rows() * merged.columns() == first.rows() * first.columns() && isAsWide &&
               !tiledLoopsOf(first) && !tiledLoopsOf(second) && !tiledLoopsOf(merged);
    }

    /// What is worked out for several rows at once, where these are looked up, costs more than a pass over
    /// the results.
    static bool sharesPlacesStill(const FusedKernel &first, const FusedKernel &merged) {
        const bool isSomewhere = std::any_of(first.leaves.begin(), first.leaves.end(),
                                             [](const KernelLeaf &leaf) { return !leaf.isPlain(); });
        return !isSomewhere || rowsOfThread(merged) >= rowsOfThread(first);
    }

    /// Neighbouring rows leave their results near each other.
    [[nodiscard]] bool writesWell(const FusedKernel &merged) const {
        return merged.columns() >= costlyRow ||
               std::all_of(merged.stores.begin(), merged.stores.end(), [&](const KernelStore &store) {
                   return merged.levelOf(store.address) > StepLevel::Row || merged.outer == 0 ||
                          std::abs(store.address.steps[merged.outer - 1]) <= nearStep;
               });
    }

    const KernelPlan &m_plan;
    std::size_t m_firstPlace;
    std::size_t m_secondPlace;
};

// Where the kernel of both can stand: with the first, where all that the second reads is there already, or
// with the second, where nobody between reads what the first makes.
std::optional<std::size_t> placeOfBoth(const KernelPlan &plan, std::size_t first, std::size_t second) {
    bool canBeFirst = true;
    bool canBeSecond = true;
    for (std::size_t i = first + 1; i < second; ++i) {
        canBeFirst = canBeFirst && !readsFrom(plan.kernels[second], plan.kernels[i]);
        canBeSecond = canBeSecond && !readsFrom(plan.kernels[i], plan.kernels[first]);
    }
    return canBeFirst ? std::optional(first) : canBeSecond ? std::optional(second) : std::nullopt;
}

bool mergePair(KernelPlan &plan, std::size_t first, std::size_t second) {
    const auto place = placeOfBoth(plan, first, second);
    if (!place)
        return false;
    std::optional<FusedKernel> merged = Merger(plan, first, second).run();
    if (!merged)
        return false;
    plan.kernels[*place] = std::move(*merged);
    plan.kernels.erase(plan.kernels.begin() + static_cast<std::ptrdiff_t>(*place == first ? second : first));
    return true;
}

} // namespace

void mergeKernels(KernelPlan &plan) {
    for (std::size_t first = 0; first < plan.kernels.size(); ++first)
        for (std::size_t second = first + 1; second < plan.kernels.size();) {
            if (!mergePair(plan, first, second)) {
                ++second;
                continue;
            }
            // The new one may take up others, and others may take up the new one.
            first = 0;
            second = 1;
        }
}

bool mergeIntoMaker(KernelPlan &plan, std::size_t reader) {
    for (std::size_t maker = 0; maker < reader; ++maker)
        if (readsFrom(plan.kernels[reader], plan.kernels[maker]) && mergePair(plan, maker, reader))
            return true;
    return false;
}

} // namespace warpwright
