// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command.h"
#include "app/cli/version_text.h"
#include "toolchain/evaluation_facts.h"
#include "toolchain/evaluation_json.h"

#include <unistd.h>

namespace warpwright {

int refuse(const CommandContext &context, const QString &message) {
    print(STDERR_FILENO, printable(message) + QLatin1Char('\n'));
    if (context.line.asksJson) {
        Evaluation evaluation = emptyEvaluation(programVersion());
        evaluation.verdict = Verdict::Usage;
        evaluation.message = messageFrom(message);
        print(STDOUT_FILENO, QString::fromUtf8(toText(evaluation)));
    }
    return exitCodeFor(Verdict::Usage);
}

} // namespace warpwright
