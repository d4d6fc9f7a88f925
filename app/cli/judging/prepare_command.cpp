// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/judging/prepare_command.h"

#include "app/cli/options/shared_options.h"
#include "toolchain/base/text_file.h"
#include "toolchain/compile/compile_run.h"
#include "toolchain/compile/header_precompile.h"
#include "toolchain/judge/referee_build.h"
#include "toolchain/workspace/workspace_template.h"

#include <CLI/CLI.hpp>

#include <QCoreApplication>
#include <QEventLoop>
#include <QTemporaryDir>

#include <sys/resource.h>
#include <unistd.h>

namespace warpwright {
namespace {

struct PrepareOptions {
    QString python;
    QString request; ///< a file: only the headers that it asks for; empty: not said
    bool isJudgeOnly = false;

    void addTo(CLI::App &app);
};

void PrepareOptions::addTo(CLI::App &app) {
    addPython(app, python);
    app.add_flag("--judge", isJudgeOnly, "Only the judge");
    addText(app, "--request", request, "Only the headers that this file asks for")->type_name("FILE");
    app.footer("It runs only while the processor is otherwise idle. A check does not need it, and starts it "
               "by itself for headers that it misses; WARPWRIGHT_HEADERS=0 keeps it from that.");
}

/// Empty: done, or somebody else is at it.
QString precompile(const HeaderRequest &request, const QString &cache) {
    QEventLoop loop;
    QString message;
    HeaderPrecompile headers(request, cache);
    QObject::connect(&headers, &HeaderPrecompile::finished, &loop, &QEventLoop::quit);
    QObject::connect(&headers, &HeaderPrecompile::failed, &loop, [&](const QString &why) {
        message = why;
        loop.quit();
    });
    headers.start();
    loop.exec();
    return message;
}

Toolchain probe(const CommandContext &context, const QString &python) {
    ToolchainProbe::Request request;
    request.python = python;
    request.settings = context.settings;
    request.folders = context.folders;
    QEventLoop loop;
    Toolchain found;
    ToolchainProbe prober(request);
    QObject::connect(&prober, &ToolchainProbe::finished, &loop, [&](const Toolchain &toolchain) {
        found = toolchain;
        loop.quit();
    });
    prober.start();
    loop.exec();
    return found;
}

/// Empty: the judge is built, and the copies of torch's library beside it are what they can be.
QString buildJudge(const CommandContext &context, const Toolchain &toolchain) {
    const auto plan = makeRefereePlan(context.folders.refereeSources(), *toolchain.python,
                                      *toolchain.hostCompiler, toolchain.cuda ? &*toolchain.cuda : nullptr);
    if (!plan.hasValue())
        return plan.message();
    QEventLoop loop;
    QString message;
    RefereeBuild build(plan.value(), context.folders.data, sensibleJobCount());
    QObject::connect(&build, &RefereeBuild::finished, &loop, &QEventLoop::quit);
    QObject::connect(&build, &RefereeBuild::failed, &loop, [&](const QString &why) {
        message = why;
        loop.quit();
    });
    build.start();
    loop.exec();
    return message;
}

/// The objects of the template: binding.cpp is the same text in every workspace.
QString compileTemplate(const CommandContext &context, const Toolchain &toolchain, TargetKind kind) {
    const QTemporaryDir folder;
    const auto made =
        createWorkspace(folder.filePath(QStringLiteral("workspace")),
                        context.folders.resources + QStringLiteral("/samples/softmax-rows/model.py"),
                        context.folders.resources);
    if (!made.hasValue())
        return made.message();
    const auto workspace = Workspace::open(folder.filePath(QStringLiteral("workspace")), context.folders);
    if (!workspace.hasValue())
        return workspace.message();
    const GpuDevice *device = toolchain.devices.empty() ? nullptr : &toolchain.devices.front();
    const auto plan =
        makeCompilePlan(workspace.value(), toolchain,
                        {kind, chooseArchitecture(workspace.value(), context.settings, device)});
    if (!plan.hasValue())
        return plan.message();
    CompileRun::Options options;
    options.cacheFolder = context.folders.cache;
    options.maxJobs = 1;
    options.preparer.clear(); // That is us.
    options.sandbox = makeBuildSandbox(findSandboxProgram(QCoreApplication::applicationDirPath()),
                                       plan.value(), toolchain, options.environment);
    QEventLoop loop;
    QString message;
    CompileRun run(plan.value(), options);
    QObject::connect(&run, &CompileRun::finished, &loop, [&](const CompileOutcome &outcome) {
        if (outcome.status != CompileStatus::Passed)
            message = QStringLiteral("Cannot compile the workspace template: ") + outcome.log;
        loop.quit();
    });
    QObject::connect(&run, &CompileRun::failed, &loop, [&](const QString &why) {
        message = why;
        loop.quit();
    });
    run.start();
    loop.exec();
    return message;
}

int runPrepare(const CommandContext &context, const PrepareOptions &asked) {
    // Somebody waits for the judge soon: behind others, but not until the machine is idle.
    if (asked.isJudgeOnly)
        setpriority(PRIO_PROCESS, 0, 10);
    else
        stepBehindEverybody();
    if (!asked.request.isEmpty()) {
        const auto text = readTextFile(asked.request);
        if (!text.hasValue())
            return refuse(context, text.message());
        const auto request = HeaderRequest::fromJson(text.value());
        if (!request.hasValue())
            return refuse(
                context,
                QStringLiteral("Cannot use \"%1\" as a request: %2.").arg(asked.request, request.message()));
        const QString message = precompile(request.value(), context.folders.cache);
        return message.isEmpty() ? 0 : refuse(context, message);
    }
    const Toolchain toolchain = probe(context, asked.python);
    for (const QString &missing : {toolchain.hostCompiler ? QString() : toolchain.hostCompilerMessage,
                                   toolchain.python ? QString() : toolchain.pythonMessage})
        if (!missing.isEmpty())
            return refuse(context, missing);
    if (const QString message = buildJudge(context, toolchain); !message.isEmpty())
        return refuse(context, message);
    if (asked.isJudgeOnly)
        return 0;
    const TargetKind kind = !toolchain.devices.empty() && toolchain.cuda && toolchain.python->hasTorchCuda()
                                ? TargetKind::Cuda
                                : TargetKind::Cpu;
    if (const QString message = compileTemplate(context, toolchain, kind); !message.isEmpty())
        return refuse(context, message);
    // None: this compiler has no precompiled headers of GCC's kind.
    for (const HeaderRequest &headers : usualHeaders(toolchain, kind))
        if (const QString message = precompile(headers, context.folders.cache); !message.isEmpty())
            return refuse(context, message);
    return 0;
}

} // namespace

Command prepareCommand() {
    return commandWith(
        "prepare",
        "Compile in advance what every check needs: the judge, torch's headers, the template's binding",
        runPrepare);
}

} // namespace warpwright
