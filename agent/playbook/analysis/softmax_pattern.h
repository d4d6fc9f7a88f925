// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/kernel.h"

#include <optional>

/// The softmax between the two matmuls of attention, matched in a kernel's steps.
namespace warpwright {

/// A softmax over a kernel's rows.
struct Softmax {
    int logit = -1;      ///< its operand, a step
    bool isSafe = false; ///< a row of -infinity becomes zeros; else it is undefined
};
/// Matches a step that is a softmax's result; empty: it is none.
[[nodiscard]] std::optional<Softmax> softmaxOf(const Kernel &kernel, int step);

/// By step: whether `step` depends on it; a step depends on itself.
[[nodiscard]] std::vector<bool> neededBy(const Kernel &kernel, int step);
[[nodiscard]] bool isDerivedFrom(const Kernel &kernel, int step, int part);
[[nodiscard]] bool dependsOnReduction(const Kernel &kernel, int step);

/// A comparison of indices in an attention kernel: where it fails, the score is -infinity.
struct MaskCondition {
    int step = 0;
    bool isNegated = false; ///< it has to be false
    AffineExpr form;        ///< not negative where the condition holds
};
/// Appends the comparisons that a condition, `number`, implies, or those of its opposite (`isNegated`).
void addMaskConditions(const Kernel &kernel, int number, bool isNegated, std::vector<MaskCondition> &all);
/// Those that depend on loop counters only.
[[nodiscard]] std::vector<MaskCondition> maskConditions(const Kernel &kernel);

/// A score that is only multiplied by a positive constant or masked to -infinity.
struct ScaledScore {
    double factor = 1;
    std::vector<int> scalings; ///< the multiplying steps, in order
};
[[nodiscard]] std::optional<ScaledScore> scaledScore(const Kernel &kernel);

} // namespace warpwright
