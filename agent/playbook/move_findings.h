// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/interface/agent.h"
#include "agent/playbook/tuning/playbook_moves.h"
#include "toolchain/findings/finding.h"

namespace warpwright {

/// The findings of the request's texts, where hardware counters of their run are kept in the workspace's
/// state folder (`data`: DataFolders::data, for a folder that has none of its own), with the request's
/// evaluation. Empty where no counters of this very text are kept: then no measurement says more than bytes
/// and instructions. Reads up to 0.1 s: for the pool.
[[nodiscard]] Findings countedFindings(const AgentRequest &request, const QString &data);

/// The finding that a move addresses, with the largest gain: of the whole call, or of a kernel that the move
/// changes. `program` and `knobSets`: of the current text. Empty: there is none, or it is a note.
[[nodiscard]] std::optional<Finding> findingAnswered(const PlaybookMove &move, const Program &program,
                                                     const std::vector<Knobs> &knobSets,
                                                     const Findings &findings);
/// Of the first move, which replaces the whole text.
[[nodiscard]] std::optional<Finding> findingAnsweredByAll(const Findings &findings);

/// The proposal's sentence about it: which, where, the number it rests on, and its gain.
[[nodiscard]] QString answeredFindingText(const Finding &finding);

/// A move's rank among others, lowest first: the predicted time after it over the time before, or what fixing
/// its finding would leave, whichever is less.
[[nodiscard]] double rankOf(const PlaybookMove &move, const std::optional<Finding> &finding);
/// A measured finding bounds a move's expected gain: of a quarter of the time nobody takes half.
void holdToFinding(PlaybookMove &move, const Finding &finding);

} // namespace warpwright
