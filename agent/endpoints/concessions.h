// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

namespace warpwright {

/// What an endpoint has refused of a request that its dialect allows, and gets no more; the dialects that
/// have something to leave out read it.
struct Concessions {
    bool leavesOutStreamOptions = false;      ///< Chat Completions
    bool saysOtherTokenLimit = false;         ///< Chat Completions: max_tokens or max_completion_tokens
    bool leavesOutEncryptedReasoning = false; ///< Responses: models that do not reason refuse to be asked

    bool operator==(const Concessions &) const = default;
};

/// Asks for nothing more than before, or for less where these words of an HTTP 400 complain of a field that
/// can be done without.
[[nodiscard]] Concessions concessionsAfter(const Concessions &before, const QByteArray &refusal);

} // namespace warpwright
