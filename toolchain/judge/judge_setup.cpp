// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/judge/judge_setup.h"

#include "toolchain/base/text_file.h"
#include "toolchain/judge/evaluation_facts.h"

#include <QFileInfo>

namespace warpwright {

Result<JudgeSession::Setup> makeJudgeSetup(const JudgeNeeds &needs) {
    using Answer = Result<JudgeSession::Setup>;
    const PythonEnvironment &python = *needs.toolchain.python;
    const QString sources = needs.folders.refereeSources();
    JudgeSession::Setup setup;
    setup.replacement = needs.replacement;
    setup.data = needs.folders.data;
    if (setup.replacement.isEmpty()) {
        if (!needs.toolchain.hostCompiler)
            return Answer::error(needs.toolchain.hostCompilerMessage);
        const CudaToolkit *cuda = needs.toolchain.cuda ? &*needs.toolchain.cuda : nullptr;
        const Result<RefereePlan> plan =
            makeRefereePlan(sources, python, *needs.toolchain.hostCompiler, cuda);
        if (!plan.hasValue())
            return Answer::error(plan.message());
        setup.plan = plan.value();
    }

    // What torch.compile keeps is good only for the torch that made it.
    const QString inductor = needs.folders.cache + QStringLiteral("/inductor/") + python.torchVersion;
    const QString baselines =
        baselinesFile(needs.folders.cache, needs.workspace, needs.toolchain, needs.device);
    for (const QString &folder : {needs.scratch, inductor, QFileInfo(baselines).path()}) {
        if (const Result<void> made = makeFolder(folder); !made.hasValue())
            return Answer::error(made.message());
    }
    setup.openParams =
        Json{{"model", toJson(needs.workspace.modelFile)},
             {"folder", toJson(needs.workspace.folder)},
             {"device", toJson(needs.device.torchName())},
             {"deviceUuid", toJson(needs.device.gpu ? needs.device.gpu->uuid : QString())},
             {"python", toJson(python.interpreter)},
             {"workerScript", toJson(sources + QStringLiteral("/worker/worker.py"))},
             {"scratch", toJson(needs.scratch)},
             {"cache", toJson(inductor)},
             {"allowedPrecision", stringsToJson<Json>(needs.workspace.task.allow)},
             {"ieee", needs.workspace.task.asksForIeee},
             {"mode", needs.workspace.task.trains ? "train" : "eval"},
             {"tier", toJson(tierName(needs.tier))},
             {"baselines", toJson(baselines)},
             // For tests, and for a system on which the judge chooses wrongly.
             {"wall", toJson(qEnvironmentVariable("WARPWRIGHT_WALL", QStringLiteral("auto")))},
             {"wallMemoryBytes", qEnvironmentVariableIntValue("WARPWRIGHT_WALL_MEMORY_MIB") * (1LL << 20)}};
    return Answer::ok(std::move(setup));
}

} // namespace warpwright
