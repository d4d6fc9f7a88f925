// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/comparison/compare_metrics.h"
#include "toolchain/comparison/comparison_choice.h"
#include "toolchain/counters/counters.h"
#include "toolchain/findings/finding.h"
#include "toolchain/inspect/inspection.h"
#include "toolchain/workspace/workspace.h"

#include <memory>
#include <utility>

namespace warpwright {

/// One side of a comparison with all that is known of it. A baseline has no text of its own: it borrows check
/// and counters of the text that it was timed beside.
struct ComparedState {
    ComparisonChoice choice;
    ComparedSide side; ///< no texts of a baseline
    QString textHash;  ///< of the text that was checked and counted
    SharedCounters counters;
    std::shared_ptr<const Inspection> listing; ///< null: the compiler was not asked
    std::optional<Findings> findings;          ///< none of a baseline
    QString damagedCheck;    ///< why the newest check cannot be read; empty: it can, or there is none
    QString damagedCounters; ///< the same of the counters
    QString path;            ///< of the workspace, as a command takes it

    /// "candidate", "eager": whose launches and times are this side's
    [[nodiscard]] QString arm() const { return choice.isArm() ? choice.arm : QStringLiteral("candidate"); }
    /// " --iteration 3" where a command must be told so.
    [[nodiscard]] QString iterationWords() const;
};

/// Reads texts, the newest check and counters of both; what is not there is left empty. Two baselines are
/// those of the text on disk. Reads files: not for a window's thread.
[[nodiscard]] Result<std::pair<ComparedState, ComparedState>>
readStates(const Workspace &workspace, const ComparisonChoice &left, const ComparisonChoice &right);

/// Gives a text what the compiler makes of it, and looks for findings anew with it.
void addListing(ComparedState &state, std::shared_ptr<const Inspection> listing);

/// The baseline that was timed in the check of this iteration.
[[nodiscard]] ComparedState armBeside(const ComparedState &text, const ComparisonChoice &choice);

} // namespace warpwright
