// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/interface/hunk.h"
#include "toolchain/evaluation/time_ratio.h"

#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

namespace warpwright {

/// What became of one hunk, as the agent is told it.
struct AnsweredHunk {
    QString file; ///< as the proposal names it
    int hunk = 0;
    HunkState state = HunkState::Open; ///< Open and Conflict: nobody answered
    QString reason;                    ///< the person's words; empty: none
    TextLines oldLines;
    TextLines newLines;
    TextLines standing; ///< what stands in the text instead, of an edited one

    bool operator==(const AnsweredHunk &) const = default;
};

/// What an agent is told of a proposal that was dealt with, before it makes the next one.
struct Feedback {
    enum class Outcome {
        Applied,      ///< at least one hunk was accepted or edited, and the text has changed
        Rejected,     ///< nothing of it was taken, or comments alone
        KeptAsBranch, ///< it is an iteration that the text did not stay with
        Undone,       ///< it was applied, and taken back
    };

    QString proposal;
    Outcome outcome = Outcome::Rejected;
    QString why; ///< the policy's or the person's words; empty: none
    std::vector<AnsweredHunk> hunks;
    std::optional<TimeRatio> ratio =
        std::nullopt; ///< measured of what was taken, or of the whole where nothing was
    QStringList uncalled =
        {}; ///< new kernels that were taken without their calls, so that nothing calls them

    bool operator==(const Feedback &) const = default;
};

} // namespace warpwright
