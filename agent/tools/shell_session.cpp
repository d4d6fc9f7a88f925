// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/tools/shell_session.h"

#include "toolchain/process/processes_below.h"

#include <QFileInfo>
#include <QRandomGenerator>

#include <csignal>

namespace warpwright {
namespace {

constexpr qint64 mostOutputBytes = 64LL * 1024 * 1024;
const QString bash = QStringLiteral("/usr/bin/bash");

/// Reads one command after the other from standard input, each up to a NUL, and runs it in the same shell.
/// The redirection of `eval` undoes what a command does to the streams («exec > file»).
QByteArray driverOf(const QByteArray &mark) {
    return "exec 8>&1 9<&0\n"
           "while IFS= builtin read -r -d '' -u 9 __command; do\n"
           "  eval \"$__command\" </dev/null >&8 2>&8\n"
           "  builtin printf '\\0" +
           mark +
           ":%d:%s\\0' \"$?\" \"$PWD\" >&8\n"
           "done\n";
}

} // namespace

ShellSession::ShellSession(QString folder, QObject *parent)
    : QObject(parent), m_root(std::move(folder)), m_folder(m_root) {
    m_timeLimit.setSingleShot(true);
    connect(&m_timeLimit, &QTimer::timeout, this, [this] { end(ShellOutcome::How::TimedOut, -1); });
}

ShellSession::~ShellSession() {
    kill();
}

void ShellSession::run(const ToolSandbox &sandbox, const QByteArray &command, int timeLimitMs) {
    Q_ASSERT(!m_isRunning);
    m_isRunning = true;
    m_output = {};
    m_pending.clear();
    m_clock.start();
    if (m_process == nullptr)
        begin(sandbox);
    if (m_process == nullptr) // it could not be started
        return;
    m_timeLimit.start(timeLimitMs);
    m_process->writeInput(command + '\0');
}

void ShellSession::begin(const ToolSandbox &sandbox) {
    m_mark = "__end_" + QByteArray::number(QRandomGenerator::system()->generate64(), 16);
    m_process = new ChildProcess(this);
    connect(m_process, &ChildProcess::outputArrived, this, &ShellSession::take);
    connect(m_process, &ChildProcess::errorArrived, this, &ShellSession::take);
    connect(m_process, &ChildProcess::finished, this, &ShellSession::processEnded);
    connect(m_process, &ChildProcess::failed, this, [this](const QString &message) {
        std::exchange(m_process, nullptr)->deleteLater();
        m_timeLimit.stop();
        if (std::exchange(m_isRunning, false))
            emit failed(message);
    });
    // Where the last one stood may be gone, or have been its private /tmp.
    if (!(m_folder + QLatin1Char('/')).startsWith(m_root + QLatin1Char('/')) || !QFileInfo(m_folder).isDir())
        m_folder = m_root;
    ProcessRequest request;
    request.program = sandbox.program;
    request.arguments = sandbox.arguments(m_folder, bash,
                                          {QStringLiteral("--norc"), QStringLiteral("--noprofile"),
                                           QStringLiteral("-c"), QString::fromUtf8(driverOf(m_mark))});
    request.environment = sandbox.environment;
    request.keepsOutput = false;
    request.hasInput = true;
    m_process->start(request);
}

void ShellSession::take(const QByteArray &bytes) {
    if (!m_isRunning)
        return; // of what a command has left behind
    m_pending += bytes;
    const QByteArray opening = '\0' + m_mark + ':';
    const qsizetype at = m_pending.indexOf(opening);
    if (at < 0) {
        // All but what may be the first part of a mark.
        qsizetype kept = std::min(opening.size() - 1, m_pending.size());
        while (kept > 0 && !opening.startsWith(m_pending.right(kept)))
            --kept;
        m_output.add(m_pending.left(m_pending.size() - kept));
        m_pending = m_pending.right(kept);
        if (m_output.bytes() > mostOutputBytes)
            end(ShellOutcome::How::TooMuchOutput, -1);
        return;
    }
    const qsizetype words = at + opening.size();
    const qsizetype close = m_pending.indexOf('\0', words);
    if (close < 0)
        return;
    m_output.add(m_pending.left(at));
    const QByteArray told = m_pending.mid(words, close - words);
    const qsizetype colon = told.indexOf(':');
    m_folder = QString::fromUtf8(told.mid(colon + 1));
    end(ShellOutcome::How::Ended, told.left(colon).toInt());
}

void ShellSession::processEnded(const ProcessOutcome &outcome) {
    std::exchange(m_process, nullptr)->deleteLater();
    if (!m_isRunning)
        return; // killed by what an earlier command has left behind
    m_output.add(m_pending);
    end(ShellOutcome::How::ShellEnded, outcome.exitCode, outcome.signal);
}

void ShellSession::end(ShellOutcome::How how, int exitCode, int signal) {
    m_timeLimit.stop();
    m_isRunning = false;
    if (how != ShellOutcome::How::Ended)
        kill();
    ShellOutcome outcome;
    outcome.how = how;
    outcome.exitCode = exitCode;
    outcome.signal = signal;
    outcome.seconds = static_cast<double>(m_clock.elapsed()) / 1000;
    outcome.output = std::exchange(m_output, {});
    outcome.folder = m_folder;
    m_pending.clear();
    emit ended(outcome);
}

void ShellSession::stop() {
    m_timeLimit.stop();
    m_isRunning = false;
    kill();
}

void ShellSession::kill() {
    if (m_process == nullptr)
        return;
    m_process->disconnect(this);
    // Where the sandbox is no namespace, what has left the group outlives it.
    if (const qint64 pid = m_process->processId(); pid > 0)
        signalProcessesBelow(SIGKILL, pid);
    // Not from within its own signal.
    ChildProcess *process = std::exchange(m_process, nullptr);
    process->cancel();
    process->deleteLater();
}

} // namespace warpwright
