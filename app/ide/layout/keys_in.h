// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QVariantList>

class QWidget;

namespace warpwright {

/// Where the keys are in a page whose rows may be made anew: the row's name, and its place among those of
/// that name. Empty: nowhere that has a name.
[[nodiscard]] QVariantList keysIn(const QWidget &page);

} // namespace warpwright
