// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/acp/acp_values.h"

#include <QElapsedTimer>

#include <map>
#include <optional>

namespace warpwright {

/// An external agent's tool calls, put together from the pieces that it tells of each.
class AcpToolCalls {
public:
    struct Told {
        std::optional<ToolCall> began;
        std::optional<ToolCall> ended;
        QString progress; ///< of one that runs: what it is called now; empty: nothing new
    };

    [[nodiscard]] Told take(const AcpToolState &state);
    /// `state`, as of a question about it, with what was told of that call before: some agents name it by its
    /// id alone.
    [[nodiscard]] AcpToolState withKnown(AcpToolState state) const;
    /// All that are still open, ended with this outcome.
    [[nodiscard]] std::vector<ToolCall> endAll(const QString &outcome);

private:
    struct Open {
        ToolCall call;
        AcpToolState told; ///< the last of each field
        QElapsedTimer clock;
    };
    std::map<QString, Open> m_open;
    std::map<QString, bool> m_ended; ///< what comes of them later is of no interest
};

} // namespace warpwright
