// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/program.h"

namespace warpwright {

/// Unrolls a short loop of a pointwise kernel whose iterations share most of their work (a point's three
/// coordinates, each computed from all three, or colour channels), or whose elements are unpacked from one,
/// as nibbles from a byte. A thread then computes all of them, and conditions on the counter are constant.
void unrollShortLoops(Program &program);

} // namespace warpwright
