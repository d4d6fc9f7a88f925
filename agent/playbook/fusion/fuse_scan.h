// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/program.h"

namespace warpwright {

/// Fuses a scan along rows with its consumer and that one's reductions: light along a ray, which passes all
/// samples before one. The consumer may also read the exclusive scan. Only where a vectorized scan
/// (`row_scan`) can run, and on GPUs: a CPU scans serially, and other work in that loop would not be
/// vectorized.
void fuseScans(Program &program);

} // namespace warpwright
