// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/acp/acp_tool_calls.h"

namespace warpwright {
namespace {

constexpr qsizetype mostResult = 4096;
constexpr std::size_t mostArguments = 16 * 1024;

QString cut(const QString &text) {
    return text.size() <= mostResult ? text : text.left(mostResult) + QStringLiteral("\n… (cut)");
}

Json argumentsOf(const AcpToolState &state) {
    if (state.input.is_object() &&
        state.input.dump(-1, ' ', false, Json::error_handler_t::replace).size() <= mostArguments)
        return state.input;
    Json arguments = Json::object();
    if (!state.paths.isEmpty())
        arguments["paths"] = stringsToJson<Json>(state.paths);
    return arguments;
}

/// What `later` does not say is as it was.
AcpToolState filled(AcpToolState later, const AcpToolState &before) {
    if (later.title.isEmpty())
        later.title = before.title;
    if (later.kind.isEmpty())
        later.kind = before.kind;
    if (later.paths.isEmpty())
        later.paths = before.paths;
    if (later.input.is_null())
        later.input = before.input;
    return later;
}

} // namespace

AcpToolCalls::Told AcpToolCalls::take(const AcpToolState &state) {
    Told told;
    if (m_ended.count(state.id) > 0)
        return told;
    auto found = m_open.find(state.id);
    if (found == m_open.end()) {
        Open open;
        open.call.id = state.id;
        open.call.name = !state.title.isEmpty()  ? state.title
                         : !state.kind.isEmpty() ? state.kind
                                                 : QStringLiteral("tool");
        open.call.arguments = argumentsOf(state);
        open.clock.start();
        told.began = open.call;
        found = m_open.emplace(state.id, std::move(open)).first;
    } else if (!state.title.isEmpty() && state.title != found->second.call.name) {
        found->second.call.name = state.title;
        told.progress = state.title;
    }
    found->second.told = filled(state, found->second.told);
    ToolCall &call = found->second.call;
    if (const Json arguments = argumentsOf(state); !arguments.empty())
        call.arguments = arguments;
    if (state.text)
        call.result = cut(*state.text);
    const bool isDone = state.status == QLatin1String("completed");
    if (!isDone && state.status != QLatin1String("failed"))
        return told;
    call.outcome = isDone ? QStringLiteral("ok") : QStringLiteral("failed");
    call.seconds = static_cast<double>(found->second.clock.elapsed()) / 1000;
    told.ended = call;
    told.progress.clear();
    m_ended[state.id] = true;
    m_open.erase(found);
    return told;
}

AcpToolState AcpToolCalls::withKnown(AcpToolState state) const {
    const auto found = m_open.find(state.id);
    return found == m_open.end() ? state : filled(std::move(state), found->second.told);
}

std::vector<ToolCall> AcpToolCalls::endAll(const QString &outcome) {
    std::vector<ToolCall> calls;
    for (auto &[id, open] : m_open) {
        open.call.outcome = outcome;
        open.call.seconds = static_cast<double>(open.clock.elapsed()) / 1000;
        calls.push_back(open.call);
        m_ended[id] = true;
    }
    m_open.clear();
    return calls;
}

} // namespace warpwright
