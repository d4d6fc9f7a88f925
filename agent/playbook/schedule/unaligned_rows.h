// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/kernel.h"

#include <optional>

namespace warpwright {

/// Rows of an odd length, which vectors of 16 bytes do not fill: a row begins or ends in the middle of a
/// vector. Threads take the vectors as they lie in memory, and mask the elements of neighbouring rows: the
/// tensor as a whole is full vectors.
struct UnalignedRows {
    int width = 1; ///< elements of a vector
    /// By a row's outer counters: so many elements of its first vector belong to the row before. Modulo
    /// `width`.
    AffineExpr lead;

    /// Not every row begins with a vector.
    [[nodiscard]] bool hasLead() const;
    bool operator==(const UnalignedRows &) const = default;
};

/// Empty where rows are full vectors, or their elements are not contiguous.
[[nodiscard]] std::optional<UnalignedRows> unalignedRowsOf(const Kernel &kernel);
/// Whether vectors of those rows are vectors at this address as well.
[[nodiscard]] bool isInPhase(const Kernel &kernel, const UnalignedRows &rows, const AffineExpr &address);

} // namespace warpwright
