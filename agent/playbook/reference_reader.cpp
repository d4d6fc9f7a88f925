// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/reference_reader.h"

namespace warpwright {
namespace {

// Importing torch takes seconds, tracing a deep model as many again; who needs longer unrolls a loop over
// time.
constexpr int timeLimitMs = 60 * 1000;
constexpr qint64 mostBytes = 32LL * 1024 * 1024;

} // namespace

ReferenceReader::ReferenceReader(QObject *parent) : QObject(parent) {}

ReferenceReader::~ReferenceReader() = default;

void ReferenceReader::start(const QString &interpreter, const QString &resources, const QString &modelFile) {
    m_model = modelFile;
    m_process = std::make_unique<ChildProcess>();
    connect(m_process.get(), &ChildProcess::finished, this, &ReferenceReader::read);
    connect(m_process.get(), &ChildProcess::failed, this, &ReferenceReader::failed);
    ProcessRequest request;
    request.program = interpreter;
    request.arguments = {resources + QStringLiteral("/playbook/read_reference.py"), modelFile};
    // Fake tensors need no device, and a model that asks for one is not to start it.
    request.environment.insert(QStringLiteral("CUDA_VISIBLE_DEVICES"), QString());
    request.timeLimitMs = timeLimitMs;
    request.outputLimitBytes = mostBytes;
    m_process->start(request);
}

void ReferenceReader::cancel() {
    if (m_process)
        m_process->cancel();
}

void ReferenceReader::read(const ProcessOutcome &outcome) {
    const QString what = QStringLiteral("Cannot read \"%1\" as a graph: ").arg(m_model);
    if (outcome.cancelled) {
        emit failed(what + QStringLiteral("it was stopped."));
        return;
    }
    if (outcome.timedOut || outcome.outputTruncated) {
        ReferenceGraph graph; // the model's doing, and an honest answer
        graph.cannot =
            outcome.timedOut
                ? QStringLiteral("tracing one forward takes longer than %1 s").arg(timeLimitMs / 1000)
                : QStringLiteral("its graph is larger than %1 MB").arg(mostBytes / 1024 / 1024);
        emit finished(graph);
        return;
    }
    if (!outcome.succeeded()) {
        const QString words = QString::fromUtf8(outcome.standardError.trimmed().split('\n').last().left(300));
        emit failed(what +
                    (outcome.signal != 0
                         ? QStringLiteral("the reader was ended by signal %1").arg(outcome.signal)
                         : QStringLiteral("the reader ended with exit code %1").arg(outcome.exitCode)) +
                    (words.isEmpty() ? QStringLiteral(".") : QStringLiteral(": ") + words) +
                    QStringLiteral(" It needs an interpreter with torch: see wright doctor."));
        return;
    }
    const Result<ReferenceGraph> graph = readReferenceGraph(outcome.standardOutput);
    if (graph.hasValue())
        emit finished(graph.value());
    else
        emit failed(graph.message());
}

} // namespace warpwright
