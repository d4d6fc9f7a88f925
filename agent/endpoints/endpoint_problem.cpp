// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/endpoints/endpoint_problem.h"

#include "agent/endpoints/endpoint_words.h"

namespace warpwright {
namespace {

using Kind = EndpointProblem::Kind;

QString quoted(QString words) {
    if (words.endsWith(QLatin1Char('.')))
        words.chop(1); // the sentence around it has its own
    return words.isEmpty() ? QString() : QStringLiteral(" \"%1\"").arg(words);
}

QString keyAdvice(const KeySource &key) {
    switch (key.kind) {
    case KeySource::Kind::Environment:
        return QStringLiteral("Check the key in the environment variable %1").arg(key.name);
    case KeySource::Kind::Keyring:
        return QStringLiteral("Put a valid key into the keyring: wright models key, or Settings > Models");
    case KeySource::Kind::None:
        break;
    }
    return QStringLiteral("Say where its key is, in Settings > Models or by wright models add --key-env VAR");
}

QString waitText(qint64 seconds) {
    return seconds <= 0 ? QString() : QStringLiteral(", and asks to wait %1 s").arg(seconds);
}

struct Meaning {
    Kind kind;
    QString advice;
};

/// Gemini's free tier says «exceeded your current quota» of a minute that is over in seconds.
bool isQuota(const EndpointWords &words) {
    return words.names("insufficient_quota") || words.names("billing_error") ||
           words.names("billing_hard_limit_reached") || words.names("billing_not_active") ||
           words.message.contains(QLatin1String("credit balance"), Qt::CaseInsensitive) ||
           (!words.retryAfterMs &&
            words.message.contains(QLatin1String("exceeded your current quota"), Qt::CaseInsensitive));
}

bool isNoModel(const EndpointWords &words) {
    return words.names("model_not_found") ||
           (words.message.contains(QLatin1String("model"), Qt::CaseInsensitive) &&
            (words.message.contains(QLatin1String("does not exist")) ||
             words.message.contains(QLatin1String("not found")) ||
             words.message.contains(QLatin1String("not a valid model"))));
}

bool isBadKey(const EndpointWords &words) {
    return words.names("invalid_api_key") || words.names("authentication_error") ||
           words.message.contains(QLatin1String("API key not valid"), Qt::CaseInsensitive);
}

/// Which of a model's settings an endpoint refuses.
QString settingAdvice(const EndpointWords &words) {
    const auto says = [&words](const char *text) {
        return words.message.contains(QLatin1String(text), Qt::CaseInsensitive);
    };
    const auto set = [](const char *what, const char *option) {
        return QStringLiteral("%1 (wright models add … %2, or Settings > Models)")
            .arg(QLatin1String(what), QLatin1String(option));
    };
    if (says("max_tokens") || says("max_completion_tokens") || says("max_output_tokens"))
        return set("Allow shorter answers", "--answer N");
    if (says("temperature"))
        return set("Leave out the temperature", "without --temperature");
    if (says("reasoning_effort") || says("reasoning.effort") || says("thinking"))
        return set("Leave out the effort, or take another", "--effort");
    return QStringLiteral("Check the model's settings");
}

Meaning meaningOf(const ModelProfile &profile, int status, const EndpointWords &words) {
    const Meaning payment{
        Kind::Payment, QStringLiteral("Pay in or raise the limit at the provider, or choose another model")};
    const Meaning noModel{Kind::NoModel,
                          QStringLiteral("Check the model's name \"%1\" and the address, which ends in its "
                                         "version, mostly /v1")
                              .arg(profile.model)};
    const Meaning noKey{Kind::NoKey, keyAdvice(profile.key)};
    if (isQuota(words))
        return payment;
    switch (status) {
    case 401:
        return noKey;
    case 402:
        return payment;
    case 403:
        return {Kind::Forbidden,
                QStringLiteral("Ask whoever owns the key for access, or choose another model")};
    case 404:
        return noModel;
    case 407:
        return {Kind::Proxy, QStringLiteral("Put user and password of the proxy into HTTPS_PROXY")};
    case 413:
        return {Kind::TooLarge, QStringLiteral("Begin a new run, or let the agent see fewer files")};
    case 408:
    case 409:
    case 425:
    case 429:
    case 503:
    case 529:
        return {Kind::Busy, QStringLiteral("Try again later, or choose another model")};
    default:
        break;
    }
    if (status >= 500)
        return {Kind::Broken, QStringLiteral("Try again later, or look into the server's log")};
    if (status >= 300 && status < 400)
        return {Kind::BadRequest,
                QStringLiteral("Set the address to the one that answers: a key is not taken "
                               "along to another host, nor round and round")};
    if (status < 200) // Qt takes 103 for the answer itself
        return {Kind::BadRequest,
                QStringLiteral("It sends Early Hints, which are for browsers: turn them off "
                               "at the server or at the proxy before it")};
    if (isNoModel(words))
        return noModel;
    if (isBadKey(words))
        return noKey;
    return {Kind::BadRequest, settingAdvice(words)};
}

int statusOf(const EndpointWords &words) {
    static constexpr std::pair<const char *, int> known[] = {
        {"overloaded_error", 529},     {"overloaded", 529},         {"rate_limit_error", 429},
        {"rate_limit_exceeded", 429},  {"insufficient_quota", 429}, {"authentication_error", 401},
        {"invalid_api_key", 401},      {"billing_error", 402},      {"permission_error", 403},
        {"not_found_error", 404},      {"request_too_large", 413},  {"api_error", 500},
        {"server_error", 500},         {"invalid_prompt", 400},     {"BadRequestError", 400},
        {"invalid_request_error", 400}};
    if (words.status != 0)
        return words.status;
    for (const auto &[name, status] : known)
        if (words.names(name))
            return status;
    return 500;
}

EndpointProblem problemOfWords(const ModelProfile &profile, int status, const EndpointWords &words,
                               const QString &opening) {
    const QString why = opening + quoted(words.message.isEmpty() ? words.type : words.message);
    if (const QString advice = toolsAdvice(words); !advice.isEmpty())
        return problemOf(Kind::NoTools, profile, why, advice);
    if (const auto overflow = contextOverflow(words)) {
        EndpointProblem problem = problemOf(
            Kind::ContextFull, profile, why,
            overflow->limit
                ? QStringLiteral("Shorten the conversation, and set the model's context to %1 tokens")
                      .arg(*overflow->limit)
                : QStringLiteral(
                      "Shorten the conversation, or set the model's context to what the server has"));
        if (overflow->isByAnswer())
            problem = problemOf(Kind::BadRequest, profile, why,
                                QStringLiteral("Set the model's answer to fewer than %1 tokens, and its "
                                               "context to %2")
                                    .arg(*overflow->limit - *overflow->tokens)
                                    .arg(*overflow->limit));
        problem.tokens = overflow->tokens;
        problem.contextLimit = overflow->limit;
        return problem;
    }
    const Meaning meaning = meaningOf(profile, status, words);
    EndpointProblem problem = problemOf(meaning.kind, profile, why, meaning.advice);
    problem.retryAfterMs = words.retryAfterMs;
    return problem;
}

} // namespace

EndpointProblem problemOf(EndpointProblem::Kind kind, const ModelProfile &profile, const QString &why,
                          const QString &advice) {
    EndpointProblem problem;
    problem.kind = kind;
    problem.message = QStringLiteral("No answer from the model \"%1\" (%2): %3. %4.")
                          .arg(profile.name, profile.baseUrl, why, advice);
    return problem;
}

bool EndpointProblem::isOfEveryRequest() const {
    switch (kind) {
    case Kind::NoNetwork:
    case Kind::NoHost:
    case Kind::Tls:
    case Kind::Proxy:
    case Kind::NoKey:
    case Kind::Payment:
    case Kind::Forbidden:
    case Kind::NoModel:
    case Kind::NoTools:
        return true;
    default:
        return false;
    }
}

EndpointProblem problemOfStatus(const ModelProfile &profile, int status, const QByteArray &body,
                                qint64 retryAfterSeconds) {
    EndpointWords words = endpointWords(body);
    EndpointProblem problem = problemOfWords(
        profile, status, words, QStringLiteral("HTTP %1%2").arg(status).arg(waitText(retryAfterSeconds)));
    problem.status = status;
    return problem;
}

EndpointProblem problemOfStream(const ModelProfile &profile, const Json &error) {
    const EndpointWords words = endpointWords(error);
    EndpointProblem problem =
        problemOfWords(profile, statusOf(words), words, QStringLiteral("it broke off with an error"));
    problem.status = 200;
    return problem;
}

QString withoutKey(QString text, const QString &key) {
    if (key.size() < 4)
        return text;
    text.replace(key, QStringLiteral("[key]"));
    // Cut words may end inside of it.
    for (qsizetype length = key.size() - 1; length >= 8; --length)
        text.replace(key.left(length), QStringLiteral("[key]"));
    return text;
}

} // namespace warpwright
