// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/acp/acp_profile.h"
#include "agent/acp/acp_sandbox.h"
#include "toolchain/process/child_process.h"
#include "toolchain/process/json_rpc.h"

namespace warpwright {

/// The process of an external agent, in a session of its own, with JSON-RPC on its standard input and output.
///
/// start() ends in exactly one ended(), whatever happens first: it cannot be started, dies, says no word of
/// JSON, or sends a line that has no end. What it writes to standard error is read and forgotten but for its
/// last lines, which are in the message. Destroying it kills all of it at once.
class AcpProcess : public QObject {
    Q_OBJECT
public:
    explicit AcpProcess(QObject *parent = nullptr);
    ~AcpProcess() override;

    /// Once per object. `folder`: where it begins.
    void start(const AcpProfile &profile, const AcpSandbox &sandbox, const QString &folder);
    /// Kills all of it; nothing is heard of it any more.
    void stop();
    [[nodiscard]] JsonRpc &rpc() { return m_rpc; }
    [[nodiscard]] qint64 processId() const { return m_process ? m_process->processId() : 0; }
    /// What it printed instead of messages, and to standard error: the last of it, in one line.
    [[nodiscard]] QString lastWords() const;

signals:
    /// `why`: a sentence for people.
    void ended(const QString &why);

private:
    void end(const QString &why);
    void kill();

    QString m_name;
    ChildProcess *m_process = nullptr;
    JsonRpc m_rpc;
    QByteArray m_errors; ///< the end of standard error
    QByteArray m_strayed;
    int m_strays = 0;
    bool m_hasEnded = false;
};

} // namespace warpwright
