// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/program.h"

namespace warpwright {

/// A long row that is gone through twice, for its sum and for what is divided by it, while another kernel
/// sums up parts of the same memory: a matrix's norm beside the sums of its rows. That kernel forms the sums
/// of both for its rows, a small one those of the parts, and the row is read once less.
void sharePartialReductions(Program &program);

} // namespace warpwright
