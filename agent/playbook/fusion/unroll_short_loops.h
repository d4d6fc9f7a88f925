// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/program.h"

namespace warpwright {

/// Writes out a loop of few rounds of a pointwise kernel whose rounds have most of their work in common: a
/// point's coordinates, each of all three, or a colour's channels; or whose elements are unpacked from one,
/// as nibbles from a byte. A thread then makes all of them, and a question which of them it is needs no
/// answer any more.
void unrollShortLoops(Program &program);

} // namespace warpwright
