// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/tools/tool_run.h"

#include "toolchain/environment/inquiry.h"
#include "toolchain/process/in_pool.h"

namespace warpwright {

void ToolRun::withToolchain(const std::function<void(const Toolchain &)> &then) {
    if (m_context.toolchain) {
        then(*m_context.toolchain);
        return;
    }
    const EvaluationRequest &request = m_context.place.request;
    ToolchainProbe::Request question;
    question.python = request.python;
    question.settings = request.settings;
    question.folders = request.folders;
    question.environment = request.environment;
    new Inquiry<ToolchainProbe, Toolchain>(question, this, [this, then](const Toolchain &toolchain) {
        m_context.toolchain = toolchain;
        then(toolchain);
    });
}

void ToolRun::withTexts(const std::function<void(const CandidateTexts &)> &then) {
    inPool(
        this, [work = m_context.work] { return work.texts(); },
        [this, then](const Result<CandidateTexts> &texts) {
            if (texts.hasValue())
                then(texts.value());
            else
                emit ended(failedAnswer(texts.message()));
        });
}

} // namespace warpwright
