// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/evaluation/evaluation.h"

#include <QString>

namespace warpwright {

/// A sentence, with a space before it, where what an evaluation measured is much slower than the better of
/// eager and torch.compile; else nothing.
[[nodiscard]] QString slownessOf(const Evaluation &evaluation);

} // namespace warpwright
