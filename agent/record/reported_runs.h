// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/report_page/report_input.h"

namespace warpwright {

/// What was proposed in the runs of a workspace, what was expected and measured of it, and who decided what
/// and why: as a report page tells it. From the trajectories alone; nothing is replayed.
struct ReportedRuns {
    std::vector<ReportedRun> runs; ///< oldest first
    QStringList problems;          ///< trajectories that cannot be read, in whole sentences
};

/// Of all runs together at most `mostProposals`, the newest ones; the others are counted. Reads whole
/// trajectories: not for a window's thread. `whole`: the id of a run that is told alone, with what each
/// proposal changes (of the newest ones, at most 20,000 lines), its budgets and what the person wrote; empty:
/// all runs, without.
[[nodiscard]] ReportedRuns reportedRuns(const QString &stateFolder, std::size_t mostProposals,
                                        const QString &whole = {});
/// Names of the runs that have a trajectory, oldest first.
[[nodiscard]] QStringList runNames(const QString &stateFolder);

} // namespace warpwright
