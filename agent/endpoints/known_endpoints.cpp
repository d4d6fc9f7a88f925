// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/endpoints/known_endpoints.h"

namespace warpwright {

const std::vector<KnownEndpoint> &knownEndpoints() {
    static const std::vector<KnownEndpoint> endpoints{
        {QStringLiteral("OpenAI"),
         Dialect::OpenAiResponses,
         QStringLiteral("https://api.openai.com/v1"),
         QStringLiteral("OPENAI_API_KEY"),
         {}},
        {QStringLiteral("Anthropic"),
         Dialect::Anthropic,
         QStringLiteral("https://api.anthropic.com/v1"),
         QStringLiteral("ANTHROPIC_API_KEY"),
         {}},
        {QStringLiteral("OpenRouter"), Dialect::OpenAiChat, QStringLiteral("https://openrouter.ai/api/v1"),
         QStringLiteral("OPENROUTER_API_KEY"), QStringLiteral("Choose a model that is listed with tools.")},
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
         QStringLiteral("Start llama-server with --jinja, and with the context as -c.")},
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

} // namespace warpwright
