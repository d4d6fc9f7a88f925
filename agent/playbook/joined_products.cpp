// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/joined_products.h"

#include "agent/playbook/own_product.h"
#include "agent/playbook/product_terms.h"
#include "agent/playbook/reader_folding.h"

#include <algorithm>
#include <optional>

namespace warpwright {
namespace {

constexpr std::size_t mostProducts = 4;

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

/// The products in their reader, with as few sums as it lets them have; empty: that is no kernel of ours.
std::optional<FusedKernel> joined(std::vector<FusedKernel> products, const FusedKernel &reader) {
    // In the loops of the one that is summed over the longest.
    std::stable_sort(products.begin(), products.end(), [](const FusedKernel &one, const FusedKernel &other) {
        return one.loops.back() > other.loops.back();
    });
    for (FusedKernel &product : products)
        product = withLongerInner(product, products[0].loops.back());
    const std::optional<FusedKernel> all = productsInReader(products, reader);
    if (!all)
        return std::nullopt;
    FusedKernel together = summedTogether(*all);
    return hasTerms(together) && canBeOwnProduct(together) ? std::optional(std::move(together))
                                                           : std::nullopt;
}

} // namespace

bool joinProducts(KernelPlan &plan, std::size_t maker, std::size_t readerPlace) {
    const FusedKernel &product = plan.kernels[maker];
    FusedKernel &reader = plan.kernels[readerPlace];
    if (!isBareProduct(product) || reader.anchor != Anchor::None || reader.stores.size() != 1)
        return false;
    std::vector<std::size_t> places;
    std::vector<FusedKernel> products;
    for (std::size_t i = 0; i < readerPlace; ++i) {
        const FusedKernel &other = plan.kernels[i];
        const bool isOne = isBareProduct(other) && other.loops[0] == product.loops[0] &&
                           other.loops[1] == product.loops[1] &&
                           other.leaves[0].type == product.leaves[0].type &&
                           onlyReader(plan, i) == readerPlace;
        if (!isOne)
            continue;
        places.push_back(i);
        products.push_back(other);
    }
    if (products.size() < 2 || products.size() > mostProducts)
        return false;
    std::optional<FusedKernel> all = joined(std::move(products), reader);
    if (!all)
        return false;
    reader = std::move(*all);
    erase(plan, std::move(places));
    return true;
}

} // namespace warpwright
