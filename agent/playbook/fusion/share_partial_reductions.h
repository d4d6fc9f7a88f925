// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/program.h"

namespace warpwright {

/// A long row that is read twice, for its sum and to be divided by it, while another kernel sums parts of the
/// same memory: a matrix's norm next to its row sums. That kernel forms both sums for its rows, a small one
/// adds the partial sums, and the row is read once less.
void sharePartialReductions(Program &program);

} // namespace warpwright
