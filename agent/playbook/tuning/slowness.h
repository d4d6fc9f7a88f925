// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/evaluation/evaluation.h"

#include <QString>

namespace warpwright {

/// A sentence, with a space before it, where an evaluation measured much slower than the better of eager and
/// torch.compile; else empty.
[[nodiscard]] QString slownessOf(const Evaluation &evaluation);

} // namespace warpwright
