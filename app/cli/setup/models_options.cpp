// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/setup/models_options.h"

#include "agent/endpoints/known_endpoints.h"
#include "app/cli/command.h"
#include "app/cli/options/number_words.h"
#include "app/cli/options/shared_options.h"

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

void ModelsOptions::addTo(CLI::App &app) {
    const auto addVerb = [this, &app](const char *verb, const char *help, Act does) {
        CLI::App *added = app.add_subcommand(verb, help);
        added->callback([this, does] { act = does; });
        return added;
    };
    app.require_subcommand(0, 1);
    app.add_flag("--json", asksJson, "Print the models as JSON (warpwright.models/1)");
    CLI::App *trial = addVerb("try", "Ask a model for one small answer, and say what works", Act::Try);
    addText(*trial, "NAME", name, "Its name, as wright models lists it")->required()->type_name("");
    trial->add_flag("--json", asksJson, "Print the outcome as JSON (warpwright.model-trial/1)");
    trial->footer("Exit code 0: it answers and calls tools; 1: it does not; 2: there is no such model.");
    addAdd(*addVerb("add", "Set up a model, or set up one of this name anew", Act::Add));
    CLI::App *remove = addVerb("remove", "Remove a model", Act::Remove);
    addText(*remove, "NAME", name, "Its name")->required()->type_name("");
    CLI::App *key = addVerb("key",
                            "Put a model's key into the desktop's keyring; it is read from "
                            "standard input, and not shown",
                            Act::Key);
    addText(*key, "NAME", name, "The model's name")->required()->type_name("");
    key->add_flag("--remove", removesKey, "Remove the key from the keyring");
}

void ModelsOptions::addAdd(CLI::App &app) {
    addText(app, "NAME", name, "Your name for it: letters, digits, dots, dashes, underscores")
        ->required()
        ->type_name("");
    addText(app, "--like", typed.like, knownNames().toStdString() + ": dialect, address and key of these")
        ->type_name("ENDPOINT");
    addText(app, "--dialect", typed.dialect,
            "openai-chat, openai-responses or anthropic (default: openai-chat)")
        ->check(CLI::IsMember({"openai-chat", "openai-responses", "anthropic"}))
        ->type_name("NAME");
    addText(app, "--url", typed.url, "With its version: https://api.openai.com/v1, http://127.0.0.1:8080/v1")
        ->type_name("ADDRESS");
    addText(app, "--model", typed.model, "As the endpoint calls it")->required()->type_name("NAME");
    CLI::Option *variable =
        addText(app, "--key-env", typed.keyVariable, "The environment variable that holds the key")
            ->type_name("VAR");
    app.add_flag("--keyring", typed.isInKeyring,
                 "The key lies in the desktop's keyring: wright models key NAME puts it there")
        ->excludes(variable);
    addProfile(app);
    app.footer("Keys are never written into a file of ours.");
}

void ModelsOptions::addProfile(CLI::App &app) {
    app.add_option("--context", typed.contextTokens,
                   "Tokens that it takes in all (default: 128000, Ollama 32768)")
        ->check(aboveZero())
        ->type_name("COUNT");
    app.add_option("--answer", typed.answerTokens,
                   "Tokens of one answer at most (default: 16384, or an eighth of the context)")
        ->check(aboveZero())
        ->type_name("COUNT");
    app.add_option("--price-in", typed.prices.in, "Of a million tokens that it reads")->type_name("AMOUNT");
    app.add_option("--price-cached", typed.prices.cached, "Of a million that it reads from its cache")
        ->type_name("AMOUNT");
    app.add_option("--price-out", typed.prices.out, "Of a million that it writes")->type_name("AMOUNT");
    addText(app, "--currency", typed.currency, "Of the prices (default: USD)")->type_name("CODE");
    addTexts(app, "--header", typed.headers, "Another header of the request, without a key: \"Name: value\"")
        ->type_name("TEXT");
    app.add_option("--temperature", typed.temperature, "0 to 2 (default: the endpoint's)")
        ->type_name("NUMBER");
    addText(app, "--effort", typed.effort,
            "low, medium, high ..., as the endpoint calls it; for anthropic also a number of tokens "
            "to think with")
        ->type_name("WORD");
}

/// What is known of the endpoint that --like names.
QString ModelsOptions::takeKnown(const KnownEndpoint &known) {
    profile.dialect = known.dialect;
    profile.baseUrl = known.baseUrl;
    profile.contextTokens = known.contextTokens;
    if (!known.keyVariable.isEmpty())
        profile.key = {KeySource::Kind::Environment, known.keyVariable};
    return known.baseUrl.isEmpty() && typed.url.isEmpty()
               ? QStringLiteral("--like \"%1\" needs your own address besides: --url %2")
                     .arg(typed.like, known.addressForm)
               : QString();
}

void ModelsOptions::takeTyped() {
    profile.name = name;
    if (!typed.dialect.isEmpty())
        profile.dialect = dialectFromName(typed.dialect).value_or(profile.dialect);
    if (!typed.url.isEmpty())
        profile.baseUrl = typed.url;
    profile.model = typed.model;
    if (!typed.keyVariable.isEmpty())
        profile.key = {KeySource::Kind::Environment, typed.keyVariable};
    if (typed.isInKeyring)
        profile.key = {KeySource::Kind::Keyring, profile.name};
    if (typed.contextTokens > 0)
        profile.contextTokens = typed.contextTokens;
    profile.answerTokens = typed.answerTokens > 0 ? typed.answerTokens
                                                  : std::min(profile.answerTokens,
                                                             std::max<qint64>(16, profile.contextTokens / 8));
    profile.prices = typed.prices;
    profile.prices.currency = typed.currency;
    profile.temperature = typed.temperature;
    profile.effort = typed.effort;
}

QString ModelsOptions::takeHeaders() {
    QString why;
    for (const QString &header : typed.headers) {
        const qsizetype colon = header.indexOf(QLatin1Char(':'));
        if (colon < 1)
            why = QStringLiteral("--header is not \"Name: value\"");
        else
            profile.headers[header.left(colon).trimmed()] = header.mid(colon + 1).trimmed();
    }
    return why;
}

QString ModelsOptions::understand() {
    if (act != Act::Add)
        return {};
    const auto refused = [](const QString &why) {
        return notUnderstood(why, QStringLiteral("wright models add --help"));
    };
    QString why;
    if (!typed.like.isEmpty()) {
        const KnownEndpoint *known = knownEndpoint(typed.like);
        if (known == nullptr)
            return refused(noSuchEndpointWords(typed.like));
        why = takeKnown(*known);
    }
    takeTyped();
    if (const QString noHeader = takeHeaders(); !noHeader.isEmpty())
        why = noHeader;
    if (why.isEmpty() && profile.baseUrl.isEmpty())
        why = QStringLiteral("models add needs --url ADDRESS or --like ENDPOINT");
    if (why.isEmpty())
        why = whyBadProfile(profile);
    return why.isEmpty() ? QString() : refused(why);
}

} // namespace warpwright
