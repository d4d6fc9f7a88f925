// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/mcp/mcp_messages.h"
#include "agent/mcp/mcp_tools.h"
#include "toolchain/process/json_rpc.h"

#include <map>

namespace warpwright {

/// One client of our tools, by the Model Context Protocol, in whichever of its two eras each request is.
///
/// Knows nothing of where the bytes come from. A call that goes wrong is an answer that says so; a tool that
/// is not there is an error of the protocol. What was cancelled in time gets no answer; what was
/// carried out before it says so. Destroying it cancels all.
class McpServer : public QObject {
    Q_OBJECT
public:
    /// `tools` outlive it.
    McpServer(McpTools &tools, QString programVersion, QObject *parent = nullptr);
    ~McpServer() override;

    void take(const QByteArray &bytes) { m_rpc.take(bytes); }

signals:
    void wrote(const QByteArray &line);
    /// What came is no protocol any more: nothing is read after it.
    void broken(const QString &why);

private:
    struct Call {
        Json request; ///< its id
        McpEra era = McpEra::Handshake;
        Json progressToken;
        int progressTold = -1; ///< it has to grow
        bool isCancelled = false;
    };
    void answer(const Json &id, const QString &method, const Json &params);
    void callTool(const Json &id, const Json &params, const McpEnvelope &envelope);
    void cancel(const Json &request);

    McpTools &m_tools;
    QString m_version;
    JsonRpc m_rpc;
    QString m_client; ///< of the handshake
    QString m_prefix; ///< of our ids for calls
    int m_lastCall = 0;
    std::map<QString, Call> m_calls;
};

} // namespace warpwright
