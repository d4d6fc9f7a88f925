// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/endpoints/model_profile.h"

#include <QHostAddress>
#include <QRegularExpression>
#include <QUrl>

namespace warpwright {
namespace {

/// Takes known fields out of a copy of the object; what is left is of a newer version.
class Fields {
public:
    explicit Fields(const Json &object) : m_left(object) {}

    void text(const char *key, QString &member) {
        take(key, &Json::is_string, QStringLiteral("no text"),
             [&](const Json &value) { member = fromJson(value.get<std::string>()); });
    }
    void tokens(const char *key, qint64 &member) {
        take(key, &Json::is_number_integer, QStringLiteral("no whole number"),
             [&](const Json &value) { member = value.get<qint64>(); });
    }
    void number(const char *key, std::optional<double> &member) {
        take(key, &Json::is_number, QStringLiteral("no number"),
             [&](const Json &value) { member = value.get<double>(); });
    }
    void object(const char *key, const std::function<void(const Json &)> &use) {
        take(key, &Json::is_object, QStringLiteral("no JSON object"), use);
    }

    void complain(const QString &problem) {
        if (m_problem.isEmpty())
            m_problem = problem;
    }
    [[nodiscard]] const QString &problem() const { return m_problem; }
    [[nodiscard]] const Json &left() const { return m_left; }

private:
    void take(const char *key, bool (Json::*isRight)() const noexcept, const QString &otherwise,
              const std::function<void(const Json &)> &use) {
        const auto found = m_left.find(key);
        if (found == m_left.end())
            return;
        if (((*found).*isRight)())
            use(*found);
        else
            complain(QStringLiteral("\"%1\" is %2").arg(QLatin1String(key), otherwise));
        m_left.erase(key);
    }

    Json m_left;
    QString m_problem;
};

QString whyBadUrl(const QString &text) {
    const QUrl url(text, QUrl::StrictMode);
    const QString scheme = url.scheme();
    if (!url.isValid() || url.host().isEmpty() ||
        (scheme != QLatin1String("https") && scheme != QLatin1String("http")))
        return QStringLiteral("\"%1\" is no address like https://api.openai.com/v1").arg(text);
    if (!url.userInfo().isEmpty() || url.hasQuery() || url.hasFragment())
        return QStringLiteral(
            "an address has no user, no query and no fragment: keys go to the keyring or the environment");
    if (scheme == QLatin1String("http") && !isLoopback(url.host()))
        return QStringLiteral("\"%1\" would be spoken to without TLS, and everybody on the way could read "
                              "key and code: use https, or a tunnel to 127.0.0.1")
            .arg(text);
    return {};
}

} // namespace

bool isLoopback(const QString &host) {
    return host.compare(QLatin1String("localhost"), Qt::CaseInsensitive) == 0 ||
           QHostAddress(host).isLoopback();
}

QString dialectName(Dialect dialect) {
    switch (dialect) {
    case Dialect::OpenAiResponses:
        return QStringLiteral("openai-responses");
    case Dialect::Anthropic:
        return QStringLiteral("anthropic");
    case Dialect::OpenAiChat:
        break;
    }
    return QStringLiteral("openai-chat");
}

std::optional<Dialect> dialectFromName(const QString &name) {
    for (const Dialect dialect : {Dialect::OpenAiChat, Dialect::OpenAiResponses, Dialect::Anthropic})
        if (name == dialectName(dialect))
            return dialect;
    return std::nullopt;
}

Json modelProfileToJson(const ModelProfile &profile) {
    Json json = profile.unknown;
    json["name"] = toJson(profile.name);
    json["dialect"] = toJson(dialectName(profile.dialect));
    json["baseUrl"] = toJson(profile.baseUrl);
    json["model"] = toJson(profile.model);
    if (profile.key.kind == KeySource::Kind::Environment)
        json["key"] = {{"environment", toJson(profile.key.name)}};
    if (profile.key.kind == KeySource::Kind::Keyring)
        json["key"] = {{"keyring", toJson(profile.key.name)}};
    json["contextTokens"] = profile.contextTokens;
    json["answerTokens"] = profile.answerTokens;
    const ModelPrices &prices = profile.prices;
    if (prices != ModelPrices()) {
        json["prices"] = {{"currency", toJson(prices.currency)}};
        if (prices.in)
            json["prices"]["in"] = *prices.in;
        if (prices.cached)
            json["prices"]["cached"] = *prices.cached;
        if (prices.out)
            json["prices"]["out"] = *prices.out;
    }
    for (auto header = profile.headers.cbegin(); header != profile.headers.cend(); ++header)
        json["headers"][toJson(header.key())] = toJson(header.value());
    if (profile.temperature)
        json["temperature"] = *profile.temperature;
    if (!profile.effort.isEmpty())
        json["effort"] = toJson(profile.effort);
    return json;
}

Result<ModelProfile> modelProfileFromJson(const Json &json) {
    if (!json.is_object())
        return Result<ModelProfile>::error(QStringLiteral("a model is no JSON object"));
    ModelProfile profile;
    Fields fields(json);
    QString dialect = dialectName(profile.dialect);
    fields.text("name", profile.name);
    fields.text("dialect", dialect);
    fields.text("baseUrl", profile.baseUrl);
    fields.text("model", profile.model);
    fields.tokens("contextTokens", profile.contextTokens);
    fields.tokens("answerTokens", profile.answerTokens);
    fields.number("temperature", profile.temperature);
    fields.text("effort", profile.effort);
    fields.object("key", [&](const Json &key) {
        const QString variable = stringIn(key, "environment");
        const QString entry = stringIn(key, "keyring");
        if (variable.isEmpty() == entry.isEmpty())
            fields.complain(QStringLiteral("\"key\" names neither \"environment\" nor \"keyring\", or both"));
        profile.key = variable.isEmpty() ? KeySource{KeySource::Kind::Keyring, entry}
                                         : KeySource{KeySource::Kind::Environment, variable};
    });
    fields.object("prices", [&](const Json &prices) {
        Fields price(prices);
        price.number("in", profile.prices.in);
        price.number("cached", profile.prices.cached);
        price.number("out", profile.prices.out);
        price.text("currency", profile.prices.currency);
        if (!price.problem().isEmpty())
            fields.complain(price.problem());
    });
    fields.object("headers", [&](const Json &headers) {
        for (const auto &[name, value] : headers.items()) {
            if (!value.is_string())
                fields.complain(QStringLiteral("the header \"%1\" is no text").arg(fromJson(name)));
            else
                profile.headers[fromJson(name)] = fromJson(value.get<std::string>());
        }
    });
    if (const auto known = dialectFromName(dialect))
        profile.dialect = *known;
    else
        fields.complain(QStringLiteral("\"dialect\" is \"%1\", and none of openai-chat, openai-responses, "
                                       "anthropic")
                            .arg(dialect));
    if (profile.name.isEmpty())
        fields.complain(QStringLiteral("it has no name"));
    profile.unknown = fields.left();
    if (!fields.problem().isEmpty())
        return Result<ModelProfile>::error(
            QStringLiteral("the model \"%1\": %2").arg(profile.name, fields.problem()));
    return Result<ModelProfile>::ok(std::move(profile));
}

QString whyBadProfile(const ModelProfile &profile) {
    static const QRegularExpression nameForm(QStringLiteral("^[A-Za-z0-9._-]{1,64}$"));
    static const QRegularExpression variableForm(QStringLiteral("^[A-Za-z_][A-Za-z0-9_]*$"));
    static const QRegularExpression headerForm(QStringLiteral("^[A-Za-z0-9!#$%&'*+.^_`|~-]+$"));
    static const QStringList secretHeaders{QStringLiteral("authorization"), QStringLiteral("x-api-key"),
                                           QStringLiteral("api-key"), QStringLiteral("proxy-authorization"),
                                           QStringLiteral("cookie")};
    if (!nameForm.match(profile.name).hasMatch())
        return QStringLiteral("\"%1\" is no name: 1 to 64 letters, digits, dots, dashes and underscores")
            .arg(profile.name);
    if (const QString why = whyBadUrl(profile.baseUrl); !why.isEmpty())
        return why;
    if (profile.model.trimmed().isEmpty())
        return QStringLiteral("it does not say which model of the endpoint is meant");
    if (profile.key.kind == KeySource::Kind::Environment && !variableForm.match(profile.key.name).hasMatch())
        return QStringLiteral("\"%1\" is no name of an environment variable; the key itself does not belong "
                              "here")
            // Whoever typed a key here must not find it in a log.
            .arg(profile.key.name.left(4) + QStringLiteral("…"));
    if (profile.key.kind == KeySource::Kind::Keyring && profile.key.name.isEmpty())
        return QStringLiteral("the keyring's entry has no name");
    if (profile.contextTokens < 1024)
        return QStringLiteral("a context of %1 tokens is too small: 1,024 at least")
            .arg(profile.contextTokens);
    if (profile.answerTokens < 16 || profile.answerTokens > profile.contextTokens)
        return QStringLiteral("an answer of %1 tokens is not from 16 to the context's %2")
            .arg(profile.answerTokens)
            .arg(profile.contextTokens);
    for (const auto &price : {profile.prices.in, profile.prices.cached, profile.prices.out})
        if (price && !(*price >= 0 && *price < 1e6))
            return QStringLiteral("%1 is no price of a million tokens").arg(*price);
    if (profile.temperature && !(*profile.temperature >= 0 && *profile.temperature <= 2))
        return QStringLiteral("the temperature %1 is not from 0 to 2").arg(*profile.temperature);
    for (auto header = profile.headers.cbegin(); header != profile.headers.cend(); ++header) {
        if (secretHeaders.contains(header.key().toLower()))
            return QStringLiteral(
                       "the header \"%1\" would carry a key in the open: keys go to the keyring or "
                       "the environment")
                .arg(header.key());
        if (!headerForm.match(header.key()).hasMatch() || header.value().contains(QLatin1Char('\n')) ||
            header.value().contains(QLatin1Char('\r')))
            return QStringLiteral("\"%1\" is no header of HTTP").arg(header.key());
    }
    return {};
}

} // namespace warpwright
