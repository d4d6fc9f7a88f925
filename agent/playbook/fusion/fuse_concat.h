// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/program.h"

namespace warpwright {

/// Splits concatenation kernels: each part's producer writes it at its offset in the result. At most one
/// part, which no kernel computes, keeps a kernel of its own.
void fuseConcats(Program &program);

/// Makes one kernel per part of a large concatenation: no branch per element on the part, and parts that are
/// only copied use wide loads.
void splitLargeConcats(Program &program);

/// One kernel per part of a concatenation along one loop, in order of position; none: it is a single piece,
/// or has more than `most`.
[[nodiscard]] std::vector<Kernel> concatParts(const Kernel &concat, std::size_t most);

} // namespace warpwright
