// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/endpoints/anthropic_messages.h"

#include <QRegularExpression>

namespace warpwright {
namespace {

const Json cacheMark{{"type", "ephemeral"}};

/// Anthropic takes no others; ids of another endpoint may have them.
QString plainId(QString id) {
    static const QRegularExpression other(QStringLiteral("[^A-Za-z0-9_-]"));
    return id.replace(other, QStringLiteral("_"));
}

bool isBlank(const Json &block) {
    return stringIn(block, "type") == QLatin1String("text") && stringIn(block, "text").trimmed().isEmpty();
}

Json textBlock(const QString &text) {
    return {{"type", "text"}, {"text", toJson(text)}};
}

Json modelBlocks(const ChatMessage &message, const ModelProfile &profile) {
    if (const Json *state = stateFor(message, profile); state != nullptr)
        if (const Json &content = partIn(*state, "content"); content.is_array())
            return content;
    Json blocks = Json::array();
    if (!message.text.trimmed().isEmpty())
        blocks.push_back(textBlock(message.text));
    for (const ChatCall &call : message.calls)
        blocks.push_back({{"type", "tool_use"},
                          {"id", toJson(plainId(call.id))},
                          {"name", toJson(sayableName(call.name))},
                          {"input", sayableArguments(call.arguments)}});
    return blocks;
}

Json ourBlocks(const ChatMessage &message) {
    Json blocks = Json::array();
    for (const ChatResult &result : message.results) {
        Json block{{"type", "tool_result"},
                   {"tool_use_id", toJson(plainId(result.call))},
                   {"content", toJson(result.text)}};
        if (result.isError)
            block["is_error"] = true;
        blocks.push_back(std::move(block));
    }
    if (!message.text.trimmed().isEmpty())
        blocks.push_back(textBlock(message.text));
    return blocks;
}

/// Two of one role in a row become one message; one without content is none.
void addMessage(Json &messages, const char *role, Json blocks) {
    if (blocks.empty())
        return;
    if (!messages.empty() && messages.back()["role"] == role)
        for (Json &block : blocks)
            messages.back()["content"].push_back(std::move(block));
    else
        messages.push_back({{"role", role}, {"content", std::move(blocks)}});
}

void markCached(Json &messages) {
    int marks = 2;
    for (auto message = messages.rbegin(); message != messages.rend() && marks > 0; ++message) {
        if ((*message)["role"] != "user")
            continue;
        (*message)["content"].back()["cache_control"] = cacheMark;
        --marks;
    }
}

void addEffort(Json &body, const ModelProfile &profile) {
    bool isBudget = false;
    const int budget = profile.effort.toInt(&isBudget);
    if (isBudget)
        body["thinking"] = {{"type", "enabled"}, {"budget_tokens", budget}};
    else if (!profile.effort.isEmpty()) {
        body["thinking"] = {{"type", "adaptive"}};
        body["output_config"] = {{"effort", toJson(profile.effort)}};
    }
}

} // namespace

Json anthropicBody(const ChatRequest &request, const ModelProfile &profile) {
    Json body{{"model", toJson(profile.model)},
              {"max_tokens", profile.answerTokens},
              {"stream", true},
              {"messages", Json::array()}};
    bool isBeginning = true;
    for (const ChatMessage &message : request.messages) {
        const bool isSystem = message.role == ChatMessage::Role::System;
        isBeginning = isBeginning && isSystem;
        if (isBeginning && !message.text.trimmed().isEmpty())
            body["system"].push_back(textBlock(message.text));
        else if (message.role == ChatMessage::Role::Model)
            addMessage(body["messages"], "assistant", modelBlocks(message, profile));
        else if (!isBeginning)
            addMessage(body["messages"], "user", ourBlocks(message));
    }
    for (const ChatTool &tool : request.tools)
        body["tools"].push_back({{"name", toJson(tool.name)},
                                 {"description", toJson(tool.description)},
                                 {"input_schema", tool.parameters}});
    if (body.contains("system"))
        body["system"].back()["cache_control"] = cacheMark;
    if (body.contains("tools"))
        body["tools"].back()["cache_control"] = cacheMark;
    markCached(body["messages"]);
    if (profile.temperature)
        body["temperature"] = *profile.temperature;
    addEffort(body, profile);
    return body;
}

void AnthropicReader::take(const Json &event, const QByteArray &name) {
    const QString said = stringIn(event, "type", QString::fromUtf8(name));
    const qint64 index = countIn(event, "index");
    if (said == QLatin1String("error")) {
        m_error = event;
    } else if (said == QLatin1String("message_start")) {
        m_isUnderstood = true;
        takeUsage(partIn(partIn(event, "message"), "usage"));
    } else if (said == QLatin1String("content_block_start")) {
        m_isUnderstood = true;
        openBlock(index, partIn(event, "content_block"));
    } else if (said == QLatin1String("content_block_delta")) {
        m_isUnderstood = true;
        addDelta(index, partIn(event, "delta"));
    } else if (said == QLatin1String("content_block_stop")) {
        closeBlock(index);
    } else if (said == QLatin1String("message_delta")) {
        m_isUnderstood = true;
        takeStop(partIn(event, "delta"));
        takeUsage(partIn(event, "usage"));
    } else if (said == QLatin1String("message_stop")) {
        m_hasEnded = m_isUnderstood;
    }
}

void AnthropicReader::takeWhole(const Json &message) {
    if (stringIn(message, "type") == QLatin1String("error") || message.contains("error")) {
        m_error = message;
        return;
    }
    const Json &content = partIn(message, "content");
    if (!content.is_array())
        return;
    m_isUnderstood = true;
    qint64 index = 0;
    for (const Json &block : content) {
        if (!block.is_object())
            continue;
        openBlock(index, block);
        if (const auto call = m_calls.find(index); call != m_calls.end()) {
            call->second.arguments = dumpJson(partIn(block, "input"));
            call->second.isOpen = false;
        }
        m_openBlocks.erase(index);
        ++index;
    }
    takeStop(message);
    takeUsage(partIn(message, "usage"));
    m_hasEnded = true;
}

void AnthropicReader::openBlock(qint64 index, const Json &block) {
    const QString kind = stringIn(block, "type");
    m_blocks[index] = block;
    m_openBlocks.insert(index);
    if (kind == QLatin1String("text")) {
        addText(block.contains("text") ? block["text"] : Json());
    } else if (kind == QLatin1String("thinking")) {
        addThinking(block.contains("thinking") ? block["thinking"] : Json());
    } else if (kind == QLatin1String("tool_use")) {
        Call &call = m_calls[index];
        call.id = stringIn(block, "id");
        call.name = stringIn(block, "name");
        call.isOpen = true;
        showCall(call);
    }
}

/// Some servers say the whole input with the beginning of its block, and no piece of it behind.
void AnthropicReader::closeBlock(qint64 index) {
    m_openBlocks.erase(index);
    const auto call = m_calls.find(index);
    if (call == m_calls.end())
        return;
    call->second.isOpen = false;
    const Json &input = partIn(m_blocks[index], "input");
    if (call->second.arguments.isEmpty() && !input.empty())
        addArguments(call->second, input);
}

void AnthropicReader::addDelta(qint64 index, const Json &delta) {
    const QString kind = stringIn(delta, "type");
    Json &block = m_blocks[index];
    const auto append = [&](const char *member, const char *from) {
        const Json piece = delta.contains(from) && delta[from].is_string() ? delta[from] : Json("");
        block[member] = stringIn(block, member).toStdString() + piece.get<std::string>();
        return piece;
    };
    if (!block.is_object())
        block = {{"type", kind == QLatin1String("thinking_delta") ? "thinking" : "text"}};
    if (kind == QLatin1String("text_delta")) {
        addText(append("text", "text"));
    } else if (kind == QLatin1String("thinking_delta")) {
        addThinking(append("thinking", "thinking"));
    } else if (kind == QLatin1String("signature_delta")) {
        append("signature", "signature");
    } else if (kind == QLatin1String("citations_delta") && delta.contains("citation")) {
        if (!block.contains("citations") || !block["citations"].is_array())
            block["citations"] = Json::array();
        block["citations"].push_back(delta["citation"]);
    } else if (kind == QLatin1String("input_json_delta")) {
        if (const auto call = m_calls.find(index); call != m_calls.end() && delta.contains("partial_json"))
            addArguments(call->second, delta["partial_json"]);
    }
}

void AnthropicReader::takeStop(const Json &delta) {
    const QString why = stringIn(delta, "stop_reason");
    if (why == QLatin1String("max_tokens"))
        stop(ChatStop::TokenLimit);
    else if (why == QLatin1String("refusal"))
        stop(ChatStop::Refused);
    else if (why == QLatin1String("model_context_window_exceeded"))
        stop(ChatStop::ContextFull);
    else if (!why.isEmpty())
        stop(ChatStop::Finished);
}

/// message_start counts the prompt, message_delta the answer; newer ones repeat the former in the latter.
void AnthropicReader::takeUsage(const Json &usage) {
    if (usage.empty())
        return;
    TokenCount count = m_count.value_or(TokenCount());
    if (usage.contains("input_tokens")) {
        count.cached = countIn(usage, "cache_read_input_tokens");
        count.stored = countIn(usage, "cache_creation_input_tokens");
        count.in = countIn(usage, "input_tokens") + count.cached + count.stored;
    }
    if (usage.contains("output_tokens"))
        count.out = countIn(usage, "output_tokens");
    m_count = count;
}

Json AnthropicReader::state(const std::map<qint64, Call> &calls) const {
    Json content = Json::array();
    bool isWorthKeeping = false;
    for (const auto &[index, found] : m_blocks) {
        Json block = found;
        const QString kind = stringIn(block, "type");
        if (kind == QLatin1String("tool_use")) {
            const auto call = calls.find(index);
            if (call == calls.end())
                continue; // it was cut
            block["id"] = toJson(plainId(call->second.id));
            block["name"] = toJson(sayableName(call->second.name));
            block["input"] = sayableArguments(call->second.arguments);
        } else if (isBlank(block)) {
            continue; // refused when it comes back
        } else if (kind == QLatin1String("thinking") && stringIn(block, "signature").isEmpty()) {
            // Cut before its signature, without which Anthropic refuses it. Others sign nothing, and refuse
            // what comes back without it.
            if (m_openBlocks.count(index) > 0 || stopSaid() == ChatStop::TokenLimit)
                continue;
        }
        isWorthKeeping =
            isWorthKeeping || (kind != QLatin1String("text") && kind != QLatin1String("tool_use"));
        content.push_back(std::move(block));
    }
    // Text and calls alone are said again from the message itself.
    if (!isWorthKeeping)
        return {};
    Json state = newState();
    state["content"] = std::move(content);
    return state;
}

} // namespace warpwright
