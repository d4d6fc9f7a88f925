// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/joined_products.h"

#include "agent/playbook/kernel_parts.h"
#include "agent/playbook/own_product.h"
#include "agent/playbook/product_terms.h"
#include "agent/playbook/reader_folding.h"

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
    return hasTerms(together) && canBeOwnProduct(together) ? std::optional(std::move(together))
                                                           : std::nullopt;
}

bool reads(const FusedKernel &kernel, int buffer) {
    return std::any_of(kernel.leaves.begin(), kernel.leaves.end(),
                       [buffer](const KernelLeaf &leaf) { return leaf.buffer == buffer; });
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

} // namespace

bool joinProducts(KernelPlan &plan, std::size_t maker) {
    const FusedKernel &product = plan.kernels[maker];
    if (!isBareProduct(product))
        return false;
    const std::vector<std::size_t> readers = readersOf(plan, maker);
    std::vector<FusedKernel> making;
    for (const std::size_t reader : readers) {
        making.push_back(plan.kernels[reader]);
        const bool isOfElements = making.back().anchor == Anchor::None && !making.back().hasReductions() &&
                                  making.back().scatter.isEmpty();
        if (!isOfElements)
            return false;
    }
    if (readers.empty() || readers.size() > mostStores || !plan.repeats.empty() ||
        !canStandTogether(plan, readers))
        return false;
    std::vector<std::size_t> places;
    std::vector<FusedKernel> products;
    for (std::size_t i = 0; i < readers.back(); ++i) {
        const FusedKernel &other = plan.kernels[i];
        const bool isOne = isBareProduct(other) && other.loops[0] == product.loops[0] &&
                           other.loops[1] == product.loops[1] &&
                           other.leaves[0].type == product.leaves[0].type;
        if (!isOne)
            continue;
        const std::vector<std::size_t> all = readersOf(plan, i);
        if (all.empty() || !std::includes(readers.begin(), readers.end(), all.begin(), all.end()))
            continue;
        places.push_back(i);
        products.push_back(other);
    }
    if (products.size() < 2 || products.size() > mostProducts)
        return false;
    std::optional<FusedKernel> all = joined(std::move(products), making);
    if (!all)
        return false;
    plan.kernels[readers.back()] = std::move(*all);
    places.insert(places.end(), readers.begin(), readers.end() - 1);
    erase(plan, std::move(places));
    return true;
}

} // namespace warpwright
