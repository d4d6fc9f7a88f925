// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/kernel.h"

#include <optional>

namespace warpwright {

/// Rows of an odd length, which packs of 16 bytes do not fill: a row begins in the middle of a pack, or ends
/// there. Threads take the packs as they lie in memory, and leave out what is no element of their row: it is
/// a neighbour's, for the tensor as a whole is whole packs.
struct UnalignedRows {
    int width = 1; ///< elements of a pack
    /// Of a row's outer counters: so many elements of its first pack belong to the row before. Modulo
    /// `width`.
    AffineExpr lead;

    /// Not every row begins with a pack.
    [[nodiscard]] bool hasLead() const;
    bool operator==(const UnalignedRows &) const = default;
};

/// Nothing where rows are whole packs, or their elements are no neighbours.
[[nodiscard]] std::optional<UnalignedRows> unalignedRowsOf(const Kernel &kernel);
/// Whether packs of those rows are packs at this address as well.
[[nodiscard]] bool isInPhase(const Kernel &kernel, const UnalignedRows &rows, const AffineExpr &address);

} // namespace warpwright
