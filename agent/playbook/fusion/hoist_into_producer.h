// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/program.h"

namespace warpwright {

/// What every consumer of a temporary computes from it first, such as the logarithm of a row's sum or the
/// reciprocal root of a channel's variance, is computed once by the producer if consumers would repeat it for
/// many elements. Costly operations only, and those before them.
void hoistIntoProducers(Program &program);

} // namespace warpwright
