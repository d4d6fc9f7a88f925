// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/program.h"

namespace warpwright {

/// A temporary whose maker writes the same into a part of another tensor, as a join's is, is read there and
/// not written. Nothing in loops over time.
void aliasSlices(Program &program);

} // namespace warpwright
