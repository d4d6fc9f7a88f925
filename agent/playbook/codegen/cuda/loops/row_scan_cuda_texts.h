// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace warpwright {

/// What runs along rows by packs, with places to fill (`row_scan_cuda`).
extern const QString rowScanText;
/// The function that stores a pack of a row that is gone through from its end.
extern const QString storeBackwardsText;

} // namespace warpwright
