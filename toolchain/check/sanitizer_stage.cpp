// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/check/sanitizer_stage.h"

#include "toolchain/base/text_file.h"

#include <QFile>

namespace warpwright {
namespace {

Result<QString> makeOpenFolder(const QString &path, QFileDevice::Permissions more) {
    if (const Result<void> made = makeFolder(path); !made.hasValue())
        return Result<QString>::error(made.message());
    QFile::setPermissions(path,
                          QFile::permissions(path) | QFileDevice::ReadOther | QFileDevice::ExeOther | more);
    return Result<QString>::ok(path);
}

} // namespace

QString whyNoSanitizers(const SanitizerNeeds &needs, const QString &sandboxProgram) {
    if (needs.tier != Tier::Certify)
        return QStringLiteral("certify only");
    if (needs.device.kind != TargetKind::Cuda)
        return QStringLiteral("not a CUDA device");
    if (!needs.toolchain.cuda || needs.toolchain.cuda->computeSanitizer.isEmpty())
        return QStringLiteral("there is no compute-sanitizer beside nvcc");
    if (sandboxProgram.isEmpty())
        return QStringLiteral("there is no warpwright-sandbox, the program of the sandbox that it runs in");
    return {};
}

Result<QString> makeExportFolder(const SanitizerNeeds &needs) {
    return makeOpenFolder(needs.scratch + QStringLiteral("/inputs"), {});
}

Result<SanitizerPlan> makeSanitizerPlan(const SanitizerNeeds &needs, const QString &sandboxProgram,
                                        const QString &exportFolder, const Json &exported) {
    const Json words = exported.is_object() ? exported.value("wall", Json()) : Json();
    if (!words.is_array() || words.empty())
        return Result<SanitizerPlan>::error(QStringLiteral("the judge named no sandbox for them"));
    const Result<QString> scratch =
        makeOpenFolder(needs.scratch + QStringLiteral("/sanitizers"), QFileDevice::WriteOther);
    if (!scratch.hasValue())
        return Result<SanitizerPlan>::error(scratch.message());
    SanitizerPlan plan;
    plan.program = needs.toolchain.cuda->computeSanitizer;
    plan.toolkit = needs.toolchain.cuda->root;
    plan.sandboxProgram = sandboxProgram;
    plan.sandboxWords = stringsIn(words);
    plan.interpreter = needs.toolchain.python->interpreter;
    plan.script = needs.refereeSources + QStringLiteral("/worker/sanitize.py");
    plan.inputs = exportFolder;
    plan.runFolder = needs.runFolder;
    plan.workspace = needs.workspace;
    plan.scratch = scratch.value();
    plan.device = needs.device.gpu ? needs.device.gpu->uuid : QString();
    if (plan.device.isEmpty())
        plan.device = QString::number(needs.device.gpu ? needs.device.gpu->index : 0);
    plan.libraryPaths = needs.environment.value(QStringLiteral("LD_LIBRARY_PATH"));
    plan.kernels = needs.kernels;
    return Result<SanitizerPlan>::ok(std::move(plan));
}

} // namespace warpwright
