// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/endpoints/answer_reader.h"
#include "agent/endpoints/concessions.h"

namespace warpwright {

/// Chat Completions, and the many servers that speak it each in its own way.
[[nodiscard]] Json openAiChatBody(const ChatRequest &request, const ModelProfile &profile,
                                  const Concessions &concessions);

/// Tolerates: calls without index or id, all calls at index 0, arguments as an object, `reasoning_content`,
/// `reasoning`, `reasoning_details` and `thinking_blocks` (kept as state and said again under the same name),
/// the old `function_call`, usage in a chunk
/// of its own or in none, an end without [DONE], answers that are not streamed, errors of a choice.
class OpenAiChatReader : public AnswerReader {
public:
    using AnswerReader::AnswerReader;

    /// Without [DONE], where it had said why it stops.
    [[nodiscard]] bool isWhole() const override { return m_hasEnded || stopSaid().has_value(); }

protected:
    void take(const Json &chunk, const QByteArray &name) override;
    void takeWhole(const Json &body) override { take(body, {}); }
    [[nodiscard]] Json state(const std::map<qint64, Call> &calls) const override;

private:
    void takeDelta(const Json &delta);
    void takeThinkingBlock(const Json &piece);
    void takeCall(const Json &fragment);
    [[nodiscard]] qint64 indexOf(const Json &fragment) const;
    void takeUsage(const Json &usage);

    Json m_fields = Json::object();    ///< of the message, to be said again
    std::map<qint64, qint64> m_places; ///< the endpoint's index: where in m_calls its newest call lies
};

} // namespace warpwright
