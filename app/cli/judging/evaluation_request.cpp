// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/judging/evaluation_request.h"

#include "app/cli/process/version_text.h"

#include <QDir>

namespace warpwright {

EvaluationRequest evaluationRequestFor(const CommandContext &context, const QString &path,
                                       const MachineOptions &machine) {
    EvaluationRequest request;
    request.path = QDir::current().absoluteFilePath(path);
    request.device = machine.device;
    request.python = machine.python;
    request.tier = context.settings.tier.value_or(Tier::Quick);
    request.settings = context.settings;
    request.folders = context.folders;
    request.programVersion = programVersion();
    // For those who write a judge, and for the tests of what happens when it dies.
    request.judgeProgram = qEnvironmentVariable("WARPWRIGHT_JUDGE");
    request.judgeSilenceMs = qEnvironmentVariableIntValue("WARPWRIGHT_JUDGE_SILENCE_MS");
    return request;
}

} // namespace warpwright
