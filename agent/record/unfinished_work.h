// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/record/trajectory_event.h"
#include "toolchain/workspace/candidate_texts.h"

#include <optional>

/// What an agent has changed in its copy when a run ends, and has not proposed: its memory has the text, and
/// says that the next program begins with it. Such a run can go on however it ended.
namespace warpwright {

/// «kernels/a.cu (2 lines added, 1 taken away)», file after file; empty: nothing differs.
[[nodiscard]] QString changedLinesWords(const CandidateTexts &base, const CandidateTexts &texts);
/// For the person, where a run ends.
[[nodiscard]] QString unfinishedWords(const QString &agent, const CandidateTexts &base,
                                      const CandidateTexts &texts);
/// For the person, where it goes on: the agent's copy begins with that text.
[[nodiscard]] QString takenUpWords(const QString &agent, const CandidateTexts &base,
                                   const CandidateTexts &texts);
/// For the person, where it does not: the text below is another by now.
[[nodiscard]] QString notTakenUpWords(const QString &agent, const CandidateTexts &base,
                                      const CandidateTexts &texts);

/// The field of a memory: whether such work waits from here on.
[[nodiscard]] Json unfinishedMemory(bool isUnfinished);
/// Empty: the memory, or the event, says nothing of it.
[[nodiscard]] std::optional<bool> unfinishedIn(const Json &memory);
[[nodiscard]] std::optional<bool> unfinishedIn(const TrajectoryEvent &event);

} // namespace warpwright
