// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/tuning/playbook_moves.h"
#include "toolchain/evaluation/measured_figures.h"

namespace warpwright {

/// What a check's sweep liked best, as one proposal: a text that states these variants has to be verified and
/// timed like any other. Nothing where the sweep found none quicker than what `tunings` say.
[[nodiscard]] std::optional<PlaybookMove> sweptMove(const SweepFigures &sweep, const Program &program,
                                                    const std::vector<Knobs> &knobSets);

} // namespace warpwright
