// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/judge/referee_state.h"

#include "toolchain/compile/compile_run.h"
#include "toolchain/judge/referee_build.h"

#include <QFileInfo>

#include <algorithm>

namespace warpwright {

RefereeState refereeStateOf(const Toolchain &toolchain, const DataFolders &folders) {
    if (!toolchain.python || !toolchain.hostCompiler)
        return {};
    const Result<RefereePlan> plan =
        makeRefereePlan(folders.refereeSources(), *toolchain.python, *toolchain.hostCompiler,
                        toolchain.cuda ? &*toolchain.cuda : nullptr);
    return plan.hasValue() ? refereeStateOf(plan.value(), folders.data) : RefereeState();
}

RefereeState refereeStateOf(const RefereePlan &plan, const QString &data) {
    RefereeState state;
    state.isKnown = true;
    state.isBuilt = isRefereeBuilt(data, plan);
    state.count = static_cast<int>(plan.objects.size() + plan.programs.size());
    if (state.isBuilt)
        return state;
    const QString folder = refereeFolder(data, plan);
    state.progress = refereeProgress(folder);
    const int left = state.count - std::min(state.progress.done, state.count);
    state.secondsGuess = state.progress.secondsLeft.value_or(refereeSecondsGuess(left, sensibleJobCount()));
    const QString log = folder + QStringLiteral(".log");
    if (QFileInfo::exists(log))
        state.failureLog = log;
    return state;
}

QString unbuiltWords(const RefereeState &state) {
    if (state.progress.isRunning)
        return QStringLiteral(
                   "It is being compiled, once for this machine and torch: step %1 of %2, %3 left.")
            .arg(state.progress.step())
            .arg(state.count)
            .arg(roughTimeText(state.secondsGuess));
    return QStringLiteral("Not compiled yet for this machine and torch; the first check does it, once: %1 of "
                          "%2 steps, %3 with %4 at once.")
        .arg(state.count - std::min(state.progress.done, state.count))
        .arg(state.count)
        .arg(roughTimeText(state.secondsGuess))
        .arg(sensibleJobCount());
}

} // namespace warpwright
