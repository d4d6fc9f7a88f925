// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/options/verdict_help.h"

#include "toolchain/base/verdict.h"

namespace warpwright {

QString verdictTable() {
    QString text = QStringLiteral("Exit codes of check, by verdict:\n");
    for (const Verdict verdict :
         {Verdict::Pass, Verdict::Wrong, Verdict::Rejected, Verdict::RunFailed, Verdict::Impossible,
          Verdict::TaskFailed, Verdict::Usage, Verdict::Environment, Verdict::BuildFailed, Verdict::NotRun,
          Verdict::Inconclusive, Verdict::Unverifiable, Verdict::Cancelled}) {
        text += QStringLiteral("  %1  %2 %3\n")
                    .arg(exitCodeFor(verdict), 3)
                    .arg(verdictName(verdict), -13)
                    .arg(verdictMeaning(verdict));
    }
    return text +
           QStringLiteral(
               "\n«not-run» is never a pass: compile alone, or a CUDA kernel without a GPU, ends with 4.\n"
               "Beside X.cu lies X.cpp, its CPU twin: on a CPU the twin is measured, on a GPU the kernel. A "
               "change of\n"
               "which nothing ran is «not exercised», and keeps verdict and reward of the text before it.");
}

QString rewardText() {
    return QStringLiteral("Reward: -1 wrong; 1 right; 2 also more than 5 % faster than eager PyTorch;\n"
                          "        3 also more than 5 % faster than torch.compile.\n"
                          "        None for a degenerate task: its result is the same whatever comes in.");
}

} // namespace warpwright
