// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/fused_kernel.h"

#include <QStringList>

#include <optional>

namespace warpwright {

/// Rows of an odd length, which packs of 16 bytes do not fill: a row begins in the middle of a pack, or ends
/// there. Threads take the packs as they lie in memory, and leave out what is no element of their row: it is
/// a neighbour's, for the tensor as a whole is whole packs.
struct RaggedRows {
    int width = 1; ///< elements of a pack
    /// Of a row's outer counters: so many elements of its first pack belong to the row before. Modulo
    /// `width`.
    AffineIndex lead;

    /// Not every row begins with a pack.
    [[nodiscard]] bool hasLead() const;
    bool operator==(const RaggedRows &) const = default;
};

/// Nothing where rows are whole packs, or their elements are no neighbours.
[[nodiscard]] std::optional<RaggedRows> raggedRowsOf(const FusedKernel &kernel);
/// Whether packs of those rows are packs at this address as well.
[[nodiscard]] bool isInPhase(const FusedKernel &kernel, const RaggedRows &rows, const AffineIndex &address);

/// Lines that say where a row begins in its first pack; `counters`: of the kernel's loops. None: at its
/// start.
[[nodiscard]] QStringList leadLines(const std::optional<RaggedRows> &rows, const QStringList &counters);
/// Lines after these, where threads share packs and not rows: which elements the pack `ofRow` has, or that it
/// has none.
[[nodiscard]] QStringList flatRaggedPackLines(const RaggedRows &rows, const QString &ofRow);

/// Lines before what is done with pack `p` of a loop that is written out, which `threads` share: whether it
/// is the row's as a whole.
[[nodiscard]] QStringList wholePackLines(const QString &threads);
/// Lines for each element of a pack, k: whether it is the row's. `asks`: the function `isThere` says so,
/// which takenPackLines() hands to the function `take` of a whole pack, where it is always true, and of a
/// part. `isKnown`: after wholePackLines().
[[nodiscard]] QStringList guardOfRaggedPack(bool asks, bool isKnown);
[[nodiscard]] QStringList takenPackLines(bool isKnown);

/// The function that stores a pack of such a row, whole or in part.
[[nodiscard]] QString partsOfRowsText();

} // namespace warpwright
