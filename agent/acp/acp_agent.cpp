// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/acp/acp_agent.h"

#include "agent/acp/acp_words.h"
#include "agent/record/unfinished_work.h"
#include "toolchain/process/in_pool.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QTimer>

#include <algorithm>

namespace warpwright {
namespace {

QString runWithoutSandbox() {
    return QStringLiteral("Run it without a sandbox");
}

QString doNotRun() {
    return QStringLiteral("Do not run it");
}

} // namespace

AcpAgent::AcpAgent(AcpAgentSetup setup, QObject *parent) : Agent(parent), m_setup(std::move(setup)) {}

AcpAgent::~AcpAgent() = default;

AgentIdentity AcpAgent::identity() const {
    return {AuthorKind::Acp, m_setup.profile.name, m_client ? m_client->facts().version : QString()};
}

void AcpAgent::setMeasurer(Measurer &measurer) {
    m_measurer = &measurer;
}

Result<void> AcpAgent::wasAnswered(const AnsweredProposal &answered) {
    m_hand.recallFeedback(answered.feedback);
    return Result<void>::ok();
}

Result<void> AcpAgent::recall(const Json &memory) {
    m_session = stringIn(memory, "session", m_session);
    m_isUnfinished = unfinishedIn(memory).value_or(m_isUnfinished);
    const auto hand = memory.find("hand");
    return hand == memory.end() ? Result<void>::ok() : m_hand.recall(*hand);
}

void AcpAgent::propose(const AgentRequest &request) {
    Q_ASSERT(!m_isProposing);
    m_isProposing = true;
    m_request = request;
    m_place.reset();
    m_nudges = 0;
    m_refusals = 0;
    QTimer::singleShot(0, this, [this, number = ++m_asked] {
        if (m_isProposing && number == m_asked)
            begin();
    });
}

void AcpAgent::begin() {
    const std::optional<ModelMemory::Waiting> &waiting = m_hand.waiting();
    const bool isAnswered =
        waiting && (waiting->feedback ||
                    std::any_of(m_request.feedback.begin(), m_request.feedback.end(),
                                [&](const Feedback &one) { return one.proposal == waiting->proposal.id; }));
    if (waiting && !isAnswered)
        return proposeAgain();
    // One that was stopped and has not obeyed yet.
    if (m_client && m_client->isPrompting())
        dropClient();
    AcpPlaceRequest wanted{m_request.workspace,  m_request.texts,        false, {},
                           m_setup.profile.name, m_setup.request.folders};
    // What it had changed and not proposed stays, as long as the text below it is the same.
    wanted.keepsWork = !waiting && m_hand.texts() && m_hand.base() == m_request.texts;
    if (wanted.keepsWork && m_isUnfinished)
        wanted.unfinished = m_hand.texts();
    else if (m_isUnfinished && m_hand.texts())
        tell(notTakenUpWords(m_setup.profile.name, m_hand.base(), *m_hand.texts()));
    inPool(
        this, [wanted] { return prepareAcpPlace(wanted); },
        [this, number = m_asked](const Result<AcpPlace> &place) {
            if (!m_isProposing || number != m_asked)
                return;
            if (place.hasValue())
                takePlace(place.value());
            else
                fail(place.message());
        });
}

// Of a run that goes on: it had proposed, and nobody has answered.
void AcpAgent::proposeAgain() {
    Proposal proposal = m_hand.waiting()->proposal;
    proposal.id = m_request.proposal;
    emit remembered(Json{{"hand", m_hand.submitted({}, proposal, {})}});
    m_isProposing = false;
    emit proposed(proposal);
}

void AcpAgent::takePlace(const AcpPlace &place) {
    m_place = place;
    Json memory = std::exchange(m_isUnfinished, false) ? unfinishedMemory(false) : Json();
    if (const Json entry = m_hand.setTexts(place.texts, m_request.texts); !entry.is_null())
        memory["hand"] = entry;
    if (!memory.is_null())
        emit remembered(memory);
    if (place.texts != m_request.texts)
        tell(takenUpWords(m_setup.profile.name, m_request.texts, place.texts));
    if (!m_isProposing) // whoever was told may have stopped us
        return;
    if (const Result<void> laid = layOutTools(); !laid.hasValue())
        return fail(laid.message());
    if (m_client && m_isReady)
        return sessionReady(m_session, true);
    if (m_client)
        return;
    emit noted(QStringLiteral("%1 starts").arg(m_setup.profile.name));
    if (m_isTrusted)
        return openClient();
    if (!place.sandbox.isThere())
        return askWithoutSandbox(place.whyNoSandbox);
    trySandbox();
}

// Its copy is the folder that our tools measure; they hold what the task's own files are.
Result<void> AcpAgent::layOutTools() {
    if (!m_measurer)
        return Result<void>::ok();
    if (!m_tools) {
        m_tools = std::make_unique<RunTools>(
            ToolPlace{m_place->workspace, m_place->work.folder(), m_setup.request}, *m_measurer);
        connect(m_tools.get(), &RunTools::planChanged, this, &AcpAgent::planChanged);
        connect(m_tools.get(), &RunTools::progress, this,
                [this](const QString &, const QString &text, int, int) {
                    if (m_isProposing)
                        emit noted(text);
                });
        m_door = std::make_unique<McpDoor>(*m_tools, m_setup.request.programVersion);
        if (Result<void> opened = m_door->open(); !opened.hasValue())
            return opened;
    }
    return m_tools->begin(m_request, m_place->texts);
}

/// How the agent reaches our tools from inside its sandbox.
AcpToolServer AcpAgent::toolServer() const {
    if (!m_door)
        return {};
    return {QStringLiteral("warpwright"),
            QCoreApplication::applicationDirPath() + QStringLiteral("/wright"),
            {QStringLiteral("mcp"), QStringLiteral("--through"), m_door->path()}};
}

void AcpAgent::trySandbox() {
    if (m_trial)
        m_trial.release()->deleteLater();
    m_trial = std::make_unique<AcpSandboxTrial>();
    connect(m_trial.get(), &AcpSandboxTrial::stood, this, [this] {
        if (m_isProposing && !m_client)
            openClient();
    });
    connect(m_trial.get(), &AcpSandboxTrial::fell, this, [this](const QString &why) {
        if (m_isProposing && !m_client)
            askWithoutSandbox(why);
    });
    m_trial->start(m_place->sandbox);
}

void AcpAgent::askWithoutSandbox(const QString &why) {
    m_place->sandbox = {};
    m_place->whyNoSandbox = why;
    ask({AgentPrompt::About::NoSandbox, {}, {{runWithoutSandbox(), {}}, {doNotRun(), {}}}},
        acpNoSandboxQuestion(m_setup.profile.name, why), runWithoutSandbox());
}

void AcpAgent::openClient() {
    const QStringList door = m_door ? QStringList{QFileInfo(m_door->path()).path()} : QStringList{};
    const auto sandbox = m_isTrusted ? AcpSandbox{} : m_place->sandbox.withWritable(m_setup.writable + door);
    m_client = std::make_unique<AcpClient>(AcpClientSetup{m_setup.profile, sandbox, m_place->work,
                                                          toolServer(), m_session,
                                                          m_setup.request.programVersion, m_setup.patience});
    m_isReady = false;
    connect(m_client.get(), &AcpClient::ready, this, &AcpAgent::sessionReady);
    connect(m_client.get(), &AcpClient::updated, this, &AcpAgent::takeUpdate);
    connect(m_client.get(), &AcpClient::turnEnded, this, &AcpAgent::turnEnded);
    connect(m_client.get(), &AcpClient::permissionAsked, this, &AcpAgent::askPermission);
    connect(m_client.get(), &AcpClient::authenticationAsked, this, &AcpAgent::askSignIn);
    connect(m_client.get(), &AcpClient::failed, this, [this](const QString &why) {
        m_failsForAll = m_session.isEmpty();
        const bool wasReady = m_isReady;
        dropClient();
        closeMessage(true);
        for (const ToolCall &call : m_calls.endAll(QStringLiteral("failed")))
            emit toolEnded(call);
        if (wasReady)
            turnBroken(why);
        else
            fail(why);
    });
    m_client->start();
}

// It may be telling us something at this moment.
void AcpAgent::dropClient() {
    if (!m_client)
        return;
    m_client->disconnect(this);
    m_client.release()->deleteLater();
    m_isReady = false;
}

void AcpAgent::cancel() {
    if (!m_isProposing)
        return;
    closeMessage(true);
    for (const ToolCall &call : m_calls.endAll(QStringLiteral("cancelled")))
        emit toolEnded(call);
    m_questions.clear();
    if (m_tools)
        m_tools->cancelAll();
    fail(QStringLiteral("%1 was stopped.").arg(m_setup.profile.name));
    if (m_client && m_client->isPrompting())
        m_client->cancel();
    else if (!m_isReady || (m_client && m_client->isSigningIn()))
        dropClient();
}

void AcpAgent::ask(const Question &question, const QString &words, const QString &allowing,
                   const QString &rejecting) {
    const QString id = QStringLiteral("%1-q%2").arg(m_request.proposal).arg(++m_lastQuestion);
    m_questions[id] = question;
    QStringList options;
    for (const auto &[name, theirs] : question.options)
        options << name;
    emit noted({});
    emit prompted({id, 0, words, options, question.about, allowing, rejecting});
}

void AcpAgent::askPermission(const QString &id, const AcpPermission &permission) {
    if (!m_isProposing)
        return m_client->answerPermission(id, {});
    Question question{AgentPrompt::About::Permission, id, {}};
    QStringList names;
    std::map<QString, QString> named; ///< by kind
    for (const AcpOption &option : permission.options) {
        QString name = option.name.simplified();
        for (int i = 2; names.contains(name); ++i)
            name = QStringLiteral("%1 (%2)").arg(option.name.simplified()).arg(i);
        names << name;
        question.options.emplace_back(name, option.id);
        named[option.kind] = name;
    }
    const auto either = [&named](const char *once, const char *always) {
        const QString name = named[QLatin1String(once)];
        return name.isEmpty() ? named[QLatin1String(always)] : name;
    };
    ask(question, acpPermissionQuestion(m_setup.profile.name, m_calls.withKnown(permission.tool)),
        either("allow_once", "allow_always"), either("reject_once", "reject_always"));
}

void AcpAgent::askSignIn(const std::vector<AcpAuthMethod> &methods) {
    if (!m_isProposing)
        return dropClient();
    if (!m_signedInBy.isEmpty()) {
        dropClient();
        return fail(acpNotSignedInWords(m_setup.profile, std::exchange(m_signedInBy, {}), methods));
    }
    m_waysIn = methods;
    Question question{AgentPrompt::About::SignIn, {}, {}};
    for (const AcpAuthMethod &method : methods)
        question.options.emplace_back(method.name, method.id);
    question.options.emplace_back(doNotRun(), QString());
    ask(question, acpSignInQuestion(m_setup.profile, methods));
}

void AcpAgent::signIn(const QString &method) {
    for (const AcpAuthMethod &way : m_waysIn) {
        if (way.id != method)
            continue;
        m_signedInBy = way.name;
        if (!way.isTerminal)
            return m_client->authenticate(method);
        // It was signed in by another process, and looks for that when it starts.
        dropClient();
        if (std::exchange(m_isSessionUnused, false))
            m_session.clear();
        return openClient();
    }
}

void AcpAgent::answerPrompt(const QString &id, const QString &answer) {
    const auto found = m_questions.find(id);
    if (found == m_questions.end())
        return;
    const Question question = found->second;
    m_questions.erase(found);
    QString option;
    for (const auto &[name, theirs] : question.options)
        if (name == answer)
            option = theirs;
    switch (question.about) {
    case AgentPrompt::About::Permission:
        if (m_client)
            m_client->answerPermission(question.permission, option);
        return;
    case AgentPrompt::About::SignIn:
        if (m_client && !option.isEmpty())
            return signIn(option);
        dropClient();
        return fail(QStringLiteral("%1 is not signed in, and was not run.").arg(m_setup.profile.name));
    case AgentPrompt::About::NoSandbox:
    case AgentPrompt::About::Course: // it asks none of these
        break;
    }
    if (answer != runWithoutSandbox())
        return fail(QStringLiteral("%1 was not run: no sandbox can be built around it (%2).")
                        .arg(m_setup.profile.name, m_place->whyNoSandbox));
    m_isTrusted = true;
    tell(acpRunsWithoutSandboxWords(m_setup.profile.name, m_place->whyNoSandbox));
    if (m_isProposing && !m_client)
        openClient();
}

void AcpAgent::sendPrompt(const QString &text) {
    m_lastMessage.clear();
    emit noted(QStringLiteral("%1 works").arg(m_setup.profile.name));
    if (m_isProposing && m_client)
        m_client->prompt(text);
}

void AcpAgent::tell(const QString &text) {
    emit message({AgentMessage::Role::System,
                  QStringLiteral("%1-s%2").arg(m_request.proposal).arg(++m_messages),
                  text,
                  false,
                  {}});
}

void AcpAgent::end(const QString &why) {
    if (!std::exchange(m_isProposing, false))
        return;
    emit noted({});
    emit done(why);
}

void AcpAgent::fail(const QString &why) {
    if (!std::exchange(m_isProposing, false))
        return;
    emit noted({});
    if (!m_place) {
        emit failed(why);
        return;
    }
    inPool(
        this, [work = m_place->work] { return takeAcpWork(work); },
        [this, why](const Result<AcpWork> &work) {
            keepUnfinished(work);
            emit failed(why);
        });
}

// It goes on with the very text, whatever becomes of the folder until then.
void AcpAgent::keepUnfinished(const Result<AcpWork> &work) {
    if (!work.hasValue())
        return tell(acpWorkLostWords(m_setup.profile.name, work.message()));
    const CandidateTexts &texts = work.value().texts;
    if (texts == m_request.texts)
        return;
    m_isUnfinished = true;
    Json memory = unfinishedMemory(true);
    if (const Json entry = m_hand.setTexts(texts, m_request.texts); !entry.is_null())
        memory["hand"] = entry;
    emit remembered(memory);
    tell(unfinishedWords(m_setup.profile.name, m_request.texts, texts));
}

} // namespace warpwright
