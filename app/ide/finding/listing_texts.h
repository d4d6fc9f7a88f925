// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ide/kit/agent_view.h"
#include "toolchain/tool_output/kernel_code.h"

namespace warpwright {

class AgentEventModel;

/// What an agent said and did as lines, and where each event begins.
struct ConversationText {
    QString text;
    std::vector<int> begins; ///< by row of the model: its first line, from 0

    /// The row of this line, from 0; -1: there is none.
    [[nodiscard]] int rowOf(int line) const;
};

[[nodiscard]] ConversationText conversationText(const AgentEventModel &events);

/// The events of a past run, a line each by its number; empty: it cannot be read. Reads its index: work for
/// the pool.
[[nodiscard]] QString runEventsText(const QString &stateFolder, const QString &run);

/// A listing as lines, as its view numbers them.
[[nodiscard]] QString listingText(const KernelCode &code);

} // namespace warpwright
