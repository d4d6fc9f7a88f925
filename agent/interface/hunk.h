// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/interface/text_lines.h"

#include <QString>

namespace warpwright {

enum class HunkState {
    Open,     ///< not answered; the old lines stand in the text
    Accepted, ///< the agent's lines stand in it
    Rejected, ///< the old ones stand
    Edited,   ///< the person's own lines stand
    Conflict, ///< not answered, and the person typed in its old lines
};

[[nodiscard]] QString hunkStateName(HunkState state); ///< "open", "accepted", …

/// One place where an agent wants other lines, and what became of it. Its anchor, `start` and `standing`, is
/// in the current text, which is the only truth about what stands there.
struct Hunk {
    int id = 0; ///< from 1, unique in its proposal
    HunkState state = HunkState::Open;
    int start = 0;      ///< line of the current text, from 0
    TextLines standing; ///< what stands there now; of a conflict: what the person made of the old lines
    TextLines oldLines; ///< what the agent read there
    TextLines newLines; ///< what it wants there
    QString reason;     ///< of the answer; empty: none was given
    /// Accepted, then typed in: taking it back would make a conflict of it.
    bool isTypedIn = false;

    [[nodiscard]] int count() const { return static_cast<int>(standing.size()); }
    [[nodiscard]] int end() const { return start + count(); }
    /// The agent's lines stand there for a person to change them, and nothing is changed yet: that takes
    /// nothing.
    [[nodiscard]] bool isUntouched() const { return state == HunkState::Edited && standing == newLines; }
    [[nodiscard]] bool isOpen() const { return state == HunkState::Open || isUntouched(); }
    [[nodiscard]] bool isAnswered() const { return !isOpen() && state != HunkState::Conflict; }
    bool operator==(const Hunk &) const = default;
};

} // namespace warpwright
