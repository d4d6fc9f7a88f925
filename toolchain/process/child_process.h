// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QProcess>
#include <QProcessEnvironment>
#include <QTimer>

namespace warpwright {

/// What to run. The environment is exact: nothing of ours is added to it.
struct ProcessRequest {
    QString program;
    QStringList arguments;
    QString workingFolder; ///< empty: ours
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    int timeLimitMs = 0;                          ///< 0: none
    qint64 outputLimitBytes = 64LL * 1024 * 1024; ///< of each stream; what comes after is read and dropped
    bool keepsOutput = true; ///< false: only the signals carry it, for talkative long runners
    bool hasInput = false;   ///< true: writeInput() follows; false: the child reads end of file

    bool operator==(const ProcessRequest &) const = default;
};

/// How a process ended. `signal` is 0 unless a signal ended it; `exitCode` counts only then.
struct ProcessOutcome {
    int exitCode = 0;
    int signal = 0;
    bool timedOut = false;
    bool cancelled = false;
    bool outputTruncated = false;
    QByteArray standardOutput;
    QByteArray standardError;
    double seconds = 0;

    [[nodiscard]] bool succeeded() const { return exitCode == 0 && signal == 0 && !timedOut && !cancelled; }
    bool operator==(const ProcessOutcome &) const = default;
};

/// One child process in a session of its own: the one place for start failure, crash, time limit, cancel and
/// output limit.
///
/// Every start() ends in exactly one of finished() or failed(); failed() means that it never ran. cancel()
/// and the time limit send SIGTERM to the whole process group and SIGKILL two seconds later. Destroying it
/// kills the group at once. What bites: the kernel kills the child when the *thread* that started it ends
/// (PR_SET_PDEATHSIG), so use it from a thread that lives as long as the program. A grandchild that calls
/// setsid() leaves the group: see processes_below.h.
class ChildProcess : public QObject {
    Q_OBJECT
public:
    explicit ChildProcess(QObject *parent = nullptr);
    ~ChildProcess() override;

    /// Once per object.
    void start(const ProcessRequest &request);
    /// Safe in every state. Before start() it makes start() end at once as cancelled.
    void cancel();
    /// Needs ProcessRequest::hasInput. Buffered: it never waits for the child to read.
    void writeInput(const QByteArray &bytes);
    /// The child reads end of file after what was written.
    void closeInput();

    [[nodiscard]] bool isRunning() const { return m_process->state() != QProcess::NotRunning; }
    /// From start() on, before started() too; 0 after a failed start. Also the number of its group.
    [[nodiscard]] qint64 processId() const { return m_group != 0 ? m_group : m_process->processId(); }

signals:
    void started();
    void outputArrived(const QByteArray &bytes);
    void errorArrived(const QByteArray &bytes);
    void finished(const warpwright::ProcessOutcome &outcome);
    void failed(const QString &message);

private:
    void readOutput();
    void readError();
    void end(int exitCode, QProcess::ExitStatus status);
    void fail(QProcess::ProcessError error);
    void terminate();
    void signalGroup(int signal) const;

    QProcess *m_process;
    QTimer m_timeLimit;
    QTimer m_killDelay;
    QElapsedTimer m_clock;
    ProcessRequest m_request;
    ProcessOutcome m_outcome;
    qint64 m_group = 0;
    bool m_isDone = false;
};

/// «Cannot start "X": reason. advice»: the words for a program that does not start.
[[nodiscard]] QString cannotStartMessage(const QString &program, const QString &reason,
                                         const QString &advice = {});

} // namespace warpwright
