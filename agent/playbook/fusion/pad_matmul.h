// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/program.h"

namespace warpwright {

/// cuBLASLt's kernels for Hopper take results of whole packs of 16 bytes; for 5005 columns it has those of
/// the generation before, element by element, at a third of the speed. Where the second matrix is small
/// against the work, a copy of it gets rows of zeros until the columns are whole packs, and the product
/// computes those as well: into the end of the result's rows, which nobody reads.
/// What is summed over has to be whole packs, too. Where it is not, and each element is used often enough to
/// pay for it, both matrices are copied to rows that end in zeros. And a matrix whose rows begin anywhere is
/// copied.
void padMatmuls(Program &program);

} // namespace warpwright
