// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/program.h"

namespace warpwright {

/// Splits long reductions with few results, which keep few threads busy under any thread mapping: partial
/// sums of the row, each with blocks of its own, and a kernel that adds these, with what follows.
///
/// Only if one loop over the row has all reductions, and there is one result per row.
void splitLongReductions(Program &program);

/// Adds a contiguous temporary between kernels of the program; returns its buffer.
int addTemporary(Program &program, const Shape &shape, ElementType type);

/// The reductions of a kernel's first loop over a row as a kernel of their own, and the rest, which reads
/// them: a mean, and the moments around it.
struct FirstPass {
    Kernel first;
    Kernel rest;

    bool operator==(const FirstPass &) const = default;
};
[[nodiscard]] FirstPass splitFirstPass(Program &program, const Kernel &kernel);

} // namespace warpwright
