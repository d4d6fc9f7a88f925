// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/counters/collect_stage.h"

#include "toolchain/base/text_file.h"

#include <QFile>
#include <QFileInfo>

namespace warpwright {

CollectRefusal whyNotCollectable(const DeviceChoice &device, const Toolchain &toolchain,
                                 const QProcessEnvironment &environment, const QString &sandboxProgram) {
    if (device.kind != TargetKind::Cuda)
        return {toolchain.devices.empty()
                    ? QStringLiteral("no CUDA device: not run")
                    : QStringLiteral("the device is the CPU, and counters are those of a GPU"),
                QStringLiteral("wright findings and wright inspect tell what the compiler knows, without a "
                               "device; reports of other machines open with wright counters --import.")};
    if (!findNsightCompute(toolchain.cuda ? &*toolchain.cuda : nullptr, environment))
        return {QStringLiteral("there is no Nsight Compute (ncu) here"), adviceForNsightCompute()};
    if (sandboxProgram.isEmpty())
        return {QStringLiteral(
                    "there is no warpwright-sandbox, the program of the sandbox that the candidate runs in"),
                QStringLiteral("Install the package again.")};
    return {};
}

Result<CollectPlan> makeCollectPlan(const CollectNeeds &needs, const CollectRequest &asked,
                                    const QString &sandboxProgram, const QString &exportFolder,
                                    const Json &exported) {
    const Json words = exported.is_object() ? exported.value("wall", Json()) : Json();
    if (!words.is_array() || words.empty())
        return Result<CollectPlan>::error(QStringLiteral("the judge named no sandbox for the profiler"));
    const QString scratch = needs.scratch + QStringLiteral("/counters");
    if (const Result<void> made = makeFolder(scratch); !made.hasValue())
        return Result<CollectPlan>::error(made.message());
    // The candidate may run as another user.
    QFile::setPermissions(scratch, QFile::permissions(scratch) | QFileDevice::ReadOther |
                                       QFileDevice::ExeOther | QFileDevice::WriteOther);
    CollectPlan plan;
    plan.asked = asked;
    plan.ncu = *findNsightCompute(needs.toolchain.cuda ? &*needs.toolchain.cuda : nullptr, needs.environment);
    plan.sandboxProgram = sandboxProgram;
    plan.sandboxWords = stringsIn(words);
    plan.interpreter = needs.toolchain.python->interpreter;
    plan.script = needs.refereeSources + QStringLiteral("/worker/one_call.py");
    plan.inputs = exportFolder;
    plan.runFolder = needs.runFolder;
    plan.modelFile = needs.modelFile;
    plan.toolkit = needs.toolchain.cuda ? needs.toolchain.cuda->root : QString();
    plan.scratch = scratch;
    plan.device = needs.device.gpu ? needs.device.gpu->uuid : QString();
    if (plan.device.isEmpty())
        plan.device = QString::number(needs.device.gpu ? needs.device.gpu->index : 0);
    plan.environment = needs.environment;
    return Result<CollectPlan>::ok(std::move(plan));
}

ReportReading reportReading(const Toolchain &toolchain, const QString &python, const DataFolders &folders,
                            const QProcessEnvironment &environment) {
    ReportReading reading;
    const QString ours = folders.pythonEnvironment + QStringLiteral("/bin/python3");
    for (const QString &interpreter : {python, toolchain.python ? toolchain.python->interpreter : QString(),
                                       QFileInfo::exists(ours) ? ours : QString()})
        if (!interpreter.isEmpty() && !reading.interpreters.contains(interpreter))
            reading.interpreters << interpreter;
    reading.script = folders.resources + QStringLiteral("/read_ncu_report.py");
    reading.ncu = findNsightCompute(toolchain.cuda ? &*toolchain.cuda : nullptr, environment);
    reading.scratchFolder = folders.cache + QStringLiteral("/scratch");
    return reading;
}

} // namespace warpwright
