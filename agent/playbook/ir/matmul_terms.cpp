// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/ir/matmul_terms.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

namespace warpwright {
namespace {

constexpr double leastFactor = 1e-6; ///< of a term: scaling a sum by it, or by its inverse, loses no range
constexpr double mostFactor = 1e6;

bool isMatmulSum(const KernelStep &step) {
    return step.op == Opcode::RowSum;
}

bool isMatrix(const Kernel &kernel, int step) {
    return kernel.step(step).op == Opcode::Load;
}

/// How much of the last loop a load's guard allows; without a guard all.
std::int64_t innerOf(const Kernel &kernel, const KernelStep &load) {
    if (!load.isGuarded)
        return kernel.loops.back();
    const KernelStep &guard = kernel.step(load.operands.back());
    return static_cast<std::int64_t>(kernel.step(guard.operands[1]).number);
}

/// Collects the products below a sum; false: there is something else.
bool collectTerms(const Kernel &kernel, int step, double factor, std::vector<MatmulTerm> &terms) {
    const KernelStep &what = kernel.step(step);
    const auto operand = [&what](std::size_t i) {
        return what.operands[i];
    };
    switch (what.op) {
    case Opcode::Add:
        return collectTerms(kernel, operand(0), factor, terms) &&
               collectTerms(kernel, operand(1), factor, terms);
    case Opcode::Subtract:
        return collectTerms(kernel, operand(0), factor, terms) &&
               collectTerms(kernel, operand(1), -factor, terms);
    case Opcode::Multiply:
        break;
    default:
        return false;
    }
    if (kernel.step(operand(1)).op == Opcode::Number)
        return collectTerms(kernel, operand(0), factor * kernel.step(operand(1)).number, terms);
    if (!isMatrix(kernel, operand(0)) || !isMatrix(kernel, operand(1)))
        return false;
    // The operands' order is arbitrary: the second matrix is the one that depends on the column.
    const std::size_t columns = kernel.loops.size() - 2;
    const auto inputOf = [&](std::size_t i) {
        return static_cast<std::size_t>(kernel.step(operand(i)).input);
    };
    const bool isInOrder = kernel.inputs[inputOf(0)].address.steps[columns] == 0;
    terms.push_back(
        {inputOf(isInOrder ? 0 : 1), inputOf(isInOrder ? 1 : 0),
         std::min(innerOf(kernel, kernel.step(operand(0))), innerOf(kernel, kernel.step(operand(1)))),
         factor});
    return true;
}

/// A sum of sums: the factor of each, and what else is added.
struct MergedSum {
    std::map<int, double> sums;
    std::vector<std::pair<int, double>> addends;
    std::vector<int> inside; ///< steps that are no longer needed
    int sum = -1;            ///< over all products
};

class SumMerging {
public:
    explicit SumMerging(const Kernel &kernel)
        : m_kernel(kernel), m_uses(kernel.steps.size()), m_hasSum(kernel.steps.size()) {
        for (std::size_t i = 0; i < kernel.steps.size(); ++i) {
            m_hasSum[i] = isMatmulSum(kernel.steps[i]);
            for (const int operand : kernel.steps[i].operands) {
                ++m_uses[static_cast<std::size_t>(operand)];
                m_hasSum[i] = m_hasSum[i] || m_hasSum[static_cast<std::size_t>(operand)];
            }
        }
        for (const KernelStore &store : kernel.stores)
            ++m_uses[static_cast<std::size_t>(store.step)];
    }

    Kernel run() {
        find();
        if (m_found.empty())
            return m_kernel;
        Kernel all = m_kernel;
        all.steps.clear();
        std::vector<int> position(m_kernel.steps.size(), -1);
        for (std::size_t i = 0; i < m_kernel.steps.size(); ++i) {
            // At the last of the original sums: printers put everything else after a kernel's sums.
            for (auto &[top, mergedSum] : m_found)
                if (mergedSum.sums.rbegin()->first == static_cast<int>(i))
                    mergedSum.sum = sumOf(all, mergedSum, position);
            if (const auto found = m_found.find(static_cast<int>(i)); found != m_found.end()) {
                position[i] = withAddends(all, found->second, position);
            } else if (!m_isAbsorbed[static_cast<int>(i)]) {
                KernelStep step = m_kernel.steps[i];
                for (int &operand : step.operands)
                    operand = position[static_cast<std::size_t>(operand)];
                position[i] = all.append(std::move(step));
            }
        }
        for (KernelStore &store : all.stores)
            store.step = position[static_cast<std::size_t>(store.step)];
        return all;
    }

private:
    void find() {
        for (auto i = static_cast<int>(m_kernel.steps.size()) - 1; i >= 0; --i) {
            const KernelStep &step = m_kernel.step(i);
            if (m_isAbsorbed[i] || (step.op != Opcode::Add && step.op != Opcode::Subtract))
                continue;
            MergedSum mergedSum;
            collect(i, 1, true, mergedSum);
            const bool isGood =
                mergedSum.sums.size() > 1 &&
                std::all_of(mergedSum.sums.begin(), mergedSum.sums.end(), [](const auto &one) {
                    return std::abs(one.second) >= leastFactor && std::abs(one.second) <= mostFactor;
                });
            if (!isGood)
                continue;
            for (const int inside : mergedSum.inside)
                m_isAbsorbed[inside] = true;
            m_found[i] = std::move(mergedSum);
        }
    }

    void collect(int number, double factor, bool isTop, MergedSum &mergedSum) const {
        const KernelStep &step = m_kernel.step(number);
        const auto operand = [&step](std::size_t i) {
            return step.operands[i];
        };
        const bool isOwn = isTop || m_uses[static_cast<std::size_t>(number)] == 1;
        if (!isOwn || !m_hasSum[static_cast<std::size_t>(number)] || !isFloating(step.type) ||
            (isMatmulSum(step) && termsOf(m_kernel, number).empty())) {
            mergedSum.addends.emplace_back(number, factor);
            return;
        }
        if (!isTop)
            mergedSum.inside.push_back(number);
        if (isMatmulSum(step)) {
            mergedSum.sums[number] = factor;
        } else if (step.op == Opcode::Add || step.op == Opcode::Subtract) {
            collect(operand(0), factor, false, mergedSum);
            collect(operand(1), step.op == Opcode::Add ? factor : -factor, false, mergedSum);
        } else if (step.op == Opcode::Multiply && m_kernel.step(operand(1)).op == Opcode::Number) {
            collect(operand(0), factor * m_kernel.step(operand(1)).number, false, mergedSum);
        } else if (step.op == Opcode::Negate) {
            collect(operand(0), -factor, false, mergedSum);
        } else {
            mergedSum.inside.pop_back();
            mergedSum.addends.emplace_back(number, factor);
        }
    }

    /// One sum over all products.
    int sumOf(Kernel &all, const MergedSum &mergedSum, const std::vector<int> &position) const {
        int elements = -1;
        ElementType type = ElementType::Float32;
        for (const auto &[sum, factor] : mergedSum.sums) {
            const KernelStep &step = m_kernel.step(sum);
            type = step.type;
            int matmuls = position[static_cast<std::size_t>(step.operands[0])];
            const bool isLess = elements >= 0 && factor < 0;
            const double scale = isLess ? -factor : factor;
            if (scale != 1)
                matmuls = appended(all, Opcode::Multiply, type, {matmuls, all.number(scale, type)});
            elements = elements < 0 ? matmuls
                                    : appended(all, isLess ? Opcode::Subtract : Opcode::Add, type,
                                               {elements, matmuls});
        }
        return appended(all, Opcode::RowSum, type, {elements});
    }
    /// The sum plus its addends.
    static int withAddends(Kernel &all, const MergedSum &mergedSum, const std::vector<int> &position) {
        int value = mergedSum.sum;
        const ElementType type = all.step(value).type;
        for (const auto &[step, factor] : mergedSum.addends) {
            const int other = position[static_cast<std::size_t>(step)];
            const bool isPlain = std::abs(factor) == 1;
            const int scaled =
                isPlain ? other
                        : all.add(Opcode::Multiply, type, {other, all.number(std::abs(factor), type)});
            value = all.add(factor < 0 ? Opcode::Subtract : Opcode::Add, type, {value, scaled});
        }
        return value;
    }
    /// append(), because add() would split the sum again.
    static int appended(Kernel &all, Opcode op, ElementType type, std::vector<int> operands) {
        KernelStep step;
        step.op = op;
        step.type = type;
        step.operands = std::move(operands);
        return all.append(std::move(step));
    }

    const Kernel &m_kernel;
    std::vector<int> m_uses;
    std::vector<bool> m_hasSum; ///< whether a step depends on a sum
    std::map<int, MergedSum> m_found;
    std::map<int, bool> m_isAbsorbed;
};

/// Of each sum its factor in each phase; 0: it has none.
struct Factors {
    std::vector<MatmulPhase> phases;
    std::vector<std::vector<double>> ofSums;
};

Factors factorsOf(const Kernel &kernel) {
    const std::vector<int> sums = sumsOf(kernel);
    Factors all{{}, std::vector<std::vector<double>>(sums.size())};
    for (std::size_t s = 0; s < sums.size(); ++s) {
        const std::vector<MatmulTerm> terms = termsOf(kernel, sums[s]);
        if (terms.empty())
            return {};
        for (const MatmulTerm &term : terms) {
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

/// Phases whose factors are all 1 come last: their sums then need no final scaling.
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

bool isCellMatmul(const Kernel &kernel) {
    return kernel.isMatmul() && kernel.matmul()->isCellKernel;
}

bool hasBatches(const Kernel &kernel) {
    return kernel.loops.size() == 4;
}

std::vector<int> sumsOf(const Kernel &kernel) {
    std::vector<int> sums;
    for (std::size_t i = 0; i < kernel.steps.size(); ++i)
        if (kernel.steps[i].op == Opcode::RowSum)
            sums.push_back(static_cast<int>(i));
    return sums;
}

int secondSumOf(const Kernel &kernel) {
    const bool isOfSums = kernel.isMatmul() || kernel.isConvolution();
    const std::vector<int> sums = isOfSums ? sumsOf(kernel) : std::vector<int>();
    return sums.size() > 1 ? sums[1] : -1;
}

std::vector<MatmulTerm> termsOf(const Kernel &kernel, int sum) {
    std::vector<MatmulTerm> terms;
    if (!collectTerms(kernel, kernel.step(sum).operands[0], 1, terms))
        terms.clear();
    return terms;
}

bool hasTerms(const Kernel &kernel) {
    if (!kernel.isMatmul() || isCellMatmul(kernel) || kernel.loops.size() != 3)
        return false;
    const std::vector<int> sums = sumsOf(kernel);
    return std::any_of(sums.begin(), sums.end(), [&kernel](int sum) {
        const std::vector<MatmulTerm> terms = termsOf(kernel, sum);
        return terms.size() > 1 || (terms.size() == 1 && terms[0].first != 0 && terms[0].second != 0);
    });
}

std::size_t matricesOf(const Kernel &kernel) {
    std::size_t last = 0;
    for (const int sum : sumsOf(kernel))
        for (const MatmulTerm &term : termsOf(kernel, sum))
            last = std::max({last, term.first, term.second});
    return last + 1;
}

std::size_t firstEpilogueInput(const Kernel &kernel) {
    return hasTerms(kernel) ? matricesOf(kernel) : 1 + sumsOf(kernel).size();
}

bool isInnerGuard(const Kernel &kernel, const KernelStep &step) {
    return step.op == Opcode::Less && step.level == StepLevel::Column && hasTerms(kernel);
}

std::vector<MatmulPhase> phasesOf(const Kernel &kernel) {
    Factors all = inOrder(factorsOf(kernel));
    for (std::size_t s = 0; s < all.ofSums.size(); ++s) {
        double before = 0; // the factor of the sum so far
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

std::vector<double> lastFactors(const Kernel &kernel) {
    std::vector<double> last;
    for (const std::vector<double> &factors : inOrder(factorsOf(kernel)).ofSums)
        last.push_back(
            *std::find_if(factors.rbegin(), factors.rend(), [](double some) { return some != 0; }));
    return last;
}

std::vector<int> addSteps(Kernel &all, const Kernel &other) {
    std::vector<int> position;
    for (KernelStep step : other.steps) {
        for (int &operand : step.operands)
            operand = position[static_cast<std::size_t>(operand)];
        if (step.op == Opcode::Load) {
            const KernelInput &input = other.inputs[static_cast<std::size_t>(step.input)];
            position.push_back(all.load(input, {}, step.isGuarded ? step.operands.back() : -1));
        } else {
            position.push_back(all.append(std::move(step)));
        }
    }
    return position;
}

Kernel withPaddedInner(const Kernel &matmul, std::int64_t inner) {
    if (matmul.loops.back() == inner)
        return matmul;
    Kernel longer = matmul;
    longer.steps.clear();
    longer.loops.back() = inner;
    AffineExpr counter{0, std::vector<std::int64_t>(longer.loops.size(), 0)};
    counter.steps.back() = 1;
    const int isThere = longer.add(
        Opcode::Less, ElementType::Bool,
        {longer.index(counter), longer.number(static_cast<double>(matmul.loops.back()), ElementType::Int64)});
    std::vector<int> position;
    for (KernelStep step : matmul.steps) {
        for (int &operand : step.operands)
            operand = position[static_cast<std::size_t>(operand)];
        if (step.op == Opcode::Load) {
            step.isGuarded = true;
            step.operands.push_back(isThere);
            // Padding is not read, and a longer slice of the same matrix is another input.
            KernelInput &input = longer.inputs[static_cast<std::size_t>(step.input)];
            input.elements = matmul.loops.back() * matmul.loops[input.address.steps[1] == 0 ? 0 : 1];
        }
        position.push_back(longer.append(std::move(step)));
    }
    for (KernelStore &store : longer.stores)
        store.step = position[static_cast<std::size_t>(store.step)];
    return longer;
}

Kernel mergedSums(const Kernel &kernel) {
    return SumMerging(kernel).run();
}

} // namespace warpwright
