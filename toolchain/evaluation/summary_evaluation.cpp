// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/evaluation/summary_evaluation.h"

namespace warpwright {

Evaluation evaluationOfSummary(const EvaluationSummary &summary) {
    Evaluation evaluation;
    evaluation.id = summary.id;
    evaluation.startedAt = summary.startedAt;
    evaluation.verdict = summary.verdict;
    evaluation.reward = summary.reward;
    evaluation.tier = summary.tier;
    evaluation.lastStage = summary.lastStage;
    evaluation.doubts = summary.doubts;
    evaluation.exercised = summary.notRun;
    evaluation.unexercised = summary.unexercised;
    if (summary.verdict == Verdict::BuildFailed)
        evaluation.compile.status = StageStatus::Failed;
    else if (summary.candidate) // it was timed, so it was compiled
        evaluation.compile.status = StageStatus::Passed;
    return evaluation;
}

} // namespace warpwright
