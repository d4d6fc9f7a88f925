// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

namespace warpwright {

/// `cuda` with programmatic dependent launch: its kernel, which is not the forward's first, is launched while
/// the previous one finishes, which hides the gap between two kernels. `cuda` has one kernel at most; without
/// one it is returned as it is. `written`: parameters whose memory may still be written when the kernel is
/// launched, and must not be read through the read-only cache.
[[nodiscard]] QString withProgrammaticLaunch(const QString &cuda, const QStringList &written);

/// The header that such files include: kernels/early_launch.h.
[[nodiscard]] QString programmaticLaunchText();

} // namespace warpwright
