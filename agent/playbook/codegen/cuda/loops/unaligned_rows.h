// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/schedule/unaligned_rows.h"

#include <QStringList>

#include <optional>

/// Vector accesses of unaligned rows, as lines of a CUDA kernel.
namespace warpwright {

/// Lines that declare where a row begins in its first vector; `counters`: of the kernel's loops. None: at its
/// start.
[[nodiscard]] QStringList leadLines(const std::optional<UnalignedRows> &rows, const QStringList &counters);
/// Lines after these where threads are mapped to vectors, not to rows: the first element of the row's vector
/// `ofRow`, or that it has none.
[[nodiscard]] QStringList flatUnalignedVectorLines(const UnalignedRows &rows, const QString &ofRow);

/// Lines before the use of vector `p` of an unrolled loop that `threads` share: whether it lies in the row as
/// a whole.
[[nodiscard]] QStringList fullVectorLines(const QString &threads);
/// Bounds check of each element k of a vector. `isFunction`: by the function `isInBounds`, which
/// fullOrPartialVectorLines() passes to `take`: always true for a whole vector, a check for a partial one.
/// `isKnown`: after fullVectorLines().
[[nodiscard]] QStringList unalignedElementGuard(bool isFunction, bool isKnown);
[[nodiscard]] QStringList fullOrPartialVectorLines(bool isKnown);

} // namespace warpwright
