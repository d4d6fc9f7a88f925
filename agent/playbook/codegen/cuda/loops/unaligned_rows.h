// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/schedule/unaligned_rows.h"

#include <QStringList>

#include <optional>

/// Unaligned rows in packs, as lines of a CUDA kernel.
namespace warpwright {

/// Lines that say where a row begins in its first pack; `counters`: of the kernel's loops. None: at its
/// start.
[[nodiscard]] QStringList leadLines(const std::optional<UnalignedRows> &rows, const QStringList &counters);
/// Lines after these, where threads share packs and not rows: which elements the pack `ofRow` has, or that it
/// has none.
[[nodiscard]] QStringList flatUnalignedVectorLines(const UnalignedRows &rows, const QString &ofRow);

/// Lines before what is done with pack `p` of a loop that is written out, which `threads` share: whether it
/// is the row's as a whole.
[[nodiscard]] QStringList fullVectorLines(const QString &threads);
/// Lines for each element of a pack, k: whether it is the row's. `asks`: the function `isThere` says so,
/// which takenVectorLines() hands to the function `take` of a whole pack, where it is always true, and of a
/// part. `isKnown`: after fullVectorLines().
[[nodiscard]] QStringList guardOfUnalignedVector(bool asks, bool isKnown);
[[nodiscard]] QStringList takenVectorLines(bool isKnown);

} // namespace warpwright
