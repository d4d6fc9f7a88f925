// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/program.h"

namespace warpwright {

/// Where a kernel only copies a whole temporary in its layout and is its only consumer: the producer writes
/// into the copy's buffer, and the kernel is removed. Returns whether it was so.
bool eliminateCopy(Program &program, std::size_t position);

} // namespace warpwright
