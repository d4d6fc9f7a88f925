// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/endpoints/model_profile.h"

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

    bool operator==(const KnownEndpoint &) const = default;
    [[nodiscard]] bool isLocal() const { return keyVariable.isEmpty(); }
};

[[nodiscard]] const std::vector<KnownEndpoint> &knownEndpoints();

} // namespace warpwright
