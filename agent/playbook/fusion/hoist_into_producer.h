// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/program.h"

namespace warpwright {

/// What every reader of a temporary makes of it before anything else, as the logarithm of a row's sum or the
/// reciprocal root of a channel's variance, is made once by its maker, where readers would make it for each
/// of many elements. Costly steps only, and what belongs to them.
void hoistIntoProducers(Program &program);

} // namespace warpwright
