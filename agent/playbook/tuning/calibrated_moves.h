// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/tuning/measurement_table.h"
#include "agent/playbook/tuning/playbook_moves.h"

#include <QString>

#include <vector>

namespace warpwright {

/// What was measured on kernels like these says more than bytes and instructions do: moves from `plan` with
/// `tunings`, those that promise most first, without those that lost on `device` too often.
[[nodiscard]] std::vector<PlaybookMove> calibratedMoves(const MeasurementTable &measured,
                                                        const QString &device, const Program &program,
                                                        const std::vector<Knobs> &knobSets,
                                                        std::vector<PlaybookMove> moves);

} // namespace warpwright
