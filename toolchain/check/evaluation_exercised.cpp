// SPDX-License-Identifier: GPL-3.0-or-later
// The part of evaluation_run.h that says which files were measured, and which were compiled and no more.
#include "toolchain/check/evaluation_run.h"
#include "toolchain/evaluation/judge_sections.h"

namespace warpwright {

void EvaluationRun::tellExercised() {
    const StageStatus verify = statusOf(m_evaluation.verify);
    const bool hasRun = verify == StageStatus::Passed || verify == StageStatus::Failed;
    const bool hasCompiled = m_evaluation.compile.status == StageStatus::Passed;
    m_evaluation.exercised = m_plan.files;
    for (ExercisedFile &one : m_evaluation.exercised) {
        one.isCompiled = one.isCompiled && hasCompiled;
        one.isRun = one.isRun && hasRun;
    }
    if (!hasRun || m_texts.empty())
        return;
    m_evaluation.workspace["ranHash"] = toJson(ranHashOf(m_texts, m_evaluation.exercised));
    if (m_request.parent)
        holdAgainst(m_evaluation, *m_request.parent);
}

} // namespace warpwright
