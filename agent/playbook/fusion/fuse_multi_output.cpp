// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/fusion/fuse_multi_output.h"

#include "agent/playbook/analysis/kernel_family.h"
#include "agent/playbook/fusion/fuse_sliced_reductions.h"
#include "agent/playbook/ir/kernel_rewriter.h"
#include "agent/playbook/schedule/cluster_shapes.h"
#include "agent/playbook/schedule/online_reduction.h"
#include "agent/playbook/schedule/transpose_tile.h"
#include "agent/playbook/schedule/vector_width.h"
#include "agent/playbook/schedule/vectorized_pooling.h"

#include <algorithm>

namespace warpwright {
namespace {

constexpr std::size_t mostSteps = 300;     ///< as many as a kernel is unrolled to
constexpr double clearShare = 0.15;        ///< of the bytes of both: below it two simple kernels are better
constexpr double pointwiseShare = 0.1;     ///< the same for pointwise kernels, which stay as simple
constexpr std::int64_t mostIterations = 4; ///< of a loop that is unrolled
constexpr std::int64_t longestRow = 65536; ///< that is still cached when it is read again
constexpr double launchBytes = 8e6;        ///< that an H200 moves in the time of a launch
constexpr double halfShare = 0.6;
constexpr double smallBytes = 2e6;         ///< of a kernel that is hardly more than its launch
constexpr std::size_t mostSmallStores = 8; ///< of several of these in one kernel
/// A row that costs more than scattered writes of its results.
constexpr std::int64_t costlyRow = 64;
constexpr std::int64_t nearStep = 16; ///< results of neighbouring rows that share cache lines

bool readsFrom(const Kernel &kernel, const Kernel &producer) {
    return std::any_of(kernel.inputs.begin(), kernel.inputs.end(), [&](const KernelInput &input) {
        return std::any_of(producer.stores.begin(), producer.stores.end(),
                           [&](const KernelStore &store) { return store.buffer == input.buffer; });
    });
}

struct AddressPair {
    AffineExpr first;
    AffineExpr second;
    std::int64_t count = 0; ///< of elements there
};

// Addresses that match the loops of both: a buffer that one stores and the other reads, else inputs of both,
// the largest first.
std::vector<AddressPair> commonAddresses(const Kernel &first, const Kernel &second) {
    std::vector<AddressPair> pairs;
    const auto add = [&](const Kernel &kernel, const AffineExpr &one, const AffineExpr &other) {
        std::int64_t count = 1;
        for (std::size_t k = 0; k < kernel.loops.size(); ++k)
            count *= one.steps[k] != 0 ? kernel.loops[k] : 1;
        pairs.push_back({one, other, count});
    };
    const bool isProducer = readsFrom(second, first);
    for (const KernelInput &input : second.inputs) {
        if (!input.isPlain())
            continue;
        for (const KernelStore &store : first.stores)
            if (store.buffer == input.buffer)
                add(first, store.address, input.address);
        for (const KernelInput &other : first.inputs)
            if (!isProducer && other.buffer == input.buffer && other.isPlain())
                add(first, other.address, input.address);
    }
    std::stable_sort(pairs.begin(), pairs.end(),
                     [](const AddressPair &a, const AddressPair &b) { return a.count > b.count; });
    return pairs;
}

// Unrolls short outer loops that the address does not depend on: a colour's channels, each a sum over the
// same row.
Kernel withShortLoopsUnrolled(Kernel kernel, const AffineExpr &address) {
    for (std::size_t k = 0; k < kernel.outer; ++k)
        if (address.steps[k] == 0 && kernel.loops[k] > 1 && kernel.loops[k] <= mostIterations)
            kernel = unrolled(kernel, k);
    return kernel;
}

class MultiOutputFusion {
public:
    MultiOutputFusion(const Program &program, std::size_t first, std::size_t second)
        : m_program(program), m_firstPosition(first), m_secondPosition(second) {}

    [[nodiscard]] std::optional<Kernel> run() const {
        const Kernel &first = m_program.kernels[m_firstPosition];
        const Kernel &second = m_program.kernels[m_secondPosition];
        if (auto both = smallKernels(first, second))
            return both;
        if (auto both = withUpdateInside(first, second))
            return both;
        // Pointwise work is done per row only where its inputs are produced.
        if (!first.isLoops() || !second.isLoops() || (!first.hasReductions() && second.hasReductions()) ||
            (!second.hasReductions() && !readsFrom(second, first)))
            return std::nullopt;
        for (const AddressPair &pair : commonAddresses(first, second)) {
            if (auto merged = tried(first, pair.first, second, pair.second))
                return merged;
            if (!second.hasReductions())
                continue;
            for (const bool isFirst : {false, true}) {
                const Kernel one = isFirst ? withShortLoopsUnrolled(first, pair.first) : first;
                const Kernel other = isFirst ? second : withShortLoopsUnrolled(second, pair.second);
                if (one == first && other == second)
                    continue;
                if (auto merged = tried(one, pair.first, other, pair.second))
                    return merged;
            }
        }
        return slicedReductions(first, second);
    }

private:
    /// Reductions over slices of the same memory, in one read of it.
    [[nodiscard]] std::optional<Kernel> slicedReductions(const Kernel &first, const Kernel &second) const {
        std::optional<Kernel> merged = first.steps.size() + second.steps.size() > mostSteps
                                           ? std::nullopt
                                           : fuseSlicedReductions(first, second);
        if (!merged)
            return std::nullopt;
        std::erase_if(merged->stores, [this](const KernelStore &store) { return isDead(store.buffer); });
        merged->finish();
        const bool isClearlyLess = merged->bytes() < (1 - clearShare) * (first.bytes() + second.bytes());
        return isClearlyLess && familyOf(*merged) == KernelFamily::Rows && merged->passCount() == 1
                   ? merged
                   : std::nullopt;
    }

    /// Two independent kernels in the same loops: permuted filters, norms over as many channels, weights of
    /// two means, running sums. Saves one launch.
    [[nodiscard]] std::optional<Kernel> smallKernels(const Kernel &first, const Kernel &second) const {
        const auto isSmall = [](const Kernel &kernel) {
            return kernel.isLoops() && !kernel.isScattered() && kernel.bytes() < smallBytes;
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
        std::optional<Kernel> both = fusedIn(loops, first, second);
        if (both)
            both->finish();
        return both && familyOf(*both) == familyOf(first) && staysSimple(*both) ? both : std::nullopt;
    }

    /// The producer's elementwise work inside the consumer's reduction over the row: a state that is updated,
    /// and what is read from it.
    [[nodiscard]] std::optional<Kernel> withUpdateInside(const Kernel &producer,
                                                         const Kernel &consumer) const {
        if (!isLoopNest(producer) || !isLoopNest(consumer) || producer.hasReductions() ||
            !consumer.hasReductions() || consumer.hasScans() || transposeTileOf(producer) ||
            producer.steps.size() + consumer.steps.size() > mostSteps)
            return std::nullopt;
        for (const KernelInput &input : consumer.inputs)
            for (const KernelStore &store : producer.stores) {
                if (store.buffer != input.buffer || !input.isPlain())
                    continue;
                const auto loops = loopsOfConsumer(producer, store.address, consumer, input.address);
                auto both = loops ? fusedIn(*loops, producer, consumer) : std::nullopt;
                if (!both)
                    continue;
                std::erase_if(both->stores, [this](const KernelStore &some) { return isDead(some.buffer); });
                both->finish();
                if (familyOf(*both) == familyOf(consumer) && widthOf(*both) >= widthOf(consumer) &&
                    both->passCount() <= consumer.passCount() &&
                    both->bytes() < (1 - clearShare) * (producer.bytes() + consumer.bytes()))
                    return both;
            }
        return std::nullopt;
    }

    [[nodiscard]] std::optional<Kernel> tried(const Kernel &first, const AffineExpr &firstAddress,
                                              const Kernel &second, const AffineExpr &secondAddress) const {
        const auto loops = alignedLoops(first, firstAddress, second, secondAddress);
        if (!loops || first.steps.size() + second.steps.size() > mostSteps)
            return std::nullopt;
        std::optional<Kernel> merged = fusedIn(*loops, first, second);
        if (!merged)
            return std::nullopt;
        std::erase_if(merged->stores, [this](const KernelStore &store) { return isDead(store.buffer); });
        merged->finish();
        return isBetter(*merged) ? merged : std::nullopt;
    }

    /// No other kernel reads it.
    [[nodiscard]] bool isDead(int buffer) const {
        if (m_program.buffers[static_cast<std::size_t>(buffer)].kind != ProgramBuffer::Kind::Temporary)
            return false;
        for (std::size_t i = 0; i < m_program.kernels.size(); ++i)
            if (i != m_firstPosition && i != m_secondPosition && reads(m_program.kernels[i], buffer))
                return false;
        return true;
    }

    [[nodiscard]] bool isBetter(const Kernel &merged) const {
        const Kernel &first = m_program.kernels[m_firstPosition];
        const Kernel &second = m_program.kernels[m_secondPosition];
        if (familyOf(merged) != familyOf(first))
            return false;
        const double before = first.bytes() + second.bytes();
        if (!first.hasReductions())
            return staysSimple(merged) &&
                   merged.bytes() < (before < launchBytes ? 1 : 1 - pointwiseShare) * before;
        if (!second.hasReductions()) // one kernel fewer as well
            return merged.bytes() < before && writesWell(merged) && keepsIndexSharing(first, merged);
        if (familyOf(merged) != familyOf(second))
            return false;
        if (merged.bytes() > (1 - clearShare) * before && !savesLaunch(merged))
            return false;
        // A row that was held in registers would be reread in each pass.
        const auto fitsOnChip = [](const Kernel &kernel) {
            return hasOnlineSoftmax(kernel) || canBePersistent(kernel, false) ||
                   (canBeClustered(kernel) && canBePersistent(kernel, true));
        };
        if (merged.passCount() > 1 && !fitsOnChip(merged) && (fitsOnChip(first) || fitsOnChip(second)))
            return false;
        return merged.passCount() <= std::max(first.passCount(), second.passCount()) ||
               merged.columns() <= longestRow;
    }

    /// Short reductions over the same rows, one of which is hardly more than its launch: samples of a field
    /// from grids of several sizes.
    [[nodiscard]] bool savesLaunch(const Kernel &merged) const {
        const Kernel &first = m_program.kernels[m_firstPosition];
        const Kernel &second = m_program.kernels[m_secondPosition];
        return familyOf(merged) == KernelFamily::Windows && first.rows() == second.rows() &&
               merged.rows() == first.rows() && second.bytes() < 2 * launchBytes &&
               merged.bytes() < first.bytes() + second.bytes() && !merged.hasScans() &&
               rowsPerThread(merged) >= std::max(rowsPerThread(first), rowsPerThread(second));
    }

    /// Still pointwise, and with vectors as wide as before.
    [[nodiscard]] bool staysSimple(const Kernel &merged) const {
        const Kernel &first = m_program.kernels[m_firstPosition];
        const Kernel &second = m_program.kernels[m_secondPosition];
        // Halving the bytes is worth more than wide loads of all of them.
        const bool isAsWide = widthOf(merged) >= std::max(widthOf(first), widthOf(second)) ||
                              merged.bytes() < halfShare * (first.bytes() + second.bytes());
        return merged.rows() * merged.columns() == first.rows() * first.columns() && isAsWide &&
               !transposeTileOf(first) && !transposeTileOf(second) && !transposeTileOf(merged);
    }

    /// Index arithmetic that the gather computes once for several rows costs more per row than a pass over
    /// the results.
    static bool keepsIndexSharing(const Kernel &first, const Kernel &merged) {
        const bool isSomewhere = std::any_of(first.inputs.begin(), first.inputs.end(),
                                             [](const KernelInput &input) { return !input.isPlain(); });
        return !isSomewhere || rowsPerThread(merged) >= rowsPerThread(first);
    }

    /// Neighbouring rows store their results near each other.
    [[nodiscard]] bool writesWell(const Kernel &merged) const {
        return merged.columns() >= costlyRow ||
               std::all_of(merged.stores.begin(), merged.stores.end(), [&](const KernelStore &store) {
                   return merged.levelOf(store.address) > StepLevel::Row || merged.outer == 0 ||
                          std::abs(store.address.steps[merged.outer - 1]) <= nearStep;
               });
    }

    const Program &m_program;
    std::size_t m_firstPosition;
    std::size_t m_secondPosition;
};

// Position of the fused kernel: the first one's if all inputs of the second are ready there, or the second
// one's if no kernel between reads the first one's stores.
std::optional<std::size_t> positionOfBoth(const Program &program, std::size_t first, std::size_t second) {
    bool canBeFirst = true;
    bool canBeSecond = true;
    for (std::size_t i = first + 1; i < second; ++i) {
        canBeFirst = canBeFirst && !readsFrom(program.kernels[second], program.kernels[i]);
        canBeSecond = canBeSecond && !readsFrom(program.kernels[i], program.kernels[first]);
    }
    return canBeFirst ? std::optional(first) : canBeSecond ? std::optional(second) : std::nullopt;
}

bool fusePair(Program &program, std::size_t first, std::size_t second) {
    const auto position = positionOfBoth(program, first, second);
    if (!position)
        return false;
    std::optional<Kernel> merged = MultiOutputFusion(program, first, second).run();
    if (!merged)
        return false;
    program.kernels[*position] = std::move(*merged);
    program.kernels.erase(program.kernels.begin() +
                          static_cast<std::ptrdiff_t>(*position == first ? second : first));
    return true;
}

} // namespace

void fuseMultiOutput(Program &program) {
    for (std::size_t first = 0; first < program.kernels.size(); ++first)
        for (std::size_t second = first + 1; second < program.kernels.size();) {
            if (!fusePair(program, first, second)) {
                ++second;
                continue;
            }
            // The fused kernel may fuse with others again.
            first = 0;
            second = 1;
        }
}

bool fuseIntoProducer(Program &program, std::size_t consumer) {
    for (std::size_t producer = 0; producer < consumer; ++producer)
        if (readsFrom(program.kernels[consumer], program.kernels[producer]) &&
            fusePair(program, producer, consumer))
            return true;
    return false;
}

} // namespace warpwright
