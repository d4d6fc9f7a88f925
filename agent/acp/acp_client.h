// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/acp/acp_codec.h"
#include "agent/acp/acp_files.h"
#include "agent/acp/acp_process.h"
#include "agent/acp/acp_terminals.h"

#include <QTimer>

#include <map>
#include <memory>

namespace warpwright {

/// How long an external agent is waited for.
struct AcpPatience {
    int greetingMs = 120'000; ///< it may be loaded from a registry first
    int cancelMs = 3'000;     ///< then it is killed

    bool operator==(const AcpPatience &) const = default;
};

struct AcpClientSetup {
    AcpProfile profile;
    AcpSandbox sandbox; ///< not there: it runs as it is, and runs no commands through us
    WorkFolder work;
    AcpToolServer tools; ///< without a command: none
    QString session;     ///< of an earlier program, to go on with; empty: a new one
    QString programVersion;
    AcpPatience patience = {};
};

/// The client's end of the Agent Client Protocol: one agent, one session, one prompt at a time.
///
/// start() ends in ready() or failed(); each prompt() after it in turnEnded() or failed(). failed() comes
/// once and last: the process is gone then. Files and commands that the agent asks for are dealt with in
/// here. A cancel() is obeyed by the agent, or ends it.
class AcpClient : public QObject {
    Q_OBJECT
public:
    explicit AcpClient(AcpClientSetup setup, QObject *parent = nullptr);

    void start();
    /// The answer to authenticationAsked(): the session is opened then, or the prompt given once more.
    void authenticate(const QString &method);
    /// It has asked for a sign-in, and there was none yet.
    [[nodiscard]] bool isSigningIn() const { return m_isSigningIn; }
    /// Until ready() or failed(): the request that it has not answered; empty: none.
    struct Awaited {
        QString request;
        int leftMs = 0;
    };
    [[nodiscard]] std::optional<Awaited> awaited() const;
    void prompt(const QString &text);
    [[nodiscard]] bool isPrompting() const { return m_isPrompting; }
    void cancel();
    /// `option`: of those of the permission; empty: nobody answers any more.
    void answerPermission(const QString &id, const QString &option);
    [[nodiscard]] const AcpFacts &facts() const { return m_facts; }
    [[nodiscard]] qint64 processId() const { return m_process.processId(); }

signals:
    /// `isOld`: it remembers what was said in that session.
    void ready(const QString &session, bool isOld);
    /// Some ask when a session is opened, others with the first prompt. No sign-in: this client is of no use.
    void authenticationAsked(const std::vector<warpwright::AcpAuthMethod> &methods);
    void updated(const warpwright::AcpUpdate &update);
    void permissionAsked(const QString &id, const warpwright::AcpPermission &permission);
    void turnEnded(const warpwright::AcpTurnEnd &end);
    void failed(const QString &why);

private:
    void greeted(const JsonRpcAnswer &answer);
    void openSession();
    void sessionOpened(const JsonRpcAnswer &answer, bool isOld);
    void promptEnded(const JsonRpcAnswer &answer);
    void askSignIn(const JsonRpcAnswer &answer);
    void take(const Json &id, const QString &method, const Json &params);
    void askPermission(const Json &id, const Json &params);
    [[nodiscard]] QStringList ourPaths(QStringList paths) const;
    [[nodiscard]] AcpUpdate withOurPaths(AcpUpdate update) const;
    void runCommand(const Json &id, const Json &params);
    void takeTerminal(const Json &id, const QString &method, const Json &params);
    void fail(const QString &why);
    [[nodiscard]] QString refusedWords(const QString &what, const JsonRpcAnswer &answer) const;

    AcpClientSetup m_setup;
    AcpProcess m_process;
    AcpFiles m_files;
    std::unique_ptr<AcpTerminals> m_terminals;
    const AcpCodec *m_codec = nullptr;
    AcpFacts m_facts;
    QString m_session;
    QTimer m_patience;
    QString m_awaited;                     ///< the request, while it begins
    std::map<QString, Json> m_permissions; ///< that wait, by our id: theirs
    int m_lastPermission = 0;
    QString m_prompt; ///< the last one
    bool m_isPrompting = false;
    bool m_isSigningIn = false;
    bool m_isLoading = false; ///< an old session tells again what was said
    bool m_hasFailed = false;
};

} // namespace warpwright
