// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/kernel.h"

#include <optional>

/// What lies between the two products of attention, read off a kernel's steps.
namespace warpwright {

/// A softmax over a kernel's rows.
struct Softmax {
    int logit = -1;      ///< the step that it is of
    bool isSafe = false; ///< a row of -infinity becomes zeros; else it has no value
};
/// Of the step that is a softmax's result; empty: it is none.
[[nodiscard]] std::optional<Softmax> softmaxOf(const Kernel &kernel, int step);

/// By step: whether it is needed to compute `step`; a step needs itself.
[[nodiscard]] std::vector<bool> neededBy(const Kernel &kernel, int step);
[[nodiscard]] bool isMadeOf(const Kernel &kernel, int step, int part);
[[nodiscard]] bool hasSumsBelow(const Kernel &kernel, int step);

/// A comparison of places: in a kernel of Anchor::Attention, without which a score is -infinity.
struct MaskCondition {
    int step = 0;
    bool isNegated = false; ///< it has to fail
    AffineExpr form;        ///< not negative where it is as it has to be
};
/// Those without which a condition, `number`, does not hold, or holds where it should not (`isNegated`).
void addMaskConditions(const Kernel &kernel, int number, bool isNegated, std::vector<MaskCondition> &all);
/// Those that are about the loops' counters alone.
[[nodiscard]] std::vector<MaskCondition> maskConditions(const Kernel &kernel);

/// Where what becomes of a score is the score times a positive number, or -infinity.
struct ScaledScore {
    double factor = 1;
    std::vector<int> scalings; ///< the steps that multiply, those that come first in front
};
[[nodiscard]] std::optional<ScaledScore> scaledScore(const Kernel &kernel);

} // namespace warpwright
