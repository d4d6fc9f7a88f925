// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/program.h"

namespace warpwright {

/// A matmul with a matrix that an earlier kernel zeroes beyond a diagonal (tril, triu, an index mask) becomes
/// several, each over a block of rows or columns and only the range of K that may be nonzero there: half of
/// the work, plus the blocks on the diagonal. As many as still fill the device, so small matmuls stay.
void splitTriangularMatmuls(Program &program);

} // namespace warpwright
