// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/program.h"

namespace warpwright {

/// By kernel: whether it goes through its memory from the end. What a kernel before has read or written last
/// is in the second-level cache still, and who begins at the other end finds it overwritten once it comes
/// there.
[[nodiscard]] std::vector<bool> goBackwards(const Program &program);

/// The text of a kernel whose blocks take the work from the end.
[[nodiscard]] QString withBlocksFromEnd(const QString &cuda);

} // namespace warpwright
