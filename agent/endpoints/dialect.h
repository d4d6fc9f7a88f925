// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/endpoints/answer_reader.h"

#include <memory>

class QNetworkRequest;

namespace warpwright {

/// What an endpoint has refused of a request that its dialect allows, and gets no more.
struct Concessions {
    bool leavesOutStreamOptions = false;      ///< Chat Completions
    bool saysOtherTokenLimit = false;         ///< Chat Completions: max_tokens or max_completion_tokens
    bool leavesOutEncryptedReasoning = false; ///< Responses: models that do not reason refuse to be asked

    bool operator==(const Concessions &) const = default;
};

/// Asks for nothing more than before, or for less where these words of an HTTP 400 complain of a field that
/// can be done without.
[[nodiscard]] Concessions concessionsAfter(const Concessions &before, const QByteArray &refusal);

/// Where the profile's dialect is spoken to: its base URL and the path of the dialect.
[[nodiscard]] QString endpointUrl(const ModelProfile &profile);
/// Everything that the dialect wants in the header, the key too; an empty key is not sent.
void setHeaders(QNetworkRequest &request, const ModelProfile &profile, const QString &key);
/// The same bytes for the same request each time, so that a prefix of it can be cached.
[[nodiscard]] QByteArray requestBody(const ChatRequest &request, const ModelProfile &profile,
                                     const Concessions &concessions);
[[nodiscard]] std::unique_ptr<AnswerReader> answerReader(const ModelProfile &profile);

} // namespace warpwright
