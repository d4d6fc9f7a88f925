// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/referee_state.h"

#include "toolchain/compile_run.h"
#include "toolchain/referee_build.h"
#include "toolchain/referee_plan.h"

#include <QFileInfo>

#include <algorithm>

namespace warpwright {

RefereeState refereeStateOf(const Toolchain &toolchain, const DataFolders &folders) {
    RefereeState state;
    if (!toolchain.python || !toolchain.hostCompiler)
        return state;
    const Result<RefereePlan> plan =
        makeRefereePlan(folders.refereeSources(), *toolchain.python, *toolchain.hostCompiler,
                        toolchain.cuda ? &*toolchain.cuda : nullptr);
    if (!plan.hasValue())
        return state;
    state.isKnown = true;
    state.isBuilt = isRefereeBuilt(folders.data, plan.value());
    state.count = static_cast<int>(plan.value().objects.size() + plan.value().programs.size());
    if (state.isBuilt)
        return state;
    const QString folder = refereeFolder(folders.data, plan.value());
    state.progress = refereeProgress(folder);
    const int left = state.count - std::min(state.progress.done, state.count);
    state.secondsGuess = state.progress.secondsLeft.value_or(refereeSecondsGuess(left, sensibleJobCount()));
    const QString log = folder + QStringLiteral(".log");
    if (QFileInfo::exists(log))
        state.failureLog = log;
    return state;
}

} // namespace warpwright
