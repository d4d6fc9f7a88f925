// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/endpoints/concessions.h"

namespace warpwright {

Concessions concessionsAfter(const Concessions &before, const QByteArray &refusal) {
    Concessions after = before;
    const QByteArray words = refusal.toLower();
    if (words.contains("stream_options"))
        after.leavesOutStreamOptions = true;
    if (words.contains("max_tokens") && words.contains("unsupported"))
        after.saysOtherTokenLimit = true;
    if (words.contains("encrypted content is not supported") || words.contains("reasoning.encrypted_content"))
        after.leavesOutEncryptedReasoning = true;
    return after;
}

} // namespace warpwright
