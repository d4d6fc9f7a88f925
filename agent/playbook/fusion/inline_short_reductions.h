// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/program.h"

namespace warpwright {

/// A reduction over a few elements, such as a quaternion's length, is recomputed in its only consumer if that
/// moves clearly fewer bytes, as when the consumer reads its elements anyway.
void inlineShortReductions(Program &program);

} // namespace warpwright
