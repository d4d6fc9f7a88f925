// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/inspect/occupancy.h"

#include <optional>

/// What NVIDIA's own calculator, the header cuda_occupancy.h of a CUDA toolkit, says: resident blocks, and
/// the most blocks for each reason (-1: no limit). Nothing where the tests were built without that header.
/// Its licence lets us compare with it, not ship it.
struct ReferenceOccupancy {
    int blocks = 0;
    int byWarps = -1;
    int byRegisters = -1;
    int byShared = -1;
    int byBlocks = -1;
};

[[nodiscard]] std::optional<ReferenceOccupancy>
referenceOccupancy(const warpwright::MultiprocessorLimits &limits, int major, int minor,
                   const warpwright::BlockNeeds &needs);
