// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/kernel_plan.h"

namespace warpwright {

/// What runs along rows and the sums that another kernel takes of it, as one kernel: a ray's light, which
/// passes all samples before one. The sums may read what came before an element. Only where packs of a row go
/// along
/// (`row_scan_cuda`), and on GPUs: a CPU goes along alone, and what it does beside that is no vector code.
void mergeScans(KernelPlan &plan);

} // namespace warpwright
