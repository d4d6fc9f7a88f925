// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/endpoints/openai_responses.h"

namespace warpwright {
namespace {

bool isCall(const Json &item) {
    return stringIn(item, "type") == QLatin1String("function_call");
}

Json outputItems(const ChatMessage &message, const ModelProfile &profile) {
    if (const Json *state = stateFor(message, profile); state != nullptr)
        if (Json items = partIn(*state, "items"); items.is_array()) {
            for (Json &item : items)
                if (isCall(item)) {
                    item["name"] = toJson(sayableName(stringIn(item, "name")));
                    item["arguments"] = sayableText(stringIn(item, "arguments").toUtf8()).toStdString();
                }
            return items;
        }
    Json items = Json::array();
    if (!message.text.isEmpty())
        items.push_back(
            {{"type", "message"},
             {"role", "assistant"},
             {"content", Json::array({{{"type", "output_text"}, {"text", toJson(message.text)}}})}});
    for (const ChatCall &call : message.calls)
        items.push_back({{"type", "function_call"},
                         {"call_id", toJson(call.id)},
                         {"name", toJson(sayableName(call.name))},
                         {"arguments", sayableText(call.arguments).toStdString()}});
    return items;
}

Json ourItems(const ChatMessage &message) {
    Json items = Json::array();
    for (const ChatResult &result : message.results)
        items.push_back({{"type", "function_call_output"},
                         {"call_id", toJson(result.call)},
                         {"output", toJson(result.text)}});
    if (!message.text.isEmpty())
        items.push_back(
            {{"type", "message"},
             {"role", message.role == ChatMessage::Role::System ? "system" : "user"},
             {"content", Json::array({{{"type", "input_text"}, {"text", toJson(message.text)}}})}});
    return items;
}

} // namespace

Json openAiResponsesBody(const ChatRequest &request, const ModelProfile &profile,
                         const Concessions &concessions) {
    Json body{{"model", toJson(profile.model)},
              {"stream", true},
              {"store", false},
              {"max_output_tokens", profile.answerTokens},
              {"input", Json::array()}};
    if (!concessions.leavesOutEncryptedReasoning)
        body["include"] = Json::array({"reasoning.encrypted_content"});
    bool isBeginning = true;
    QStringList instructions;
    for (const ChatMessage &message : request.messages) {
        isBeginning = isBeginning && message.role == ChatMessage::Role::System;
        if (isBeginning) {
            instructions << message.text;
            continue;
        }
        for (Json &item :
             message.role == ChatMessage::Role::Model ? outputItems(message, profile) : ourItems(message))
            body["input"].push_back(std::move(item));
    }
    if (!instructions.isEmpty())
        body["instructions"] = toJson(instructions.join(QStringLiteral("\n\n")));
    for (const ChatTool &tool : request.tools)
        body["tools"].push_back({{"type", "function"},
                                 {"name", toJson(tool.name)},
                                 {"description", toJson(tool.description)},
                                 {"parameters", tool.parameters},
                                 // Strict schemas take away optional parameters.
                                 {"strict", false}});
    if (profile.temperature)
        body["temperature"] = *profile.temperature;
    if (!profile.effort.isEmpty())
        body["reasoning"] = {{"effort", toJson(profile.effort)}};
    return body;
}

void OpenAiResponsesReader::take(const Json &event, const QByteArray &name) {
    const QString said = stringIn(event, "type", QString::fromUtf8(name));
    const qint64 index = countIn(event, "output_index");
    if (said == QLatin1String("error")) {
        m_error = event;
        return;
    }
    if (!said.startsWith(QLatin1String("response."))) {
        if (event.contains("error") && !event["error"].is_null())
            m_error = event;
        return;
    }
    m_isUnderstood = true;
    const Json delta = event.contains("delta") ? event["delta"] : Json();
    if (said == QLatin1String("response.output_text.delta")) {
        m_hasText = true;
        addText(delta);
    } else if (said == QLatin1String("response.refusal.delta")) {
        m_hasText = true;
        addText(delta);
        stop(ChatStop::Refused);
    } else if (said == QLatin1String("response.reasoning_summary_text.delta") ||
               said == QLatin1String("response.reasoning_text.delta")) {
        m_hasThinking = true;
        addThinking(delta);
    } else if (said == QLatin1String("response.output_item.added")) {
        openItem(index, partIn(event, "item"));
    } else if (said == QLatin1String("response.function_call_arguments.delta")) {
        if (const auto call = m_calls.find(index); call != m_calls.end())
            addArguments(call->second, delta);
    } else if (said == QLatin1String("response.output_item.done")) {
        closeItem(index, partIn(event, "item"));
    } else if (said == QLatin1String("response.completed") || said == QLatin1String("response.incomplete") ||
               said == QLatin1String("response.failed")) {
        takeEnd(partIn(event, "response"));
    }
}

void OpenAiResponsesReader::takeWhole(const Json &response) {
    if (!partIn(response, "output").is_array() && response.contains("error") &&
        !response["error"].is_null()) {
        m_error = response;
        return;
    }
    if (!partIn(response, "output").is_array())
        return;
    m_isUnderstood = true;
    takeEnd(response);
}

void OpenAiResponsesReader::openItem(qint64 index, const Json &item) {
    if (!isCall(item))
        return;
    Call &call = m_calls[index];
    call.id = stringIn(item, "call_id");
    call.name = stringIn(item, "name");
    call.isOpen = true;
    showCall(call);
}

/// What the item says when it is complete goes before its pieces.
void OpenAiResponsesReader::closeItem(qint64 index, const Json &item) {
    if (item.empty())
        return;
    m_items[index] = item;
    const QString kind = stringIn(item, "type");
    if (isCall(item)) {
        Call &call = m_calls[index];
        call.id = stringIn(item, "call_id", call.id);
        call.name = stringIn(item, "name", call.name);
        if (const auto said = item.find("arguments"); said != item.end() && !said->is_null()) {
            call.arguments.clear();
            addArguments(call, *said);
        }
        call.isOpen = false;
        call.isCut = stringIn(item, "status") == QLatin1String("incomplete");
    } else if (kind == QLatin1String("message") && !m_hasText) {
        for (const Json &part : partIn(item, "content")) {
            const bool isRefusal = stringIn(part, "type") == QLatin1String("refusal");
            addText(toJson(stringIn(part, isRefusal ? "refusal" : "text")));
            if (isRefusal)
                stop(ChatStop::Refused);
        }
    } else if (kind == QLatin1String("reasoning") && !m_hasThinking) {
        for (const Json &part : partIn(item, "summary"))
            addThinking(toJson(stringIn(part, "text")));
    }
}

void OpenAiResponsesReader::takeEnd(const Json &response) {
    const QString status = stringIn(response, "status");
    if (status == QLatin1String("failed")) {
        m_error = response;
        return;
    }
    if (m_items.empty()) { // nothing was streamed
        qint64 index = 0;
        for (const Json &item : partIn(response, "output"))
            if (item.is_object())
                closeItem(index++, item);
    }
    const QString why = stringIn(partIn(response, "incomplete_details"), "reason");
    if (why == QLatin1String("max_output_tokens"))
        stop(ChatStop::TokenLimit);
    else if (why == QLatin1String("content_filter"))
        stop(ChatStop::Refused);
    else if (!stopSaid())
        stop(ChatStop::Finished);
    if (const Json &usage = partIn(response, "usage"); usage.contains("input_tokens")) {
        TokenCount count;
        count.in = countIn(usage, "input_tokens");
        count.out = countIn(usage, "output_tokens");
        count.cached = countIn(partIn(usage, "input_tokens_details"), "cached_tokens");
        m_count = count;
    }
    m_hasEnded = true;
}

Json OpenAiResponsesReader::state(const std::map<qint64, Call> &calls) const {
    Json items = Json::array();
    bool hasReasoning = false;
    for (const auto &[index, found] : m_items) {
        Json item = found;
        const QString kind = stringIn(item, "type");
        if (isCall(item)) {
            const auto call = calls.find(index);
            if (call == calls.end())
                continue;
            item["call_id"] = toJson(call->second.id);
        }
        // Nothing was stored there, so without its content the endpoint would not find it.
        if (kind == QLatin1String("reasoning")) {
            if (stringIn(item, "encrypted_content").isEmpty())
                continue;
            hasReasoning = true;
        }
        items.push_back(std::move(item));
    }
    if (!hasReasoning)
        return {};
    Json state = newState();
    state["items"] = std::move(items);
    return state;
}

} // namespace warpwright
