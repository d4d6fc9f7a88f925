// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/review/shown_hunk.h"

/// A kernel under review, as in the picture that the look is held against.
[[nodiscard]] QString reviewedKernel();
/// One accepted, one open and measured, one with several pieces.
[[nodiscard]] std::vector<warpwright::ShownHunk> threeHunks();
