// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/tuning/measurement_table.h"
#include "agent/playbook/tuning/playbook_moves.h"

#include <QString>

#include <vector>

namespace warpwright {

/// Measurements of kernels like these say more than bytes and instructions: `moves` from `program` with
/// `knobSets`, best expected first, without those that lost on `device` too often.
[[nodiscard]] std::vector<PlaybookMove> calibratedMoves(const MeasurementTable &measured,
                                                        const QString &device, const Program &program,
                                                        const std::vector<Knobs> &knobSets,
                                                        std::vector<PlaybookMove> moves);

} // namespace warpwright
