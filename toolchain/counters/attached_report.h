// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/counters/counters.h"
#include "toolchain/tool_output/ptxas_report.h"

namespace warpwright {

/// The iteration whose counters a report is to be.
struct AttachTarget {
    QString workspace; ///< its name
    QString textHash;
    int iteration = 0;
    QString evaluation;                   ///< the check that compiled `kernels`
    std::vector<KernelResources> kernels; ///< of the candidate
};

/// A report from elsewhere as counters of a text of a workspace, as if they had been collected of it. A
/// report does not say which text ran: all that is looked at are the names of its kernels, `problems` says
/// so, and no claim is made that the launches are those of one call. Launches of the candidate's kernels
/// become the candidate's, those of others stay «imported»; they keep their numbers, which `problems` and
/// Nsight Compute name them by. An error: none of the kernels is one of the candidate's. `file`: path of the
/// report, for its name; it is not opened.
[[nodiscard]] Result<Counters> attachedCounters(Counters read, const QString &file, const QDateTime &fileTime,
                                                const AttachTarget &target);

} // namespace warpwright
