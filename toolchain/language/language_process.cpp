// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/language/language_process.h"

#include "toolchain/base/ink.h"
#include "toolchain/language/client_capabilities.h"
#include "toolchain/language/language_json.h"
#include "toolchain/language/server_temporary.h"
#include "toolchain/language/text_delta.h"
#include "toolchain/process/in_pool.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QPointer>
#include <QRegularExpression>

#include <algorithm>
#include <utility>

namespace warpwright {
namespace {

constexpr int firstDelayMs = 250;
constexpr int longestDelayMs = 8000;
constexpr int tickMs = 500;
constexpr int farewellMs = 1000;
constexpr int mostStrays = 100;
constexpr qsizetype keptErrors = 4 * 1024;
constexpr qsizetype shownWords = 300;
/// The largest answers have a few megabytes, and a server of Python says much of a large workspace at its
/// start; who goes on like this keeps the window busy.
constexpr qint64 mostBytes = 24LL * 1024 * 1024;
constexpr qint64 heardWithinMs = 5000;

/// What clang refuses and nvcc takes: __shared__ cuda::barrier is initialised by init().
bool isTakenByNvcc(const LanguageDiagnostic &diagnostic) {
    return diagnostic.code == QLatin1String("shared_var_init");
}

/// clangd's view of which header should be included where: no compiler says that.
bool isOfStyle(const LanguageDiagnostic &diagnostic) {
    return diagnostic.code == QLatin1String("unused-includes") ||
           diagnostic.code == QLatin1String("missing-includes");
}

/// All changed files are laid out when they are saved; what is shown at the cursor is one thing at a time.
bool takesPlaceOf(const LanguageQuestion &later, const LanguageQuestion &before) {
    return later.method == before.method &&
           (later.file == before.file || later.method != QLatin1String("textDocument/formatting"));
}

/// Servers of old say the kind alone, newer ones among the rest.
bool takesDeltas(const Json &capabilities) {
    constexpr int incremental = 2;
    const Json sync = capabilities.is_object() ? capabilities.value("textDocumentSync", Json()) : Json();
    return (sync.is_object() ? sync.value("change", Json()) : sync) == incremental;
}

} // namespace

LanguageProcess::LanguageProcess(LanguageServerCommand command, QObject *parent)
    : QObject(parent), m_command(std::move(command)) {
    m_clock.start();
    m_restart.setSingleShot(true);
    connect(&m_restart, &QTimer::timeout, this, &LanguageProcess::begin);
    m_startLimit.setSingleShot(true);
    connect(&m_startLimit, &QTimer::timeout, this, [this] {
        die(QStringLiteral("did not answer to its start within %1 s").arg(startLimitMs / 1000));
    });
    m_tick.setInterval(tickMs);
    connect(&m_tick, &QTimer::timeout, this, &LanguageProcess::lookAtClock);
}

LanguageProcess::~LanguageProcess() {
    leaveProcess();
}

void LanguageProcess::start() {
    if (m_state != State::Off && m_state != State::Failed)
        return;
    m_deaths.clear();
    if (!m_command.words.isEmpty() && m_words.count() == 0)
        inPool(
            this, [file = m_command.words] { return CudaWords::read(file); },
            [this](const Result<CudaWords> &words) {
                if (words.hasValue())
                    m_words = words.value();
            });
    begin();
}

void LanguageProcess::begin() {
    m_errors.clear();
    m_strays = 0;
    m_process = new ChildProcess(this);
    m_rpc = new JsonRpc(JsonRpc::Framing::Headers, this);
    connect(m_process, &ChildProcess::outputArrived, this, &LanguageProcess::take);
    connect(m_process, &ChildProcess::errorArrived, this,
            [this](const QByteArray &bytes) { m_errors = (m_errors + bytes).right(keptErrors); });
    connect(m_process, &ChildProcess::failed, this, [this](const QString &message) {
        dropProcess();
        setState(State::Failed, message, message);
    });
    connect(m_process, &ChildProcess::finished, this, [this](const ProcessOutcome &outcome) {
        die(outcome.signal != 0 ? QStringLiteral("was ended by signal %1").arg(outcome.signal)
                                : QStringLiteral("ended with exit code %1").arg(outcome.exitCode));
    });
    connect(m_rpc, &JsonRpc::wrote, m_process, &ChildProcess::writeInput);
    connect(m_rpc, &JsonRpc::notified, this, &LanguageProcess::heard);
    connect(m_rpc, &JsonRpc::requested, this, &LanguageProcess::requested);
    connect(m_rpc, &JsonRpc::strayed, this, [this] {
        if (++m_strays == mostStrays)
            die(QStringLiteral("printed what is no message of the Language Server Protocol"));
    });
    connect(m_rpc, &JsonRpc::broken, this,
            [this](const QString &why) { die(QStringLiteral("was ended: ") + why); });
    ProcessRequest request;
    request.program = m_command.program;
    request.arguments = m_command.arguments;
    request.workingFolder = m_command.folder;
    request.keepsOutput = false;
    request.hasInput = true;
    if (!m_command.temporary.isEmpty()) {
        m_temporary = newServerTemporary(m_command.temporary);
        request.environment.insert(QStringLiteral("TMPDIR"), m_temporary);
    }
    m_process->start(request);
    m_startLimit.start(startLimitMs);
    setState(State::Starting, QStringLiteral("%1 is starting.").arg(m_command.name));
    initialize();
}

void LanguageProcess::initialize() {
    const std::string root = uriOf(m_command.folder);
    m_rpc->request(
        QStringLiteral("initialize"),
        Json{{"processId", QCoreApplication::applicationPid()},
             {"clientInfo", {{"name", "Warpwright"}}},
             {"rootUri", root},
             {"workspaceFolders",
              Json::array({{{"uri", root}, {"name", toJson(QFileInfo(m_command.folder).fileName())}}})},
             {"capabilities", clientCapabilities()}},
        [this](const JsonRpcAnswer &answer) {
            if (answer.isError())
                die(QStringLiteral("refused to start: %1").arg(answer.message));
            else
                ready(answer.result);
        });
}

void LanguageProcess::ready(const Json &result) {
    m_startLimit.stop();
    m_capabilities = result.is_object() ? result.value("capabilities", Json::object()) : Json::object();
    const Json info = result.is_object() ? result.value("serverInfo", Json::object()) : Json::object();
    static const QRegularExpression number(QStringLiteral("\\d+(\\.\\d+)+"));
    const QString found = number.match(stringIn(info, "version")).captured();
    m_version = found.isEmpty() ? m_command.name : m_command.name + QLatin1Char(' ') + found;
    notify("initialized", Json::object());
    for (const QString &file : m_documents.keys())
        tellOpen(file);
    setState(State::Ready);
}

void LanguageProcess::take(const QByteArray &bytes) {
    const qint64 now = m_clock.elapsed();
    if (now - m_heardSince > heardWithinMs) {
        m_heardSince = now;
        m_heardBytes = 0;
    }
    m_heardBytes += bytes.size();
    if (m_heardBytes > mostBytes)
        die(QStringLiteral("was ended: it sent more than %1 MiB within 5 s").arg(mostBytes / (1024 * 1024)));
    else if (m_rpc != nullptr)
        m_rpc->take(bytes);
}

void LanguageProcess::die(const QString &how) {
    if (m_process == nullptr)
        return;
    const QString words = lastWords();
    const QString why = QStringLiteral("%1 %2%3").arg(
        m_command.name, how, words.isEmpty() ? QStringLiteral(".") : QStringLiteral("; it said: ") + words);
    dropProcess();
    const qint64 now = m_clock.elapsed();
    m_deaths.push_back(now);
    while (now - m_deaths.front() > deathsForLongWithinMs)
        m_deaths.pop_front();
    const auto deaths = static_cast<int>(std::count_if(
        m_deaths.begin(), m_deaths.end(), [now](qint64 at) { return now - at <= deathsWithinMs; }));
    const auto forLong = static_cast<int>(m_deaths.size());
    if (deaths >= mostDeaths || forLong >= mostDeathsForLong) {
        const QString within = deaths >= mostDeaths
                                   ? QStringLiteral("a minute")
                                   : QStringLiteral("%1 minutes").arg(deathsForLongWithinMs / 60000);
        setState(State::Failed,
                 QStringLiteral("%1 ended %2 times within %3 and is not started again. The last time: %4")
                     .arg(m_command.name)
                     .arg(deaths >= mostDeaths ? deaths : forLong)
                     .arg(within, why),
                 why);
        return;
    }
    m_restart.start(std::min(firstDelayMs << (deaths - 1), longestDelayMs));
    setState(State::Restarting, why, why);
}

QString LanguageProcess::lastWords() const {
    const QString words = printable(QString::fromUtf8(m_errors).simplified());
    return words.size() > shownWords ? QStringLiteral("… ") + words.right(shownWords) : words;
}

// Whoever hears of it may ask again, stop this or delete it.
void LanguageProcess::setState(State state, const QString &why, const QString &problem) {
    m_state = state;
    m_why = why;
    if (state != State::Ready)
        m_version.clear();
    const QPointer<LanguageProcess> alive(this);
    const std::map<int, Asked> unanswered =
        problem.isEmpty() ? std::map<int, Asked>() : std::exchange(m_asked, {});
    emit stateChanged();
    for (const auto &[number, asked] : unanswered)
        if (alive)
            asked.answered(number, Json(), problem);
}

// With the process, which writes there until it ends.
void LanguageProcess::removeTemporaryWith(const ChildProcess &process) {
    connect(&process, &QObject::destroyed, qApp,
            [folder = std::exchange(m_temporary, {})] { removeServerTemporary(folder); });
}

void LanguageProcess::dropProcess() {
    m_startLimit.stop();
    if (m_rpc != nullptr) {
        m_rpc->disconnect();
        m_rpc->close();
        std::exchange(m_rpc, nullptr)->deleteLater();
    }
    if (m_process != nullptr) {
        m_process->disconnect(this);
        removeTemporaryWith(*m_process);
        m_process->cancel();
        std::exchange(m_process, nullptr)->deleteLater();
    }
}

// Asked to end, and ended by force when it does not. The process outlives this object meanwhile.
void LanguageProcess::leaveProcess() {
    m_restart.stop();
    m_tick.stop();
    if (m_process != nullptr && m_rpc != nullptr && m_process->isRunning()) {
        ChildProcess *leaving = std::exchange(m_process, nullptr);
        leaving->disconnect(this);
        leaving->setParent(nullptr);
        m_rpc->request(QStringLiteral("shutdown"), Json(), [](const JsonRpcAnswer &) {});
        m_rpc->notify(QStringLiteral("exit"), Json::object());
        leaving->closeInput();
        removeTemporaryWith(*leaving);
        QObject::connect(leaving, &ChildProcess::finished, leaving, &QObject::deleteLater);
        QObject::connect(leaving, &ChildProcess::failed, leaving, &QObject::deleteLater);
        QTimer::singleShot(farewellMs, leaving, &QObject::deleteLater); // its destructor kills
    }
    dropProcess();
}

void LanguageProcess::stop() {
    if (m_state == State::Off)
        return;
    leaveProcess();
    const QPointer<LanguageProcess> alive(this);
    const QStringList files = m_documents.keys();
    setState(State::Off, {}, QStringLiteral("%1 was stopped.").arg(m_command.name));
    for (const QString &file : files)
        if (alive)
            emit diagnosed(file, {});
}

QStringList LanguageProcess::triggersOf(const char *capability) const {
    if (!m_capabilities.is_object() || m_state != State::Ready)
        return {};
    const auto provider = m_capabilities.find(capability);
    if (provider == m_capabilities.end() || !provider->is_object())
        return {};
    return stringsIn(provider->value("triggerCharacters", Json::array()));
}

qint64 LanguageProcess::processId() const {
    const qint64 pid = m_process == nullptr ? 0 : m_process->processId();
    return pid > 0 ? pid : -1;
}

void LanguageProcess::notify(const char *method, const Json &params) {
    if (m_rpc != nullptr)
        m_rpc->notify(QString::fromLatin1(method), params);
}

void LanguageProcess::tellOpen(const QString &file) {
    Document &document = m_documents[file];
    document.version = ++m_lastVersion;
    notify("textDocument/didOpen", Json{{"textDocument",
                                         {{"uri", uriOf(file)},
                                          {"languageId", toJson(document.languageId)},
                                          {"version", document.version},
                                          {"text", toJson(document.text)}}}});
}

void LanguageProcess::openDocument(const QString &file, const QString &languageId, const QString &text) {
    if (isOpen(file)) {
        changeDocument(file, text);
        return;
    }
    // clangd takes the language from the command of a file; "cuda-cpp" is the name that the protocol has for
    // it.
    m_documents.insert(file, {languageId, text, 0});
    if (m_state == State::Ready)
        tellOpen(file);
}

void LanguageProcess::changeDocument(const QString &file, const QString &text) {
    const auto document = m_documents.find(file);
    if (document == m_documents.end() || document->text == text)
        return;
    const QString before = std::exchange(document->text, text);
    forget([&file](const LanguageQuestion &question) { return question.file == file; });
    document->version = ++m_lastVersion;
    if (m_state != State::Ready)
        return;
    const auto delta = takesDeltas(m_capabilities) ? deltaOf(before, text) : std::nullopt;
    Json change{{"text", toJson(delta ? delta->text : text)}};
    if (delta)
        change["range"] = rangeToJson(delta->range);
    notify("textDocument/didChange",
           Json{{"textDocument", {{"uri", uriOf(file)}, {"version", document->version}}},
                {"contentChanges", Json::array({change})}});
}

void LanguageProcess::saveDocument(const QString &file) {
    if (m_state == State::Ready && isOpen(file))
        notify("textDocument/didSave", Json{{"textDocument", {{"uri", uriOf(file)}}}});
}

void LanguageProcess::closeDocument(const QString &file) {
    if (m_documents.remove(file) == 0)
        return;
    forget([&file](const LanguageQuestion &question) { return question.file == file; });
    if (m_state == State::Ready)
        notify("textDocument/didClose", Json{{"textDocument", {{"uri", uriOf(file)}}}});
}

void LanguageProcess::forget(const std::function<bool(const LanguageQuestion &)> &isMeant) {
    m_fresh.removeIf([&isMeant](const auto &entry) { return isMeant(entry.value()); });
    for (auto asked = m_asked.begin(); asked != m_asked.end();) {
        if (isMeant(asked->second.question)) {
            cancelOnWire(asked->second);
            asked = m_asked.erase(asked);
        } else {
            ++asked;
        }
    }
}

void LanguageProcess::cancelOnWire(const Asked &asked) {
    if (asked.wire >= 0)
        notify("$/cancelRequest", Json{{"id", asked.wire}});
}

void LanguageProcess::ask(const LanguageQuestion &question, const Json &params, Answered answered) {
    forget([&question](const LanguageQuestion &one) { return takesPlaceOf(question, one); });
    const int number = ++m_lastNumber;
    m_fresh.insert(number, question);
    QString problem;
    if (m_state != State::Ready)
        problem = m_why.isEmpty() ? QStringLiteral("%1 does not run.").arg(m_command.name) : m_why;
    else if (!isOpen(question.file))
        problem = QStringLiteral("\"%1\" is not open in %2.").arg(question.file, m_command.name);
    else if (const auto can = m_capabilities.find(question.capability.toStdString());
             can == m_capabilities.end() || can->is_null() || *can == false)
        problem =
            QStringLiteral("%1 cannot do this (%2).").arg(m_command.name, question.method.section(u'/', -1));
    Asked asked{question, -1, m_clock.elapsed(), std::move(answered)};
    if (!problem.isEmpty()) {
        QMetaObject::invokeMethod(
            this,
            [this, number, problem, answered = std::move(asked.answered)] {
                if (isCurrent(number))
                    answered(number, Json(), problem);
            },
            Qt::QueuedConnection);
        return;
    }
    asked.wire = m_rpc->request(question.method, params, [this, number](JsonRpcAnswer &answer) {
        const auto open = m_asked.find(number);
        if (open == m_asked.end())
            return;
        const Asked done = std::move(open->second);
        m_asked.erase(open);
        constexpr int requestCancelled = -32800;
        constexpr int contentModified = -32801;
        if (answer.code == requestCancelled || answer.code == contentModified)
            return;
        done.answered(number, std::move(answer.result),
                      answer.isError() ? QStringLiteral("%1: %2").arg(m_command.name, answer.message)
                                       : QString());
    });
    m_asked.emplace(number, std::move(asked));
    m_tick.start();
}

void LanguageProcess::lookAtClock() {
    const qint64 now = m_clock.elapsed();
    std::vector<std::pair<int, Asked>> late;
    for (auto asked = m_asked.begin(); asked != m_asked.end();) {
        if (now - asked->second.at < answerLimitMs) {
            ++asked;
            continue;
        }
        cancelOnWire(asked->second);
        late.emplace_back(asked->first, std::move(asked->second));
        asked = m_asked.erase(asked);
    }
    if (m_asked.empty())
        m_tick.stop();
    const QPointer<LanguageProcess> alive(this);
    const QString problem =
        QStringLiteral("%1 has not answered within %2 s.").arg(m_command.name).arg(answerLimitMs / 1000);
    for (const auto &[number, asked] : late)
        if (alive)
            asked.answered(number, Json(), problem);
}

void LanguageProcess::heard(const QString &method, const Json &params) {
    if (method != QLatin1String("textDocument/publishDiagnostics"))
        return;
    const QString file = fileOf(stringIn(params, "uri"));
    const auto document = m_documents.constFind(file);
    if (document == m_documents.constEnd() || !params.is_object())
        return;
    const auto version = params.find("version");
    if (version != params.end() && version->is_number_integer() && version->get<int>() != document->version)
        return;
    auto diagnostics = diagnosticsFrom(params.value("diagnostics", Json::array()));
    std::erase_if(diagnostics, isOfStyle);
    if (document->languageId == QLatin1String("cuda-cpp"))
        std::erase_if(diagnostics, isTakenByNvcc);
    emit diagnosed(file, diagnostics);
}

void LanguageProcess::requested(const Json &id, const QString &method, const Json &params) {
    if (method == QLatin1String("workspace/configuration")) {
        const Json items = params.is_object() ? params.value("items", Json::array()) : Json::array();
        m_rpc->answer(id, Json(items.size(), Json())); // as we have no settings for it, each is null
    } else if (method == QLatin1String("workspace/workspaceFolders")) {
        m_rpc->answer(id, Json::array({{{"uri", uriOf(m_command.folder)},
                                        {"name", toJson(QFileInfo(m_command.folder).fileName())}}}));
    } else if (method == QLatin1String("workspace/applyEdit")) {
        m_rpc->answer(id, Json{{"applied", false}});
    } else if (method == QLatin1String("client/registerCapability") ||
               method == QLatin1String("client/unregisterCapability") ||
               method == QLatin1String("window/showMessageRequest") ||
               method == QLatin1String("window/workDoneProgress/create")) {
        m_rpc->answer(id, Json());
    } else {
        m_rpc->refuse(id, JsonRpc::methodNotFound, QStringLiteral("Warpwright does not know ") + method);
    }
}

} // namespace warpwright
