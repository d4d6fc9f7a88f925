// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/evaluation/measured_figures.h"

namespace warpwright {

/// Why the speed-up over this arm is no headline: its time was stored earlier, and the live arm takes so many
/// times what it took then that scaling by it is no measurement of today: "stored baseline not comparable
/// today, drift × 15.7". Empty: the arm is live, or it moved less than 1.5 times either way.
[[nodiscard]] QString whyNotComparableToday(const MeasuredFigures &figures, const QString &arm);

} // namespace warpwright
