// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/kernel_plan.h"

namespace warpwright {

/// Long sums with few results keep few threads busy, however they share a row. Such a kernel becomes two:
/// sums of parts of the row, each with blocks of its own, and the sum of these with what follows it.
///
/// Only where one loop over the row finds all sums, and the results are one a row.
void splitLongSums(KernelPlan &plan);

} // namespace warpwright
