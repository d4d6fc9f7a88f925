// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/fusion/joined_products.h"

#include "agent/playbook/fusion/matmul_epilogue.h"
#include "agent/playbook/ir/kernel_parts.h"
#include "agent/playbook/ir/product_terms.h"
#include "agent/playbook/schedule/matmul/own_product.h"

#include <algorithm>
#include <optional>
#include <set>

namespace warpwright {
namespace {

constexpr std::size_t mostProducts = 4;
constexpr std::size_t mostStores = 2;

bool isBareProduct(const FusedKernel &kernel) {
    return kernel.anchor == Anchor::Product && kernel.loops.size() == 3 && kernel.epilogue.isEmpty() &&
           kernel.stores.size() == 1 && kernel.leaves.size() == 2 && !kernel.isOfTurn &&
           kernel.stores[0].step == kernel.resultStep() && !hasTerms(kernel);
}

void erase(KernelPlan &plan, std::vector<std::size_t> places) {
    std::sort(places.rbegin(), places.rend());
    for (const std::size_t place : places)
        plan.kernels.erase(plan.kernels.begin() + static_cast<std::ptrdiff_t>(place));
}

/// A short loop that no product has, as one of two stacked results, as stores of its own.
FusedKernel withStoresOfRounds(const FusedKernel &reader, const std::set<int> &made) {
    const auto isOfProduct = [&](std::size_t k) {
        return std::any_of(reader.leaves.begin(), reader.leaves.end(), [&](const KernelLeaf &leaf) {
            return made.contains(leaf.buffer) && leaf.address.steps[k] != 0;
        });
    };
    for (std::size_t k = 0; k < reader.loops.size(); ++k)
        if (reader.loops[k] == static_cast<std::int64_t>(mostStores) && reader.stores.size() == 1 &&
            reader.stores[0].address.steps[k] != 0 && !isOfProduct(k)) {
            FusedKernel all = unrolled(reader, k);
            all.finish();
            return all;
        }
    return reader;
}

/// What another kernel computes in the same loops, and its stores, as well.
void addKernel(FusedKernel &all, const FusedKernel &other) {
    const std::vector<int> place = addSteps(all, other);
    for (KernelStore store : other.stores) {
        store.step = place[static_cast<std::size_t>(store.step)];
        all.stores.push_back(store);
    }
}

/// The products in their readers, with as few sums as these let them have; empty: that is no kernel of ours.
std::optional<FusedKernel> joined(std::vector<FusedKernel> products,
                                  const std::vector<FusedKernel> &readers) {
    // In the loops of the one that is summed over the longest.
    std::stable_sort(products.begin(), products.end(), [](const FusedKernel &one, const FusedKernel &other) {
        return one.loops.back() > other.loops.back();
    });
    std::set<int> made;
    for (FusedKernel &product : products) {
        product = withLongerInner(product, products[0].loops.back());
        made.insert(product.stores[0].buffer);
    }
    std::optional<FusedKernel> all;
    for (const FusedKernel &reader : readers) {
        std::optional<FusedKernel> one = productsInReader(products, withStoresOfRounds(reader, made));
        if (!one)
            return std::nullopt;
        if (all)
            addKernel(*all, *one);
        else
            all = std::move(one);
    }
    FusedKernel together = summedTogether(*all);
    const bool isKnown = hasTerms(together) || sumsOf(together).size() == 2;
    return isKnown && canBeOwnProduct(together) ? std::optional(std::move(together)) : std::nullopt;
}

/// The kernels that read what a product makes, in their order; none: it is a result itself.
std::vector<std::size_t> readersOf(const KernelPlan &plan, std::size_t product) {
    const int buffer = plan.kernels[product].stores[0].buffer;
    std::vector<std::size_t> readers;
    if (plan.buffers[static_cast<std::size_t>(buffer)].kind == PlanBuffer::Kind::Temporary)
        for (std::size_t i = 0; i < plan.kernels.size(); ++i)
            if (reads(plan.kernels[i], buffer))
                readers.push_back(i);
    return readers;
}

/// Whether all of them can stand where the last one does: nobody before it waits for what another one makes.
bool canStandTogether(const KernelPlan &plan, const std::vector<std::size_t> &readers) {
    for (const std::size_t reader : readers)
        for (const KernelStore &store : plan.kernels[reader].stores)
            for (std::size_t i = reader + 1; i <= readers.back(); ++i)
                if (reads(plan.kernels[i], store.buffer))
                    return false;
    return true;
}

/// Bare products as large as this one whose results only these kernels read.
std::vector<std::size_t> productsOf(const KernelPlan &plan, const FusedKernel &product,
                                    const std::vector<std::size_t> &readers) {
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < readers.back(); ++i) {
        const FusedKernel &other = plan.kernels[i];
        const bool isOne = isBareProduct(other) && other.loops[0] == product.loops[0] &&
                           other.loops[1] == product.loops[1] &&
                           other.leaves[0].type == product.leaves[0].type;
        if (!isOne)
            continue;
        const std::vector<std::size_t> all = readersOf(plan, i);
        if (!all.empty() && std::includes(readers.begin(), readers.end(), all.begin(), all.end()))
            places.push_back(i);
    }
    return places.size() <= mostProducts ? places : std::vector<std::size_t>();
}

std::vector<FusedKernel> kernelsAt(const KernelPlan &plan, const std::vector<std::size_t> &places) {
    std::vector<FusedKernel> kernels;
    for (const std::size_t place : places)
        kernels.push_back(plan.kernels[place]);
    return kernels;
}

/// Of a kernel that sums over rows or windows: the first step through which alone it knows all that these
/// buffers hold; -1: there is none. It is what each element of them comes to.
int meetingOf(const FusedKernel &reader, const std::set<int> &buffers) {
    std::vector<std::set<int>> below(reader.steps.size()); // of each step: buffers that it is made of
    std::vector<std::size_t> last(reader.steps.size(), 0); // and where it is used last
    for (std::size_t i = 0; i < reader.steps.size(); ++i) {
        const KernelStep &step = reader.steps[i];
        if (step.leaf >= 0 && buffers.contains(reader.leaves[static_cast<std::size_t>(step.leaf)].buffer))
            below[i].insert(reader.leaves[static_cast<std::size_t>(step.leaf)].buffer);
        for (const int operand : step.operands) {
            below[i].insert(below[static_cast<std::size_t>(operand)].begin(),
                            below[static_cast<std::size_t>(operand)].end());
            last[static_cast<std::size_t>(operand)] = i;
        }
    }
    for (const KernelStore &store : reader.stores)
        last[static_cast<std::size_t>(store.step)] = reader.steps.size();
    for (std::size_t i = 0; i < reader.steps.size(); ++i) {
        if (isReduction(reader.steps[i].op) || isScan(reader.steps[i].op))
            return -1;
        if (below[i].size() < buffers.size())
            continue;
        bool isOnly = true;
        for (std::size_t k = 0; k < i; ++k)
            isOnly = isOnly && (below[k].empty() || last[k] <= i);
        if (isOnly)
            return static_cast<int>(i);
    }
    return -1;
}

/// Where a kernel reads a buffer: one place, of each element once. Empty: it reads more, or less.
std::optional<KernelLeaf> onlyLeafOf(const FusedKernel &reader, int buffer) {
    std::optional<KernelLeaf> found;
    for (const KernelLeaf &leaf : reader.leaves)
        if (leaf.buffer == buffer) {
            if (found || !leaf.isPlain())
                return std::nullopt;
            found = leaf;
        }
    for (std::size_t k = 0; found && k < reader.loops.size(); ++k)
        if (reader.loops[k] > 1 && found->address.steps[k] == 0)
            return std::nullopt;
    return found;
}

/// What is made of each element of several products before sums over rows or windows of it: a kernel of ours
/// makes it in the place of the first product's result, and the reader knows no other.
bool joinBeforeSums(KernelPlan &plan, std::size_t maker, std::size_t readerPlace) {
    const FusedKernel &reader = plan.kernels[readerPlace];
    const ElementType type = plan.kernels[maker].leaves[0].type;
    // What is in the middle of a step may be larger than 16 bits with a short exponent hold.
    if (!isOfLoops(reader) || !reader.hasReductions() || type == ElementType::Float16)
        return false;
    const std::vector<std::size_t> places = productsOf(plan, plan.kernels[maker], {readerPlace});
    std::set<int> buffers;
    for (const std::size_t place : places)
        buffers.insert(plan.kernels[place].stores[0].buffer);
    if (places.size() < 2)
        return false;
    const int meeting = meetingOf(reader, buffers);
    const int kept = plan.kernels[places[0]].stores[0].buffer;
    const std::optional<KernelLeaf> leaf = onlyLeafOf(reader, kept);
    if (meeting < 0 || !leaf || reader.step(meeting).type != computedType(type))
        return false;
    FusedKernel elements = reader;
    elements.outer = elements.loops.size();
    elements.stores = {{meeting, kept, type, leaf->address}};
    elements.finish();
    std::optional<FusedKernel> all = joined(kernelsAt(plan, places), {elements});
    // One result is read instead of all: what a library writes it writes while it multiplies.
    if (!all || !isWorthPasses(*all, static_cast<double>(places.size() - 1)))
        return false;
    FusedKernel rest = reader;
    KernelStep load;
    load.op = KernelOp::Load;
    load.type = reader.step(meeting).type;
    load.leaf = static_cast<int>(std::find(reader.leaves.begin(), reader.leaves.end(), *leaf) -
                                 reader.leaves.begin());
    load.level = reader.levelOf(leaf->address);
    rest.steps[static_cast<std::size_t>(meeting)] = load;
    rest.finish();
    plan.kernels[readerPlace] = std::move(rest);
    plan.kernels.insert(plan.kernels.begin() + static_cast<std::ptrdiff_t>(readerPlace), std::move(*all));
    erase(plan, places);
    return true;
}

} // namespace

bool joinProducts(KernelPlan &plan, std::size_t maker) {
    const FusedKernel &product = plan.kernels[maker];
    if (!isBareProduct(product))
        return false;
    const std::vector<std::size_t> readers = readersOf(plan, maker);
    if (readers.empty() || readers.size() > mostStores || !plan.repeats.empty() ||
        !canStandTogether(plan, readers))
        return false;
    const std::vector<FusedKernel> making = kernelsAt(plan, readers);
    const bool areOfElements = std::all_of(making.begin(), making.end(), [](const FusedKernel &reader) {
        return reader.anchor == Anchor::None && !reader.hasReductions() && reader.scatter.isEmpty();
    });
    if (!areOfElements)
        return readers.size() == 1 && joinBeforeSums(plan, maker, readers[0]);
    std::vector<std::size_t> places = productsOf(plan, product, readers);
    if (places.size() < 2)
        return false;
    std::optional<FusedKernel> all = joined(kernelsAt(plan, places), making);
    if (!all)
        return false;
    plan.kernels[readers.back()] = std::move(*all);
    places.insert(places.end(), readers.begin(), readers.end() - 1);
    erase(plan, std::move(places));
    return true;
}

} // namespace warpwright
