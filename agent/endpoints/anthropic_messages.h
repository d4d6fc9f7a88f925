// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/endpoints/answer_reader.h"

#include <set>

namespace warpwright {

/// Anthropic's Messages.
///
/// What bites: a conversation begins with a person, its roles alternate, results come first in the message
/// after their calls, and thinking goes back with its signature, unchanged, or the request is refused. Four
/// marks say what is to be cached: the tools, the system's text, and the ends of the last two messages of
/// ours.
[[nodiscard]] Json anthropicBody(const ChatRequest &request, const ModelProfile &profile);

/// The state is the list of blocks of the answer in their order, as they are to be said again.
class AnthropicReader : public AnswerReader {
public:
    using AnswerReader::AnswerReader;

    /// message_delta has said why it stops; only message_stop was lost.
    [[nodiscard]] bool isWhole() const override { return m_hasEnded || stopSaid().has_value(); }

protected:
    void take(const Json &event, const QByteArray &name) override;
    void takeWhole(const Json &message) override;
    [[nodiscard]] Json state(const std::map<qint64, Call> &calls) const override;

private:
    void openBlock(qint64 index, const Json &block);
    void closeBlock(qint64 index);
    void addDelta(qint64 index, const Json &delta);
    void takeStop(const Json &delta);
    void takeUsage(const Json &usage);

    std::map<qint64, Json> m_blocks; ///< by the endpoint's index; the input of a call lies in m_calls
    std::set<qint64> m_openBlocks;   ///< whose end has not come
};

} // namespace warpwright
