// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/interface/agent.h"
#include "agent/playbook/tuning/playbook_moves.h"
#include "toolchain/findings/finding.h"

namespace warpwright {

/// What is found of the request's texts, where the hardware was counted while they ran: kept in the
/// workspace's state folder (`data`: DataFolders::data, where one may lie that has no room of its own), with
/// the request's evaluation. Empty where no counters of this very text are kept: then nothing measured says
/// more than bytes and instructions do. Reads up to 0.1 s: for the pool.
[[nodiscard]] Findings countedFindings(const AgentRequest &request, const QString &data);

/// The finding that a move does something about, with the largest gain: of the whole call, or of a kernel
/// that the move changes. `plan` and `tunings`: of what stands. Nothing: there is none, or it is a note.
[[nodiscard]] std::optional<Finding> findingAnswered(const PlaybookMove &move, const Program &program,
                                                     const std::vector<Knobs> &knobSets,
                                                     const Findings &findings);
/// Of the first move, which replaces all that stands.
[[nodiscard]] std::optional<Finding> findingAnsweredByAll(const Findings &findings);

/// What a proposal says of it: which, where, the number it rests on, and its gain.
[[nodiscard]] QString answeredFindingText(const Finding &finding);

/// Where a move stands among others, lowest first: the time after it over the time before, as foretold, or
/// what mending its finding would leave, whichever promises more.
[[nodiscard]] double rankOf(const PlaybookMove &move, const std::optional<Finding> &finding);
/// A measured finding is the most that a move may promise: of a quarter of the time nobody takes half.
void holdToFinding(PlaybookMove &move, const Finding &finding);

} // namespace warpwright
