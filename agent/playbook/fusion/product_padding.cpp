// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/fusion/product_padding.h"

#include "agent/playbook/fusion/reader_folding.h"
#include "agent/playbook/ir/product_terms.h"
#include "agent/playbook/schedule/matmul/skinny_matmul.h"
#include "agent/playbook/target/plan_device.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace warpwright {
namespace {

constexpr double leastOperations = 1e9; ///< of a product that is worth a launch more
constexpr std::int64_t leastRows = 512; ///< so often each element of the copy is used
constexpr std::int64_t lineBytes = 128;
constexpr std::int64_t leastLineUses = 4096; ///< operations with each element that is copied by lines
constexpr std::int64_t leastInner = 256;     ///< of which zeros are few
constexpr std::int64_t leastUses = 1024;    ///< operations with each element of a matrix that is copied alone
constexpr double leastOperationsEach = 512; ///< of each element of both matrices, where both are copied

std::int64_t whole(std::int64_t elements, ElementType type, std::int64_t bytes) {
    const std::int64_t multiple = bytes / bytesOf(type);
    return (elements + multiple - 1) / multiple * multiple;
}

std::int64_t wholePacks(std::int64_t elements, ElementType type) {
    return whole(elements, type, 16);
}

/// Columns of all products with a first matrix: a copy of it serves these.
using Uses = std::map<std::pair<int, std::vector<std::int64_t>>, std::int64_t>;

/// A product whose loops are to become longer.
class Padding {
public:
    Padding(KernelPlan &plan, std::size_t kernel)
        : m_plan(plan), m_kernel(kernel), m_batches(product().loops.size() - 3) {}

    static bool isFor(const FusedKernel &kernel) {
        return kernel.anchor == Anchor::Product && !isSmallProduct(kernel) && !hasTerms(kernel) &&
               kernel.leaves.size() >= 2 && kernel.stores.size() == 1 && kernel.loops.size() >= 3 &&
               kernel.leaves[0].type == kernel.stores[0].type &&
               kernel.leaves[1].type == kernel.stores[0].type;
    }

    /// The columns, and what is summed over, as long as they are going to be.
    std::int64_t columns() const { return hasPaddedColumns() ? wholePacks(loop(1), type()) : loop(1); }
    /// Of copies, whole sectors of memory: from rows that begin within one the copy engine brings a fifth
    /// sector with each 128 bytes. Zeros behind what is there have room for packs alone.
    std::int64_t inner() const {
        const std::int64_t packs = wholePacks(loop(2), type());
        return !hasPaddedInner()                        ? loop(2)
               : hasRoom(0, packs) || hasRoom(1, packs) ? packs
                                                        : whole(loop(2), type(), sectorBytes());
    }
    std::int64_t sectorBytes() const { return deviceOf(product()).sectorBytes; }
    std::int64_t innerLines() const { return whole(loop(2), type(), lineBytes); }

    /// Both matrices are copied then: zeros times whatever lies behind a row may be no zeros.
    bool hasPaddedInner() const {
        const double elements = static_cast<double>(loop(0) + loop(1)) * static_cast<double>(loop(2)) *
                                static_cast<double>(std::max<std::int64_t>(batches(), 1));
        return wholePacks(loop(2), type()) != loop(2) && product().operations() >= leastOperations &&
               product().operations() >= leastOperationsEach * elements;
    }

    bool hasPaddedColumns() const {
        const KernelStore &store = product().stores[0];
        const PlanBuffer &result = m_plan.buffers[static_cast<std::size_t>(store.buffer)];
        const std::int64_t padded = wholePacks(loop(1), type());
        const std::vector<std::int64_t> &steps = product().leaves[1].address.steps;
        const bool isBatched =
            std::any_of(steps.begin(), steps.end() - 2, [](std::int64_t step) { return step != 0; });
        const bool isWorthIt = loop(0) >= leastRows && product().operations() >= leastOperations;
        const bool isInnerWhole = wholePacks(loop(2), type()) == loop(2) || hasPaddedInner();
        // What is summed over has to be whole packs as well, or nothing is won.
        return padded != loop(1) && isInnerWhole && !isBatched && isWorthIt && product().leaves.size() == 2 &&
               product().epilogue.isEmpty() && result.kind == PlanBuffer::Kind::Temporary &&
               store.address.steps[m_batches + 1] == 1 && result.layout.memory.back() >= padded &&
               std::all_of(store.address.steps.begin(), store.address.steps.end(),
                           [padded](std::int64_t step) { return step <= 1 || step >= padded; });
    }

    /// Whether both matrices have rows that begin within sectors, and are used so often that a product of
    /// ours, which reads them slowly then, has the time for copies by whole lines of memory.
    bool hasLines(const Uses &uses) const {
        const bool isBare = product().leaves.size() == 2 && product().epilogue.isEmpty();
        const bool isOne = product().loops.size() == 3 && sumsOf(product()).size() < 2 && !hasPaddedInner();
        if (!m_plan.choices.hasOwnProducts || !isOne || !(isBare || isOwnProduct(product())) ||
            loop(2) < leastInner || 2 * loop(0) < leastLineUses)
            return false;
        const auto used = uses.find({product().leaves[0].buffer, placeOf(0)});
        if (used == uses.end() || 2 * used->second < leastLineUses)
            return false; // or it reads a copy already
        bool isWithin = false;
        for (const std::size_t leaf : {std::size_t(0), std::size_t(1)}) {
            const KernelLeaf &from = product().leaves[leaf];
            if (!from.isPlain() || from.address.steps[2] != 1)
                return false;
            isWithin = isWithin ||
                       whole(from.address.steps[leaf], type(), sectorBytes()) != from.address.steps[leaf];
        }
        return isWithin;
    }

    /// Whether the rows of a matrix, or its columns where they lie side by side, begin anywhere, and it is
    /// used often enough for a copy.
    bool isSkewed(std::size_t leaf) const {
        const KernelLeaf &from = product().leaves[leaf];
        const std::vector<std::int64_t> &steps = from.address.steps;
        const auto isAligned = [&](std::int64_t elements) {
            return wholePacks(elements, type()) == elements;
        };
        const bool isWorthIt = type() != ElementType::Float64 && product().operations() >= leastOperations &&
                               2 * loop(1 - leaf) >= leastUses && isAligned(inner());
        return isWorthIt && from.isPlain() &&
               !(isAligned(from.address.offset) &&
                 std::all_of(steps.begin(), steps.end(),
                             [&](std::int64_t step) { return step == 1 || isAligned(step); }));
    }

    std::int64_t loop(std::size_t which) const { return product().loops[m_batches + which]; }
    const FusedKernel &product() const { return m_plan.kernels[m_kernel]; }

    /// Lets the product read the copy, of `down` rows of what is summed over, and go over longer loops.
    void readCopy(std::size_t leaf, int copy, std::int64_t down, std::int64_t across) {
        KernelLeaf &read = m_plan.kernels[m_kernel].leaves[leaf];
        read.buffer = copy;
        read.elements = 0;
        read.address.offset = 0;
        std::int64_t step = down * across;
        for (std::size_t k = m_batches; k-- > 0;) {
            if (read.address.steps[k] == 0)
                continue;
            read.address.steps[k] = step;
            step *= product().loops[k];
        }
        read.address.steps[m_batches + leaf] = across;
        read.address.steps[m_batches + 2] = 1;
    }
    void lengthen(std::int64_t columns, std::int64_t inner) {
        FusedKernel &longer = m_plan.kernels[m_kernel];
        longer.loops[m_batches + 1] = columns;
        longer.loops[m_batches + 2] = inner;
    }

    /// By rows of what is summed over, with zeros where nothing is: the first matrix or the second.
    FusedKernel copyOf(std::size_t leaf, std::int64_t down, std::int64_t across, int buffer) const {
        const KernelLeaf &from = product().leaves[leaf];
        FusedKernel kernel;
        kernel.device = product().device;
        KernelLeaf read = from;
        read.address.steps.clear();
        for (std::size_t k = 0; k < m_batches; ++k) {
            if (from.address.steps[k] == 0)
                continue;
            kernel.loops.push_back(product().loops[k]);
            read.address.steps.push_back(from.address.steps[k]);
        }
        const std::size_t rows = kernel.loops.size();
        kernel.loops.insert(kernel.loops.end(), {down, across});
        read.address.steps.insert(read.address.steps.end(),
                                  {from.address.steps[m_batches + leaf], from.address.steps[m_batches + 2]});
        kernel.outer = kernel.loops.size();
        read.elements =
            loop(leaf) * loop(2) * elementCount(Shape(kernel.loops.begin(), kernel.loops.end() - 2));
        const auto isBefore = [&](std::size_t which, std::int64_t end) {
            AffineIndex counter{0, std::vector<std::int64_t>(kernel.loops.size(), 0)};
            counter.steps[which] = 1;
            const int place = kernel.index(counter);
            return kernel.add(KernelOp::Less, ElementType::Bool,
                              {place, kernel.number(static_cast<double>(end), ElementType::Int64)});
        };
        int isThere = -1;
        if (down != loop(leaf))
            isThere = isBefore(rows, loop(leaf));
        if (across != loop(2)) {
            const int isInRow = isBefore(rows + 1, loop(2));
            isThere =
                isThere < 0 ? isInRow : kernel.add(KernelOp::And, ElementType::Bool, {isThere, isInRow});
        }
        const int value = isThere < 0 ? kernel.load(read) : kernel.load(read, {}, isThere);
        kernel.stores.push_back({value, buffer, from.type, {0, contiguousStrides(kernel.loops)}});
        kernel.finish();
        return kernel;
    }

    /// Whether rows of so many elements have room where the matrix lies: a temporary's rows begin with whole
    /// packs.
    bool hasRoom(std::size_t leaf, std::int64_t across) const {
        const KernelLeaf &from = product().leaves[leaf];
        const PlanBuffer &memory = m_plan.buffers[static_cast<std::size_t>(from.buffer)];
        const std::vector<std::int64_t> &steps = from.address.steps;
        if (memory.kind != PlanBuffer::Kind::Temporary || !from.isPlain() || memory.layout.memory.empty())
            return false;
        const std::int64_t row = memory.layout.memory.back();
        return row >= across && memory.layout.shape.back() == loop(2) && memory.layout.strides.back() == 1 &&
               steps[m_batches + 2] == 1 && from.address.offset % row == 0 &&
               steps[m_batches + leaf] >= row &&
               std::all_of(steps.begin(), steps.end(),
                           [row](std::int64_t step) { return step <= 1 || step % row == 0; });
    }
    /// Zeros behind its rows.
    FusedKernel fillOf(std::size_t leaf, std::int64_t across) const {
        const KernelLeaf &from = product().leaves[leaf];
        FusedKernel kernel;
        kernel.device = product().device;
        AffineIndex address{from.address.offset + loop(2), {}};
        for (std::size_t k = 0; k < m_batches; ++k)
            if (from.address.steps[k] != 0) {
                kernel.loops.push_back(product().loops[k]);
                address.steps.push_back(from.address.steps[k]);
            }
        kernel.loops.insert(kernel.loops.end(), {loop(leaf), across - loop(2)});
        address.steps.insert(address.steps.end(), {from.address.steps[m_batches + leaf], 1});
        kernel.outer = kernel.loops.size();
        kernel.stores.push_back({kernel.number(0, computedType(from.type)), from.buffer, from.type, address});
        kernel.finish();
        return kernel;
    }
    void readOn(std::size_t leaf) { m_plan.kernels[m_kernel].leaves[leaf].elements = 0; }

    /// What a copy of it is told apart by.
    std::vector<std::int64_t> placeOf(std::size_t leaf) const {
        const AffineIndex &address = product().leaves[leaf].address;
        std::vector<std::int64_t> place = address.steps;
        place.erase(place.begin() + static_cast<std::ptrdiff_t>(m_batches + 1 - leaf)); // of the other's loop
        for (std::size_t k = 0; k < m_batches; ++k)
            place.push_back(address.steps[k] != 0 ? product().loops[k] : 1);
        place.insert(place.end(), {address.offset, loop(leaf), loop(2)});
        return place;
    }

private:
    ElementType type() const { return product().stores[0].type; }
    std::int64_t batches() const {
        return elementCount(Shape(product().loops.begin(), product().loops.end() - 3));
    }

    KernelPlan &m_plan;
    std::size_t m_kernel;
    std::size_t m_batches;
};

/// Whether two products have one first matrix, or a reader in common: they may be one kernel.
bool areTogether(const KernelPlan &plan, const FusedKernel &one, const FusedKernel &other) {
    return one.leaves[0] == other.leaves[0] ||
           std::any_of(plan.kernels.begin(), plan.kernels.end(), [&](const FusedKernel &reader) {
               return reads(reader, one.stores[0].buffer) && reads(reader, other.stores[0].buffer);
           });
}

/// Whether the product, and others with it, is a kernel of ours, or would be with its reader.
bool canBeFinishedByLines(const KernelPlan &plan, std::size_t product, const Uses &uses) {
    if (isOwnProduct(plan.kernels[product]))
        return true;
    KernelPlan trial = plan;
    std::map<std::pair<int, std::vector<std::int64_t>>, int> copies;
    for (std::size_t i = 0; i < trial.kernels.size(); ++i) {
        if (!Padding::isFor(trial.kernels[i]) ||
            !areTogether(plan, trial.kernels[i], plan.kernels[product]) || !Padding(trial, i).hasLines(uses))
            continue;
        const std::int64_t inner = Padding(trial, i).innerLines();
        for (const std::size_t leaf : {std::size_t(0), std::size_t(1)}) {
            const int from = trial.kernels[i].leaves[leaf].buffer;
            const auto [copy, isNew] = copies.try_emplace({from, Padding(trial, i).placeOf(leaf)},
                                                          static_cast<int>(trial.buffers.size()));
            if (isNew)
                trial.buffers.push_back(trial.buffers[static_cast<std::size_t>(from)]);
            Padding(trial, i).readCopy(leaf, copy->second, 0, inner);
        }
        Padding(trial, i).lengthen(trial.kernels[i].loops[1], inner);
    }
    return foldProduct(trial, product);
}

} // namespace

void padProducts(KernelPlan &plan) {
    std::map<std::pair<int, std::vector<std::int64_t>>, int> copies;
    Uses uses;
    for (std::size_t i = 0; i < plan.kernels.size(); ++i)
        if (const Padding padding(plan, i); Padding::isFor(plan.kernels[i]))
            uses[{padding.product().leaves[0].buffer, padding.placeOf(0)}] += padding.loop(1);
    // Asked before any copy is made: those that are one kernel have matrices in common.
    std::set<int> byLines;
    for (std::size_t i = 0; i < plan.kernels.size(); ++i)
        if (Padding::isFor(plan.kernels[i]) && Padding(plan, i).hasLines(uses) &&
            canBeFinishedByLines(plan, i, uses))
            byLines.insert(plan.kernels[i].stores[0].buffer);
    for (std::size_t i = 0; i < plan.kernels.size(); ++i) {
        if (!Padding::isFor(plan.kernels[i]))
            continue;
        const std::int64_t columns = Padding(plan, i).columns();
        const bool hasLines = byLines.contains(plan.kernels[i].stores[0].buffer);
        const std::int64_t inner = hasLines ? Padding(plan, i).innerLines() : Padding(plan, i).inner();
        const bool isInnerPadded = Padding(plan, i).hasPaddedInner() || hasLines;
        const bool isColumnPadded = Padding(plan, i).hasPaddedColumns();
        const bool isSkewed[2] = {Padding(plan, i).isSkewed(0), Padding(plan, i).isSkewed(1)};
        for (const std::size_t leaf : {std::size_t(0), std::size_t(1)}) {
            if (!isInnerPadded && !isSkewed[leaf] && (leaf == 0 || !isColumnPadded))
                continue;
            const Padding padding(plan, i);
            const std::int64_t down = leaf == 0 ? padding.loop(0) : columns;
            const KernelLeaf from = padding.product().leaves[leaf];
            std::vector<std::int64_t> place = padding.placeOf(leaf);
            place.insert(place.end(), {down, inner});
            // Zeros behind the rows cost a sector a row, a copy costs the matrix twice.
            if (!isSkewed[leaf] && down == padding.loop(leaf) && padding.hasRoom(leaf, inner)) {
                if (copies.try_emplace({from.buffer, place}, from.buffer).second) {
                    plan.kernels.insert(plan.kernels.begin() + static_cast<std::ptrdiff_t>(i),
                                        padding.fillOf(leaf, inner));
                    ++i;
                }
                Padding(plan, i).readOn(leaf);
                continue;
            }
            const auto [copy, isNew] =
                copies.try_emplace({from.buffer, place}, static_cast<int>(plan.buffers.size()));
            if (isNew) {
                const FusedKernel kernel = padding.copyOf(leaf, down, inner, copy->second);
                const int node = plan.buffers[static_cast<std::size_t>(from.buffer)].node;
                const Shape memory(kernel.loops.begin(), kernel.loops.end());
                BufferLayout layout = layoutByRows(memory);
                // Loops that merged are of batches, whose rows are not padded.
                if (down != padding.loop(leaf))
                    layout.shape[layout.shape.size() - 2] = padding.loop(leaf);
                layout.shape.back() = padding.loop(2);
                plan.buffers.push_back({PlanBuffer::Kind::Temporary, node, layout});
                plan.kernels.insert(plan.kernels.begin() + static_cast<std::ptrdiff_t>(i), kernel);
                ++i;
            }
            Padding(plan, i).readCopy(leaf, copy->second, down, inner);
        }
        Padding(plan, i).lengthen(columns, inner);
    }
}

} // namespace warpwright
