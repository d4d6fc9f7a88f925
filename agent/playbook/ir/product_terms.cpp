// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/ir/product_terms.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

namespace warpwright {
namespace {

constexpr double leastFactor =
    1e-6; ///< of a term: sums that are multiplied by it, or divided, keep their place
constexpr double mostFactor = 1e6;

bool isProductSum(const KernelStep &step) {
    return step.op == KernelOp::RowSum;
}

bool isMatrix(const FusedKernel &kernel, int step) {
    return kernel.step(step).op == KernelOp::Load;
}

/// How much of the last loop a load's condition leaves: all of it where there is none.
std::int64_t innerOf(const FusedKernel &kernel, const KernelStep &load) {
    if (!load.isGuarded)
        return kernel.loops.back();
    const KernelStep &guard = kernel.step(load.operands.back());
    return static_cast<std::int64_t>(kernel.step(guard.operands[1]).number);
}

/// Whether what is below a sum is products, which are put down; false: something else is among it.
bool takeTerms(const FusedKernel &kernel, int step, double factor, std::vector<ProductTerm> &terms) {
    const KernelStep &what = kernel.step(step);
    const auto operand = [&what](std::size_t i) {
        return what.operands[i];
    };
    switch (what.op) {
    case KernelOp::Add:
        return takeTerms(kernel, operand(0), factor, terms) && takeTerms(kernel, operand(1), factor, terms);
    case KernelOp::Subtract:
        return takeTerms(kernel, operand(0), factor, terms) && takeTerms(kernel, operand(1), -factor, terms);
    case KernelOp::Multiply:
        break;
    default:
        return false;
    }
    if (kernel.step(operand(1)).op == KernelOp::Number)
        return takeTerms(kernel, operand(0), factor * kernel.step(operand(1)).number, terms);
    if (!isMatrix(kernel, operand(0)) || !isMatrix(kernel, operand(1)))
        return false;
    // Operands stand in no order of their own: the second matrix has a place in each column.
    const std::size_t columns = kernel.loops.size() - 2;
    const auto leafOf = [&](std::size_t i) {
        return static_cast<std::size_t>(kernel.step(operand(i)).leaf);
    };
    const bool isInOrder = kernel.leaves[leafOf(0)].address.steps[columns] == 0;
    terms.push_back(
        {leafOf(isInOrder ? 0 : 1), leafOf(isInOrder ? 1 : 0),
         std::min(innerOf(kernel, kernel.step(operand(0))), innerOf(kernel, kernel.step(operand(1)))),
         factor});
    return true;
}

/// A sum of sums: what each one is multiplied by, and what is added beside them.
struct Together {
    std::map<int, double> sums;
    std::vector<std::pair<int, double>> beside;
    std::vector<int> inside; ///< steps that nobody else needs then
    int sum = -1;            ///< over the products of all
};

class Summing {
public:
    explicit Summing(const FusedKernel &kernel)
        : m_kernel(kernel), m_uses(kernel.steps.size()), m_hasSum(kernel.steps.size()) {
        for (std::size_t i = 0; i < kernel.steps.size(); ++i) {
            m_hasSum[i] = isProductSum(kernel.steps[i]);
            for (const int operand : kernel.steps[i].operands) {
                ++m_uses[static_cast<std::size_t>(operand)];
                m_hasSum[i] = m_hasSum[i] || m_hasSum[static_cast<std::size_t>(operand)];
            }
        }
        for (const KernelStore &store : kernel.stores)
            ++m_uses[static_cast<std::size_t>(store.step)];
    }

    FusedKernel run() {
        find();
        if (m_found.empty())
            return m_kernel;
        FusedKernel all = m_kernel;
        all.steps.clear();
        std::vector<int> place(m_kernel.steps.size(), -1);
        for (std::size_t i = 0; i < m_kernel.steps.size(); ++i) {
            // Where the last of its sums was: in texts, all else follows a kernel's sums.
            for (auto &[top, together] : m_found)
                if (together.sums.rbegin()->first == static_cast<int>(i))
                    together.sum = sumOf(all, together, place);
            if (const auto found = m_found.find(static_cast<int>(i)); found != m_found.end()) {
                place[i] = withBeside(all, found->second, place);
            } else if (!m_isGone[static_cast<int>(i)]) {
                KernelStep step = m_kernel.steps[i];
                for (int &operand : step.operands)
                    operand = place[static_cast<std::size_t>(operand)];
                place[i] = all.append(std::move(step));
            }
        }
        for (KernelStore &store : all.stores)
            store.step = place[static_cast<std::size_t>(store.step)];
        return all;
    }

private:
    void find() {
        for (auto i = static_cast<int>(m_kernel.steps.size()) - 1; i >= 0; --i) {
            const KernelStep &step = m_kernel.step(i);
            if (m_isGone[i] || (step.op != KernelOp::Add && step.op != KernelOp::Subtract))
                continue;
            Together together;
            collect(i, 1, true, together);
            const bool isGood =
                together.sums.size() > 1 &&
                std::all_of(together.sums.begin(), together.sums.end(), [](const auto &one) {
                    return std::abs(one.second) >= leastFactor && std::abs(one.second) <= mostFactor;
                });
            if (!isGood)
                continue;
            for (const int inside : together.inside)
                m_isGone[inside] = true;
            m_found[i] = std::move(together);
        }
    }

    void collect(int number, double factor, bool isTop, Together &together) const {
        const KernelStep &step = m_kernel.step(number);
        const auto operand = [&step](std::size_t i) {
            return step.operands[i];
        };
        const bool isOwn = isTop || m_uses[static_cast<std::size_t>(number)] == 1;
        if (!isOwn || !m_hasSum[static_cast<std::size_t>(number)] || !isFloating(step.type) ||
            (isProductSum(step) && termsOf(m_kernel, number).empty())) {
            together.beside.emplace_back(number, factor);
            return;
        }
        if (!isTop)
            together.inside.push_back(number);
        if (isProductSum(step)) {
            together.sums[number] = factor;
        } else if (step.op == KernelOp::Add || step.op == KernelOp::Subtract) {
            collect(operand(0), factor, false, together);
            collect(operand(1), step.op == KernelOp::Add ? factor : -factor, false, together);
        } else if (step.op == KernelOp::Multiply && m_kernel.step(operand(1)).op == KernelOp::Number) {
            collect(operand(0), factor * m_kernel.step(operand(1)).number, false, together);
        } else if (step.op == KernelOp::Negate) {
            collect(operand(0), -factor, false, together);
        } else {
            together.inside.pop_back();
            together.beside.emplace_back(number, factor);
        }
    }

    /// One sum over the products of all.
    int sumOf(FusedKernel &all, const Together &together, const std::vector<int> &place) const {
        int elements = -1;
        ElementType type = ElementType::Float32;
        for (const auto &[sum, factor] : together.sums) {
            const KernelStep &step = m_kernel.step(sum);
            type = step.type;
            int products = place[static_cast<std::size_t>(step.operands[0])];
            const bool isLess = elements >= 0 && factor < 0;
            const double scale = isLess ? -factor : factor;
            if (scale != 1)
                products = appended(all, KernelOp::Multiply, type, {products, all.number(scale, type)});
            elements = elements < 0 ? products
                                    : appended(all, isLess ? KernelOp::Subtract : KernelOp::Add, type,
                                               {elements, products});
        }
        return appended(all, KernelOp::RowSum, type, {elements});
    }
    /// The sum and what is beside it.
    static int withBeside(FusedKernel &all, const Together &together, const std::vector<int> &place) {
        int value = together.sum;
        const ElementType type = all.step(value).type;
        for (const auto &[step, factor] : together.beside) {
            const int other = place[static_cast<std::size_t>(step)];
            const bool isPlain = std::abs(factor) == 1;
            const int scaled =
                isPlain ? other
                        : all.add(KernelOp::Multiply, type, {other, all.number(std::abs(factor), type)});
            value = all.add(factor < 0 ? KernelOp::Subtract : KernelOp::Add, type, {value, scaled});
        }
        return value;
    }
    /// As it is: add() would take it apart again.
    static int appended(FusedKernel &all, KernelOp op, ElementType type, std::vector<int> operands) {
        KernelStep step;
        step.op = op;
        step.type = type;
        step.operands = std::move(operands);
        return all.append(std::move(step));
    }

    const FusedKernel &m_kernel;
    std::vector<int> m_uses;
    std::vector<bool> m_hasSum; ///< among what a step is made of
    std::map<int, Together> m_found;
    std::map<int, bool> m_isGone;
};

/// Of each sum the factors of all phases, in their order; 0: it has no part.
struct Factors {
    std::vector<ProductPhase> phases;
    std::vector<std::vector<double>> ofSums;
};

Factors factorsOf(const FusedKernel &kernel) {
    const std::vector<int> sums = sumsOf(kernel);
    Factors all{{}, std::vector<std::vector<double>>(sums.size())};
    for (std::size_t s = 0; s < sums.size(); ++s) {
        const std::vector<ProductTerm> terms = termsOf(kernel, sums[s]);
        if (terms.empty())
            return {};
        for (const ProductTerm &term : terms) {
            std::size_t p = 0;
            while (p < all.phases.size() &&
                   (all.phases[p].first != term.first || all.phases[p].inner != term.inner ||
                    all.phases[p].seconds[s] >= 0))
                ++p;
            if (p == all.phases.size()) {
                all.phases.push_back({term.first, term.inner, std::vector<int>(sums.size(), -1),
                                      std::vector<double>(sums.size(), 1)});
                for (std::vector<double> &factors : all.ofSums)
                    factors.push_back(0);
            }
            all.phases[p].seconds[s] = static_cast<int>(term.second);
            all.ofSums[s][p] = term.factor;
        }
    }
    return all;
}

/// Phases whose factors are all 1 come last: a sum is done when they are then.
Factors inOrder(Factors all) {
    std::vector<std::size_t> order;
    for (const bool isPlain : {false, true})
        for (std::size_t p = 0; p < all.phases.size(); ++p)
            if (std::all_of(all.ofSums.begin(), all.ofSums.end(), [p](const std::vector<double> &factors) {
                    return factors[p] == 0 || factors[p] == 1;
                }) == isPlain)
                order.push_back(p);
    Factors sorted{{}, std::vector<std::vector<double>>(all.ofSums.size())};
    for (const std::size_t p : order) {
        sorted.phases.push_back(all.phases[p]);
        for (std::size_t s = 0; s < all.ofSums.size(); ++s)
            sorted.ofSums[s].push_back(all.ofSums[s][p]);
    }
    return sorted;
}

} // namespace

bool isTurnProduct(const FusedKernel &kernel) {
    return kernel.anchor == Anchor::Product && kernel.isOfTurn;
}

bool hasBatches(const FusedKernel &kernel) {
    return kernel.loops.size() == 4;
}

std::vector<int> sumsOf(const FusedKernel &kernel) {
    std::vector<int> sums;
    for (std::size_t i = 0; i < kernel.steps.size(); ++i)
        if (kernel.steps[i].op == KernelOp::RowSum)
            sums.push_back(static_cast<int>(i));
    return sums;
}

int otherSumOf(const FusedKernel &kernel) {
    const bool isOfSums = kernel.anchor == Anchor::Product || kernel.anchor == Anchor::Convolution;
    const std::vector<int> sums = isOfSums ? sumsOf(kernel) : std::vector<int>();
    return sums.size() > 1 ? sums[1] : -1;
}

std::vector<ProductTerm> termsOf(const FusedKernel &kernel, int sum) {
    std::vector<ProductTerm> terms;
    if (!takeTerms(kernel, kernel.step(sum).operands[0], 1, terms))
        terms.clear();
    return terms;
}

bool hasTerms(const FusedKernel &kernel) {
    if (kernel.anchor != Anchor::Product || kernel.isOfTurn || kernel.loops.size() != 3)
        return false;
    const std::vector<int> sums = sumsOf(kernel);
    return std::any_of(sums.begin(), sums.end(), [&kernel](int sum) {
        const std::vector<ProductTerm> terms = termsOf(kernel, sum);
        return terms.size() > 1 || (terms.size() == 1 && terms[0].first != 0 && terms[0].second != 0);
    });
}

std::size_t matricesOf(const FusedKernel &kernel) {
    std::size_t last = 0;
    for (const int sum : sumsOf(kernel))
        for (const ProductTerm &term : termsOf(kernel, sum))
            last = std::max({last, term.first, term.second});
    return last + 1;
}

std::size_t firstBeside(const FusedKernel &kernel) {
    return hasTerms(kernel) ? matricesOf(kernel) : 1 + sumsOf(kernel).size();
}

bool isInnerGuard(const FusedKernel &kernel, const KernelStep &step) {
    return step.op == KernelOp::Less && step.level == StepLevel::Column && hasTerms(kernel);
}

std::vector<ProductPhase> phasesOf(const FusedKernel &kernel) {
    Factors all = inOrder(factorsOf(kernel));
    for (std::size_t s = 0; s < all.ofSums.size(); ++s) {
        double before = 0; // the factor of what has been summed so far
        for (std::size_t p = 0; p < all.phases.size(); ++p) {
            const double factor = all.ofSums[s][p];
            if (factor == 0)
                continue;
            if (before != 0)
                all.phases[p].before[s] = before / factor;
            before = factor;
        }
    }
    return all.phases;
}

std::vector<double> lastFactors(const FusedKernel &kernel) {
    std::vector<double> last;
    for (const std::vector<double> &factors : inOrder(factorsOf(kernel)).ofSums)
        last.push_back(
            *std::find_if(factors.rbegin(), factors.rend(), [](double some) { return some != 0; }));
    return last;
}

std::vector<int> addSteps(FusedKernel &all, const FusedKernel &other) {
    std::vector<int> place;
    for (KernelStep step : other.steps) {
        for (int &operand : step.operands)
            operand = place[static_cast<std::size_t>(operand)];
        if (step.op == KernelOp::Load) {
            const KernelLeaf &leaf = other.leaves[static_cast<std::size_t>(step.leaf)];
            place.push_back(all.load(leaf, {}, step.isGuarded ? step.operands.back() : -1));
        } else {
            place.push_back(all.append(std::move(step)));
        }
    }
    return place;
}

FusedKernel withLongerInner(const FusedKernel &product, std::int64_t inner) {
    if (product.loops.back() == inner)
        return product;
    FusedKernel longer = product;
    longer.steps.clear();
    longer.loops.back() = inner;
    AffineIndex counter{0, std::vector<std::int64_t>(longer.loops.size(), 0)};
    counter.steps.back() = 1;
    const int isThere =
        longer.add(KernelOp::Less, ElementType::Bool,
                   {longer.index(counter),
                    longer.number(static_cast<double>(product.loops.back()), ElementType::Int64)});
    std::vector<int> place;
    for (KernelStep step : product.steps) {
        for (int &operand : step.operands)
            operand = place[static_cast<std::size_t>(operand)];
        if (step.op == KernelOp::Load) {
            step.isGuarded = true;
            step.operands.push_back(isThere);
            // What is beyond is not moved, and a longer part of the same matrix is another leaf.
            KernelLeaf &leaf = longer.leaves[static_cast<std::size_t>(step.leaf)];
            leaf.elements = product.loops.back() * product.loops[leaf.address.steps[1] == 0 ? 0 : 1];
        }
        place.push_back(longer.append(std::move(step)));
    }
    for (KernelStore &store : longer.stores)
        store.step = place[static_cast<std::size_t>(store.step)];
    return longer;
}

FusedKernel summedTogether(const FusedKernel &kernel) {
    return Summing(kernel).run();
}

} // namespace warpwright
