// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/process/json_rpc.h"

#include "toolchain/base/json_of_models.h"
#include "toolchain/process/in_pool.h"

#include <QPointer>

namespace warpwright {
namespace {

constexpr qsizetype longLine = 16 * 1024; // what is parsed here takes a few milliseconds, even unoptimised
constexpr qsizetype strayShown = 400;
constexpr qsizetype longHeader = 8 * 1024;
const QByteArray headerBegin = QByteArrayLiteral("Content-");
const QByteArray headerEnd = QByteArrayLiteral("\r\n\r\n");

/// Null where it is no JSON: a message is an object.
Json parsed(const QByteArray &line) {
    Result<Json> json = parseJsonOfModels(line);
    return json.hasValue() ? std::move(json).value() : Json();
}

bool isId(const Json &id) {
    return id.is_string() || id.is_number_integer() || id.is_null();
}

/// -1: the header tells none.
qsizetype lengthIn(const QByteArray &header) {
    for (const QByteArray &line : header.split('\n')) {
        const qsizetype colon = line.indexOf(':');
        if (colon < 0 || line.left(colon).trimmed().toLower() != "content-length")
            continue;
        bool isNumber = false;
        const qlonglong length = line.mid(colon + 1).trimmed().toLongLong(&isNumber);
        return isNumber && length >= 0 ? static_cast<qsizetype>(length) : -1;
    }
    return -1;
}

} // namespace

JsonRpc::JsonRpc(Framing framing, QObject *parent) : QObject(parent), m_framing(framing) {}

void JsonRpc::take(const QByteArray &bytes) {
    if (m_isClosed)
        return;
    m_pending += bytes;
    if (m_framing == Framing::Lines)
        cutLines();
    else
        cutFrames();
    workOff();
}

void JsonRpc::cutLines() {
    qsizetype begin = 0;
    for (qsizetype end = m_pending.indexOf('\n', m_searched); end >= 0;
         end = m_pending.indexOf('\n', begin)) {
        QByteArray line = m_pending.mid(begin, end - begin).trimmed();
        begin = end + 1;
        if (!line.isEmpty())
            m_lines.push_back({std::move(line), std::nullopt, false});
    }
    m_pending.remove(0, begin);
    m_searched = m_pending.size();
    if (m_pending.size() <= mostLineBytes)
        return;
    close();
    emit broken(QStringLiteral("it sent a line of more than %1 MiB").arg(mostLineBytes / (1024 * 1024)));
}

/// What no header stands before is told as a stray, in its place among the messages.
void JsonRpc::takeOut(qsizetype count) {
    if (const QByteArray stray = m_pending.left(count).trimmed(); !stray.isEmpty())
        m_lines.push_back({stray, Json(), false});
    m_pending.remove(0, count);
}

void JsonRpc::cutFrames() {
    while (!m_pending.isEmpty()) {
        const qsizetype begin = m_pending.indexOf(headerBegin);
        if (begin < 0) {
            // The end may be the beginning of a header. A line is told at once: it may be all that is said.
            if (const qsizetype line = m_pending.lastIndexOf('\n'); line >= 0)
                takeOut(line + 1);
            else if (m_pending.size() > longHeader)
                takeOut(m_pending.size() - headerBegin.size());
            return;
        }
        takeOut(begin);
        const qsizetype end = m_pending.indexOf(headerEnd);
        if (end < 0 && m_pending.size() <= longHeader)
            return;
        const qsizetype length = end < 0 || end > longHeader ? -1 : lengthIn(m_pending.left(end));
        if (length < 0) {
            takeOut(headerBegin.size());
            continue;
        }
        if (length > mostLineBytes) {
            close();
            emit broken(
                QStringLiteral("it sent a message of more than %1 MiB").arg(mostLineBytes / (1024 * 1024)));
            return;
        }
        const qsizetype body = end + headerEnd.size();
        if (m_pending.size() - body < length)
            return;
        m_lines.push_back({m_pending.mid(body, length), std::nullopt, false});
        m_pending.remove(0, body + length);
    }
}

// One after the other: whoever hears of a message may close this, or be asked by a message that follows.
void JsonRpc::workOff() {
    if (m_isReading)
        return;
    m_isReading = true;
    const QPointer<JsonRpc> alive(this);
    while (alive && !m_isClosed && !m_lines.empty()) {
        Line &first = m_lines.front();
        if (!first.parsed && first.bytes.size() > longLine) {
            if (!std::exchange(first.isAsked, true))
                inPool(
                    this, [bytes = first.bytes] { return parsed(bytes); },
                    [this](Json json) {
                        if (m_isClosed || m_lines.empty())
                            return;
                        m_lines.front().parsed = std::move(json);
                        workOff();
                    });
            break;
        }
        Line line = std::move(first);
        m_lines.pop_front();
        if (!line.parsed)
            line.parsed = parsed(line.bytes);
        read(line);
    }
    if (alive)
        m_isReading = false;
}

void JsonRpc::read(Line &line) {
    Json &message = *line.parsed;
    const QString method = stringIn(message, "method");
    const auto id = message.is_object() ? message.find("id") : message.end();
    const bool hasId = message.is_object() && id != message.end();
    if (!message.is_object() || (hasId && !isId(*id)) || (method.isEmpty() && !hasId)) {
        emit strayed(line.bytes.left(strayShown));
        return;
    }
    static const Json none = Json::object();
    const auto params = message.find("params");
    const Json &given = params == message.end() || params->is_null() ? none : *params;
    if (!method.isEmpty()) {
        if (hasId)
            emit requested(*id, method, given);
        else
            emit notified(method, given);
        return;
    }
    const auto open = id->is_number_integer() ? m_open.find(id->get<int>()) : m_open.end();
    if (open == m_open.end()) // of a request that nobody waits for any more
        return;
    const Answered answered = std::move(open->second);
    m_open.erase(open);
    JsonRpcAnswer answer;
    if (const auto error = message.find("error"); error != message.end() && error->is_object()) {
        const auto code = error->find("code");
        answer.code = code != error->end() && code->is_number_integer() ? code->get<int>() : internalError;
        answer.code = answer.code == 0 ? internalError : answer.code;
        answer.message = stringIn(*error, "message", QStringLiteral("it gave no reason"));
        answer.data = error->value("data", Json());
    } else if (const auto result = message.find("result"); result != message.end()) {
        answer.result = std::move(*result); // a long one takes its time to copy
    }
    answered(answer);
}

void JsonRpc::write(const Json &message) {
    if (m_isClosed)
        return;
    const QByteArray text = dumpJson(message);
    emit wrote(m_framing == Framing::Lines
                   ? text + '\n'
                   : "Content-Length: " + QByteArray::number(text.size()) + headerEnd + text);
}

int JsonRpc::request(const QString &method, const Json &params, Answered answered) {
    const int number = ++m_lastRequest;
    m_open[number] = std::move(answered);
    write(Json{{"jsonrpc", "2.0"}, {"id", number}, {"method", toJson(method)}, {"params", params}});
    return number;
}

void JsonRpc::notify(const QString &method, const Json &params) {
    write(Json{{"jsonrpc", "2.0"}, {"method", toJson(method)}, {"params", params}});
}

void JsonRpc::answer(const Json &id, const Json &result) {
    write(Json{{"jsonrpc", "2.0"}, {"id", id}, {"result", result}});
}

void JsonRpc::refuse(const Json &id, int code, const QString &message, const Json &data) {
    Json error{{"code", code}, {"message", toJson(message)}};
    if (!data.is_null())
        error["data"] = data;
    write(Json{{"jsonrpc", "2.0"}, {"id", id}, {"error", error}});
}

void JsonRpc::close() {
    m_isClosed = true;
    m_open.clear();
    m_lines.clear();
    m_pending.clear();
}

} // namespace warpwright
