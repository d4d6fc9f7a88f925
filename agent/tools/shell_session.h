// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/tools/kept_output.h"
#include "agent/tools/tool_sandbox.h"
#include "toolchain/process/child_process.h"

#include <QElapsedTimer>
#include <QObject>
#include <QPointer>
#include <QTimer>

namespace warpwright {

/// How a command ended.
struct ShellOutcome {
    enum class How {
        Ended,      ///< by itself, with its exit code
        ShellEnded, ///< and the shell with it: «exit», or it was killed
        TimedOut,
        TooMuchOutput,
    };

    How how = How::Ended;
    int exitCode = 0;
    int signal = 0; ///< that ended the shell; 0: none
    double seconds = 0;
    KeptOutput output; ///< both streams, in their order
    QString folder;    ///< where the shell stands now; empty: not known
};

/// A bash that lives from command to command, in a sandbox: where it stands, its variables and functions
/// last. What one reads from standard input is empty.
///
/// Each run() ends in exactly one ended() or failed(); failed() means that there is no shell. After a time
/// limit, a flood or an end of the shell all that ran in it is dead, and the next run() starts a new one in
/// the same place. stop() is heard nothing of. Destroying it kills everything at once.
class ShellSession : public QObject {
    Q_OBJECT
public:
    /// `folder`: where the first shell begins.
    explicit ShellSession(QString folder, QObject *parent = nullptr);
    ~ShellSession() override;

    /// Only when nothing runs. The sandbox is that of the next shell; one that lives keeps its own.
    void run(const ToolSandbox &sandbox, const QByteArray &command, int timeLimitMs);
    /// Kills what runs, and the shell.
    void stop();
    /// Where the shell stands, or the next one begins.
    [[nodiscard]] const QString &folder() const { return m_folder; }
    [[nodiscard]] bool isAlive() const { return m_process != nullptr; }

signals:
    void ended(const warpwright::ShellOutcome &outcome);
    void failed(const QString &message);

private:
    void begin(const ToolSandbox &sandbox);
    void take(const QByteArray &bytes);
    void processEnded(const ProcessOutcome &outcome);
    void end(ShellOutcome::How how, int exitCode, int signal = 0);
    void kill();

    QString m_root;
    QString m_folder;
    QByteArray m_mark; ///< what stands after a command's output: nothing else prints it
    ChildProcess *m_process = nullptr;
    QTimer m_timeLimit;
    QElapsedTimer m_clock;
    KeptOutput m_output;
    QByteArray m_pending; ///< that may be the beginning of a mark
    bool m_isRunning = false;
};

} // namespace warpwright
