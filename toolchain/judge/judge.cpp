// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/judge/judge.h"

#include <csignal>
#include <cstring>

namespace warpwright {
namespace {

// Nothing that an honest judge says is longer: a round of a task with thousands of outputs takes a few
// kilobytes.
constexpr qsizetype lineLimitBytes = 64 * 1024 * 1024;
constexpr qsizetype errorTailBytes = 16 * 1024;

QString signalText(int signal) {
    return QStringLiteral("%1 (%2)").arg(signal).arg(QString::fromLocal8Bit(strsignal(signal)));
}

} // namespace

Judge::Judge(QObject *parent) : QObject(parent), m_process(new ChildProcess(this)) {
    m_silence.setSingleShot(true);
    // The first torch.compile of a large task on a slow machine says nothing for minutes.
    m_silence.setInterval(20 * 60 * 1000);
    connect(&m_silence, &QTimer::timeout, this, [this] {
        breakOff(QStringLiteral("it said nothing for %1 minutes").arg(m_silence.interval() / 60000.0));
    });
    m_patience.setSingleShot(true);
    connect(&m_patience, &QTimer::timeout, m_process, &ChildProcess::cancel);
    connect(m_process, &ChildProcess::outputArrived, this, &Judge::read);
    connect(m_process, &ChildProcess::errorArrived, this,
            [this](const QByteArray &bytes) { m_errors = (m_errors + bytes).right(errorTailBytes); });
    connect(m_process, &ChildProcess::finished, this, &Judge::end);
    connect(m_process, &ChildProcess::failed, this, [this](const QString &message) {
        m_isRunning = false;
        if (m_isStopping)
            emit stopped();
        else
            emit died(messageFrom(message));
    });
}

void Judge::start(const QString &program, const QStringList &arguments) {
    m_program = program;
    m_isRunning = true;
    ProcessRequest request;
    request.program = program;
    request.arguments = arguments;
    request.keepsOutput = false;
    request.outputLimitBytes = 1LL << 40;
    // Torch numbers devices by speed unless told to go by the bus, as the driver's own tools do.
    request.environment.insert(QStringLiteral("CUDA_DEVICE_ORDER"), QStringLiteral("PCI_BUS_ID"));
    // OpenMP's threads go on spinning for milliseconds when their work is done. The judge's must not do so
    // while its workers compute, and are timed; theirs are left as they come, for they have an environment of
    // their own.
    request.environment.insert(QStringLiteral("OMP_WAIT_POLICY"), QStringLiteral("passive"));
    request.hasInput = true;
    m_process->start(request);
}

int Judge::call(const QString &method, const Json &params) {
    const int id = ++m_lastId;
    m_calls.insert(id, method);
    m_silence.start();
    send({{"jsonrpc", "2.0"}, {"id", id}, {"method", toJson(method)}, {"params", params}});
    return id;
}

void Judge::cancelCall() {
    send({{"jsonrpc", "2.0"}, {"method", "cancel"}, {"params", Json::object()}});
}

void Judge::shutDown() {
    if (m_isStopping)
        return;
    m_isStopping = true;
    m_silence.stop();
    if (!m_isRunning) {
        QTimer::singleShot(0, this, &Judge::stopped);
        return;
    }
    if (hasCallInProgress())
        cancelCall();
    send({{"jsonrpc", "2.0"}, {"id", ++m_lastId}, {"method", "shutdown"}, {"params", Json::object()}});
    m_process->closeInput();
    m_patience.start(5000); // then SIGTERM, and SIGKILL two seconds later
}

void Judge::send(const Json &message) {
    if (m_isRunning)
        m_process->writeInput(dumpJson(message) + '\n');
}

void Judge::read(const QByteArray &bytes) {
    m_buffer += bytes;
    if (m_silence.isActive())
        m_silence.start();
    qsizetype begin = 0;
    for (qsizetype end = m_buffer.indexOf('\n', begin); end >= 0; end = m_buffer.indexOf('\n', begin)) {
        readLine(m_buffer.mid(begin, end - begin));
        begin = end + 1;
    }
    m_buffer.remove(0, begin);
    if (m_buffer.size() > lineLimitBytes)
        breakOff(QStringLiteral("it sent a line of more than %1 MiB").arg(lineLimitBytes / 1024 / 1024));
}

void Judge::readLine(const QByteArray &line) {
    if (m_isStopping || !m_brokenWhy.isEmpty() || line.trimmed().isEmpty())
        return;
    const Result<Json> parsed = parseJson(line);
    const QString shown = QString::fromUtf8(line.left(120)).simplified();
    if (!parsed.hasValue() || !parsed.value().is_object()) {
        breakOff(QStringLiteral("it said «%1», which is no JSON-RPC message").arg(shown));
        return;
    }
    const Json &message = parsed.value();
    if (stringIn(message, "method") == QLatin1String("progress")) {
        emit progress(message.value("params", Json::object()));
        return;
    }
    if (!message.contains("id") || !message["id"].is_number_integer() ||
        !m_calls.contains(message["id"].get<int>()) ||
        (!message.contains("result") && !message.contains("error"))) {
        breakOff(QStringLiteral("it answered «%1» to a question that was not asked").arg(shown));
        return;
    }
    const int id = message["id"].get<int>();
    const QString method = m_calls.take(id);
    if (m_calls.isEmpty())
        m_silence.stop();
    if (message.contains("error"))
        readError(id, message["error"]);
    else if (message["result"].is_object())
        emit replied(id, message["result"]);
    else
        breakOff(QStringLiteral("its answer to %1 is no object").arg(method));
}

void Judge::readError(int id, const Json &error) {
    const Json data = error.is_object() ? error.value("data", Json::object()) : Json::object();
    JudgeError answer;
    answer.verdict = verdictFromName(stringIn(data, "verdict")).value_or(Verdict::Environment);
    answer.message =
        messageFrom(stringIn(data, "what", stringIn(error, "message", QStringLiteral("The judge refused"))),
                    stringIn(data, "why"), stringIn(data, "advice"));
    emit refused(id, answer);
}

// Its word is worth nothing any more: it is ended, and end() reports why.
void Judge::breakOff(const QString &why) {
    if (!m_brokenWhy.isEmpty() || m_isStopping)
        return;
    m_brokenWhy = why;
    m_process->cancel();
}

void Judge::end(const ProcessOutcome &outcome) {
    m_isRunning = false;
    m_silence.stop();
    m_patience.stop();
    if (m_isStopping) {
        emit stopped();
        return;
    }
    m_calls.clear();
    const QString again =
        QStringLiteral("Check again; if it happens again, report it with what wright doctor prints.");
    if (!m_brokenWhy.isEmpty())
        die(m_brokenWhy, again);
    else if (outcome.signal == SIGKILL)
        die(QStringLiteral("it was killed by signal %1").arg(signalText(outcome.signal)),
            QStringLiteral(
                "The system does that when memory runs out, or somebody did. Nothing is lost: check again."));
    else if (outcome.signal != 0)
        die(QStringLiteral("it was killed by signal %1").arg(signalText(outcome.signal)), again);
    else
        die(QStringLiteral("it ended with exit code %1").arg(outcome.exitCode), again);
}

void Judge::die(const QString &why, const QString &advice) {
    EvaluationMessage message;
    message.what = QStringLiteral("Lost the judge (wright-referee)");
    message.thing = m_program;
    message.why = why + lastWords();
    message.advice = advice;
    emit died(message);
}

QString Judge::lastWords() const {
    const QString words = QString::fromUtf8(m_errors).trimmed().section(QLatin1Char('\n'), -3);
    return words.isEmpty() ? QString() : QStringLiteral("; its last words: «%1»").arg(words);
}

} // namespace warpwright
