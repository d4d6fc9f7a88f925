// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/environment/python_probe.h"

#include "toolchain/environment/remembered_answers.h"

namespace warpwright {

namespace {
constexpr int timeLimitMs =
    120 * 1000; // the first import of torch from a cold network disk takes most of a minute
}

PythonProbe::PythonProbe(PythonChoice choice, QString resources, QObject *parent)
    : QObject(parent), m_choice(std::move(choice)), m_resources(std::move(resources)) {
    connect(&m_process, &ChildProcess::finished, this, &PythonProbe::read);
    connect(&m_process, &ChildProcess::failed, this, [this](const QString &message) {
        emit failed(message + QStringLiteral(" It was to be the Python (from %1); --python (in the window: "
                                             "Settings > Python) names another.")
                                  .arg(m_choice.source));
    });
}

void PythonProbe::start(bool importsTorch) {
    ProcessRequest &request = m_request;
    request.program = m_choice.interpreter;
    // -P would keep the current folder out, but Python 3.10 does not know it; a script's path puts its own
    // folder first anyway.
    request.arguments = {m_resources + QStringLiteral("/probe_python.py")};
    if (importsTorch)
        request.arguments << QStringLiteral("import");
    request.timeLimitMs = timeLimitMs;
    request.outputLimitBytes = 1024 * 1024;
    request.environment = QProcessEnvironment::systemEnvironment();
    m_isWorthKeeping = !importsTorch;
    m_askedAt = QDateTime::currentDateTimeUtc();
    if (const auto known = m_isWorthKeeping ? RememberedAnswers::find(request) : std::nullopt)
        // Later, as a process would answer.
        QMetaObject::invokeMethod(
            this, [this, known] { answered(*known); }, Qt::QueuedConnection);
    else
        m_process.start(request);
}

void PythonProbe::cancel() {
    m_process.cancel();
}

void PythonProbe::read(const ProcessOutcome &outcome) {
    const QString who =
        QStringLiteral("Cannot use the Python \"%1\" (from %2): ").arg(m_choice.interpreter, m_choice.source);
    const QString advice =
        QStringLiteral(" Name another interpreter with --python (in the window: Settings > Python).");
    if (outcome.cancelled) {
        emit failed(who + QStringLiteral("asking it was cancelled."));
    } else if (outcome.timedOut) {
        emit failed(who + QStringLiteral("it did not answer within %1 s.").arg(timeLimitMs / 1000) + advice);
    } else if (!outcome.succeeded()) {
        // The last line of a traceback is the one that says what happened.
        const QString words = QString::fromUtf8(outcome.standardError.trimmed().split('\n').last().left(300));
        const QString how = outcome.signal != 0
                                ? QStringLiteral("it was ended by signal %1").arg(outcome.signal)
                                : QStringLiteral("it ended with exit code %1").arg(outcome.exitCode);
        emit failed(who + how + (words.isEmpty() ? QStringLiteral(".") : QStringLiteral(": ") + words) +
                    advice);
    } else {
        if (m_isWorthKeeping)
            if (const QStringList watched = pythonFilesToWatch(outcome.standardOutput); !watched.isEmpty())
                RememberedAnswers::keep(m_request, outcome.standardOutput, m_askedAt,
                                        m_request.arguments + watched);
        answered(outcome.standardOutput);
    }
}

void PythonProbe::answered(const QByteArray &json) {
    if (const auto facts = readPythonFacts(json, m_choice); facts.hasValue())
        emit finished(facts.value());
    else
        emit failed(facts.message());
}

} // namespace warpwright
