// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/program.h"

namespace warpwright {

/// Where a kernel copies a whole temporary, as it lies, and nobody else reads that, who makes it writes into
/// the copy, and the kernel is gone: whether it was so.
bool eliminateCopy(Program &program, std::size_t position);

} // namespace warpwright
