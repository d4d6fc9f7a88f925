// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/program.h"

namespace warpwright {

/// By kernel: whether it traverses its memory from the end. What an earlier kernel touched last is still in
/// L2; from the other end it would be evicted before it is reached.
[[nodiscard]] std::vector<bool> goBackwards(const Program &program);

/// The text of a kernel whose blocks take the work in reverse order.
[[nodiscard]] QString withBlocksFromEnd(const QString &cuda);

} // namespace warpwright
