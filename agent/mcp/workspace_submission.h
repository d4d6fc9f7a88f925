// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/result.h"
#include "toolchain/evaluation/evaluation.h"
#include "toolchain/history/iteration.h"
#include "toolchain/workspace/candidate_texts.h"
#include "toolchain/workspace/workspace.h"

#include <optional>

namespace warpwright {

/// A workspace as somebody found it who does not hold its lock.
struct ReadWorkspace {
    CandidateTexts texts;
    int iteration = 0; ///< that was current; 0: none
    std::vector<IterationRecord> history;
};
/// Reads files: for the pool, as all here.
[[nodiscard]] Result<ReadWorkspace> readWorkspaceOf(const Workspace &workspace);

/// What somebody outside wants the workspace to be.
struct WorkspaceSubmission {
    CandidateTexts base; ///< what it was made from
    CandidateTexts texts;
    Author author;
    Evaluation evaluation; ///< that says it is right; kept with the iteration
    QString note;          ///< of the iteration, one line
};
/// Whether submitTo() would write now what was made from `base`; an error as there. Before somebody measures
/// it for minutes.
[[nodiscard]] Result<void> maySubmitTo(const Workspace &workspace, const CandidateTexts &base);
/// Writes it as the next iteration and into the files, where nobody has the workspace open and its text is
/// still `base`. An error, for whoever submitted, says who has it, or what has changed; nothing is written
/// then. The person's own text goes into the history first.
[[nodiscard]] Result<Iteration> submitTo(const Workspace &workspace, const WorkspaceSubmission &submission);

} // namespace warpwright
