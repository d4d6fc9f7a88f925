// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/record/run_index.h"
#include "toolchain/workspace/candidate_texts.h"

#include <map>

namespace warpwright {

/// What a run tells of its own iterations, from its record alone: a recording comes without a history, and a
/// history that was begun anew has other texts under the same numbers.
struct RunIterations {
    std::vector<IterationRecord> records; ///< by number
    std::map<int, CandidateTexts> texts;  ///< of those that were asked for

    [[nodiscard]] const IterationRecord *record(int number) const; ///< null: the run has none
};

/// `wanted`: whose texts are read, too; an error where the run has no such iteration. Reads the whole
/// trajectory for them: not for a window's thread.
[[nodiscard]] Result<RunIterations> runIterations(const QString &stateFolder, const QString &run,
                                                  const std::vector<int> &wanted);

/// Adds the iteration that the run began with, where it was there before; and what was measured later of the
/// others, and what the run's end has left of them: the history alone knows that. A text of the same number
/// that is another one tells nothing.
void addFromHistory(const QString &stateFolder, const QString &run, std::vector<IterationRecord> &records);

[[nodiscard]] IterationRecord recordOf(const IndexedIteration &indexed);

} // namespace warpwright
