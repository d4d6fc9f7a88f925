// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/schedule/knobs.h"

/// All that a search tries on a GPU for rows: vectors, rows in registers, and clusters.
[[nodiscard]] inline warpwright::Knobs allKnobs() {
    warpwright::Knobs knobs;
    knobs.hasWideLoads = knobs.isPersistent = knobs.isClustered = true;
    return knobs;
}
