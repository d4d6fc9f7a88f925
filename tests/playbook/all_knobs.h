// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/schedule/knobs.h"

/// What a search tries at most: packs, rows that are kept, and clusters.
[[nodiscard]] inline warpwright::Knobs allKnobs() {
    warpwright::Knobs knobs;
    knobs.hasWideLoads = knobs.isPersistent = knobs.isClustered = true;
    return knobs;
}
