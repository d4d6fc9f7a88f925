// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/acp/acp_client.h"

#include "agent/acp/acp_versions.h"
#include "agent/acp/acp_words.h"
#include "toolchain/base/ink.h"

namespace warpwright {
namespace {

constexpr int authenticationRequired = -32000;
constexpr int resourceNotFound = -32002;

} // namespace

AcpClient::AcpClient(AcpClientSetup setup, QObject *parent)
    : QObject(parent), m_setup(std::move(setup)), m_files(m_setup.work) {
    m_patience.setSingleShot(true);
    connect(&m_process, &AcpProcess::ended, this, &AcpClient::fail);
    connect(&m_process.rpc(), &JsonRpc::requested, this, &AcpClient::take);
    connect(&m_process.rpc(), &JsonRpc::notified, this, [this](const QString &method, const Json &params) {
        if (method == QLatin1String("session/update") && m_codec && !m_isLoading &&
            stringIn(params, "sessionId") == m_session)
            emit updated(withOurPaths(m_codec->update(params)));
    });
    connect(&m_patience, &QTimer::timeout, this, [this] {
        const QString words = m_process.lastWords();
        fail(m_isPrompting ? QStringLiteral("%1 did not stop when it was asked to, and was ended.")
                                 .arg(m_setup.profile.name)
                           : QStringLiteral("%1 has not answered for %2 s%3.")
                                 .arg(m_setup.profile.name)
                                 .arg(m_setup.patience.greetingMs / 1000)
                                 .arg(words.isEmpty() ? QString() : QStringLiteral("; it said: ") + words));
    });
}

void AcpClient::start() {
    m_process.start(m_setup.profile, m_setup.sandbox, m_setup.work.folder());
    m_patience.start(m_setup.patience.greetingMs);
    m_awaited = QStringLiteral("initialize");
    m_process.rpc().request(m_awaited, AcpCodec::greeting(m_setup.programVersion, m_setup.sandbox.isThere()),
                            [this](const JsonRpcAnswer &answer) { greeted(answer); });
}

void AcpClient::greeted(const JsonRpcAnswer &answer) {
    if (answer.isError())
        return fail(refusedWords(QStringLiteral("would not begin"), answer));
    const std::optional<int> version = AcpCodec::versionIn(answer.result);
    m_codec = acpCodecOf(version.value_or(-1));
    if (!m_codec)
        return fail(
            !version ? QStringLiteral("%1 does not say which version of the Agent Client Protocol it speaks.")
                           .arg(m_setup.profile.name)
                     : QStringLiteral(
                           "%1 speaks version %2 of the Agent Client Protocol, and this program version %3. "
                           "Update the older of the two.")
                           .arg(m_setup.profile.name)
                           .arg(*version)
                           .arg(AcpCodec::newestVersion));
    m_facts = m_codec->facts(answer.result);
    openSession();
}

void AcpClient::openSession() {
    m_patience.start(m_setup.patience.greetingMs);
    m_isLoading = !m_setup.session.isEmpty() && m_facts.loadsSessions;
    m_awaited = m_isLoading ? QStringLiteral("session/load") : QStringLiteral("session/new");
    if (m_isLoading) {
        m_process.rpc().request(m_awaited,
                                m_codec->oldSession(m_setup.session, m_setup.work.folder(), m_setup.tools),
                                [this](const JsonRpcAnswer &answer) { sessionOpened(answer, true); });
        return;
    }
    m_process.rpc().request(m_awaited, m_codec->newSession(m_setup.work.folder(), m_setup.tools),
                            [this](const JsonRpcAnswer &answer) { sessionOpened(answer, false); });
}

void AcpClient::sessionOpened(const JsonRpcAnswer &answer, bool isOld) {
    m_patience.stop();
    m_awaited.clear();
    if (answer.code == authenticationRequired)
        return askSignIn(answer);
    if (answer.isError() && isOld) {
        // It has forgotten that session.
        m_setup.session.clear();
        return openSession();
    }
    if (answer.isError())
        return fail(refusedWords(QStringLiteral("opened no session"), answer));
    m_isLoading = false;
    m_session = m_setup.session;
    if (!isOld) {
        const Result<QString> session = m_codec->sessionIn(answer.result);
        if (!session.hasValue())
            return fail(
                QStringLiteral("%1 opened no session: %2.").arg(m_setup.profile.name, session.message()));
        m_session = session.value();
    }
    emit ready(m_session, isOld);
}

void AcpClient::askSignIn(const JsonRpcAnswer &answer) {
    if (m_facts.authMethods.empty())
        return fail(refusedWords(QStringLiteral("wants you to sign in, with its own program"), answer));
    m_isSigningIn = true;
    emit authenticationAsked(m_facts.authMethods);
}

void AcpClient::authenticate(const QString &method) {
    // A person signs in meanwhile, in a browser or elsewhere: as long as that takes.
    m_process.rpc().request(QStringLiteral("authenticate"), Json{{"methodId", toJson(method)}},
                            [this](const JsonRpcAnswer &answer) {
                                // Some name a command of theirs as the way, and know of no request for it.
                                if (answer.isError() && answer.code != JsonRpc::methodNotFound)
                                    return fail(refusedWords(QStringLiteral("was not signed in"), answer));
                                m_isSigningIn = false;
                                if (m_session.isEmpty())
                                    openSession();
                                else
                                    prompt(m_prompt);
                            });
}

std::optional<AcpClient::Awaited> AcpClient::awaited() const {
    if (m_awaited.isEmpty() || !m_patience.isActive())
        return std::nullopt;
    return Awaited{m_awaited, m_patience.remainingTime()};
}

void AcpClient::prompt(const QString &text) {
    Q_ASSERT(!m_session.isEmpty() && !m_isPrompting);
    m_isPrompting = true;
    m_prompt = text;
    m_process.rpc().request(QStringLiteral("session/prompt"), m_codec->prompt(m_session, text),
                            [this](const JsonRpcAnswer &answer) { promptEnded(answer); });
}

void AcpClient::promptEnded(const JsonRpcAnswer &answer) {
    m_patience.stop();
    m_isPrompting = false;
    if (answer.code == authenticationRequired)
        return askSignIn(answer);
    if (answer.isError())
        return fail(refusedWords(QStringLiteral("broke its turn off"), answer));
    emit turnEnded(m_codec->turnEnd(answer.result));
}

void AcpClient::cancel() {
    if (!m_isPrompting || m_patience.isActive())
        return;
    m_patience.start(m_setup.patience.cancelMs);
    m_process.rpc().notify(QStringLiteral("session/cancel"), Json{{"sessionId", toJson(m_session)}});
    while (!m_permissions.empty())
        answerPermission(m_permissions.begin()->first, {});
}

void AcpClient::answerPermission(const QString &id, const QString &option) {
    const auto found = m_permissions.find(id);
    if (found == m_permissions.end())
        return;
    const Json theirs = found->second;
    m_permissions.erase(found);
    m_process.rpc().answer(theirs, m_codec->permissionAnswer(option));
}

void AcpClient::take(const Json &id, const QString &method, const Json &params) {
    JsonRpc &rpc = m_process.rpc();
    if (!m_codec || m_session.isEmpty())
        return rpc.refuse(id, JsonRpc::invalidRequest, QStringLiteral("There is no session yet."));
    if (method == QLatin1String("session/request_permission"))
        return askPermission(id, params);
    if (method == QLatin1String("fs/read_text_file")) {
        const Result<AcpReadFile> file = m_codec->readFile(params);
        if (!file.hasValue())
            return rpc.refuse(id, JsonRpc::invalidParams, file.message());
        return m_files.read(file.value(), [this, id](const AcpFileAnswer &answer) {
            if (!answer.why.isEmpty())
                return m_process.rpc().refuse(id, answer.isThere ? JsonRpc::invalidParams : resourceNotFound,
                                              answer.why);
            m_process.rpc().answer(id, Json{{"content", toJson(answer.text)}});
        });
    }
    if (method == QLatin1String("fs/write_text_file")) {
        const Result<AcpWriteFile> file = m_codec->writeFile(params);
        if (!file.hasValue())
            return rpc.refuse(id, JsonRpc::invalidParams, file.message());
        return m_files.write(file.value(), [this, id](const AcpFileAnswer &answer) {
            if (!answer.why.isEmpty())
                return m_process.rpc().refuse(id, JsonRpc::invalidParams, answer.why);
            m_process.rpc().answer(id, Json::object());
        });
    }
    if (method == QLatin1String("terminal/create"))
        return runCommand(id, params);
    if (method.startsWith(QLatin1String("terminal/")) && m_terminals)
        return takeTerminal(id, method, params);
    rpc.refuse(id, JsonRpc::methodNotFound, QStringLiteral("This client has no method \"%1\".").arg(method));
}

void AcpClient::askPermission(const Json &id, const Json &params) {
    const Result<AcpPermission> permission = m_codec->permission(params);
    if (!permission.hasValue())
        return m_process.rpc().refuse(id, JsonRpc::invalidParams, permission.message());
    // Whoever asks after it was stopped gets no person to answer.
    if (!m_isPrompting || m_patience.isActive())
        return m_process.rpc().answer(id, m_codec->permissionAnswer({}));
    const QString ours = QStringLiteral("permission-%1").arg(++m_lastPermission);
    m_permissions[ours] = id;
    AcpPermission asked = permission.value();
    asked.tool.paths = ourPaths(asked.tool.paths);
    emit permissionAsked(ours, asked);
}

// As the person knows them: those in the work folder by their place in the workspace.
QStringList AcpClient::ourPaths(QStringList paths) const {
    for (QString &path : paths)
        if (path.startsWith(m_setup.work.folder() + QLatin1Char('/')))
            path.remove(0, m_setup.work.folder().size() + 1);
    return paths;
}

AcpUpdate AcpClient::withOurPaths(AcpUpdate update) const {
    update.tool.paths = ourPaths(update.tool.paths);
    if (update.tool.text)
        update.tool.text->remove(m_setup.work.folder() + QLatin1Char('/'));
    return update;
}

void AcpClient::runCommand(const Json &id, const Json &params) {
    JsonRpc &rpc = m_process.rpc();
    if (!m_setup.sandbox.isThere())
        return rpc.refuse(id, JsonRpc::methodNotFound,
                          QStringLiteral("Commands are not run for you: no sandbox can be built for them."));
    const Result<AcpCommand> command = m_codec->command(params);
    if (!command.hasValue())
        return rpc.refuse(id, JsonRpc::invalidParams, command.message());
    if (!m_terminals)
        m_terminals = std::make_unique<AcpTerminals>(m_setup.sandbox, m_setup.work.folder());
    const Result<QString> terminal = m_terminals->create(command.value());
    if (terminal.hasValue())
        rpc.answer(id, Json{{"terminalId", toJson(terminal.value())}});
    else
        rpc.refuse(id, JsonRpc::invalidParams, terminal.message());
}

void AcpClient::takeTerminal(const Json &id, const QString &method, const Json &params) {
    JsonRpc &rpc = m_process.rpc();
    const QString terminal = stringIn(params, "terminalId");
    const std::optional<AcpCommandState> state = m_terminals->state(terminal);
    if (!state)
        return rpc.refuse(id, resourceNotFound, QStringLiteral("There is no terminal \"%1\".").arg(terminal));
    if (method == QLatin1String("terminal/output"))
        return rpc.answer(id, m_codec->commandOutput(*state));
    if (method == QLatin1String("terminal/wait_for_exit")) {
        [[maybe_unused]] const bool isThere =
            m_terminals->waitFor(terminal, [this, id](const AcpCommandState &end) {
                m_process.rpc().answer(id, m_codec->commandEnd(end));
            });
        return;
    }
    const bool isKill = method == QLatin1String("terminal/kill");
    if (!isKill && method != QLatin1String("terminal/release"))
        return rpc.refuse(id, JsonRpc::methodNotFound,
                          QStringLiteral("This client has no method \"%1\".").arg(method));
    [[maybe_unused]] const bool isThere =
        isKill ? m_terminals->kill(terminal) : m_terminals->release(terminal);
    rpc.answer(id, Json::object());
}

QString AcpClient::refusedWords(const QString &what, const JsonRpcAnswer &answer) const {
    QString words = QStringLiteral("%1 %2: %3").arg(m_setup.profile.name, what, answer.message);
    // Where the reason is a general one the data often has the real one.
    const QString more = acpErrorDataWords(answer.data);
    if (!more.isEmpty() && !answer.message.contains(more))
        words += QStringLiteral(" (%1)").arg(more);
    return printable(words.endsWith(QLatin1Char('.')) ? words : words + QLatin1Char('.'));
}

void AcpClient::fail(const QString &why) {
    if (std::exchange(m_hasFailed, true))
        return;
    m_patience.stop();
    m_isPrompting = false;
    m_permissions.clear();
    m_terminals.reset();
    m_process.stop();
    emit failed(why);
}

} // namespace warpwright
