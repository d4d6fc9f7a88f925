// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/endpoints/answer_reader.h"
#include "agent/endpoints/concessions.h"

namespace warpwright {

/// OpenAI's Responses. Nothing is kept there (store: false), so what the model reasoned comes back encrypted
/// and is said again, unchanged, before the calls that it led to.
[[nodiscard]] Json openAiResponsesBody(const ChatRequest &request, const ModelProfile &profile,
                                       const Concessions &concessions);

/// The state is the list of output items in their order. Ended by response.completed, .incomplete or .failed.
class OpenAiResponsesReader : public AnswerReader {
public:
    using AnswerReader::AnswerReader;

protected:
    void take(const Json &event, const QByteArray &name) override;
    void takeWhole(const Json &response) override;
    [[nodiscard]] Json state(const std::map<qint64, Call> &calls) const override;

private:
    void openItem(qint64 index, const Json &item);
    void closeItem(qint64 index, const Json &item);
    void takeEnd(const Json &response);

    std::map<qint64, Json> m_items; ///< complete ones, by output_index
    bool m_hasText = false;         ///< pieces of text have come
    bool m_hasThinking = false;
};

} // namespace warpwright
