// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/json.h"
#include "toolchain/base/result.h"

#include <QMap>
#include <QString>

#include <optional>

namespace warpwright {

/// The three wire formats that models are spoken to in.
enum class Dialect {
    OpenAiChat,      ///< Chat Completions, and what speaks it: vLLM, llama.cpp, Ollama, LM Studio, OpenRouter
    OpenAiResponses, ///< Responses
    Anthropic        ///< Messages
};
[[nodiscard]] QString dialectName(Dialect dialect); ///< "openai-chat", "openai-responses", "anthropic"
[[nodiscard]] std::optional<Dialect> dialectFromName(const QString &name);

/// Where a model's key is; never the key.
struct KeySource {
    enum class Kind { None, Environment, Keyring };
    Kind kind = Kind::None;
    QString name; ///< Environment: the variable's; Keyring: the entry's, mostly the profile's name

    bool operator==(const KeySource &) const = default;
};

/// For a million tokens each, in `currency`. Empty: not known, and no cost is said.
struct ModelPrices {
    std::optional<double> in;
    std::optional<double> cached; ///< of `in`; empty: as in
    std::optional<double> out;
    QString currency = QStringLiteral("USD");

    bool operator==(const ModelPrices &) const = default;
};

/// A model as a person has set it up: where it is, how it is spoken to, and whose key opens it.
struct ModelProfile {
    QString name; ///< unique; [A-Za-z0-9._-]{1,64}
    Dialect dialect = Dialect::OpenAiChat;
    QString baseUrl; ///< with its version: "https://api.openai.com/v1", "http://127.0.0.1:8080/v1"
    QString model;   ///< as the endpoint calls it
    KeySource key;
    qint64 contextTokens = 128'000;
    qint64 answerTokens = 16'384; ///< at most in one answer
    ModelPrices prices;
    QMap<QString, QString> headers; ///< besides ours; none of them may carry a key
    std::optional<double> temperature;
    /// "low", "medium", "high" …, as the endpoint calls it; empty: nothing is said of it. Anthropic: such a
    /// word means adaptive thinking with this effort, a number the tokens of a fixed budget for it.
    QString effort;

    Json unknown = Json::object(); ///< fields of a newer version, kept when it is stored

    bool operator==(const ModelProfile &) const = default;
};

[[nodiscard]] Json modelProfileToJson(const ModelProfile &profile);
[[nodiscard]] Result<ModelProfile> modelProfileFromJson(const Json &json);
/// A name or an address of this machine.
[[nodiscard]] bool isLoopback(const QString &host);
/// What is wrong with it, for people; empty: nothing. Plain HTTP goes to this machine alone.
[[nodiscard]] QString whyBadProfile(const ModelProfile &profile);

} // namespace warpwright
