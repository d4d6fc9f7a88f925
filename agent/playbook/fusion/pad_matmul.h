// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/program.h"

namespace warpwright {

/// cuBLASLt's Hopper kernels need result rows of whole 16-byte vectors; for 5005 columns it falls back to
/// kernels of the generation before with scalar access, at a third of the speed. If the second matrix is
/// small compared to the work, a copy of it is padded with zero rows until the columns are whole vectors, and
/// the matmul computes those as well, into the padding of the result's rows, which nobody reads.
///
/// K has to be whole vectors, too. If not, and each element is reused often enough, both matrices are copied
/// to zero-padded rows. A matrix with misaligned rows is copied as well.
void padMatmuls(Program &program);

} // namespace warpwright
