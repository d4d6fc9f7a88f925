// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/compile/compile_run.h"

#include "toolchain/base/text_file.h"
#include "toolchain/compile/build_folder.h"
#include "toolchain/compile/compile_report.h"
#include "toolchain/compile/opening_headers.h"
#include "toolchain/compile/source_hash.h"
#include "toolchain/tool_output/compiler_diagnostics.h"
#include "toolchain/tool_output/ptx_listing.h"
#include "toolchain/workspace/task_files.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QThread>

#include <algorithm>
#include <unistd.h>

namespace warpwright {

namespace {

constexpr qint64 cacheLimitBytes = 4LL * 1024 * 1024 * 1024;
constexpr int lookAgainMs = 20;
constexpr qint64 outputLimitBytes = 8LL * 1024 * 1024; ///< a template flood has been read long before

/// Unique among the runs of all processes on this machine.
QString uniqueName() {
    static int count = 0;
    return QStringLiteral("tmp-%1-%2").arg(getpid()).arg(++count);
}

QByteArray commandLine(const QString &tool, const QStringList &arguments) {
    return "$ " + tool.toUtf8() + ' ' + arguments.join(QLatin1Char(' ')).toUtf8() + '\n';
}

/// A compiler that broke over precompiled headers, as opposed to a text that is wrong.
bool brokeOverHeaders(const ProcessOutcome &process, const QByteArray &text) {
    return !process.timedOut && (process.signal != 0 || process.succeeded() || text.contains(".gch") ||
                                 text.contains("PCH") || text.contains("internal compiler error") ||
                                 text.contains("Killed signal") || text.contains("Segmentation fault"));
}

} // namespace

int sensibleJobCount() {
    qint64 availableKib = 4LL * 1024 * 1024;
    QFile memory(QStringLiteral("/proc/meminfo"));
    if (memory.open(QIODevice::ReadOnly))
        for (const QByteArray &line : memory.readAll().split('\n'))
            if (line.startsWith("MemAvailable:"))
                availableKib = line.mid(13).trimmed().split(' ').first().toLongLong();
    const qint64 byMemory = availableKib / (2LL * 1024 * 1024);
    return static_cast<int>(
        std::clamp<qint64>(std::min<qint64>(byMemory, QThread::idealThreadCount()), 1, 64));
}

CompileRun::CompileRun(CompilePlan plan, Options options, QObject *parent)
    : QObject(parent),
      m_plan(std::move(plan)),
      m_options(std::move(options)),
      m_cache(m_options.cacheFolder + QStringLiteral("/objects")),
      m_headers(m_options.cacheFolder) {
    if (m_options.maxJobs <= 0)
        m_options.maxJobs = sensibleJobCount();
    m_logs.resize(m_plan.steps.size());
    m_withHeaders.resize(m_plan.steps.size());
    m_outcome.objects = static_cast<int>(m_plan.steps.size());
    m_look.setInterval(lookAgainMs);
    connect(&m_look, &QTimer::timeout, this, &CompileRun::lookAgain);
}

CompileRun::~CompileRun() {
    close();
}

void CompileRun::start() {
    m_clock.start();
    // Answers never come from within start(): who called has not yet connected everything.
    QMetaObject::invokeMethod(this, &CompileRun::prepare, Qt::QueuedConnection);
}

void CompileRun::cancel() {
    if (m_isDone)
        return;
    m_isCancelled = true;
    for (ChildProcess *process : m_processes)
        process->cancel();
    if (m_processes.empty())
        QMetaObject::invokeMethod(
            this, [this] { end(CompileStatus::Cancelled); }, Qt::QueuedConnection);
}

void CompileRun::prepare() {
    if (m_isDone)
        return;
    m_scratch = m_options.cacheFolder + QStringLiteral("/objects/") + uniqueName();
    m_newBuild = QFileInfo(m_plan.buildFolder).path() + QLatin1Char('/') + uniqueName();
    for (const QString &folder : {m_scratch, m_newBuild + QStringLiteral("/run")})
        if (const auto made = makeFolder(folder); !made.hasValue())
            return fail(made.message());
    startNext();
}

void CompileRun::startNext() {
    while (!m_isDone && !m_isCancelled && !m_hasErrors && m_next < m_plan.steps.size() &&
           static_cast<int>(m_processes.size()) < m_options.maxJobs)
        begin(m_next++);
    if (m_isCancelled || m_hasErrors)
        m_waiting.clear();
    if (m_isDone || !m_processes.empty() || !m_waiting.empty())
        return;
    if (m_isCancelled)
        end(CompileStatus::Cancelled);
    else
        objectsDone();
}

void CompileRun::begin(std::size_t index) {
    if (takeFromCache(index))
        return;
    if (!claim(index)) {
        m_waiting.push_back(index);
        m_look.start();
        return;
    }
    // Its maker may have ended between the two questions.
    if (takeFromCache(index))
        m_claims.erase(index);
    else
        compile(index);
}

bool CompileRun::takeFromCache(std::size_t index) {
    CompileStep &step = m_plan.steps[index];
    // What was said of it names lines, and they may have moved.
    if (!step.linesKey.isEmpty() && m_cache.find(step.linesKey))
        step.objectKey = step.linesKey;
    const auto log = m_cache.find(step.objectKey);
    if (!log)
        return false;
    m_logs[index] = *log;
    ++m_outcome.cachedObjects;
    ++m_done;
    emit progress(QStringLiteral("compile"), static_cast<int>(m_done), m_outcome.objects,
                  QStringLiteral("%1 (unchanged)").arg(step.source));
    return true;
}

bool CompileRun::claim(std::size_t index) {
    const CompileStep &step = m_plan.steps[index];
    std::vector<std::unique_ptr<LifetimeLock>> claims;
    for (const QString &key : {step.objectKey, step.ptxKey}) {
        if (key.isEmpty())
            continue;
        claims.push_back(m_cache.claim(key));
        if (!claims.back())
            return false;
    }
    m_claims[index] = std::move(claims);
    return true;
}

void CompileRun::lookAgain() {
    m_look.stop();
    for (const std::size_t index : std::exchange(m_waiting, {})) {
        if (m_isDone || m_isCancelled || m_hasErrors)
            break;
        if (static_cast<int>(m_processes.size()) < m_options.maxJobs)
            begin(index);
        else
            m_waiting.push_back(index); // whoever ends calls startNext(), and the timer goes on
    }
    if (!m_waiting.empty())
        m_look.start();
    startNext();
}

QString CompileRun::keptFolder(std::size_t index) const {
    return QStringLiteral("%1/kept-%2").arg(m_scratch).arg(index);
}

void CompileRun::compile(std::size_t index) {
    const CompileStep &step = m_plan.steps[index];
    emit progress(QStringLiteral("compile"), static_cast<int>(m_done), m_outcome.objects, step.source);
    const QString object = QStringLiteral("%1/%2.o").arg(m_scratch).arg(index);
    QStringList arguments = step.arguments + QStringList{QStringLiteral("-o"), object};
    QStringList before;
    QStringList readable;
    const bool mayKeep = !step.ptxKey.isEmpty() && step.arguments.filter(QStringLiteral("-keep")).isEmpty();
    if (mayKeep && QDir().mkpath(keptFolder(index))) {
        arguments << QStringLiteral("-keep") << QStringLiteral("-keep-dir") << keptFolder(index);
        if (!m_options.passes.isEmpty())
            before = passesWords(m_options.passes, m_cache, step.moduleKey, keptFolder(index));
        if (!m_options.nvdisasm.isEmpty()) {
            m_listings[index] = std::make_unique<ListingAhead>(m_options.nvdisasm, keptFolder(index),
                                                               m_scratch, m_options.environment);
            // Queued: the end of the run is the end of its listings.
            connect(m_listings[index].get(), &ListingAhead::ended, this, &CompileRun::listingEnded,
                    Qt::QueuedConnection);
        }
    }
    // GCC takes precompiled headers only before all else. Those that do not fit it passes over.
    if (const QString header = precompiledFor(step); !header.isEmpty()) {
        arguments = QStringList{QStringLiteral("-include"), header} + arguments;
        readable << QFileInfo(header).path();
        m_withHeaders[index] = true;
    }
    run({before, step.tool, arguments, readable},
        [this, index, object](const ProcessOutcome &process) { objectDone(index, object, process); });
}

/// Empty: there are none (yet). Whoever needs them first has somebody else make them, and does not wait.
QString CompileRun::precompiledFor(const CompileStep &step) {
    if (step.headers.isEmpty() || m_headersFailed)
        return {};
    const QString header = m_headers.find(step.headers.key);
    if (header.isEmpty() &&
        (areWide(step.headers.headers) || m_headers.isAskedForByOthers(step.headers.key, step.objectKey)))
        startPreparing(m_options.preparer, m_headers, step.headers);
    return header;
}

void CompileRun::objectDone(std::size_t index, const QString &object, const ProcessOutcome &process) {
    CompileStep &step = m_plan.steps[index];
    const QByteArray text = process.standardOutput + process.standardError;
    const bool isThere = process.succeeded() && QFileInfo(object).size() > 0;
    if (m_withHeaders[index] && !process.cancelled) {
        m_withHeaders[index] = false;
        if (!isThere && brokeOverHeaders(process, text)) {
            m_headers.discard(step.headers.key);
            m_headersFailed = true;
            return compile(index);
        }
        ++m_outcome.precompiledHeaders;
    }
    m_logs[index] = text;
    ++m_done;
    if (isThere) {
        const auto hash =
            SourceHash(m_plan.workspace, !m_plan.countsComments).of(step.source, step.countsAllHeaders);
        if (!hash.hasValue() || hash.value() != step.textHash)
            return fail(
                QStringLiteral(
                    "Cannot compile \"%1\": it or a header was changed while it was compiled. Check again.")
                    .arg(step.source));
        if (!step.linesKey.isEmpty() && !text.isEmpty())
            step.objectKey = step.linesKey;
        if (const auto listing = m_listings.find(index); listing != m_listings.end())
            listing->second->objectIs(m_cache.objectPath(step.objectKey));
        keepByproducts(index); // before the object: who finds that finds its PTX, too
        if (const auto stored = m_cache.store(step.objectKey, object, text); !stored.hasValue())
            return fail(stored.message());
    } else if (!process.cancelled) {
        const auto diagnostics = parseDiagnostics(text, m_plan.workspace);
        const CompileAct what = act(QStringLiteral("compile \"%1\"").arg(step.source), step.tool);
        if (process.timedOut)
            m_logs[index] += step.source.toUtf8() + ":1:1: fatal error: the compiler did not end within " +
                             QByteArray::number(m_options.timeLimitMs / 1000) + " s\n";
        else if (const QString fault = environmentFault(what, process, diagnostics); !fault.isEmpty())
            return fail(fault);
        else if (process.succeeded())
            return fail(QStringLiteral("Cannot compile \"%1\": \"%2\" wrote no object. %3")
                            .arg(step.source, step.tool, adviceForCompiler(step.tool)));
        // What runs goes on: its object serves the next attempt, and its errors are told in one go.
        m_hasErrors = true;
    }
    m_claims.erase(index);
    emit progress(QStringLiteral("compile"), static_cast<int>(m_done), m_outcome.objects, step.source);
    startNext();
}

bool CompileRun::isListing() const {
    return std::any_of(m_listings.begin(), m_listings.end(),
                       [](const auto &listing) { return listing.second->isRunning(); });
}

void CompileRun::listingEnded() {
    if (m_awaitsListings && !isListing())
        end(CompileStatus::Passed);
}

/// Where it cannot be kept it is made when it is asked for.
void CompileRun::keepByproducts(std::size_t index) {
    const CompileStep &step = m_plan.steps[index];
    if (step.ptxKey.isEmpty())
        return;
    if (const QString told = passesTold(keptFolder(index)); !told.isEmpty())
        m_outcome.log += step.source + QStringLiteral(": ") + told;
    keepGuesses(m_cache, step.moduleKey, keptFolder(index));
    QDir kept(keptFolder(index));
    const QStringList names = kept.entryList({QStringLiteral("*.ptx")}, QDir::Files);
    if (names.size() == 1)
        (void)m_cache.store(step.ptxKey, kept.filePath(names.first()), {}).hasValue();
    kept.removeRecursively();
}

/// ptxas does not say them. Where there is no PTX they stay unknown.
void CompileRun::readLaunchBounds() {
    QHash<QString, int> bounds;
    for (const CompileStep &step : m_plan.steps)
        if (!step.ptxKey.isEmpty())
            if (const auto ptx = readTextFile(m_cache.objectPath(step.ptxKey)); ptx.hasValue())
                bounds.insert(launchBoundsIn(ptx.value()));
    for (KernelResources &kernel : m_outcome.kernels)
        if (const auto bound = bounds.constFind(kernel.mangled); bound != bounds.constEnd())
            kernel.launchThreads = *bound;
}

void CompileRun::objectsDone() {
    if (m_hasErrors)
        return end(CompileStatus::Failed);
    if (const auto known = readTextFile(m_plan.buildFolder + QStringLiteral("/link.log")); known.hasValue()) {
        // The same text was built before, and a build folder never changes.
        m_linkLog = known.value();
        m_outcome.runFolder = m_plan.runFolder();
        return end(CompileStatus::Passed);
    }
    if (m_plan.linker.isEmpty())
        install();
    else
        link();
}

void CompileRun::install() {
    emit progress(QStringLiteral("install"), 0, 1, m_plan.runFolder());
    if (const QString changed = changedFile(); !changed.isEmpty())
        return fail(QStringLiteral("Cannot build \"%1\": \"%2\" was changed while it was built. Check again.")
                        .arg(m_plan.workspace, changed));
    for (const QString &name : m_plan.pythonFiles) {
        const auto text = readTextFile(sourceOfPython(m_plan.workspace, name));
        if (!text.hasValue())
            return fail(text.message());
        if (const auto done = writeFileAtomically(m_newBuild + QStringLiteral("/run/") + name, text.value());
            !done.hasValue())
            return fail(done.message());
    }
    if (const auto done = writeFileAtomically(m_newBuild + QStringLiteral("/link.log"), m_linkLog);
        !done.hasValue())
        return fail(done.message());
    if (const auto done = publishBuild(m_newBuild, m_plan.buildFolder); !done.hasValue())
        return fail(done.message());
    m_outcome.runFolder = m_plan.runFolder();
    emit progress(QStringLiteral("install"), 1, 1, m_plan.runFolder());
    end(CompileStatus::Passed);
}

QString CompileRun::changedFile() const {
    SourceHash hashes(m_plan.workspace, !m_plan.countsComments);
    for (const CompileStep &step : m_plan.steps)
        if (const auto hash = hashes.of(step.source, step.countsAllHeaders);
            !hash.hasValue() || hash.value() != step.textHash)
            return step.source;
    for (qsizetype i = 0; i < m_plan.pythonFiles.size(); ++i)
        if (const auto hash =
                hashes.of(QDir(m_plan.workspace)
                              .relativeFilePath(sourceOfPython(m_plan.workspace, m_plan.pythonFiles[i])),
                          false);
            !hash.hasValue() || hash.value() != m_plan.pythonHashes[i])
            return m_plan.pythonFiles[i];
    return {};
}

void CompileRun::run(const Command &command, std::function<void(const ProcessOutcome &)> done) {
    const QString &tool = command.tool;
    // What cannot be started says so best by itself.
    const bool isThere = QFileInfo(tool).isExecutable();
    const QStringList words =
        (isThere ? command.before : QStringList()) + QStringList{tool} + command.arguments;
    ProcessRequest request;
    request.program = words.first();
    request.arguments = words.mid(1);
    request.workingFolder = m_plan.workspace;
    request.environment = buildEnvironment(m_options.environment, tool, m_scratch);
    if (m_options.sandbox.isThere() && isThere) {
        request.program = m_options.sandbox.program;
        request.arguments =
            QStringList{QStringLiteral("--tell"), m_scratch + QStringLiteral("/sandbox")} +
            m_options.sandbox.arguments(m_plan.workspace,
                                        linkedObjects() + command.readable + command.before.mid(0, 1),
                                        {m_scratch, m_newBuild}, words.first(), words.mid(1));
    }
    request.timeLimitMs = m_options.timeLimitMs;
    request.outputLimitBytes = outputLimitBytes;

    auto *process = new ChildProcess(this);
    m_processes.push_back(process);
    m_outcome.log += QString::fromUtf8(commandLine(tool, command.arguments));
    const auto forget = [this, process] {
        std::erase(m_processes, process);
        process->deleteLater();
    };
    connect(process, &ChildProcess::finished, this,
            [this, forget, done = std::move(done)](const ProcessOutcome &outcome) {
                forget();
                if (!m_isDone)
                    done(outcome);
            });
    connect(process, &ChildProcess::failed, this, [this, forget, tool](const QString &message) {
        forget();
        fail(message + QLatin1Char(' ') + adviceForCompiler(tool));
    });
    process->start(request);
}

CompileAct CompileRun::act(const QString &what, const QString &tool) const {
    return {what, tool, m_plan.workspace, {m_scratch, m_newBuild}, m_plan.hasUserFlags};
}

void CompileRun::end(CompileStatus status) {
    if (m_isDone)
        return;
    if (!m_awaitsListings)
        m_outcome.seconds = static_cast<double>(m_clock.nsecsElapsed()) * 1e-9;
    m_awaitsListings = status == CompileStatus::Passed && isListing();
    if (m_awaitsListings)
        return;
    m_isDone = true;
    m_outcome.status = status;
    if (const auto stood = readTextFile(m_scratch + QStringLiteral("/sandbox")); stood.hasValue())
        m_outcome.sandbox = QString::fromUtf8(stood.value());
    reportInto(m_outcome, m_plan, m_logs, m_linkLog);
    if (status == CompileStatus::Passed)
        readLaunchBounds();
    close();
    const ObjectCache cache = m_cache; // who hears of the end may delete this
    emit finished(m_outcome);
    if (status == CompileStatus::Passed)
        cache.pruneNowAndThen(cacheLimitBytes);
}

void CompileRun::fail(const QString &message) {
    if (m_isDone)
        return;
    m_isDone = true;
    close();
    emit failed(message);
}

void CompileRun::close() {
    m_look.stop();
    m_waiting.clear();
    // Destroying a ChildProcess kills its whole group; one that is just telling us its end must live until it
    // has.
    for (ChildProcess *process : std::exchange(m_processes, {}))
        delete process;
    m_listings.clear();
    for (const QString &folder : {m_scratch, m_newBuild})
        if (!folder.isEmpty())
            QDir(folder).removeRecursively();
    m_claims.clear();
}

} // namespace warpwright
