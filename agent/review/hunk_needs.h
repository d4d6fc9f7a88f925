// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/review/proposal_review.h"

#include <utility>
#include <vector>

namespace warpwright {

/// Hunks of one C++ or CUDA file that do not build without each other: an #include and the lines that use
/// what it declares, a variable and the lines that use it. In pairs, and only where the text says it for
/// certain.
[[nodiscard]] std::vector<std::pair<int, int>> hunkNeeds(const ProposalReview &review);

} // namespace warpwright
