// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/schedule/unaligned_rows.h"

#include <optional>

namespace warpwright {

/// Running sums along rows whose elements lie side by side, forwards or backwards, and sums over these rows,
/// by packs of them (`row_scan_cuda`): what threads of a row tell each other is told once for several
/// elements. Nothing where what is written along a row does not lie in such packs, or where something is
/// looked up.
[[nodiscard]] std::optional<UnalignedRows> rowScanOf(const Kernel &kernel);

/// From a row's last element on.
[[nodiscard]] bool runsBackward(const AffineExpr &address);
/// Whether packs of those rows are packs at this address as well, and the memory is whole packs.
[[nodiscard]] bool fitsVectors(const Kernel &kernel, const UnalignedRows &rows, const AffineExpr &address);
/// No pack is a row's in part.
[[nodiscard]] bool isOfFullVectors(const Kernel &kernel, const UnalignedRows &rows);

} // namespace warpwright
