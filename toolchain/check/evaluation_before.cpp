// SPDX-License-Identifier: GPL-3.0-or-later
// The part of evaluation_run.h about the text that this one is a change of: its build is mostly there
// already, and it is timed beside the candidate. Nothing of it decides the verdict.
#include "toolchain/check/evaluation_run.h"
#include "toolchain/evaluation/judge_sections.h"
#include "toolchain/workspace/candidate_texts.h"

namespace warpwright {

void EvaluationRun::startBefore() {
    if (m_request.before.isEmpty() || m_request.lastStage != LastStage::Profile ||
        !whyNotRunnable().isEmpty())
        return;
    const Result<Workspace> opened = Workspace::open(m_request.before, m_request.folders);
    if (!opened.hasValue())
        return withoutBefore(opened.message());
    Workspace before = opened.value();
    before.task = before.task.withDefaults(m_request.settings);
    const Result<CandidateTexts> texts = readCandidateTexts(before);
    const Result<CompilePlan> plan = makeCompilePlan(before, m_toolchain, m_target);
    if (!texts.hasValue() || !plan.hasValue())
        return withoutBefore(texts.hasValue() ? plan.message() : texts.message());
    m_textHashBefore = textHashOf(texts.value());
    m_compileBefore = makeCompileRun(plan.value());
    const auto done = [this](const QString &why) {
        m_compileBefore = nullptr;
        if (!why.isEmpty())
            withoutBefore(why);
        if (m_isEnding)
            settle();
        else
            goOn();
    };
    connect(m_compileBefore, &CompileRun::finished, this, [this, done](const CompileOutcome &outcome) {
        m_runFolderBefore = outcome.runFolder;
        done(outcome.status == CompileStatus::Passed ? QString() : QStringLiteral("it cannot be compiled"));
    });
    connect(m_compileBefore, &CompileRun::failed, this, done);
    m_compileBefore->start();
}

void EvaluationRun::withoutBefore(const QString &why) {
    m_noBefore = why;
    if (!m_isEnding)
        addDoubt(QStringLiteral("The text before this change was not timed beside it: %1").arg(why));
}

// The judge knows folders; the document names the text.
void EvaluationRun::nameBefore(OrderedJson &profile) const {
    if (m_textHashBefore.isEmpty() && m_noBefore.isEmpty())
        return;
    OrderedJson before = profile.contains("before") ? profile["before"] : OrderedJson();
    if (!before.is_object())
        before = {{"status", "not-run"},
                  {"reason", toJson(m_noBefore.isEmpty() ? QStringLiteral("not reached") : m_noBefore)}};
    before["textHash"] = m_textHashBefore.isEmpty() ? OrderedJson() : OrderedJson(toJson(m_textHashBefore));
    profile["before"] = std::move(before);
}

} // namespace warpwright
