// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command.h"

#include "app/cli/process/version_text.h"
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

QString notUnderstood(const QString &why, const QString &help) {
    QString reason = why.trimmed();
    if (reason.endsWith(QLatin1Char('.')))
        reason.chop(1);
    return QStringLiteral("Cannot understand the command: %1. Run %2.").arg(reason, help);
}

int refuse(const CommandContext &context, const QString &message, Verdict verdict) {
    print(STDERR_FILENO, printable(message) + QLatin1Char('\n'));
    if (context.asksJson)
        print(STDOUT_FILENO, QString::fromUtf8(context.refusesWithEvaluation ? evaluationOf(message, verdict)
                                                                             : errorOf(message, verdict)));
    return exitCodeFor(verdict);
}

} // namespace warpwright
