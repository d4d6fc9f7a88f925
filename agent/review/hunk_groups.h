// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/review/proposal_review.h"

/// Hunks that are no use without each other: a new kernel's files and the line that calls it, or a kernel
/// that goes and the call that goes with it.
namespace warpwright {

/// Of the hunks that belong to others: the number of their group, from 1. By the names that a file brings or
/// takes away whole, and nothing else in the text has; within a file by hunkNeeds().
[[nodiscard]] std::map<int, int> hunkGroups(const ProposalReview &review);
/// The others of its group, in their order.
[[nodiscard]] std::vector<int> hunksWith(const std::map<int, int> &groups, int hunk);

/// The names of kernels that were accepted while their calls were rejected, so that nothing calls them now.
[[nodiscard]] QStringList uncalledNames(const ProposalReview &review);
/// "rejected in part: the new kernel is not called (fused_rows)"; empty without names.
[[nodiscard]] QString uncalledWords(const QStringList &names);
/// The same as a sentence.
[[nodiscard]] QString uncalledSentence(const QStringList &names);

} // namespace warpwright
