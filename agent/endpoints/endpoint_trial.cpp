// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/endpoints/endpoint_trial.h"

#include "agent/endpoints/ollama_window.h"
#include "toolchain/base/figures.h"

namespace warpwright {
namespace {

constexpr const char *toolName = "report_sum";

ChatRequest smallRequest() {
    ChatMessage system;
    system.role = ChatMessage::Role::System;
    system.text = QStringLiteral("You test a connection. Answer by calling the tool, and with nothing else.");
    ChatMessage person;
    person.text = QStringLiteral("Call report_sum with the sum of 2 and 3.");
    ChatTool tool;
    tool.name = QLatin1String(toolName);
    tool.description = QStringLiteral("Reports a sum.");
    tool.parameters = {{"type", "object"},
                       {"properties", {{"sum", {{"type", "integer"}, {"description", "The sum"}}}}},
                       {"required", Json::array({"sum"})}};
    return {{system, person}, {tool}};
}

/// A number, or a number in quotation marks, as small models write it.
bool isRightCall(const ChatCall &call) {
    const Result<Json> arguments = parseJson(call.arguments);
    if (call.name != QLatin1String(toolName) || !arguments.hasValue() || !arguments.value().is_object())
        return false;
    const Json &object = arguments.value();
    return object.contains("sum") && (object["sum"] == 5 || object["sum"] == "5");
}

QString usageText(const AgentUsage &usage) {
    QString text = QStringLiteral("%1 tokens in, %2 out")
                       .arg(numberText(static_cast<double>(usage.tokensIn)),
                            numberText(static_cast<double>(usage.tokensOut)));
    if (usage.isEstimated)
        text += QStringLiteral(" (estimated: the endpoint counts none)");
    if (!usage.currency.isEmpty())
        text += QStringLiteral(", %1 %2").arg(numberText(usage.cost, 6), usage.currency);
    return text;
}

} // namespace

Json trialToJson(const EndpointTrialOutcome &outcome) {
    Json json{{"works", outcome.works},
              {"hasAnswer", outcome.hasAnswer},
              {"isStreamed", outcome.isStreamed},
              {"seconds", outcome.seconds},
              {"line", toJson(outcome.line)}};
    if (!outcome.hasAnswer)
        return json;
    json["firstPieceSeconds"] = outcome.firstPieceSeconds;
    json["tokensIn"] = outcome.usage.tokensIn;
    json["tokensOut"] = outcome.usage.tokensOut;
    json["isEstimated"] = outcome.usage.isEstimated;
    if (!outcome.usage.currency.isEmpty()) {
        json["cost"] = outcome.usage.cost;
        json["currency"] = toJson(outcome.usage.currency);
    }
    return json;
}

EndpointTrial::EndpointTrial(ModelProfile profile, const EndpointPatience &patience, QObject *parent)
    : QObject(parent), m_profile(std::move(profile)), m_patience(patience) {
    m_patience.keepsTryingMs = 0; // a person waits for it
    connect(&m_keys, &KeyStore::found, this, &EndpointTrial::ask);
    connect(&m_keys, &KeyStore::failed, this, [this](const QString &message) {
        EndpointTrialOutcome outcome;
        outcome.line = message;
        end(outcome);
    });
}

EndpointTrial::~EndpointTrial() = default;

void EndpointTrial::start(const std::optional<QString> &key) {
    if (key) {
        QMetaObject::invokeMethod(
            this, [this, given = *key] { ask(given); }, Qt::QueuedConnection);
        return;
    }
    if (m_profile.key.kind == KeySource::Kind::Keyring)
        emit progress(QStringLiteral("asking the keyring for \"%1\"").arg(m_profile.key.name));
    m_keys.read(m_profile.key);
}

void EndpointTrial::cancel() {
    EndpointTrialOutcome outcome;
    outcome.line = QStringLiteral("The trial of the model \"%1\" was cancelled.").arg(m_profile.name);
    end(outcome);
}

void EndpointTrial::ask(const QString &key) {
    if (m_hasEnded)
        return;
    m_endpoint = std::make_unique<Endpoint>(m_profile, key, m_patience);
    const auto noteFirst = [this] {
        ++m_pieces;
        if (m_firstPieceSeconds < 0)
            m_firstPieceSeconds = static_cast<double>(m_clock.elapsed()) / 1000;
    };
    connect(m_endpoint.get(), &Endpoint::textArrived, this, noteFirst);
    connect(m_endpoint.get(), &Endpoint::thinkingArrived, this, noteFirst);
    connect(m_endpoint.get(), &Endpoint::callArrives, this, noteFirst);
    connect(m_endpoint.get(), &Endpoint::waiting, this, [this](const QString &why, int milliseconds) {
        emit progress(QStringLiteral("%1 Again in %2.").arg(why, durationText(milliseconds / 1000.0)));
    });
    connect(m_endpoint.get(), &Endpoint::answered, this, &EndpointTrial::judge);
    connect(m_endpoint.get(), &Endpoint::failed, this, [this](const EndpointProblem &problem) {
        EndpointTrialOutcome outcome;
        outcome.line = problem.message;
        end(outcome);
    });
    emit progress(QStringLiteral("asking \"%1\" at %2").arg(m_profile.model, m_profile.baseUrl));
    m_clock.start();
    m_endpoint->ask(smallRequest());
}

void EndpointTrial::judge(const ChatReply &reply) {
    EndpointTrialOutcome outcome;
    outcome.hasAnswer = true;
    outcome.seconds = static_cast<double>(m_clock.elapsed()) / 1000;
    outcome.isStreamed = m_pieces > 1;
    outcome.firstPieceSeconds = std::max(0.0, m_firstPieceSeconds);
    outcome.usage = reply.usage;
    const auto &calls = reply.message.calls;
    outcome.works = !calls.empty() && isRightCall(calls.front());
    const QString facts =
        QStringLiteral("first piece after %1, %2%3")
            .arg(durationText(outcome.firstPieceSeconds), usageText(reply.usage),
                 outcome.isStreamed ? QString() : QStringLiteral("; the answer came in one piece"));
    if (outcome.works)
        outcome.line = QStringLiteral("\"%1\" works: it called the tool; %2.").arg(m_profile.name, facts);
    else if (calls.empty())
        outcome.line =
            QStringLiteral("\"%1\" answers, but called no tool, which an agent needs; %2. %3")
                .arg(m_profile.name, facts,
                     reply.stop == ChatStop::TokenLimit
                         ? QStringLiteral("Its answer was cut: allow longer ones.")
                         : QStringLiteral(
                               "Choose a model that calls tools, and switch them on at its server."));
    else
        outcome.line =
            QStringLiteral("\"%1\" answers, but its call is not what was asked for: %2 with \"%3\"; "
                           "%4. A larger model may be needed.")
                .arg(m_profile.name, calls.front().name,
                     QString::fromUtf8(calls.front().arguments.left(120)).simplified(), facts);
    askForWindow(outcome);
}

void EndpointTrial::askForWindow(const EndpointTrialOutcome &outcome) {
    auto *window = new OllamaWindow(m_profile, this);
    connect(window, &OllamaWindow::finished, this, [this, outcome](const std::optional<qint64> &tokens) {
        EndpointTrialOutcome told = outcome;
        if (tokens && *tokens < m_profile.contextTokens)
            told.line += QLatin1Char(' ') + smallOllamaWords(m_profile, *tokens);
        end(told);
    });
    window->start();
}

void EndpointTrial::end(EndpointTrialOutcome outcome) {
    if (m_hasEnded)
        return;
    m_hasEnded = true;
    if (m_clock.isValid() && outcome.seconds <= 0)
        outcome.seconds = static_cast<double>(m_clock.elapsed()) / 1000;
    if (m_endpoint != nullptr) {
        disconnect(m_endpoint.get(), nullptr, this, nullptr);
        m_endpoint->cancel();
    }
    emit finished(outcome);
}

} // namespace warpwright
