// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/schedule/kernel_tuning.h"

/// What a search tries at most: packs, rows that are kept, and clusters.
[[nodiscard]] inline warpwright::KernelTuning allTunings() {
    warpwright::KernelTuning tuning;
    tuning.hasWideLoads = tuning.isOnePass = tuning.isClustered = true;
    return tuning;
}
