// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/tools/toolbox.h"
#include "toolchain/counters/counters.h"
#include "toolchain/timeline/timeline.h"

namespace warpwright {

/// What was asked of counters beyond having them.
struct CountersQuestion {
    QString kernel; ///< a part of a kernel's name; empty: all
    int against = 0;
    std::optional<Counters> before; ///< those of that iteration; none: it was not counted
    bool isKept = false;            ///< they were collected before this call
};

/// What the hardware counted, in the words that a person reads of it, as the answer of a tool; for programs
/// the figures of the longest launches. `texts`: what was counted; lines are told by its files. A function of
/// values, for the pool.
[[nodiscard]] ToolAnswer countersAnswer(const Counters &counters, const CountersQuestion &question,
                                        const CandidateTexts &texts);

[[nodiscard]] ToolAnswer timelineAnswer(const Timeline &timeline, bool isKept);

/// Whether one of the candidate's launches is of a kernel whose name holds this.
[[nodiscard]] bool hasKernel(const Counters &counters, const QString &kernel);

} // namespace warpwright
