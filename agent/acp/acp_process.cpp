// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/acp/acp_process.h"

#include "agent/acp/known_agents.h"
#include "toolchain/base/ink.h"
#include "toolchain/process/processes_below.h"

#include <csignal>
#include <cstring>

namespace warpwright {
namespace {

constexpr qsizetype keptErrors = 8 * 1024;
constexpr qsizetype shownWords = 400;
/// Whoever runs it for us (a shell, the sandbox) tells of the signal that ended it by such an exit code.
constexpr int saysSignal = 128;
/// Wrappers greet people before the program speaks; more than this is no agent.
constexpr int mostStrays = 100;

/// « (SIGSEGV)»; empty: there is none of this number.
QString signalName(int signal) {
    const char *name = signal > 0 ? sigabbrev_np(signal) : nullptr;
    return name == nullptr ? QString() : QStringLiteral(" (SIG%1)").arg(QLatin1String(name));
}

} // namespace

AcpProcess::AcpProcess(QObject *parent) : QObject(parent) {
    connect(&m_rpc, &JsonRpc::wrote, this, [this](const QByteArray &line) {
        if (m_process && !m_hasEnded)
            m_process->writeInput(line);
    });
    connect(&m_rpc, &JsonRpc::strayed, this, [this](const QByteArray &line) {
        m_strayed = line;
        if (++m_strays > mostStrays)
            end(QStringLiteral(
                    "%1 does not speak the Agent Client Protocol: it prints \"%2\". Its command may "
                    "lack a word that turns the protocol on (--acp, acp).")
                    .arg(m_name, QString::fromUtf8(line)));
    });
    connect(&m_rpc, &JsonRpc::broken, this,
            [this](const QString &why) { end(QStringLiteral("%1 was ended: %2.").arg(m_name, why)); });
}

AcpProcess::~AcpProcess() {
    m_hasEnded = true;
    kill();
}

void AcpProcess::start(const AcpProfile &profile, const AcpSandbox &sandbox, const QString &folder) {
    Q_ASSERT(!m_process);
    m_name = profile.name;
    const QString program = programOf(profile);
    if (program.isEmpty()) {
        const QString install = installCommandOf(profile.command);
        const QString advice =
            install.isEmpty()
                ? QStringLiteral("Install it, or set another command: wright agents add %1 -- COMMAND.")
                      .arg(profile.name)
                : QStringLiteral("Install it: %1.").arg(install);
        const QString why =
            cannotStartMessage(profile.command, QStringLiteral("it is not there, or no program"), advice);
        QMetaObject::invokeMethod(
            this, [this, why] { end(why); }, Qt::QueuedConnection);
        return;
    }
    const auto environment = environmentOf(profile, QProcessEnvironment::systemEnvironment());
    if (!environment.hasValue()) {
        QMetaObject::invokeMethod(
            this, [this, why = environment.message()] { end(why); }, Qt::QueuedConnection);
        return;
    }
    m_process = new ChildProcess(this);
    connect(m_process, &ChildProcess::outputArrived, &m_rpc, &JsonRpc::take);
    connect(m_process, &ChildProcess::errorArrived, this,
            [this](const QByteArray &bytes) { m_errors = (m_errors + bytes).right(keptErrors); });
    connect(m_process, &ChildProcess::failed, this, &AcpProcess::end);
    connect(m_process, &ChildProcess::finished, this, [this](const ProcessOutcome &outcome) {
        const QString how = outcome.signal != 0 ? QStringLiteral("was ended by signal %1%2")
                                                      .arg(outcome.signal)
                                                      .arg(signalName(outcome.signal))
                                                : QStringLiteral("ended with exit code %1%2")
                                                      .arg(outcome.exitCode)
                                                      .arg(signalName(outcome.exitCode - saysSignal));
        const QString words = lastWords();
        end(QStringLiteral("%1 %2%3").arg(m_name, how,
                                          words.isEmpty() ? QStringLiteral(", without a word.")
                                                          : QStringLiteral("; it said: ") + words));
    });
    ProcessRequest request;
    request.program = program;
    request.arguments = profile.arguments;
    request.workingFolder = folder;
    const QMap<QString, QString> &variables = environment.value();
    for (auto variable = variables.begin(); variable != variables.end(); ++variable)
        request.environment.insert(variable.key(), variable.value());
    request.keepsOutput = false;
    request.hasInput = true;
    m_process->start(sandbox.around(request));
}

QString AcpProcess::lastWords() const {
    const QByteArray &said = m_errors.trimmed().isEmpty() ? m_strayed : m_errors;
    const QString words = printable(QString::fromUtf8(said).simplified());
    return words.size() > shownWords ? QStringLiteral("… ") + words.right(shownWords) : words;
}

void AcpProcess::end(const QString &why) {
    if (std::exchange(m_hasEnded, true))
        return;
    m_rpc.close();
    kill();
    emit ended(why);
}

void AcpProcess::stop() {
    m_hasEnded = true;
    m_rpc.close();
    kill();
}

// A helper in a session of its own is not in the group: it is found by its parent. Never deleted here: it may
// be the process itself that tells of its end.
void AcpProcess::kill() {
    if (!m_process)
        return;
    m_process->disconnect(this);
    m_process->disconnect(&m_rpc);
    if (const qint64 pid = m_process->processId(); pid > 1 && m_process->isRunning()) {
        signalProcessesBelow(SIGKILL, pid);
        ::kill(-static_cast<pid_t>(pid), SIGKILL);
    }
    std::exchange(m_process, nullptr)->deleteLater();
}

} // namespace warpwright
