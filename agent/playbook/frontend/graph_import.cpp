// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/frontend/graph_import.h"

#include "agent/playbook/ir/graph_json.h"
#include "toolchain/process/in_pool.h"

#include <QRegularExpression>

namespace warpwright {
namespace {

// Importing torch takes seconds, and so does tracing a deep model; whatever takes longer unrolls a loop over
// time.
constexpr int timeLimitMs = 55 * 1000;
constexpr int patienceMs = 10 * 1000; ///< until progress is reported
constexpr qint64 mostBytes = 32LL * 1024 * 1024;

// Prefix of a line on standard error that reports progress as JSON text.
const QByteArray progressMark = QByteArrayLiteral("reading: ");

QString parsedProgress(const QByteArray &line) {
    const Result<Json> words = parseJson(line.mid(progressMark.size()));
    return words.hasValue() && words.value().is_string() ? fromJson(words.value().get<std::string>())
                                                         : QString();
}

} // namespace

GraphImporter::GraphImporter(QObject *parent) : QObject(parent) {}

GraphImporter::~GraphImporter() = default;

void GraphImporter::start(const QString &interpreter, const QString &resources, const QString &modelFile) {
    m_model = modelFile;
    m_line.clear();
    m_at.clear();
    m_callSites = Json::object();
    m_isReported = false;
    m_isParsing = false;
    ++m_number;
    m_clock.start();
    m_process = std::make_unique<ChildProcess>();
    connect(m_process.get(), &ChildProcess::finished, this, &GraphImporter::read);
    connect(m_process.get(), &ChildProcess::failed, this, &GraphImporter::failed);
    connect(m_process.get(), &ChildProcess::errorArrived, this, &GraphImporter::readProgress);
    ProcessRequest request;
    request.program = interpreter;
    request.arguments = {resources + QStringLiteral("/playbook/read_reference.py"), modelFile};
    // Fake tensors need no device, and a model that requests one must not initialize it.
    request.environment.insert(QStringLiteral("CUDA_VISIBLE_DEVICES"), QString());
    request.timeLimitMs = timeLimitMs;
    request.outputLimitBytes = mostBytes;
    m_process->start(request);
}

void GraphImporter::cancel() {
    if (m_process)
        m_process->cancel();
    if (!std::exchange(m_isParsing, false))
        return;
    QMetaObject::invokeMethod(
        this,
        [this, number = ++m_number] {
            if (number == m_number)
                emit failed(failureMessage(QStringLiteral("it was stopped.")));
        },
        Qt::QueuedConnection);
}

QString GraphImporter::failureMessage(const QString &words) const {
    return QStringLiteral("Cannot read \"%1\" as a graph: ").arg(m_model) + words;
}

void GraphImporter::readProgress(const QByteArray &bytes) {
    m_line += bytes;
    for (qsizetype end = m_line.indexOf('\n'); end >= 0; end = m_line.indexOf('\n')) {
        if (m_line.startsWith(progressMark))
            m_at = parsedProgress(m_line.left(end));
        m_line.remove(0, end + 1);
    }
    if (!m_isReported && !m_at.isEmpty() && m_clock.elapsed() >= patienceMs) {
        m_isReported = true;
        emit progressed(
            QStringLiteral("Reading the reference takes longer than %1 s (it ends after %2 s at the "
                           "latest): %3.")
                .arg(patienceMs / 1000)
                .arg(timeLimitMs / 1000)
                .arg(m_at));
    }
}

QString GraphImporter::withCallSite(const QString &reason) const {
    static const QRegularExpression operatorWord(QStringLiteral("«_?([a-z0-9_]+)[^»]*»"));
    const QString word = operatorWord.match(reason).captured(1);
    const QString callSite = word.isEmpty() ? QString() : stringIn(m_callSites, word.toUtf8().constData());
    return callSite.isEmpty() ? reason : reason + QStringLiteral(" (first called by %1)").arg(callSite);
}

void GraphImporter::read(const ProcessOutcome &outcome) {
    if (outcome.cancelled) {
        emit failed(failureMessage(QStringLiteral("it was stopped.")));
        return;
    }
    if (outcome.timedOut || outcome.outputTruncated) {
        const auto graph = std::make_shared<ReferenceGraph>(); // the model's fault: a result, not a failure
        graph->unsupported =
            outcome.timedOut
                ? QStringLiteral("reading it takes longer than %1 s%2; a loop is one time step only where "
                                 "all its time steps call the same operators with the same shapes")
                      .arg(timeLimitMs / 1000)
                      .arg(m_at.isEmpty() ? QString() : QStringLiteral(", and it was still ") + m_at)
                : QStringLiteral("its graph is larger than %1 MB").arg(mostBytes / 1024 / 1024);
        emit finished(graph);
        return;
    }
    if (!outcome.succeeded()) {
        const QString words = QString::fromUtf8(outcome.standardError.trimmed().split('\n').last().left(300));
        emit failed(failureMessage(
            (outcome.signal != 0
                 ? QStringLiteral("the reader was ended by signal %1").arg(outcome.signal)
                 : QStringLiteral("the reader ended with exit code %1").arg(outcome.exitCode)) +
            (words.isEmpty() ? QStringLiteral(".") : QStringLiteral(": ") + words) +
            QStringLiteral(" It needs an interpreter with torch: see wright doctor.")));
        return;
    }
    parse(outcome.standardOutput);
}

// In the thread pool: the graph of a large model has many thousand lines.
void GraphImporter::parse(const QByteArray &text) {
    struct Parsed {
        std::shared_ptr<const ReferenceGraph> graph;
        QString why; ///< set if there is no graph
        Json callSites;
    };
    m_isParsing = true;
    inPool(
        this,
        [text] {
            Parsed parsed;
            Result<ReferenceGraph> graph = readReferenceGraph(text);
            if (graph.hasValue())
                parsed.graph = std::make_shared<const ReferenceGraph>(std::move(graph).value());
            else
                parsed.why = graph.message();
            const Result<Json> answer = parseJson(text);
            parsed.callSites =
                answer.hasValue() ? answer.value().value("places", Json::object()) : Json::object();
            return parsed;
        },
        [this, number = ++m_number](Parsed parsed) {
            if (number != m_number)
                return;
            m_isParsing = false;
            m_callSites = std::move(parsed.callSites);
            if (parsed.graph)
                emit finished(parsed.graph);
            else
                emit failed(parsed.why);
        });
}

} // namespace warpwright
