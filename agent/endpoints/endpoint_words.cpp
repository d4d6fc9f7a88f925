// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/endpoints/endpoint_words.h"

#include <QRegularExpression>

#include <array>

namespace warpwright {
namespace {

constexpr qsizetype mostLetters = 300;

QString inOneLine(const QString &text) {
    static const QRegularExpression markup(QStringLiteral("<(style|script)[^>]*>.*?</\\1>|<[^>]*>"),
                                           QRegularExpression::DotMatchesEverythingOption |
                                               QRegularExpression::CaseInsensitiveOption);
    QString line = text.left(20'000);
    if (line.trimmed().startsWith(QLatin1Char('<')))
        line.replace(markup, QStringLiteral(" ")); // a page of a proxy
    line = line.simplified();
    return line.size() > mostLetters ? line.left(mostLetters) + QStringLiteral("…") : line;
}

QString wordOrNumber(const Json &object, const char *key) {
    if (!object.is_object() || !object.contains(key))
        return {};
    return object[key].is_number_integer() ? QString::number(object[key].get<qint64>())
                                           : stringIn(object, key);
}

std::optional<qint64> wholeIn(const Json &object, const char *key) {
    if (!object.is_object() || !object.contains(key) || !object[key].is_number_integer())
        return std::nullopt;
    return object[key].get<qint64>();
}

/// The object that holds the message, wherever it lies.
const Json &errorIn(const Json &body) {
    if (body.is_array() && !body.empty())
        return errorIn(body.front());
    if (body.is_object()) {
        const auto error = body.find("error");
        if (error != body.end() && error->is_object())
            return *error;
    }
    return body;
}

std::optional<qint64> numberAt(const QString &text, const char *pattern) {
    const QRegularExpression form(QString::fromLatin1(pattern), QRegularExpression::CaseInsensitiveOption);
    const QRegularExpressionMatch match = form.match(text);
    if (!match.hasMatch())
        return std::nullopt;
    bool isNumber = false;
    const qint64 number = match.captured(1).remove(QLatin1Char(',')).toLongLong(&isNumber);
    return isNumber ? std::optional(number) : std::nullopt;
}

std::optional<qint64> firstNumber(const QString &text, std::initializer_list<const char *> patterns) {
    for (const char *pattern : patterns)
        if (const auto number = numberAt(text, pattern))
            return number;
    return std::nullopt;
}

/// «6s», «6.25s», «1m2.5s», «850ms», as OpenAI, Groq and Google write them.
std::optional<qint64> durationMs(const QString &text) {
    static const QRegularExpression form(
        QStringLiteral("^(?:(\\d+)h)?(?:(\\d+)m(?!s))?(?:(\\d+(?:\\.\\d+)?)s)?(?:(\\d+(?:\\.\\d+)?)ms)?"));
    const QRegularExpressionMatch match = form.match(text);
    const double milliseconds = match.captured(1).toDouble() * 3'600'000 +
                                match.captured(2).toDouble() * 60'000 + match.captured(3).toDouble() * 1000 +
                                match.captured(4).toDouble();
    return milliseconds > 0 && milliseconds < 1e12 ? std::optional(static_cast<qint64>(milliseconds) + 1)
                                                   : std::nullopt;
}

std::optional<qint64> retryAfterIn(const Json &error, const QString &message) {
    if (const auto details = error.is_object() ? error.find("details") : error.end();
        details != error.end() && details->is_array())
        for (const Json &detail : *details)
            if (detail.is_object() && detail.contains("retryDelay"))
                return durationMs(stringIn(detail, "retryDelay"));
    static const QRegularExpression saying(QStringLiteral("(?:try again|retry) in (\\d[\\dhms.]*)"),
                                           QRegularExpression::CaseInsensitiveOption);
    const QRegularExpressionMatch match = saying.match(message);
    return match.hasMatch() ? durationMs(match.captured(1)) : std::nullopt;
}

} // namespace

bool EndpointWords::names(const char *word) const {
    const QLatin1String wanted(word);
    return type == wanted || code == wanted;
}

EndpointWords endpointWords(const QByteArray &body) {
    const Result<Json> parsed = parseJson(body);
    if (parsed.hasValue())
        return endpointWords(parsed.value());
    EndpointWords words;
    words.message = inOneLine(QString::fromUtf8(body));
    return words;
}

EndpointWords endpointWords(const Json &body) {
    EndpointWords words;
    const Json &error = errorIn(body);
    QString message = stringIn(error, "message");
    if (message.isEmpty())
        message = stringIn(error, "error"); // Ollama's own paths
    if (message.isEmpty())
        message = stringIn(error, "detail"); // FastAPI
    if (message.isEmpty() && error.is_object() && error.contains("detail"))
        message = QString::fromUtf8(dumpJson(error["detail"]));
    // OpenRouter hands on what the model's own endpoint said.
    if (error.is_object() && error.contains("metadata"))
        if (const QString raw = stringIn(error["metadata"], "raw"); !raw.isEmpty())
            message += QStringLiteral(" ") + raw;
    words.retryAfterMs = retryAfterIn(error, message);
    words.message = inOneLine(message);
    words.type = stringIn(error, "type");
    words.code = wordOrNumber(error, "code");
    const int status = words.code.toInt();
    words.status = status >= 400 && status < 600 ? status : 0;
    words.promptTokens = wholeIn(error, "n_prompt_tokens");
    words.contextTokens = wholeIn(error, "n_ctx");
    return words;
}

std::optional<ContextOverflow> contextOverflow(const EndpointWords &words) {
    static const QRegularExpression saying(
        QStringLiteral("prompt is too long|maximum context length|exceeds? the (available )?context|"
                       "exceeds? (the )?context (limit|window|length|size)|context window of this model|"
                       "context the overflows|context length exceeded|longer than the maximum model length"),
        QRegularExpression::CaseInsensitiveOption);
    const bool isNamed = words.names("context_length_exceeded") || words.names("exceed_context_size_error") ||
                         words.names("model_context_window_exceeded");
    if (!isNamed && !saying.match(words.message).hasMatch())
        return std::nullopt;
    ContextOverflow overflow;
    overflow.tokens = firstNumber(
        words.message, {"prompt is too long: ([\\d,]+) tokens", "request \\(([\\d,]+) tokens\\)",
                        "\\(([\\d,]+) (?:tokens )?(?:in|from) the (?:messages|prompt|input messages)",
                        "resulted in ([\\d,]+) tokens", "request has ([\\d,]+) input tokens",
                        "exceed context limit: ([\\d,]+)", "you requested (?:about )?([\\d,]+) tokens",
                        "prompt \\(length ([\\d,]+)\\)"});
    overflow.limit = firstNumber(words.message, {"> ([\\d,]+) maximum", "context size \\(([\\d,]+) tokens\\)",
                                                 "maximum context length (?:is|of) ([\\d,]+)",
                                                 "exceed context limit: [^>]*> ([\\d,]+)",
                                                 "maximum model length of ([\\d,]+)"});
    if (words.promptTokens)
        overflow.tokens = words.promptTokens;
    if (words.contextTokens)
        overflow.limit = words.contextTokens;
    return overflow;
}

QString toolsAdvice(const EndpointWords &words) {
    const auto says = [&words](const char *text) {
        return words.message.contains(QLatin1String(text), Qt::CaseInsensitive);
    };
    if (says("enable-auto-tool-choice") || says("tool-call-parser"))
        return QStringLiteral("Start vLLM with --enable-auto-tool-choice and the --tool-call-parser of the "
                              "model (hermes, qwen3_coder, llama3_json …)");
    if (says("--jinja"))
        return QStringLiteral("Start llama-server with --jinja");
    if (says("not support tools") || says("support tool use") || says("tool use is not supported") ||
        says("tools are not supported") || says("does not support tool"))
        return QStringLiteral("Choose a model that can call tools, and a server whose template of it can");
    return {};
}

} // namespace warpwright
