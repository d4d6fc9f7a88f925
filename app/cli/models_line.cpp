// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/models_line.h"

#include "agent/endpoints/known_endpoints.h"
#include "app/cli/number_words.h"

#include <CLI/CLI.hpp>

#include <algorithm>

namespace warpwright {
namespace {

QString knownNames() {
    QStringList names;
    for (const KnownEndpoint &endpoint : knownEndpoints())
        names << QStringLiteral("\"%1\"").arg(endpoint.name);
    return names.join(QStringLiteral(", "));
}

QString noSuchEndpointWords(const QString &name) {
    const KnownEndpoint *nearest = nearestEndpoint(name);
    return QStringLiteral("--like \"%1\" is none of %2%3. Any other is set up by its address: --url, and "
                          "--key-env for its key")
        .arg(name, knownNames(),
             nearest == nullptr ? QString() : QStringLiteral("; \"%1\" is near it").arg(nearest->name));
}

} // namespace

CLI::App *ModelsWords::addTo(CLI::App &app, bool &asksJson) {
    CLI::App *models =
        app.add_subcommand("models", "The language models that agents are run by: list, try, add");
    models->require_subcommand(0, 1);
    models->add_flag("--json", asksJson, "Print the models as JSON (warpwright.models/1)");
    m_try = models->add_subcommand("try", "Ask a model for one small answer, and say what works");
    m_try->add_option("NAME", m_name, "Its name, as wright models lists it")->required()->type_name("");
    m_try->add_flag("--json", asksJson, "Print the outcome as JSON (warpwright.model-trial/1)");
    m_try->footer("Exit code 0: it answers and calls tools; 1: it does not; 2: there is no such model.");
    addAdd(*models);
    m_remove = models->add_subcommand("remove", "Forget a model");
    m_remove->add_option("NAME", m_name, "Its name")->required()->type_name("");
    m_key = models->add_subcommand("key", "Put a model's key into the desktop's keyring; it is read from "
                                          "standard input, and not shown");
    m_key->add_option("NAME", m_name, "The model's name")->required()->type_name("");
    m_key->add_flag("--remove", m_removesKey, "Take the key out of the keyring");
    return models;
}

void ModelsWords::addAdd(CLI::App &models) {
    m_add = models.add_subcommand("add", "Set up a model, or set up one of this name anew");
    m_add->add_option("NAME", m_name, "How you call it: letters, digits, dots, dashes, underscores")
        ->required()
        ->type_name("");
    m_add->add_option("--like", m_like, knownNames().toStdString() + ": dialect, address and key of these")
        ->type_name("ENDPOINT");
    m_add
        ->add_option("--dialect", m_dialect,
                     "openai-chat, openai-responses or anthropic (default: openai-chat)")
        ->check(CLI::IsMember({"openai-chat", "openai-responses", "anthropic"}))
        ->type_name("NAME");
    m_add->add_option("--url", m_url, "With its version: https://api.openai.com/v1, http://127.0.0.1:8080/v1")
        ->type_name("ADDRESS");
    m_add->add_option("--model", m_model, "As the endpoint calls it")->required()->type_name("NAME");
    CLI::Option *variable =
        m_add->add_option("--key-env", m_keyVariable, "The environment variable that holds the key")
            ->type_name("VAR");
    m_add
        ->add_flag("--keyring", m_isInKeyring,
                   "The key lies in the desktop's keyring: wright models key NAME puts it there")
        ->excludes(variable);
    m_add
        ->add_option("--context", m_contextTokens,
                     "Tokens that it takes in all (default: 128000, Ollama 32768)")
        ->check(aboveZero())
        ->type_name("COUNT");
    m_add
        ->add_option("--answer", m_answerTokens,
                     "Tokens of one answer at most (default: 16384, or an eighth of the context)")
        ->check(aboveZero())
        ->type_name("COUNT");
    m_add->add_option("--price-in", m_prices.in, "Of a million tokens that it reads")->type_name("AMOUNT");
    m_add->add_option("--price-cached", m_prices.cached, "Of a million that it reads from its cache")
        ->type_name("AMOUNT");
    m_add->add_option("--price-out", m_prices.out, "Of a million that it writes")->type_name("AMOUNT");
    m_add->add_option("--currency", m_currency, "Of the prices (default: USD)")->type_name("CODE");
    m_add->add_option("--header", m_headers, "Another header of the request, without a key: \"Name: value\"")
        ->type_name("TEXT");
    m_add->add_option("--temperature", m_temperature, "0 to 2 (default: the endpoint's)")
        ->type_name("NUMBER");
    m_add
        ->add_option("--effort", m_effort,
                     "low, medium, high ..., as the endpoint calls it; for anthropic also a number of tokens "
                     "to think with")
        ->type_name("WORD");
    m_add->footer("Keys are never written into a file of ours.");
}

ModelsLine ModelsWords::line(QString &why) const {
    ModelsLine line;
    line.name = QString::fromStdString(m_name);
    line.removesKey = m_removesKey;
    line.act = m_try->parsed()      ? ModelsLine::Act::Try
               : m_add->parsed()    ? ModelsLine::Act::Add
               : m_remove->parsed() ? ModelsLine::Act::Remove
               : m_key->parsed()    ? ModelsLine::Act::Key
                                    : ModelsLine::Act::List;
    if (line.act != ModelsLine::Act::Add)
        return line;
    ModelProfile &profile = line.profile;
    profile.name = line.name;
    const QString like = QString::fromStdString(m_like);
    if (!like.isEmpty()) {
        const KnownEndpoint *known = knownEndpoint(like);
        if (known == nullptr) {
            why = noSuchEndpointWords(like);
            return line;
        }
        if (known->baseUrl.isEmpty() && m_url.empty())
            why = QStringLiteral("--like \"%1\" needs your own address besides: --url %2")
                      .arg(like, known->addressForm);
        profile.dialect = known->dialect;
        profile.baseUrl = known->baseUrl;
        profile.contextTokens = known->contextTokens;
        if (!known->keyVariable.isEmpty())
            profile.key = {KeySource::Kind::Environment, known->keyVariable};
    }
    if (!m_dialect.empty())
        profile.dialect = dialectFromName(QString::fromStdString(m_dialect)).value_or(profile.dialect);
    if (!m_url.empty())
        profile.baseUrl = QString::fromStdString(m_url);
    profile.model = QString::fromStdString(m_model);
    if (!m_keyVariable.empty())
        profile.key = {KeySource::Kind::Environment, QString::fromStdString(m_keyVariable)};
    if (m_isInKeyring)
        profile.key = {KeySource::Kind::Keyring, profile.name};
    if (m_contextTokens > 0)
        profile.contextTokens = m_contextTokens;
    profile.answerTokens =
        m_answerTokens > 0 ? m_answerTokens
                           : std::min(profile.answerTokens, std::max<qint64>(16, profile.contextTokens / 8));
    profile.prices = m_prices;
    profile.prices.currency = QString::fromStdString(m_currency);
    profile.temperature = m_temperature;
    profile.effort = QString::fromStdString(m_effort);
    for (const std::string &words : m_headers) {
        const QString header = QString::fromStdString(words);
        const qsizetype colon = header.indexOf(QLatin1Char(':'));
        if (colon < 1)
            why = QStringLiteral("--header is not \"Name: value\"");
        else
            profile.headers[header.left(colon).trimmed()] = header.mid(colon + 1).trimmed();
    }
    if (why.isEmpty() && profile.baseUrl.isEmpty())
        why = QStringLiteral("models add needs --url ADDRESS or --like ENDPOINT");
    if (why.isEmpty())
        why = whyBadProfile(profile);
    return line;
}

} // namespace warpwright
