// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/record/run_scene.h"
#include "app/cli/process/terminal.h"

/// The proposals of a recorded run as they were reviewed: what each wanted to change, and what became of it.
namespace warpwright {

/// All of them up to that event (0: the last one), in their order and with the answers known there. An error:
/// the trajectory cannot be read.
[[nodiscard]] Result<std::vector<ScenedProposal>> proposalsOf(const QString &trajectory, qint64 untilEvent);

/// A unified diff of what was proposed. Each hunk is headed by its name, its file, how and by whom it was
/// answered and why, and what it alone does to the time where that was measured.
[[nodiscard]] QString diffText(const ScenedProposal &proposal, const Terminal &terminal);
/// {proposal, title, outcome, hunks[{id, file, answer, reason}]}; a renaming is a hunk as well.
[[nodiscard]] OrderedJson answersToJson(const ScenedProposal &proposal);

} // namespace warpwright
