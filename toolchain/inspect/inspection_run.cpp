// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/inspect/inspection_run.h"

#include "toolchain/base/text_file.h"
#include "toolchain/history/iteration_folder.h"
#include "toolchain/inspect/inspection_plan.h"
#include "toolchain/tool_output/ptx_listing.h"

#include <QCoreApplication>
#include <QDir>

#include <algorithm>

namespace warpwright {
namespace {

QString cacheOf(const DataFolders &folders) {
    return folders.cache + QStringLiteral("/objects");
}

} // namespace

InspectionRun::InspectionRun(InspectionRequest request, QObject *parent)
    : QObject(parent), m_request(std::move(request)) {}

void InspectionRun::start() {
    QMetaObject::invokeMethod(this, &InspectionRun::open, Qt::QueuedConnection);
}

void InspectionRun::cancel() {
    if (m_isDone)
        return;
    m_inspection.status = CompileStatus::Cancelled;
    if (m_probe)
        m_probe->cancel();
    if (m_compile)
        m_compile->cancel();
    else if (m_disassembly)
        m_disassembly->cancel();
    else
        QMetaObject::invokeMethod(this, &InspectionRun::end, Qt::QueuedConnection);
}

void InspectionRun::show(const QString &stage, const QString &step, int index, int count) {
    StageProgress now;
    now.stage = stage;
    now.step = step;
    now.index = index;
    now.count = count;
    emit progress(now);
}

void InspectionRun::open() {
    if (m_isDone)
        return;
    const Result<Workspace> opened = Workspace::open(m_request.path, m_request.folders);
    if (!opened.hasValue())
        return fail(opened.message());
    m_workspace = opened.value();
    if (m_request.iteration > 0) {
        auto earlier = layOutIteration(m_workspace, m_request.iteration, m_request.folders);
        if (!earlier.hasValue())
            return fail(earlier.message());
        m_workspace = std::move(earlier).value();
    }
    m_workspace.task = m_workspace.task.withDefaults(m_request.settings);
    m_inspection.workspace = m_workspace.folder;
    if (!m_workspace.hasCudaSources())
        return fail(QStringLiteral(
                        "Cannot inspect \"%1\": it has no .cu files, and a compiler's knowledge of kernels "
                        "comes from nvcc alone. Write a kernel below kernels/.")
                        .arg(m_workspace.folder));
    if (m_request.toolchain)
        return toolsFound(*m_request.toolchain);
    show(QStringLiteral("prepare"), QStringLiteral("look for compilers, Python and torch"));
    m_probe = new ToolchainProbe(ToolchainProbe::Request{m_request.python, m_request.settings,
                                                         m_request.folders, m_request.environment, false},
                                 this);
    connect(m_probe, &ToolchainProbe::finished, this, &InspectionRun::toolsFound);
    m_probe->start();
}

void InspectionRun::toolsFound(const Toolchain &toolchain) {
    if (m_isDone)
        return;
    m_toolchain = toolchain;
    if (!m_toolchain.cuda)
        return fail(m_toolchain.cudaMessage);
    m_inspection.nvcc = m_toolchain.cuda->version;
    const GpuDevice *device = m_toolchain.devices.empty() ? nullptr : &m_toolchain.devices.front();
    m_inspection.architecture = m_request.architecture.isEmpty()
                                    ? chooseArchitecture(m_workspace, m_request.settings, device)
                                    : m_request.architecture;
    // As for the CPU: what the bindings need is not asked for, and the objects are those of a check.
    const Result<CompilePlan> plan =
        makeCompilePlan(m_workspace, m_toolchain, CompileTarget{TargetKind::Cpu, m_inspection.architecture});
    if (!plan.hasValue())
        return fail(plan.message());
    compile(inspectionPlan(plan.value(), m_request.wantsPtx));
}

void InspectionRun::compile(const CompilePlan &plan) {
    m_plan = plan;
    CompileRun::Options options;
    options.cacheFolder = m_request.folders.cache;
    options.maxJobs = m_request.settings.maxJobs;
    if (m_request.wantsSass)
        options.nvdisasm = m_toolchain.cuda->nvdisasm;
    options.environment = m_request.environment;
    options.sandbox = makeBuildSandbox(findSandboxProgram(QCoreApplication::applicationDirPath()), m_plan,
                                       m_toolchain, m_request.environment);
    m_compile = new CompileRun(m_plan, options, this);
    connect(m_compile, &CompileRun::progress, this,
            [this](const QString &step, int index, int count, const QString &text) {
                if (step == QLatin1String("compile"))
                    show(QStringLiteral("compile"), text, index, count);
            });
    connect(m_compile, &CompileRun::finished, this, &InspectionRun::compileDone);
    connect(m_compile, &CompileRun::failed, this, &InspectionRun::fail);
    m_compile->start();
}

void InspectionRun::compileDone(const CompileOutcome &outcome) {
    m_compile->deleteLater();
    m_compile = nullptr;
    const bool isStopped = m_inspection.status == CompileStatus::Cancelled;
    m_inspection.status = isStopped ? CompileStatus::Cancelled : outcome.status;
    m_inspection.log = outcome.log;
    m_inspection.compiled = outcome.objects - outcome.cachedObjects;
    m_inspection.compileSeconds = outcome.seconds;
    for (const Diagnostic &diagnostic : outcome.diagnostics)
        // The step for PTX says once more what that for SASS has said.
        if (std::find(m_inspection.diagnostics.begin(), m_inspection.diagnostics.end(), diagnostic) ==
            m_inspection.diagnostics.end())
            m_inspection.diagnostics.push_back(diagnostic);
    if (m_inspection.status == CompileStatus::Passed)
        disassemble();
    else
        end();
}

void InspectionRun::disassemble() {
    m_clock.start();
    QStringList objects;
    const ObjectCache cache(cacheOf(m_request.folders));
    for (const CompileStep &step : m_plan.steps)
        if (!isPtxStep(step))
            objects << cache.objectPath(step.objectKey);
    const QString whyNot = whyNoDisassembly(*m_toolchain.cuda);
    if (!whyNot.isEmpty() && m_request.needsSass)
        return fail(whyNot);
    if (m_request.wantsSass)
        m_inspection.note = whyNot;
    if (!m_request.wantsSass || !whyNot.isEmpty())
        return collect(std::vector<std::vector<KernelCode>>(static_cast<std::size_t>(objects.size())));
    show(QStringLiteral("disassemble"), QStringLiteral("list the instructions"));
    Disassembly::Options options;
    options.scratchFolder = m_request.folders.cache + QStringLiteral("/scratch");
    options.environment = m_request.environment;
    options.maxJobs = sensibleJobCount();
    m_disassembly = new Disassembly(*m_toolchain.cuda, objects, options, this);
    connect(m_disassembly, &Disassembly::finished, this, &InspectionRun::collect);
    connect(m_disassembly, &Disassembly::failed, this, [this](const QString &message) {
        if (m_inspection.status == CompileStatus::Cancelled)
            end();
        else
            fail(message);
    });
    m_disassembly->start();
}

void InspectionRun::collect(const std::vector<std::vector<KernelCode>> &sass) {
    if (m_isDone)
        return;
    const ObjectCache cache(cacheOf(m_request.folders));
    std::vector<InspectedSource> sources;
    std::size_t next = 0;
    for (const CompileStep &step : m_plan.steps) {
        const auto log = cache.find(step.objectKey);
        if (!log)
            return fail(
                QStringLiteral("Cannot find the object of \"%1\" in \"%2\": another program has emptied the "
                               "cache. Inspect again.")
                    .arg(step.source, cacheOf(m_request.folders)));
        if (!isPtxStep(step)) {
            sources.push_back({step.source, parsePtxasReport(*log), sass[next++], {}});
            continue;
        }
        const auto text = readTextFile(cache.objectPath(step.objectKey));
        if (!text.hasValue())
            return fail(text.message());
        sources.back().ptx = parsePtx(text.value());
        for (KernelCode code : sources.back().ptx)
            if (code.isFunction) {
                nameFilesFrom(m_workspace.folder, code);
                m_inspection.ptxFunctions.push_back(std::move(code));
            }
    }
    m_inspection.kernels = inspectedKernels(sources, m_workspace.folder, m_request.threads);
    m_inspection.disassemblySeconds = static_cast<double>(m_clock.nsecsElapsed()) * 1e-9;
    end();
}

void InspectionRun::end() {
    if (!std::exchange(m_isDone, true))
        emit finished(m_inspection);
}

void InspectionRun::fail(const QString &message) {
    if (!std::exchange(m_isDone, true))
        emit failed(message);
}

} // namespace warpwright
