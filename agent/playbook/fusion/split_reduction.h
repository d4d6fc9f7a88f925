// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/program.h"

namespace warpwright {

/// Long sums with few results keep few threads busy, however they share a row. Such a kernel becomes two:
/// sums of parts of the row, each with blocks of its own, and the sum of these with what follows it.
///
/// Only where one loop over the row finds all sums, and the results are one a row.
void splitLongReductions(Program &program);

/// Memory between kernels of the plan, by rows; its buffer.
int addTemporary(Program &program, const Shape &shape, ElementType type);

/// What a kernel sums in its first loop over a row as a kernel of its own, and the rest, which reads that: a
/// mean, and the moments around it.
struct FirstPass {
    Kernel first;
    Kernel rest;

    bool operator==(const FirstPass &) const = default;
};
[[nodiscard]] FirstPass splitFirstPass(Program &program, const Kernel &kernel);

} // namespace warpwright
