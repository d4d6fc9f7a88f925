// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/endpoints/known_endpoints.h"

#include <algorithm>
#include <numeric>

namespace warpwright {
namespace {

KnownEndpoint hosted(const QString &name, const QString &baseUrl, const QString &keyVariable,
                     const QStringList &otherNames, const QString &toTurnOn = {}) {
    KnownEndpoint endpoint{name, Dialect::OpenAiChat, baseUrl, keyVariable, toTurnOn};
    endpoint.otherNames = otherNames;
    return endpoint;
}

/// "LM Studio", "lm-studio" and "LMStudio" are one name.
QString bareName(const QString &name) {
    QString bare;
    for (const QChar letter : name.toLower())
        if (letter.isLetterOrNumber())
            bare += letter;
    return bare;
}

QStringList bareNames(const KnownEndpoint &endpoint) {
    QStringList names{bareName(endpoint.name)};
    for (const QString &other : endpoint.otherNames)
        names << bareName(other);
    return names;
}

/// Letters that have to be put in, taken out or changed.
qsizetype lettersBetween(const QString &one, const QString &other) {
    std::vector<qsizetype> row(static_cast<std::size_t>(other.size()) + 1);
    std::iota(row.begin(), row.end(), 0);
    for (const QChar letter : one) {
        qsizetype beside = row.front()++;
        for (std::size_t at = 1; at < row.size(); ++at) {
            const bool isSame = other.at(static_cast<qsizetype>(at) - 1) == letter;
            const qsizetype best = std::min({row[at] + 1, row[at - 1] + 1, beside + (isSame ? 0 : 1)});
            beside = row[at];
            row[at] = best;
        }
    }
    return row.back();
}

} // namespace

const std::vector<KnownEndpoint> &knownEndpoints() {
    static const std::vector<KnownEndpoint> endpoints{
        {QStringLiteral("OpenAI"),
         Dialect::OpenAiResponses,
         QStringLiteral("https://api.openai.com/v1"),
         QStringLiteral("OPENAI_API_KEY"),
         {},
         ModelProfile().contextTokens,
         {},
         {QStringLiteral("gpt")}},
        {QStringLiteral("Anthropic"),
         Dialect::Anthropic,
         QStringLiteral("https://api.anthropic.com/v1"),
         QStringLiteral("ANTHROPIC_API_KEY"),
         {},
         ModelProfile().contextTokens,
         {},
         {QStringLiteral("Claude")}},
        hosted(QStringLiteral("Gemini"),
               QStringLiteral("https://generativelanguage.googleapis.com/v1beta/openai"),
               QStringLiteral("GEMINI_API_KEY"),
               {QStringLiteral("Google"), QStringLiteral("Google Gemini"), QStringLiteral("Google AI")}),
        hosted(QStringLiteral("DeepSeek"), QStringLiteral("https://api.deepseek.com"),
               QStringLiteral("DEEPSEEK_API_KEY"), {}),
        hosted(QStringLiteral("Mistral"), QStringLiteral("https://api.mistral.ai/v1"),
               QStringLiteral("MISTRAL_API_KEY"),
               {QStringLiteral("Mistral AI"), QStringLiteral("Codestral")}),
        hosted(QStringLiteral("xAI"), QStringLiteral("https://api.x.ai/v1"), QStringLiteral("XAI_API_KEY"),
               {QStringLiteral("Grok")}),
        hosted(QStringLiteral("Groq"), QStringLiteral("https://api.groq.com/openai/v1"),
               QStringLiteral("GROQ_API_KEY"), {}),
        hosted(QStringLiteral("Together"), QStringLiteral("https://api.together.ai/v1"),
               QStringLiteral("TOGETHER_API_KEY"), {QStringLiteral("Together AI")}),
        hosted(QStringLiteral("OpenRouter"), QStringLiteral("https://openrouter.ai/api/v1"),
               QStringLiteral("OPENROUTER_API_KEY"), {},
               QStringLiteral("Choose a model that is listed with tools.")),
        {QStringLiteral("Azure"),
         Dialect::OpenAiChat,
         {},
         QStringLiteral("AZURE_OPENAI_API_KEY"),
         QStringLiteral("Give the address of your resource, with /openai/v1; the model is the name of the "
                        "deployment."),
         ModelProfile().contextTokens,
         QStringLiteral("https://RESOURCE.openai.azure.com/openai/v1"),
         {QStringLiteral("Azure OpenAI"), QStringLiteral("Microsoft"), QStringLiteral("Foundry")}},
        {QStringLiteral("Ollama"),
         Dialect::OpenAiChat,
         QStringLiteral("http://127.0.0.1:11434/v1"),
         {},
         QStringLiteral("Choose a model that is listed with tools, and start the server with "
                        "OLLAMA_CONTEXT_LENGTH=32768 or more: it cuts longer conversations without a word."),
         32'768},
        {QStringLiteral("llama.cpp"),
         Dialect::OpenAiChat,
         QStringLiteral("http://127.0.0.1:8080/v1"),
         {},
         QStringLiteral("Start llama-server with --jinja, and with the context as -c."),
         ModelProfile().contextTokens,
         {},
         {QStringLiteral("llama-server")}},
        {QStringLiteral("vLLM"),
         Dialect::OpenAiChat,
         QStringLiteral("http://127.0.0.1:8000/v1"),
         {},
         QStringLiteral("Start it with --enable-auto-tool-choice and the --tool-call-parser of the model.")},
        {QStringLiteral("LM Studio"),
         Dialect::OpenAiChat,
         QStringLiteral("http://127.0.0.1:1234/v1"),
         {},
         QStringLiteral("Load the model with a long context; the first answer waits for the loading.")},
    };
    return endpoints;
}

const KnownEndpoint *knownEndpoint(const QString &name) {
    const auto &all = knownEndpoints();
    const auto found = std::find_if(all.begin(), all.end(), [bare = bareName(name)](const auto &endpoint) {
        return bareNames(endpoint).contains(bare);
    });
    return found == all.end() ? nullptr : &*found;
}

const KnownEndpoint *nearestEndpoint(const QString &name) {
    const QString bare = bareName(name);
    const KnownEndpoint *nearest = nullptr;
    qsizetype fewest = bare.size() / 3 + 1; // a third of the name may be wrong
    for (const KnownEndpoint &endpoint : knownEndpoints())
        for (const QString &known : bareNames(endpoint)) {
            // "ollama-cloud", "deepseek-v4-pro": a known name with something behind it.
            const bool begins = known.size() >= 4 && bare.startsWith(known);
            const qsizetype letters = begins ? 0 : lettersBetween(bare, known);
            if (letters < fewest) {
                fewest = letters;
                nearest = &endpoint;
            }
        }
    return nearest;
}

} // namespace warpwright
