// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/counters/report_reader.h"

#include "toolchain/base/text_file.h"
#include "toolchain/counters/counters_lines.h"
#include "toolchain/counters/import_pages.h"

#include <QDir>
#include <QFileInfo>
#include <QFutureWatcher>
#include <QPromise>
#include <QTemporaryDir>
#include <QThreadPool>

namespace warpwright {
namespace {

// The last line says why, see read_ncu_report.py.
QString lastWords(const ProcessOutcome &outcome) {
    if (outcome.timedOut)
        return QStringLiteral("it did not finish in %1 s").arg(qRound(outcome.seconds));
    if (outcome.signal != 0)
        return QStringLiteral("what reads it was ended by signal %1").arg(outcome.signal);
    for (const QByteArray &text : {outcome.standardError, outcome.standardOutput}) {
        const QString words =
            QString::fromUtf8(text).trimmed().section(QLatin1Char('\n'), -1).trimmed().left(300);
        if (!words.isEmpty())
            return words;
    }
    return QStringLiteral("it ended with exit code %1 and said nothing").arg(outcome.exitCode);
}

constexpr int noModule = 3;
constexpr int noLaunch = 4;
constexpr int noRoom = 5;
constexpr int notStarted = 127; // as a shell says it

Result<SharedCounters> shared(Result<Counters> counters) {
    return counters.hasValue() ? Result<SharedCounters>::ok(makeShared(std::move(counters).value()))
                               : Result<SharedCounters>::error(counters.message());
}

/// `then` hears it where the receiver lives: with a run that is a thread of its own, and at the end of the
/// program the application's thread waits for that one.
template <typename Work, typename Then>
void readInPool(QObject *receiver, Work work, Then then) {
    using Read = Result<SharedCounters>;
    auto *watcher = new QFutureWatcher<Read>(receiver);
    QObject::connect(watcher, &QFutureWatcher<Read>::finished, receiver, [watcher, then = std::move(then)] {
        watcher->deleteLater();
        then(watcher->result());
    });
    const auto promise = std::make_shared<QPromise<Read>>();
    promise->start();
    watcher->setFuture(promise->future());
    QThreadPool::globalInstance()->start([promise, work = std::move(work)] {
        promise->addResult(work());
        promise->finish();
    });
}

/// Why a file cannot be opened; empty: it may be tried.
QString whyNoFile(const QFileInfo &file) {
    if (file.isFile() && file.isReadable())
        return {};
    if (file.isFile())
        return QStringLiteral("you may not read it");
    if (file.exists())
        return QStringLiteral("it is no file that can be read");
    // What is no UTF-8 comes to us with other letters than it has on the disk.
    return file.filePath().contains(QChar::ReplacementCharacter)
               ? QStringLiteral("its name is no UTF-8, and cannot be given to us")
               : QStringLiteral("there is no such file");
}

} // namespace

ReportReader::ReportReader(ReportReading reading, QObject *parent)
    : QObject(parent), m_reading(std::move(reading)) {}

ReportReader::~ReportReader() = default;

void ReportReader::start() {
    QMetaObject::invokeMethod(
        this,
        [this] {
            const QFileInfo file(m_reading.report);
            if (m_isCancelled)
                return fail(QStringLiteral("it was stopped"), {});
            if (const QString why = whyNoFile(file); !why.isEmpty())
                return fail(why, why.contains(QLatin1String("UTF-8"))
                                     ? QStringLiteral("Give it another name.")
                                     : QStringLiteral("Name a .ncu-rep."));
            m_file = ReportFile::at(m_reading.report);
            if (m_file.bytes == 0)
                return fail(QStringLiteral("it is empty"), QStringLiteral("Collect it again."));
            if (const Result<void> made = makeFolder(m_reading.scratchFolder); !made.hasValue())
                return fail(QStringLiteral("the folder that it is read by is missing"), made.message());
            m_scratch =
                std::make_unique<QTemporaryDir>(m_reading.scratchFolder + QStringLiteral("/report-XXXXXX"));
            if (!m_scratch->isValid())
                return fail(QStringLiteral("no folder can be made in \"%1\" (%2)")
                                .arg(m_reading.scratchFolder, m_scratch->errorString()),
                            adviceForFullDisk(m_reading.scratchFolder, m_scratch->errorString()));
            tryModule();
        },
        Qt::QueuedConnection);
}

void ReportReader::cancel() {
    if (m_isDone)
        return;
    m_isCancelled = true;
    if (m_process != nullptr)
        m_process->cancel();
}

void ReportReader::run(const ProcessRequest &request, void (ReportReader::*then)(const ProcessOutcome &)) {
    m_process = new ChildProcess(this);
    connect(m_process, &ChildProcess::finished, this, [this, then](const ProcessOutcome &outcome) {
        m_process->deleteLater();
        m_process = nullptr;
        if (m_isCancelled)
            return fail(QStringLiteral("it was stopped"), {});
        (this->*then)(outcome);
    });
    connect(m_process, &ChildProcess::failed, this, [this, then](const QString &message) {
        m_process->deleteLater();
        m_process = nullptr;
        ProcessOutcome outcome;
        outcome.exitCode = notStarted;
        outcome.standardError = message.toUtf8();
        (this->*then)(outcome);
    });
    connect(m_process, &ChildProcess::outputArrived, this, &ReportReader::takeProgress);
    m_process->start(request);
}

void ReportReader::tryModule() {
    const bool hasPython = m_nextPython < m_reading.interpreters.size();
    if (!hasPython)
        return tryImport();
    ProcessRequest request;
    request.program = m_reading.interpreters[m_nextPython++];
    request.arguments << QStringLiteral("-I") << m_reading.script << m_reading.report
                      << m_scratch->filePath(QStringLiteral("counters.jsonl")) << QStringLiteral("--kernels")
                      << QString::number(m_reading.mostKernels) << QStringLiteral("--metrics")
                      << QString::number(m_reading.mostWhole);
    if (!m_reading.kernel.isEmpty())
        request.arguments << QStringLiteral("--kernel") << m_reading.kernel;
    if (m_reading.launch > 0)
        request.arguments << QStringLiteral("--launch") << QString::number(m_reading.launch);
    if (m_reading.ncu && !m_reading.ncu->pythonModule.isEmpty())
        request.arguments << QStringLiteral("--module") << m_reading.ncu->pythonModule;
    request.timeLimitMs = limitMs;
    request.outputLimitBytes = 1 << 20;
    request.workingFolder = m_scratch->path();
    run(request, &ReportReader::moduleEnded);
}

void ReportReader::takeProgress(const QByteArray &bytes) {
    m_line += bytes;
    for (qsizetype end = m_line.indexOf('\n'); end >= 0; end = m_line.indexOf('\n')) {
        const QList<QByteArray> words = m_line.left(end).split(' ');
        m_line.remove(0, end + 1);
        if (words.size() == 3 && words[0] == "progress")
            emit progress(words[1].toInt(), words[2].toInt());
    }
    if (m_line.size() > 4096)
        m_line.clear(); // a page of ncu's, and no word of ours
}

void ReportReader::moduleEnded(const ProcessOutcome &outcome) {
    if (outcome.succeeded())
        return parse();
    if (const QString why = whyNoPython(outcome); !why.isEmpty())
        return fail(why, QStringLiteral("Name a Python, or none."));
    const QString why = lastWords(outcome);
    if ((outcome.exitCode == noModule || outcome.exitCode == notStarted) && outcome.signal == 0)
        return tryModule();
    m_whyNot << why;
    if (outcome.exitCode == noRoom)
        return fail(why, adviceForFullDisk(m_scratch->path(), why));
    // Another release of the module may read what this one does not.
    tryImport();
}

// Of a Python that nobody named the next is tried; what a person says is not passed over.
QString ReportReader::whyNoPython(const ProcessOutcome &outcome) const {
    const bool isOurs = outcome.signal != 0 || outcome.timedOut || outcome.exitCode == noModule ||
                        outcome.exitCode == noLaunch || outcome.exitCode == noRoom;
    if (!m_reading.isPythonNamed || m_nextPython != 1 || isOurs)
        return {};
    return QStringLiteral("\"%1\" was named for a Python and is none that works here (%2)")
        .arg(m_reading.interpreters.first(), lastWords(outcome).remove(QLatin1Char('\n')));
}

void ReportReader::parse() {
    readInPool(
        this,
        [path = m_scratch->filePath(QStringLiteral("counters.jsonl"))] {
            return shared(countersFromLines(path));
        },
        [this](const Result<SharedCounters> &counters) {
            if (m_isDone)
                return;
            if (m_isCancelled)
                return fail(QStringLiteral("it was stopped"), {});
            if (!counters.hasValue())
                return fail(counters.message(),
                            QStringLiteral("Report this with what wright doctor prints."));
            m_isDone = true;
            emit finished(counters.value());
        });
}

void ReportReader::tryImport() {
    if (!m_reading.ncu) {
        const bool hasNoModule = m_whyNot.isEmpty();
        return fail(
            hasNoModule ? QStringLiteral("no Python here has ncu-report, and there is no Nsight Compute")
                        : m_whyNot.last(),
            hasNoModule
                ? QStringLiteral("Install it into the Python that you work with: pip install ncu-report.")
                : QStringLiteral("Collect it again, or open it with the Nsight Compute that made it."));
    }
    importPage();
}

void ReportReader::importPage() {
    static const char *const names[] = {"raw", "details", "source"};
    if (m_pages.size() == std::size(names)) {
        readInPool(
            this,
            [pages = m_pages, report = m_reading.report, root = m_reading.ncu->root] {
                Result<Counters> counters = importedCounters(pages[0], pages[1], pages[2]);
                if (!counters.hasValue())
                    return shared(counters);
                Counters read = std::move(counters).value();
                read.report = QFileInfo(report).fileName();
                read.reportBytes = QFileInfo(report).size();
                read.readBy = QStringLiteral("ncu --import (%1)").arg(root.section(QLatin1Char('/'), -1));
                return shared(Result<Counters>::ok(std::move(read)));
            },
            [this](const Result<SharedCounters> &counters) {
                if (m_isDone)
                    return;
                if (m_isCancelled)
                    return fail(QStringLiteral("it was stopped"), {});
                if (!counters.hasValue())
                    return fail(counters.message(),
                                QStringLiteral("Open it with the Nsight Compute that made it."));
                m_isDone = true;
                emit finished(counters.value());
            });
        return;
    }
    ProcessRequest request;
    request.program = m_reading.ncu->program;
    request.arguments = importWords(m_reading.report, QLatin1String(names[m_pages.size()]));
    request.timeLimitMs = limitMs;
    request.outputLimitBytes = 256LL << 20;
    request.workingFolder = m_scratch->path();
    run(request, &ReportReader::pageEnded);
}

void ReportReader::pageEnded(const ProcessOutcome &outcome) {
    if (!outcome.succeeded() && m_pages.empty())
        return fail(lastWords(outcome), QStringLiteral("Collect it again, or open it with the Nsight Compute "
                                                       "that made it."));
    m_pages.push_back(outcome.succeeded() ? outcome.standardOutput : QByteArray());
    importPage();
}

void ReportReader::fail(const QString &why, const QString &advice) {
    if (std::exchange(m_isDone, true))
        return;
    emit failed(QStringLiteral("Cannot read the report \"%1\": %2.%3")
                    .arg(m_reading.report, why, advice.isEmpty() ? QString() : QLatin1Char(' ') + advice));
}

} // namespace warpwright
