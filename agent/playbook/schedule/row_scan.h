// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/schedule/unaligned_rows.h"

#include <optional>

namespace warpwright {

/// The vectors of scans along contiguous rows, forwards or backwards, and of sums over these rows
/// (`row_scan_cuda`): the threads of a row exchange partial results once for several elements. Empty where
/// stores along a row do not fit such vectors, or anything is gathered.
[[nodiscard]] std::optional<UnalignedRows> rowScanOf(const Kernel &kernel);

/// Whether it runs from a row's last element to the first.
[[nodiscard]] bool runsBackward(const AffineExpr &address);
/// Whether vectors of those rows are vectors at this address as well, and the memory is full vectors.
[[nodiscard]] bool fitsVectors(const Kernel &kernel, const UnalignedRows &rows, const AffineExpr &address);
/// No vector is shared by two rows.
[[nodiscard]] bool isOfFullVectors(const Kernel &kernel, const UnalignedRows &rows);

} // namespace warpwright
