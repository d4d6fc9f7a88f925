// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/process/child_process.h"

#include <QFileInfo>
#include <QStandardPaths>

#include <csignal>
#include <sys/prctl.h>
#include <unistd.h>

namespace warpwright {

namespace {

constexpr int killDelayMs = 2000;

/// Between fork and exec: only what is safe there (no allocation, no locks).
void prepareChild(pid_t parent) {
    setsid();
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    // The parent may have died before the line above could take effect.
    if (getppid() != parent)
        _exit(127);
    // Handlers and masks of a GUI or a CLI are not the tool's: an ignored SIGPIPE makes «nvcc | head» run on.
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    for (const int signal : {SIGINT, SIGTERM, SIGPIPE, SIGQUIT, SIGHUP, SIGCHLD, SIGUSR1, SIGUSR2})
        ::signal(signal, SIG_DFL);
}

/// Appends up to the limit; gives false when something had to be dropped.
bool appendWithin(QByteArray &kept, const QByteArray &bytes, qint64 limit) {
    const qint64 room = limit - kept.size();
    if (bytes.size() <= room) {
        kept += bytes;
        return true;
    }
    if (room > 0)
        kept += bytes.left(room);
    return false;
}

} // namespace

QString cannotStartMessage(const QString &program, const QString &reason, const QString &advice) {
    QString text = QStringLiteral("Cannot start \"%1\": %2.").arg(program, reason);
    if (!advice.isEmpty())
        text += QLatin1Char(' ') + advice;
    return text;
}

ChildProcess::ChildProcess(QObject *parent) : QObject(parent), m_process(new QProcess(this)) {
    m_timeLimit.setSingleShot(true);
    m_killDelay.setSingleShot(true);
    connect(&m_timeLimit, &QTimer::timeout, this, [this] {
        m_outcome.timedOut = true;
        terminate();
    });
    connect(&m_killDelay, &QTimer::timeout, this, [this] { signalGroup(SIGKILL); });
    connect(m_process, &QProcess::started, this, [this] {
        m_group = m_process->processId();
        if (m_outcome.cancelled)
            terminate();
        emit started();
    });
    connect(m_process, &QProcess::readyReadStandardOutput, this, &ChildProcess::readOutput);
    connect(m_process, &QProcess::readyReadStandardError, this, &ChildProcess::readError);
    connect(m_process, &QProcess::finished, this, &ChildProcess::end);
    connect(m_process, &QProcess::errorOccurred, this, &ChildProcess::fail);
}

ChildProcess::~ChildProcess() {
    m_process->disconnect(this);
    if (!isRunning())
        return;
    m_isDone = true;
    m_group = m_process->processId();
    signalGroup(SIGKILL);
    if (m_group > 1) // one that was started this moment has no group of its own yet
        ::kill(static_cast<pid_t>(m_group), SIGKILL);
    // A QProcess that is destroyed waits up to 30 s for its child. It outlives us instead, until the child is
    // reaped.
    m_process->setParent(nullptr);
    connect(m_process, &QProcess::finished, m_process, &QObject::deleteLater);
}

void ChildProcess::start(const ProcessRequest &request) {
    Q_ASSERT(m_process->state() == QProcess::NotRunning && !m_isDone);
    m_request = request;
    m_clock.start();
    if (m_outcome.cancelled) {
        m_isDone = true;
        // Never from within start(): the caller has not returned to its event loop yet.
        QMetaObject::invokeMethod(
            this, [this] { emit finished(m_outcome); }, Qt::QueuedConnection);
        return;
    }
    m_process->setProgram(request.program);
    m_process->setArguments(request.arguments);
    m_process->setProcessEnvironment(request.environment);
    if (!request.workingFolder.isEmpty())
        m_process->setWorkingDirectory(request.workingFolder);
    const pid_t parent = getpid();
    m_process->setChildProcessModifier([parent] { prepareChild(parent); });
    if (request.timeLimitMs > 0)
        m_timeLimit.start(request.timeLimitMs);
    m_process->start();
    if (!m_request.hasInput)
        m_process->closeWriteChannel();
}

void ChildProcess::cancel() {
    if (m_isDone)
        return;
    m_outcome.cancelled = true;
    if (m_group != 0)
        terminate();
}

void ChildProcess::writeInput(const QByteArray &bytes) {
    if (m_isDone)
        return;
    Q_ASSERT_X(m_request.hasInput, "ChildProcess",
               "set ProcessRequest::hasInput, else the input is closed at the start");
    m_process->write(bytes);
}

void ChildProcess::closeInput() {
    if (!m_isDone)
        m_process->closeWriteChannel();
}

void ChildProcess::readOutput() {
    const QByteArray bytes = m_process->readAllStandardOutput();
    if (m_request.keepsOutput && !appendWithin(m_outcome.standardOutput, bytes, m_request.outputLimitBytes))
        m_outcome.outputTruncated = true;
    if (!m_isDone)
        emit outputArrived(bytes);
}

void ChildProcess::readError() {
    const QByteArray bytes = m_process->readAllStandardError();
    if (m_request.keepsOutput && !appendWithin(m_outcome.standardError, bytes, m_request.outputLimitBytes))
        m_outcome.outputTruncated = true;
    if (!m_isDone)
        emit errorArrived(bytes);
}

void ChildProcess::end(int exitCode, QProcess::ExitStatus status) {
    if (m_isDone)
        return;
    readOutput();
    readError();
    m_isDone = true;
    m_timeLimit.stop();
    m_killDelay.stop();
    m_outcome.seconds = static_cast<double>(m_clock.nsecsElapsed()) * 1e-9;
    // QProcess gives the signal's number as the exit code of a crash.
    if (status == QProcess::CrashExit)
        m_outcome.signal = exitCode;
    else
        m_outcome.exitCode = exitCode;
    // A tool that ended may have left helpers behind; a session of ours has nothing that should outlive it.
    signalGroup(SIGKILL);
    emit finished(m_outcome);
}

void ChildProcess::fail(QProcess::ProcessError error) {
    // Everything else (crash, write error) is followed by QProcess::finished.
    if (m_isDone || error != QProcess::FailedToStart)
        return;
    m_isDone = true;
    m_timeLimit.stop();
    QString reason = m_process->errorString();
    // QProcess wraps the reason of execve: «Child process set up failed: execve: No such file or directory».
    reason = reason.section(QLatin1String(": "), -1);
    if (!m_request.workingFolder.isEmpty() && !QFileInfo(m_request.workingFolder).isDir())
        reason = QStringLiteral("the folder to run it in, \"%1\", is not there").arg(m_request.workingFolder);
    const QString message = cannotStartMessage(m_request.program, reason);
    QMetaObject::invokeMethod(
        this, [this, message] { emit failed(message); }, Qt::QueuedConnection);
}

void ChildProcess::terminate() {
    signalGroup(SIGTERM);
    m_killDelay.start(killDelayMs);
}

void ChildProcess::signalGroup(int signal) const {
    // The child made itself the leader of a group of its own number before it became the tool.
    if (m_group > 1)
        ::kill(-static_cast<pid_t>(m_group), signal);
}

} // namespace warpwright
