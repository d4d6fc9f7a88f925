// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/tuning/playbook_moves.h"
#include "toolchain/evaluation/measured_figures.h"

namespace warpwright {

/// The fastest variants of a check's sweep, as one proposal, to be verified and timed like any other text.
/// Empty where the sweep found none faster than `knobSets`.
[[nodiscard]] std::optional<PlaybookMove> sweptMove(const SweepFigures &sweep, const Program &program,
                                                    const std::vector<Knobs> &knobSets);

} // namespace warpwright
