// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

namespace warpwright {

/// The text of a kernel that others of the same forward are before, launched while the one before it ends
/// (CUDA's programmatic dependent launch), which spares what lies between two kernels. `cuda` has one kernel
/// at most; without one it stays what it is. `written`: parameters whose memory may be written still when the
/// kernel is launched, and must not come by the cache of what never changes.
[[nodiscard]] QString withProgrammaticLaunch(const QString &cuda, const QStringList &written);

/// The header that such texts include: kernels/early_launch.h.
[[nodiscard]] QString programmaticLaunchText();

} // namespace warpwright
