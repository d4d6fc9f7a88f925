// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/kernel.h"

#include <optional>

namespace warpwright {

/// What the indices of a kernel count by: its loops, and behind them steps that count like a loop (what a
/// look-up finds, a quotient), so that views and addresses follow both alike.
class IndexSpace {
public:
    explicit IndexSpace(Kernel &kernel);
    IndexSpace(const IndexSpace &) = delete;
    IndexSpace &operator=(const IndexSpace &) = delete;

    /// Of the loops, and of what is counted by a step.
    [[nodiscard]] const Shape &sizes() const { return m_sizes; }
    [[nodiscard]] AffineExpr constant(std::int64_t value) const;
    /// Smallest and largest value.
    [[nodiscard]] std::pair<std::int64_t, std::int64_t> rangeOf(const AffineExpr &index) const;
    /// The step whose value it is.
    int valueOf(const AffineExpr &index);
    /// The index that is the step's value, which is one of `size`.
    AffineExpr dynamicIndex(int step, std::int64_t size);
    /// `first <= index < end` as a step; empty: it always is.
    std::optional<int> within(const AffineExpr &index, std::int64_t first, std::int64_t end);
    /// Where the flat index is in `shape`, each digit counted by a step.
    AffineMap digitsByDivision(const AffineExpr &flat, const Shape &shape);
    /// The element at this address of a buffer that has so many. `guard`: a condition without which nothing
    /// is read; -1: none.
    int load(int buffer, ElementType type, std::int64_t elements, const AffineExpr &where, int guard);

private:
    [[nodiscard]] AffineExpr linearized(AffineExpr address) const;

    /// What was taken apart into digits: where each is counted, and what it counts for.
    struct Digits {
        AffineExpr flat;
        std::vector<std::pair<std::size_t, std::int64_t>> positions;
    };

    Kernel &m_kernel;
    Shape m_sizes;
    std::vector<int> m_dynamicSteps; ///< steps that count, behind the loops
    std::vector<Digits> m_digits;
};

/// The number as a step of the type that indices have.
int integerStep(Kernel &kernel, std::int64_t value);
/// Both conditions as one; empty: there is neither.
std::optional<int> conjunction(Kernel &kernel, std::optional<int> one, std::optional<int> other);

} // namespace warpwright
