// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/session/auto_policy.h"
#include "app/ide/layout/budget_meters.h"

namespace warpwright {

/// It has used tokens, and nobody said what they cost.
[[nodiscard]] bool isCostUnknown(const RunMeter &meter);
/// How a run stands to its budgets, as the meters show it; the model's context where it is known.
[[nodiscard]] std::vector<Budget> budgetsOf(const RunBudgets &budgets, const RunMeter &meter);

/// Those of them that mean something to a run of this kind: a series of patches, as a lesson is, takes no
/// tokens and costs nothing, and what has no limit is not watched.
[[nodiscard]] std::vector<Budget> shownBudgets(const RunBudgets &budgets, const RunMeter &meter,
                                               AuthorKind kind);

} // namespace warpwright
