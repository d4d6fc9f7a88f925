// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/program.h"

namespace warpwright {

/// A temporary that its producer also writes into a slice of another tensor (say, of a concatenation) is read
/// there instead and no longer written. Not inside loops over time.
void aliasSlices(Program &program);

} // namespace warpwright
