// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/endpoints/dialect.h"

#include "agent/endpoints/anthropic_messages.h"
#include "agent/endpoints/openai_chat.h"
#include "agent/endpoints/openai_responses.h"

#include <QNetworkRequest>

namespace warpwright {

QString endpointUrl(const ModelProfile &profile) {
    QString base = profile.baseUrl;
    while (base.endsWith(QLatin1Char('/')))
        base.chop(1);
    switch (profile.dialect) {
    case Dialect::OpenAiResponses:
        return base + QStringLiteral("/responses");
    case Dialect::Anthropic:
        return base + QStringLiteral("/messages");
    case Dialect::OpenAiChat:
        break;
    }
    return base + QStringLiteral("/chat/completions");
}

void setHeaders(QNetworkRequest &request, const ModelProfile &profile, const QString &key) {
    request.setHeader(QNetworkRequest::ContentTypeHeader, QByteArrayLiteral("application/json"));
    request.setHeader(QNetworkRequest::UserAgentHeader, QByteArrayLiteral("warpwright"));
    request.setRawHeader("Accept", "text/event-stream, application/json");
    for (auto header = profile.headers.cbegin(); header != profile.headers.cend(); ++header)
        request.setRawHeader(header.key().toUtf8(), header.value().toUtf8());
    const bool isAnthropic = profile.dialect == Dialect::Anthropic;
    if (isAnthropic && !request.hasRawHeader("anthropic-version"))
        request.setRawHeader("anthropic-version", "2023-06-01");
    if (key.isEmpty())
        return;
    if (isAnthropic)
        request.setRawHeader("x-api-key", key.toUtf8());
    else
        request.setRawHeader("Authorization", "Bearer " + key.toUtf8());
}

QByteArray requestBody(const ChatRequest &request, const ModelProfile &profile,
                       const Concessions &concessions) {
    switch (profile.dialect) {
    case Dialect::OpenAiResponses:
        return dumpJson(openAiResponsesBody(request, profile, concessions));
    case Dialect::Anthropic:
        return dumpJson(anthropicBody(request, profile));
    case Dialect::OpenAiChat:
        break;
    }
    return dumpJson(openAiChatBody(request, profile, concessions));
}

std::unique_ptr<AnswerReader> answerReader(const ModelProfile &profile) {
    switch (profile.dialect) {
    case Dialect::OpenAiResponses:
        return std::make_unique<OpenAiResponsesReader>(profile);
    case Dialect::Anthropic:
        return std::make_unique<AnthropicReader>(profile);
    case Dialect::OpenAiChat:
        break;
    }
    return std::make_unique<OpenAiChatReader>(profile);
}

} // namespace warpwright
