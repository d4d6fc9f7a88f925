// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/endpoints/model_profile.h"

#include <QStringList>

#include <vector>

namespace warpwright {

/// A place where models are to be had, as a start for a profile.
struct KnownEndpoint {
    QString name;
    Dialect dialect = Dialect::OpenAiChat;
    QString baseUrl;
    QString keyVariable; ///< where its users mostly keep the key; empty: it takes none
    QString
        toTurnOn; ///< what the server needs so that models can call tools, and what else bites; a sentence
    qint64 contextTokens = ModelProfile().contextTokens; ///< to begin with
    QString addressForm{};    ///< where baseUrl is empty: each of its users has an address like this
    QStringList otherNames{}; ///< that people give it

    bool operator==(const KnownEndpoint &) const = default;
    [[nodiscard]] bool isLocal() const { return keyVariable.isEmpty(); }
};

[[nodiscard]] const std::vector<KnownEndpoint> &knownEndpoints();
/// As a person writes it: "LM Studio", "lm-studio", "llamacpp", "grok". Null: there is none of this name.
[[nodiscard]] const KnownEndpoint *knownEndpoint(const QString &name);
/// The one whose name is a few letters away; null: none is near.
[[nodiscard]] const KnownEndpoint *nearestEndpoint(const QString &name);

} // namespace warpwright
