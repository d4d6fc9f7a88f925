// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/json.h"

#include <QString>

#include <optional>

namespace warpwright {

/// What an endpoint says of an error, out of the many shapes that servers give it.
struct EndpointWords {
    QString message; ///< in one line, cut to a few hundred characters; empty: it said nothing
    QString type;    ///< "invalid_request_error", "exceed_context_size_error" …
    QString code;    ///< "context_length_exceeded", "insufficient_quota" …
    int status = 0;  ///< a status of HTTP that it names itself, inside of a stream
    std::optional<qint64> promptTokens; ///< llama.cpp counts in fields of their own
    std::optional<qint64> contextTokens;
    std::optional<qint64> retryAfterMs; ///< Google's RetryInfo, or «try again in 12.5s»

    bool operator==(const EndpointWords &) const = default;
    [[nodiscard]] bool names(const char *word) const;
};
[[nodiscard]] EndpointWords endpointWords(const QByteArray &body);
[[nodiscard]] EndpointWords endpointWords(const Json &body);

/// That the conversation is too long, in the four shapes that this is said in: OpenAI's, Anthropic's,
/// llama.cpp's and vLLM's.
struct ContextOverflow {
    std::optional<qint64> tokens; ///< of the conversation
    std::optional<qint64> limit;

    bool operator==(const ContextOverflow &) const = default;
    /// The conversation alone would fit: what is too much is the length asked of the answer.
    [[nodiscard]] bool isByAnswer() const { return tokens && limit && *tokens * 2 < *limit; }
};
[[nodiscard]] std::optional<ContextOverflow> contextOverflow(const EndpointWords &words);

/// What has to be switched on at the server so that it takes tools, as an advice; empty: it is not that.
[[nodiscard]] QString toolsAdvice(const EndpointWords &words);

} // namespace warpwright
