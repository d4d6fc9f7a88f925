// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command.h"
#include "app/cli/version_text.h"
#include "toolchain/evaluation/evaluation_json.h"
#include "toolchain/judge/evaluation_facts.h"

#include <unistd.h>

namespace warpwright {
namespace {

QByteArray evaluationOf(const QString &message, Verdict verdict) {
    Evaluation evaluation = emptyEvaluation(programVersion());
    evaluation.verdict = verdict;
    evaluation.message = messageFrom(message);
    return toText(evaluation);
}

QByteArray errorOf(const QString &message, Verdict verdict) {
    OrderedJson json;
    json["schema"] = "warpwright.error/1";
    json["program"] = toJson(programVersion());
    json["verdict"] = toJson(verdictName(verdict));
    json["exitCode"] = exitCodeFor(verdict);
    json["message"] = toJson(message);
    return dumpJson(json, 2) + '\n';
}

} // namespace

int refuse(const CommandContext &context, const QString &message, Verdict verdict) {
    print(STDERR_FILENO, printable(message) + QLatin1Char('\n'));
    if (context.line.asksJson) {
        const bool isOfCheck =
            context.line.command == CommandLine::Command::Check || context.line.isErrorOfCheck;
        print(STDOUT_FILENO,
              QString::fromUtf8(isOfCheck ? evaluationOf(message, verdict) : errorOf(message, verdict)));
    }
    return exitCodeFor(verdict);
}

} // namespace warpwright
