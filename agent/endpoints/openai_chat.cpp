// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/endpoints/openai_chat.h"

#include <QUrl>

namespace warpwright {
namespace {

/// Fields of thinking that came are said again as they came: DeepSeek, OpenRouter and gpt-oss want them
/// between a call and its result.
constexpr const char *textFields[] = {"reasoning_content", "reasoning"};

Json callJson(const ChatCall &call, const Json *state) {
    Json json{{"id", toJson(call.id)},
              {"type", "function"},
              {"function",
               {{"name", toJson(sayableName(call.name))},
                {"arguments", sayableText(call.arguments).toStdString()}}}};
    if (state != nullptr)
        for (const auto &[key, value] : partIn(partIn(*state, "calls"), call.id.toUtf8().constData()).items())
            json[key] = value;
    return json;
}

Json modelMessage(const ChatMessage &message, const ModelProfile &profile) {
    const Json *state = stateFor(message, profile);
    Json json{{"role", "assistant"}};
    // Servers differ on whether null is allowed; text may be left out only beside calls.
    if (!message.text.isEmpty() || message.calls.empty())
        json["content"] = toJson(message.text);
    else
        json["content"] = nullptr;
    for (const ChatCall &call : message.calls)
        json["tool_calls"].push_back(callJson(call, state));
    if (state != nullptr)
        for (const auto &[key, value] : partIn(*state, "fields").items())
            json[key] = value;
    return json;
}

void addMessage(Json &messages, const ChatMessage &message, const ModelProfile &profile) {
    switch (message.role) {
    case ChatMessage::Role::System:
        messages.push_back({{"role", "system"}, {"content", toJson(message.text)}});
        return;
    case ChatMessage::Role::Model:
        messages.push_back(modelMessage(message, profile));
        return;
    case ChatMessage::Role::Results:
        for (const ChatResult &result : message.results)
            messages.push_back(
                {{"role", "tool"}, {"tool_call_id", toJson(result.call)}, {"content", toJson(result.text)}});
        if (message.text.isEmpty())
            return;
        break;
    case ChatMessage::Role::Person:
        break;
    }
    messages.push_back({{"role", "user"}, {"content", toJson(message.text)}});
}

/// OpenAI's own endpoints refuse max_tokens for their newer models; elsewhere many know nothing else.
bool isOpenAi(const ModelProfile &profile) {
    const QString host = QUrl(profile.baseUrl).host();
    return host.endsWith(QLatin1String(".openai.com")) || host.endsWith(QLatin1String(".azure.com"));
}

bool hasError(const Json &object) {
    const auto error = object.find("error");
    return error != object.end() && !error->is_null();
}

} // namespace

Json openAiChatBody(const ChatRequest &request, const ModelProfile &profile, const Concessions &concessions) {
    Json body{{"model", toJson(profile.model)}, {"stream", true}, {"messages", Json::array()}};
    if (!concessions.leavesOutStreamOptions)
        body["stream_options"] = {{"include_usage", true}};
    const bool saysCompletion = isOpenAi(profile) != concessions.saysOtherTokenLimit;
    body[saysCompletion ? "max_completion_tokens" : "max_tokens"] = profile.answerTokens;
    for (const ChatMessage &message : request.messages)
        addMessage(body["messages"], message, profile);
    for (const ChatTool &tool : request.tools)
        body["tools"].push_back({{"type", "function"},
                                 {"function",
                                  {{"name", toJson(tool.name)},
                                   {"description", toJson(tool.description)},
                                   {"parameters", tool.parameters}}}});
    if (profile.temperature)
        body["temperature"] = *profile.temperature;
    if (!profile.effort.isEmpty())
        body["reasoning_effort"] = toJson(profile.effort);
    return body;
}

void OpenAiChatReader::take(const Json &chunk, const QByteArray &name) {
    // vLLM's own have no member "error", nor have llama-server's.
    if (hasError(chunk) || name == "error" || stringIn(chunk, "object") == QLatin1String("error")) {
        m_error = chunk;
        return;
    }
    const auto choices = chunk.find("choices");
    const bool hasChoices = choices != chunk.end() && choices->is_array();
    if (hasChoices || stringIn(chunk, "object").startsWith(QLatin1String("chat.completion")))
        m_isUnderstood = true;
    takeUsage(partIn(chunk, "usage"));
    if (!hasChoices || choices->empty() || !choices->front().is_object())
        return;
    const Json &choice = choices->front();
    const QString why = stringIn(choice, "finish_reason");
    // OpenRouter's, of the model's own endpoint: what came before it is half of an answer.
    if (hasError(choice) || why == QLatin1String("error")) {
        m_error = hasError(choice)
                      ? Json{{"error", choice["error"]}}
                      : Json{{"error", {{"message", "finish_reason: error"}, {"type", "server_error"}}}};
        return;
    }
    takeDelta(partIn(choice, choice.contains("delta") ? "delta" : "message"));
    if (why == QLatin1String("length"))
        stop(ChatStop::TokenLimit);
    else if (why == QLatin1String("content_filter"))
        stop(ChatStop::Refused);
    else if (!why.isEmpty() && !stopSaid())
        stop(ChatStop::Finished);
}

void OpenAiChatReader::takeDelta(const Json &delta) {
    // Some send both names of the same thinking in one chunk: shown once, said again under both.
    bool isShown = false;
    for (const char *field : textFields) {
        const auto found = delta.find(field);
        if (found == delta.end() || !found->is_string())
            continue;
        if (!isShown)
            addThinking(*found);
        isShown = true;
        const std::string before = m_fields.value(field, std::string());
        m_fields[field] = before + found->get<std::string>();
    }
    if (const Json &details = partIn(delta, "reasoning_details"); details.is_array())
        for (const Json &detail : details)
            m_fields["reasoning_details"].push_back(detail);
    if (const Json &blocks = partIn(delta, "thinking_blocks"); blocks.is_array())
        for (const Json &block : blocks)
            takeThinkingBlock(block);
    if (delta.contains("content"))
        addText(delta["content"]);
    if (delta.contains("refusal") && delta["refusal"].is_string()) {
        addText(delta["refusal"]);
        stop(ChatStop::Refused);
    }
    if (const Json &calls = partIn(delta, "tool_calls"); calls.is_array()) {
        for (const Json &fragment : calls)
            if (fragment.is_object())
                takeCall(fragment);
    } else if (const Json &function = partIn(delta, "function_call"); !function.empty()) {
        takeCall({{"index", 0}, {"function", function}}); // the one of before there were several
    }
}

/// LiteLLM's, of Claude's thinking: a block comes in pieces, its signature last. Claude wants them back.
void OpenAiChatReader::takeThinkingBlock(const Json &piece) {
    if (!piece.is_object())
        return;
    Json &blocks = m_fields["thinking_blocks"];
    const bool isThinking = stringIn(piece, "type") == QLatin1String("thinking");
    const bool goesOn = isThinking && !blocks.empty() &&
                        stringIn(blocks.back(), "type") == QLatin1String("thinking") &&
                        stringIn(blocks.back(), "signature").isEmpty();
    if (!goesOn) {
        blocks.push_back(piece);
        blocks.back().erase("index"); // the place of the piece, of no use to who reads it again
        return;
    }
    Json &block = blocks.back();
    block["thinking"] = block.value("thinking", std::string()) + piece.value("thinking", std::string());
    if (const QString signature = stringIn(piece, "signature"); !signature.isEmpty())
        block["signature"] = toJson(signature);
}

/// Where this fragment belongs. A new id at a used index is a new call: Ollama and others send each call
/// whole, and all of them at index 0.
qint64 OpenAiChatReader::indexOf(const Json &fragment) const {
    const QString id = stringIn(fragment, "id");
    const qint64 last = m_calls.empty() ? -1 : m_calls.rbegin()->first;
    const auto saidIndex = fragment.find("index");
    const bool namesFunction = !stringIn(partIn(fragment, "function"), "name").isEmpty();
    if (saidIndex == fragment.end() || !saidIndex->is_number_integer()) {
        const bool isNew = last < 0 || (namesFunction && (id.isEmpty() || id != m_calls.at(last).id));
        return isNew ? last + 1 : last;
    }
    const auto place = m_places.find(saidIndex->get<qint64>());
    if (place == m_places.end())
        return last + 1;
    const Call &there = m_calls.at(place->second);
    bool isOther = namesFunction && !id.isEmpty() && !there.id.isEmpty() && id != there.id;
    // Some name no ids either: what begins where a call is whole is another one.
    const Json &function = partIn(fragment, "function");
    const bool hasArguments =
        function.contains("arguments") && !function["arguments"].is_null() && function["arguments"] != "";
    if (namesFunction && id.isEmpty() && hasArguments)
        isOther = parseJson(there.arguments).hasValue();
    return isOther ? last + 1 : place->second;
}

void OpenAiChatReader::takeCall(const Json &fragment) {
    const qint64 place = indexOf(fragment);
    if (const auto said = fragment.find("index"); said != fragment.end() && said->is_number_integer())
        m_places[said->get<qint64>()] = place;
    Call &call = m_calls[place];
    if (call.id.isEmpty())
        call.id = stringIn(fragment, "id");
    const Json &function = partIn(fragment, "function");
    // In the first fragment only, by the rules; some repeat it, and a name in two pieces was never seen.
    if (call.name.isEmpty())
        call.name = stringIn(function, "name");
    for (const auto &[key, value] : fragment.items())
        if (key != "index" && key != "id" && key != "type" && key != "function" && !value.is_null())
            call.extra[key] = value;
    if (const auto arguments = function.find("arguments"); arguments != function.end())
        addArguments(call, *arguments);
    else
        showCall(call);
}

void OpenAiChatReader::takeUsage(const Json &usage) {
    if (!usage.contains("prompt_tokens") && !usage.contains("completion_tokens"))
        return;
    TokenCount count;
    count.in = countIn(usage, "prompt_tokens");
    count.out = countIn(usage, "completion_tokens");
    count.cached = std::max(countIn(partIn(usage, "prompt_tokens_details"), "cached_tokens"),
                            countIn(usage, "prompt_cache_hit_tokens")); // the latter is DeepSeek's
    if (const auto cost = usage.find("cost"); cost != usage.end() && cost->is_number())
        count.cost = cost->get<double>();
    m_count = count;
}

Json OpenAiChatReader::state(const std::map<qint64, Call> &calls) const {
    Json extras = Json::object();
    for (const auto &[index, call] : calls)
        if (!call.extra.is_null())
            extras[toJson(call.id)] = call.extra;
    Json fields = m_fields;
    // Thinking that was cut before its signature is not believed.
    if (stopSaid() == ChatStop::TokenLimit && fields.contains("thinking_blocks") &&
        stringIn(fields["thinking_blocks"].back(), "signature").isEmpty() &&
        !fields["thinking_blocks"].back().contains("data"))
        fields.erase("thinking_blocks");
    if (fields.empty() && extras.empty())
        return {};
    Json state = newState();
    if (!fields.empty())
        state["fields"] = fields;
    if (!extras.empty())
        state["calls"] = extras;
    return state;
}

} // namespace warpwright
