// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

namespace warpwright {

/// The precisions that a candidate may be allowed, for settings of a person and of a task alike: FP32, TF32,
/// BF16, FP16, FP8, INT8.
[[nodiscard]] const QStringList &precisionNames();

} // namespace warpwright
