// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/evaluation/evaluation_summary.h"

namespace warpwright {

/// The iteration that a text is a change of, and what was found of it last.
struct CheckedParent {
    int iteration = 0; ///< 0: it is none of the history
    EvaluationSummary summary;

    bool operator==(const CheckedParent &) const = default;
};

/// Whether a change was not exercised: on one device, with one software, the same code ran for both texts,
/// and only files differ that did not run. What was measured of `after` is then a repeat of `before`. The
/// files that differ; none: the change was exercised, or nothing says that it was not.
[[nodiscard]] ExercisedFiles unexercisedFiles(const EvaluationSummary &before,
                                              const EvaluationSummary &after);

/// "not exercised: kernels/softmax_rows.cu was compiled, not run"; empty: it was.
[[nodiscard]] QString unexercisedSentence(const std::optional<Unexercised> &unexercised);

/// Marks the evaluation of a change that was not exercised, and gives it the verdict and the reward of its
/// parent, where the parent was asked as much and its verdict says something of the code that ran. What was
/// found wrong here stands: the same code did that. What was measured stays in Unexercised.
void holdAgainst(Evaluation &evaluation, const CheckedParent &parent);
void holdAgainst(EvaluationSummary &summary, const CheckedParent &parent);

/// What was measured, whatever was kept of a parent.
[[nodiscard]] Verdict measuredVerdict(const Evaluation &evaluation);

} // namespace warpwright
