// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/evaluation/evaluation.h"
#include "toolchain/evaluation/time_ratio.h"

#include <optional>
#include <vector>

/// What a change does, from the evaluations before and after it: numbers of the documents set beside each
/// other, none measured anew.
namespace warpwright {

/// Of one kernel; empty on the side where it is not, or where the compiler did not say.
struct KernelChange {
    QString name;
    std::optional<int> registersBefore, registersAfter;
    std::optional<int> sharedBytesBefore, sharedBytesAfter; ///< static
    /// Theoretical, 0 … 1, with blocks of 256 threads (or as many as its registers allow); empty without
    /// numbers for its architecture.
    std::optional<double> occupancyBefore, occupancyAfter;

    bool operator==(const KernelChange &) const = default;
};

/// What the card of a proposal shows.
struct Evidence {
    EvaluationSummary after;
    QString textHash; ///< of the text that was measured: of another text it is stale
    StageStatus compile = StageStatus::NotRun;
    StageStatus verify = StageStatus::NotRun;
    std::optional<TimeRatio> ratio;
    /// Microseconds, negative is faster: of one run where the text before was timed beside it, else between
    /// two runs, with an interval that holds every pair.
    std::optional<TimeRatio> difference;
    bool isOneRun = false; ///< the text before was timed beside it
    /// Why `ratio` is no difference, as whyNoDifference() says it; empty: it is one, or there is none.
    QString whyNoDifference;
    ExercisedFiles unexercised;        ///< what changed, where nothing of it ran: there is no difference then
    std::vector<KernelChange> kernels; ///< that differ, or are on one side only

    bool operator==(const Evidence &) const = default;
};
/// By the one rule of all comparisons: the ratio decides; where there is none, whether the difference holds
/// 0.
[[nodiscard]] bool isNoDifference(const Evidence &evidence);
/// Why it has no time, of a text that was built in part: "does not compile", "wrong", "run-failed". Empty: it
/// was timed, or nothing is known.
[[nodiscard]] QString whyNotTimed(const Evidence &evidence);
/// `before`: null where the text before was not measured; then nothing is compared.
[[nodiscard]] Evidence evidenceOf(const Evaluation *before, const Evaluation &after, const QString &textHash);
/// The text before in microseconds, as it was measured for that ratio: in the same run where it was timed
/// beside, else in its own check. Empty: it was not.
[[nodiscard]] std::optional<double> measuredBefore(const EvaluationSummary &before,
                                                   const EvaluationSummary &after);
/// The same of evidence with a difference.
[[nodiscard]] std::optional<double> measuredBefore(const Evidence &evidence);
/// The time after in microseconds, on the same base, so that before and difference add up to it; without a
/// difference that of its own check, which may be another. Empty: it was not timed.
[[nodiscard]] std::optional<double> measuredAfter(const Evidence &evidence);

/// The same of what a trajectory keeps of two evaluations: without kernels.
[[nodiscard]] Evidence evidenceOf(const std::optional<EvaluationSummary> &before,
                                  const EvaluationSummary &after, const QString &textHash);

} // namespace warpwright
