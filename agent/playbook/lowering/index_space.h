// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/kernel.h"

#include <optional>

namespace warpwright {

/// The index variables of a kernel: its loops, and after them steps with dynamic values (a gathered index, a
/// quotient), so that views and addresses treat both alike.
class IndexSpace {
public:
    explicit IndexSpace(Kernel &kernel);
    IndexSpace(const IndexSpace &) = delete;
    IndexSpace &operator=(const IndexSpace &) = delete;

    /// Of the loops and of the dynamic indices.
    [[nodiscard]] const Shape &sizes() const { return m_sizes; }
    [[nodiscard]] AffineExpr constant(std::int64_t value) const;
    /// Smallest and largest value.
    [[nodiscard]] std::pair<std::int64_t, std::int64_t> rangeOf(const AffineExpr &index) const;
    /// The index as a step.
    int valueOf(const AffineExpr &index);
    /// The step's value, less than `size`, as an index.
    AffineExpr dynamicIndex(int step, std::int64_t size);
    /// `first <= index < end` as a step; empty: it always holds.
    std::optional<int> within(const AffineExpr &index, std::int64_t first, std::int64_t end);
    /// The flat index delinearized into `shape`, each digit a dynamic index.
    AffineMap digitsByDivision(const AffineExpr &flat, const Shape &shape);
    /// A load from a buffer of so many elements. `guard`: the condition for it; -1: none.
    int load(int buffer, ElementType type, std::int64_t elements, const AffineExpr &where, int guard);

private:
    [[nodiscard]] AffineExpr linearized(AffineExpr address) const;

    /// A delinearized number: the position and the weight of each digit.
    struct Digits {
        AffineExpr flat;
        std::vector<std::pair<std::size_t, std::int64_t>> positions;
    };

    Kernel &m_kernel;
    Shape m_sizes;
    std::vector<int> m_dynamicSteps; ///< dynamic indices, after the loops
    std::vector<Digits> m_digits;
};

/// The number as a step of the index type.
int integerStep(Kernel &kernel, std::int64_t value);
/// Both conditions as one; empty: there is neither.
std::optional<int> conjunction(Kernel &kernel, std::optional<int> one, std::optional<int> other);

} // namespace warpwright
