// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/endpoints/answer_reader.h"
#include "agent/endpoints/concessions.h"

#include <memory>

class QNetworkRequest;

namespace warpwright {

/// Where the profile's dialect is spoken to: its base URL and the path of the dialect.
[[nodiscard]] QString endpointUrl(const ModelProfile &profile);
/// Everything that the dialect wants in the header, the key too; an empty key is not sent.
void setHeaders(QNetworkRequest &request, const ModelProfile &profile, const QString &key);
/// The same bytes for the same request each time, so that a prefix of it can be cached.
[[nodiscard]] QByteArray requestBody(const ChatRequest &request, const ModelProfile &profile,
                                     const Concessions &concessions);
[[nodiscard]] std::unique_ptr<AnswerReader> answerReader(const ModelProfile &profile);

} // namespace warpwright
