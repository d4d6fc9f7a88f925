// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/evaluation_request.h"

#include "app/cli/version_text.h"

#include <QDir>

namespace warpwright {

EvaluationRequest evaluationRequestFor(const CommandContext &context) {
    EvaluationRequest request;
    request.path = QDir::current().absoluteFilePath(context.line.path);
    request.device = context.line.device;
    request.python = context.line.python;
    request.tier = context.line.tier.value_or(context.settings.tier.value_or(Tier::Quick));
    request.lastStage = context.line.lastStage;
    request.sweepsConfigs = context.line.sweepsConfigs;
    request.settings = context.settings;
    request.folders = context.folders;
    request.programVersion = programVersion();
    // For those who write a judge, and for the tests of what happens when it dies.
    request.judgeProgram = qEnvironmentVariable("WARPWRIGHT_JUDGE");
    request.judgeSilenceMs = qEnvironmentVariableIntValue("WARPWRIGHT_JUDGE_SILENCE_MS");
    return request;
}

} // namespace warpwright
