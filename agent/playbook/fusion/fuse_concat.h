// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/program.h"

namespace warpwright {

/// Takes kernels apart that join what others have computed, part by part: who computes a part writes it where
/// it belongs. At most one part, which nobody computes, keeps a kernel of its own.
void fuseConcats(Program &program);

/// Makes a kernel for each part of a large join: none asks of each element which part it is of, and what is
/// only copied is copied by wide loads.
void splitLargeConcats(Program &program);

/// A kernel for each part of a join along one loop, in the order of their places; none: it is of one piece,
/// or of more than so many.
[[nodiscard]] std::vector<Kernel> piecesOfConcat(const Kernel &concat, std::size_t most);

} // namespace warpwright
