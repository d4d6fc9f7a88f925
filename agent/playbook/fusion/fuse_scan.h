// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/program.h"

namespace warpwright {

/// What runs along rows and what another kernel makes of it as one kernel, with the sums of that: a ray's
/// light, which passes all samples before one. It may be read as it was before an element. Only where packs
/// of a row go along
/// (`row_scan_cuda`), and on GPUs: a CPU goes along alone, and what it does beside that is no vector code.
void fuseScans(Program &program);

} // namespace warpwright
