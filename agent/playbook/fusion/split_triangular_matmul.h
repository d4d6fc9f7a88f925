// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/program.h"

namespace warpwright {

/// Products one of whose matrices a kernel before fills with zeros beyond a diagonal (tril, triu, a mask of
/// places) become several, each of a block of rows or columns and of what is summed over only what may not be
/// zero there: half of the work, less the blocks on the diagonal. As many as leave the device full, so none
/// of a small product.
void splitTriangularMatmuls(Program &program);

} // namespace warpwright
