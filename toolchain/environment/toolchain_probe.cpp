// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/environment/toolchain_probe.h"

#include "toolchain/environment/remembered_answers.h"
#include "toolchain/environment/shown_devices.h"

#include <QFutureWatcher>
#include <QPromise>
#include <QThreadPool>

namespace warpwright {

namespace {

constexpr int versionTimeLimitMs = 30 * 1000;
const QString cudaVisibleDevices = QStringLiteral("CUDA_VISIBLE_DEVICES");

ProcessRequest question(const QString &program, const QString &argument,
                        const QProcessEnvironment &environment) {
    ProcessRequest request;
    request.program = program;
    request.arguments = {argument};
    request.environment = environment;
    request.timeLimitMs = versionTimeLimitMs;
    request.outputLimitBytes = 1024 * 1024;
    return request;
}

/// What a tool said, wherever it said it: a broken one complains on stderr.
QByteArray words(const ProcessOutcome &outcome) {
    if (outcome.timedOut)
        return "(no answer within 30 s)";
    if (outcome.signal != 0)
        return "(ended by signal " + QByteArray::number(outcome.signal) + ")";
    return outcome.standardOutput.trimmed().isEmpty() ? outcome.standardError : outcome.standardOutput;
}

} // namespace

ToolchainProbe::ToolchainProbe(Request request, QObject *parent)
    : QObject(parent), m_request(std::move(request)) {}

void ToolchainProbe::start() {
    // One for start() itself, so that an answer that comes at once cannot end the whole.
    m_pending = 1;
    probeHostCompiler();
    probeDevices();
    probePython();
    QMetaObject::invokeMethod(this, &ToolchainProbe::partDone, Qt::QueuedConnection);
}

void ToolchainProbe::cancel() {
    m_isCancelled = true;
    if (m_python)
        m_python->cancel();
    for (ChildProcess *process : m_processes)
        process->cancel();
}

void ToolchainProbe::partDone() {
    if (--m_pending == 0)
        emit finished(m_toolchain);
}

void ToolchainProbe::ask(const QString &program, const QString &argument,
                         const std::function<void(const QByteArray &)> &answer,
                         const std::function<void(const QString &)> &refusal) {
    ask(question(program, argument, m_request.environment), {}, answer, refusal);
}

void ToolchainProbe::ask(const ProcessRequest &asked, const QStringList &watched,
                         const std::function<void(const QByteArray &)> &answer,
                         const std::function<void(const QString &)> &refusal) {
    ++m_pending;
    if (const auto known = RememberedAnswers::find(asked)) {
        answer(*known);
        partDone();
        return;
    }
    auto *process = new ChildProcess(this);
    m_processes.push_back(process);
    const QDateTime askedAt = QDateTime::currentDateTimeUtc();
    connect(process, &ChildProcess::finished, this,
            [this, asked, askedAt, watched, answer](const ProcessOutcome &outcome) {
                if (outcome.succeeded())
                    RememberedAnswers::keep(asked, words(outcome), askedAt, watched);
                answer(words(outcome));
                partDone();
            });
    connect(process, &ChildProcess::failed, this, [this, refusal](const QString &message) {
        refusal(message);
        partDone();
    });
    process->start(asked);
    if (m_isCancelled)
        process->cancel();
}

void ToolchainProbe::probePython() {
    const auto choice =
        choosePython(m_request.python, m_request.settings, m_request.folders, m_request.environment);
    if (!choice.hasValue()) {
        m_toolchain.pythonMessage = choice.message();
        probeCuda();
        return;
    }
    ++m_pending;
    m_python = new PythonProbe(choice.value(), m_request.folders.resources, this);
    // The wheels of this Python are the last place where an nvcc may lie, so CUDA is looked for after it has
    // answered.
    connect(m_python, &PythonProbe::finished, this, [this](const PythonEnvironment &python) {
        m_toolchain.python = python;
        probeCuda();
        partDone();
    });
    connect(m_python, &PythonProbe::failed, this, [this](const QString &message) {
        m_toolchain.pythonMessage = message;
        probeCuda();
        partDone();
    });
    m_python->start(m_request.importsTorch);
}

void ToolchainProbe::probeCuda() {
    const QString nvidiaRoot = m_toolchain.python ? m_toolchain.python->nvidiaRoot : QString();
    m_cudaPlaces = findCudaPlaces(m_request.settings.cuda, m_request.environment, nvidiaRoot);
    if (m_cudaPlaces.empty()) {
        m_toolchain.cudaMessage = QStringLiteral(
            "Cannot find nvcc: it is not in CUDA_HOME, PATH, /usr/local/cuda or the Python environment. "
            "\"packaging/start\" brings one with the CUDA wheels, or set \"cuda\" in the settings file (in "
            "the window: Settings > CUDA).");
        return;
    }
    askNvcc(0);
}

void ToolchainProbe::askNvcc(std::size_t index) {
    const CudaPlace place = m_cudaPlaces[index];
    const auto refuse = [this](const QString &message) {
        if (!m_toolchain.cuda)
            m_toolchain.cudaMessage =
                message + QStringLiteral(" Set \"cuda\" in the settings file (in the window: Settings > "
                                         "CUDA) to the folder of a CUDA toolkit.");
    };
    ask(
        place.nvcc, QStringLiteral("--version"),
        [this, index, place, refuse](const QByteArray &version) {
            const auto toolkit = readCudaToolkit(place, version, {});
            if (!toolkit.hasValue()) {
                if (!m_toolchain.cuda)
                    m_toolchain.cudaMessage = toolkit.message();
                return;
            }
            // Objects of one major version of CUDA do not work with the runtime of another, and torch has
            // chosen the runtime. So a toolkit that fits torch goes before one that was merely found first;
            // one that a person named stays.
            const QString wanted = m_toolchain.python
                                       ? m_toolchain.python->torchCuda.section(QLatin1Char('.'), 0, 0)
                                       : QString();
            const bool fits = wanted.isEmpty() || toolkit.value().majorVersion() == wanted.toInt() ||
                              (index == 0 && !m_request.settings.cuda.isEmpty());
            if (!m_toolchain.cuda || fits)
                ask(
                    place.nvcc, QStringLiteral("--list-gpu-code"),
                    [this, place, version, fits](const QByteArray &codes) {
                        if (fits || !m_toolchain.cuda)
                            m_toolchain.cuda = withBinaryTools(
                                readCudaToolkit(place, version, codes).value(),
                                m_toolchain.python ? &*m_toolchain.python : nullptr, m_cudaPlaces);
                    },
                    refuse);
            if (!fits && index + 1 < m_cudaPlaces.size())
                askNvcc(index + 1);
        },
        refuse);
}

void ToolchainProbe::probeHostCompiler() {
    const auto path = findHostCompiler(m_request.environment);
    if (!path.hasValue()) {
        m_toolchain.hostCompilerMessage = path.message();
        return;
    }
    ask(
        path.value(), QStringLiteral("--version"),
        [this, path](const QByteArray &version) {
            const auto compiler = readHostCompiler(path.value(), version);
            if (compiler.hasValue())
                m_toolchain.hostCompiler = compiler.value();
            else
                m_toolchain.hostCompilerMessage = compiler.message();
        },
        [this](const QString &message) {
            m_toolchain.hostCompilerMessage =
                message + QStringLiteral(" Install g++ again, or set CXX to another compiler.");
        });
}

void ToolchainProbe::probeDevices() {
    ++m_pending;
    using Found = Result<std::vector<GpuDevice>>;
    auto *watcher = new QFutureWatcher<Found>(this);
    connect(watcher, &QFutureWatcher<Found>::finished, this, [this, watcher] {
        const Found found = watcher->result();
        if (found.hasValue())
            numberDevices(found.value());
        else
            m_toolchain.devicesMessage = found.message();
        partDone();
    });
    const auto promise = std::make_shared<QPromise<Found>>();
    promise->start();
    watcher->setFuture(promise->future());
    // A driver that sleeps takes seconds to answer.
    QThreadPool::globalInstance()->start([promise] {
        promise->addResult(findGpuDevices());
        promise->finish();
    });
}

void ToolchainProbe::numberDevices(const std::vector<GpuDevice> &all) {
    const QProcessEnvironment &environment = m_request.environment;
    const QString list = environment.value(cudaVisibleDevices);
    const std::vector<GpuDevice> byRules =
        environment.contains(cudaVisibleDevices) ? visibleDevices(all, list) : all;
    const auto python = choosePython(m_request.python, m_request.settings, m_request.folders, environment);
    // Without an interpreter nothing is measured on any of them.
    if (!needsDriver(all) || !python.hasValue())
        return takeDevices(byRules, all.size());
    const ProcessRequest question =
        driverQuestion(python.value().interpreter, m_request.folders.resources, environment, all);
    ask(
        question, {question.arguments.front()},
        [this, all, byRules](const QByteArray &json) {
            const auto shown = readDriverAnswer(json, all);
            takeDevices(shown.hasValue() ? shown.value() : byRules, all.size());
        },
        [this, all, byRules](const QString &) { takeDevices(byRules, all.size()); });
}

void ToolchainProbe::takeDevices(const std::vector<GpuDevice> &shown, std::size_t count) {
    m_toolchain.devices = shown;
    if (shown.empty() && count > 0 && m_request.environment.contains(cudaVisibleDevices))
        m_toolchain.devicesMessage = whyNoneIsShown(m_request.environment.value(cudaVisibleDevices), count);
}

} // namespace warpwright
