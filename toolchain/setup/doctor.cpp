// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/setup/doctor.h"

#include "toolchain/base/evaluation_message.h"
#include "toolchain/base/text_file.h"
#include "toolchain/compile/build_sandbox.h"
#include "toolchain/compile/device_choice.h"
#include "toolchain/judge/referee_build.h"
#include "toolchain/judge/referee_plan.h"
#include "toolchain/judge/referee_state.h"
#include "toolchain/language/find_clangd.h"

#include <QCoreApplication>
#include <QDir>
#include <QStandardPaths>
#include <QStorageInfo>

#include <algorithm>

namespace warpwright {
namespace {

DoctorFinding found(const QString &name, const QString &version, const QString &path) {
    return DoctorFinding{name, FindingStatus::Ok, true, version, path, {}, {}};
}

DoctorFinding lacking(const QString &name, FindingStatus status, const QString &message,
                      const QString &remedy = {}) {
    return DoctorFinding{name, status, true, {}, {}, message, remedy};
}

DoctorFinding optional(DoctorFinding finding) {
    finding.isNeeded = false;
    return finding;
}

// The remedy of a sentence in our form is what follows the reason.
DoctorFinding fromMessage(const QString &name, const QString &message) {
    const EvaluationMessage parts = messageFrom(message);
    const bool isMissing =
        message.startsWith(QLatin1String("Cannot find")) || message.contains(QLatin1String("has no"));
    DoctorFinding finding =
        lacking(name, isMissing ? FindingStatus::Missing : FindingStatus::Broken, message, parts.advice);
    if (!parts.advice.isEmpty())
        finding.message =
            plainText(EvaluationMessage{parts.what, parts.thing, parts.why, {}, {}}) + QLatin1Char('.');
    return finding;
}

// Whether a driver could help: 0x10de is NVIDIA's number on the PCI bus.
bool hasNvidiaHardware() {
    const QDir devices(QStringLiteral("/sys/bus/pci/devices"));
    for (const QString &device : devices.entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
        const Result<QByteArray> vendor = readTextFile(devices.filePath(device) + QStringLiteral("/vendor"));
        if (vendor.hasValue() && vendor.value().trimmed() == "0x10de")
            return true;
    }
    return false;
}

// NVIDIA's packages carry the release in their names: cuda-nvdisasm-13-0. Its wheels do not.
QString commandForCudaTool(const QString &tool, const CudaToolkit &cuda, const Toolchain &toolchain) {
    if (toolchain.python && !toolchain.python->nvidiaRoot.isEmpty() &&
        cuda.root == toolchain.python->nvidiaRoot)
        return QStringLiteral("\"%1\" -m pip install nvidia-cuda-%2")
            .arg(toolchain.python->interpreter, tool);
    return QStringLiteral("sudo apt-get install cuda-%1-%2")
        .arg(tool, cuda.version.section(QLatin1Char('.'), 0, 1).replace(QLatin1Char('.'), QLatin1Char('-')));
}

QString whyNoCudaTool(const QString &tool, const CudaToolkit &cuda) {
    QString text = QStringLiteral("Cannot find %1 beside \"%2\"").arg(tool, cuda.nvcc);
    if (tool != QLatin1String("ptxas"))
        text += QStringLiteral(", nor in the Python environment. Without it wright inspect shows no SASS");
    return text + QLatin1Char('.');
}

void addPython(std::vector<DoctorFinding> &findings, const Toolchain &toolchain) {
    if (!toolchain.python) {
        findings.push_back(fromMessage(QStringLiteral("Python with torch"), toolchain.pythonMessage));
        return;
    }
    const PythonEnvironment &python = *toolchain.python;
    findings.push_back(found(QStringLiteral("Python"), python.version, python.interpreter));
    findings.push_back(found(QStringLiteral("torch"), python.torchVersion, python.torchFolder));
    const QString whyNot = whyNoTorchCuda(python);
    findings.push_back(
        optional(whyNot.isEmpty() ? found(QStringLiteral("torch's CUDA"), python.torchCuda, {})
                                  : lacking(QStringLiteral("torch's CUDA"), FindingStatus::Missing, whyNot)));
    findings.push_back(optional(
        python.hasTriton
            ? found(QStringLiteral("Triton"), {}, {})
            : lacking(QStringLiteral("Triton"), FindingStatus::Missing,
                      QStringLiteral("torch.compile on a CUDA device needs it; on the CPU it does not."),
                      QStringLiteral("%1 -m pip install triton").arg(python.interpreter))));
}

void addCuda(std::vector<DoctorFinding> &findings, const Toolchain &toolchain,
             const QHash<QString, QString> &versions) {
    if (!toolchain.cuda) {
        DoctorFinding nvcc = fromMessage(QStringLiteral("nvcc"), toolchain.cudaMessage);
        nvcc.isNeeded = !toolchain.devices.empty(); // CPU twins do without
        findings.push_back(nvcc);
        return;
    }
    const CudaToolkit &cuda = *toolchain.cuda;
    findings.push_back(found(QStringLiteral("nvcc"), cuda.version, cuda.nvcc));
    findings.push_back(
        optional(found(QStringLiteral("CUDA toolkit"), QStringLiteral("from ") + cuda.source, cuda.root)));
    const std::vector<std::pair<QString, QString>> tools{{QStringLiteral("ptxas"), cuda.ptxas},
                                                         {QStringLiteral("cuobjdump"), cuda.cuobjdump},
                                                         {QStringLiteral("nvdisasm"), cuda.nvdisasm}};
    for (const auto &[name, path] : tools) {
        DoctorFinding finding = path.isEmpty()
                                    ? lacking(name, FindingStatus::Missing, whyNoCudaTool(name, cuda),
                                              commandForCudaTool(name, cuda, toolchain))
                                    : found(name, versions.value(path), path);
        // One that lies elsewhere may be of another release: it is said whose it is.
        if (!path.isEmpty() && path != cuda.ptxas && !path.startsWith(QFileInfo(cuda.nvcc).path()))
            finding.version += (finding.version.isEmpty() ? QString() : QStringLiteral(", ")) +
                               QStringLiteral("from %1").arg(cuda.binaryToolsSource);
        finding.isNeeded = name == QLatin1String("ptxas");
        findings.push_back(finding);
    }
}

DoctorFinding noDriver() {
    const QString means = QStringLiteral("CUDA sources compile; only CPU twins are verified and profiled.");
    if (!hasNvidiaHardware())
        return lacking(QStringLiteral("NVIDIA driver"), FindingStatus::Missing,
                       QStringLiteral("This machine shows no NVIDIA device. ") + means);
    return lacking(
        QStringLiteral("NVIDIA driver"), FindingStatus::Missing,
        QStringLiteral("This machine has an NVIDIA device, but no driver answers. ") + means,
        QStringLiteral("sudo apt-get install nvidia-driver   (Ubuntu: sudo ubuntu-drivers install)"));
}

void addDevices(std::vector<DoctorFinding> &findings, const Toolchain &toolchain) {
    findings.push_back(found(QStringLiteral("device cpu"), processorName(), {}));
    if (!toolchain.devicesMessage.isEmpty())
        findings.push_back(optional(fromMessage(QStringLiteral("NVIDIA driver"), toolchain.devicesMessage)));
    else if (toolchain.devices.empty())
        findings.push_back(optional(noDriver()));
    else
        findings.push_back(
            optional(found(QStringLiteral("NVIDIA driver"), toolchain.devices.front().driver, {})));
    for (const GpuDevice &device : toolchain.devices) {
        findings.push_back(
            optional(found(QStringLiteral("device cuda:%1").arg(device.index),
                           QStringLiteral("%1, %2, %3 GiB")
                               .arg(device.name, device.architecture())
                               .arg(static_cast<double>(device.memoryBytes) / (1LL << 30), 0, 'f', 1),
                           device.uuid)));
    }
}

void addReferee(std::vector<DoctorFinding> &findings, const Toolchain &toolchain,
                const DataFolders &folders) {
    const QString name = QStringLiteral("referee");
    if (!toolchain.python || !toolchain.hostCompiler)
        return; // what is missing for it has been said
    const CudaToolkit *cuda = toolchain.cuda ? &*toolchain.cuda : nullptr;
    const Result<RefereePlan> plan =
        makeRefereePlan(folders.refereeSources(), *toolchain.python, *toolchain.hostCompiler, cuda);
    if (!plan.hasValue()) {
        findings.push_back(lacking(name, FindingStatus::Broken, plan.message()));
    } else if (isRefereeBuilt(folders.data, plan.value())) {
        findings.push_back(found(name, QStringLiteral("built for torch ") + toolchain.python->torchVersion,
                                 refereeFolder(folders.data, plan.value())));
    } else {
        findings.push_back(optional(
            lacking(name, FindingStatus::Unsure, unbuiltWords(refereeStateOf(plan.value(), folders.data)))));
    }
}

/// What was tried and what came of it; nothing is claimed that was not tried.
DoctorFinding sandboxFinding(const SandboxTrial &trial) {
    if (!trial.problem.isEmpty())
        return lacking(trial.name, FindingStatus::Missing,
                       QStringLiteral("This sandbox cannot be built here: %1.").arg(trial.problem));
    QStringList open;
    for (const EscapeAttempt &attempt : trial.attempts)
        if (!attempt.wasStopped)
            open << attempt.name;
    const auto count = static_cast<qsizetype>(trial.attempts.size());
    if (open.isEmpty())
        return found(trial.name, QStringLiteral("%1 escapes tried, all blocked").arg(count), {});
    return lacking(trial.name, FindingStatus::Broken,
                   QStringLiteral("%1 of %2 escapes succeeded: %3.")
                       .arg(open.size())
                       .arg(count)
                       .arg(open.join(QStringLiteral(", "))));
}

void addSandbox(std::vector<DoctorFinding> &findings, const SandboxFacts &sandbox) {
    const auto row = [&findings](const char *name, bool isThere, const QString &version,
                                 const QString &message) {
        const QString text = QString::fromLatin1(name);
        findings.push_back(
            optional(isThere ? found(text, version, {}) : lacking(text, FindingStatus::Missing, message)));
    };
    row("wall: user namespaces", sandbox.mayMakeUserNamespace, QStringLiteral("allowed"),
        QStringLiteral("The kernel refuses: %1.").arg(sandbox.whyNoUserNamespace));
    row("wall: Landlock", sandbox.landlockAbi > 0, QStringLiteral("ABI %1").arg(sandbox.landlockAbi),
        QStringLiteral("This kernel has none."));
    row("wall: seccomp filters", sandbox.hasSeccompFilter, QStringLiteral("yes"),
        QStringLiteral("This kernel has none."));
    const SandboxTrial *best = nullptr;
    for (const SandboxTrial &trial : sandbox.trials) {
        findings.push_back(optional(sandboxFinding(trial)));
        if (best == nullptr && trial.held() && trial.name.startsWith(QLatin1String("wall: candidate")))
            best = &trial;
    }
    const QString name = QStringLiteral("wall");
    const QString noProgram =
        sandbox.trials.empty()
            ? QStringLiteral("No sandbox was tried: warpwright-sandbox is not installed beside this "
                             "program. Each evaluation names the sandbox that its judge built.")
            : QStringLiteral("No sandbox works here: a candidate runs in its own process, as your user. "
                             "Check only code that you would run yourself.");
    findings.push_back(optional(best != nullptr
                                    ? found(name, best->name.section(QStringLiteral(", "), -1), {})
                                    : lacking(name, FindingStatus::Unsure, noProgram)));
}

void addClangd(std::vector<DoctorFinding> &findings, const Toolchain &toolchain,
               const QHash<QString, QString> &versions) {
    const QString name = QStringLiteral("clangd");
    const ClangdPlace clangd = findClangd(toolchain);
    if (clangd.program.isEmpty()) {
        findings.push_back(
            optional(lacking(name, FindingStatus::Missing,
                             QStringLiteral("Neither the Python environment nor PATH has clangd %1 or newer. "
                                            "Completion and errors while typing need it.")
                                 .arg(oldestClangd),
                             clangdCommandLine(toolchain))));
        return;
    }
    const QString version = versions.value(clangd.program);
    findings.push_back(optional(
        found(name,
              QStringLiteral("%1from %2")
                  .arg(version.isEmpty() ? QString() : version + QStringLiteral(", "), clangd.source),
              clangd.program)));
}

void addRest(std::vector<DoctorFinding> &findings, const DataFolders &folders,
             const QHash<QString, QString> &versions) {
    const QString git = QStandardPaths::findExecutable(QStringLiteral("git"));
    findings.push_back(optional(git.isEmpty()
                                    ? lacking(QStringLiteral("git"), FindingStatus::Missing,
                                              QStringLiteral("Not installed. The history of iterations works "
                                                             "without it; git lets you inspect it by hand."),
                                              QStringLiteral("sudo apt install git"))
                                    : found(QStringLiteral("git"), versions.value(git), git)));
    for (const QString &folder : {folders.data, folders.cache}) {
        QString existing = folder;
        while (!QDir(existing).exists() && existing.contains(QLatin1Char('/')) && existing.size() > 1)
            existing = QFileInfo(existing).path();
        const QStorageInfo storage(existing);
        const double free = static_cast<double>(storage.bytesAvailable()) / (1LL << 30);
        const QString name =
            folder == folders.data ? QStringLiteral("disk for data") : QStringLiteral("disk for the cache");
        DoctorFinding finding = found(name, QStringLiteral("%1 GiB free").arg(free, 0, 'f', 1), folder);
        if (!QFileInfo(existing).isWritable()) {
            finding.status = FindingStatus::Broken;
            finding.message = QStringLiteral("The folder cannot be written to.");
        } else if (free < 2) {
            finding.status = FindingStatus::Unsure;
            finding.isNeeded = false;
            finding.message = QStringLiteral("Builds and torch.compile need about 2 GiB.");
        }
        findings.push_back(finding);
    }
}

} // namespace

QString titleOf(const DoctorFinding &finding) {
    if (finding.name == QLatin1String("referee"))
        return QStringLiteral("judge");
    return finding.name.startsWith(QLatin1String("wall")) ? QStringLiteral("sandbox") + finding.name.mid(4)
                                                          : finding.name;
}

QString findingStatusName(FindingStatus status) {
    switch (status) {
    case FindingStatus::Ok:
        return QStringLiteral("ok");
    case FindingStatus::Missing:
        return QStringLiteral("missing");
    case FindingStatus::Broken:
        return QStringLiteral("broken");
    case FindingStatus::Unsure:
        break;
    }
    return QStringLiteral("unsure");
}

std::vector<DoctorFinding> findingsOf(const Toolchain &toolchain, const SandboxFacts &sandbox,
                                      const DataFolders &folders, const QHash<QString, QString> &versions) {
    std::vector<DoctorFinding> findings;
    findings.push_back(
        toolchain.hostCompiler
            ? found(QStringLiteral("g++"), toolchain.hostCompiler->version, toolchain.hostCompiler->path)
            : fromMessage(QStringLiteral("g++"), toolchain.hostCompilerMessage));
    addCuda(findings, toolchain, versions);
    addPython(findings, toolchain);
    addClangd(findings, toolchain, versions);
    addDevices(findings, toolchain);
    addReferee(findings, toolchain, folders);
    addSandbox(findings, sandbox);
    addRest(findings, folders, versions);
    return findings;
}

OrderedJson findingsToJson(const std::vector<DoctorFinding> &findings) {
    OrderedJson list = OrderedJson::array();
    const auto textOrNull = [](const QString &text) {
        return text.isEmpty() ? OrderedJson(nullptr) : OrderedJson(toJson(text));
    };
    for (const DoctorFinding &finding : findings) {
        list.push_back(OrderedJson{{"name", toJson(finding.name)},
                                   {"status", toJson(findingStatusName(finding.status))},
                                   {"needed", finding.isNeeded},
                                   {"version", textOrNull(finding.version)},
                                   {"path", textOrNull(finding.path)},
                                   {"message", textOrNull(finding.message)},
                                   {"remedy", textOrNull(finding.remedy)}});
    }
    return OrderedJson{
        {"schema", "warpwright.doctor/1"}, {"fit", isFitForChecks(findings)}, {"findings", std::move(list)}};
}

bool isFitForChecks(const std::vector<DoctorFinding> &findings) {
    return std::none_of(findings.begin(), findings.end(), [](const DoctorFinding &finding) {
        return finding.isNeeded && finding.status != FindingStatus::Ok &&
               finding.status != FindingStatus::Unsure;
    });
}

Doctor::Doctor(ToolchainProbe::Request request, QObject *parent)
    : QObject(parent), m_folders(request.folders), m_probe([&request] {
          request.importsTorch = true;
          return request;
      }()) {
    connect(&m_probe, &ToolchainProbe::finished, this, &Doctor::askVersions);
}

void Doctor::askVersions(const Toolchain &toolchain) {
    QStringList programs{QStandardPaths::findExecutable(QStringLiteral("git"))};
    if (toolchain.cuda)
        programs << toolchain.cuda->ptxas << toolchain.cuda->cuobjdump << toolchain.cuda->nvdisasm;
    programs << findClangd(toolchain).program;
    m_versions = new ToolVersions(programs, this);
    connect(
        m_versions, &ToolVersions::finished, this,
        [this, toolchain](const QHash<QString, QString> &versions) { trySandboxes(toolchain, versions); });
    m_versions->start();
    if (m_isCancelled)
        m_versions->cancel();
}

void Doctor::trySandboxes(const Toolchain &toolchain, const QHash<QString, QString> &versions) {
    m_trials = new SandboxTrials(findSandboxProgram(QCoreApplication::applicationDirPath()), this);
    connect(m_trials, &SandboxTrials::finished, this,
            [this, toolchain, versions](const std::vector<SandboxTrial> &trials) {
                SandboxFacts sandbox = findSandboxFacts();
                sandbox.trials = trials;
                emit finished(findingsOf(toolchain, sandbox, m_folders, versions));
            });
    m_trials->start();
    if (m_isCancelled)
        m_trials->cancel();
}

void Doctor::start() {
    m_probe.start();
}

void Doctor::cancel() {
    m_isCancelled = true;
    m_probe.cancel();
    if (m_versions != nullptr)
        m_versions->cancel();
    if (m_trials != nullptr)
        m_trials->cancel();
}

} // namespace warpwright
