// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "referee/base/value_tree.h"
#include "referee/process/worker_process.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace warpwright {

/// Who is timed in the candidate's place, and what is known of it before.
struct TimedCandidate {
    /// A fresh process of it. Throws WorkerFault.
    std::function<std::unique_ptr<WorkerProcess>()> start;
    std::unique_ptr<WorkerProcess> running; ///< from verification; may be empty
    std::string precision;                  ///< its measured class
    double allowedDifference = 0.0;         ///< relative RMS, of timed results from the reference's
    double allowedWhole = 0.0;              ///< part of whole numbers that may differ: ties
    bool hasItsSpecials = false;            ///< NaN and infinities were where the reference has them
    /// From now on inputs that are always the same are drawn as others, or as they come. Empty: there are
    /// none, or it was not right then.
    std::function<void(bool areOthers)> drawConstants;
    double allowedFromItself = 0.0; ///< relative RMS, of timed results from those of the same call later
    /// What it returns for these inputs in a call that is not timed.
    struct Later {
        bool wasAsked = true;                  ///< whether it is as in verification
        std::string complaint;                 ///< why it is not
        std::vector<ValueLeaf> results, again; ///< of two such calls, in its memory until it releases them
    };
    /// `others`: of another set. Empty: not for this task. Throws WorkerFault like every call of it.
    std::function<Later(WorkerProcess &candidate, const Json &inputs, const Json &others)> callLater;
    bool isStandIn = false; ///< the reference itself: rules about candidates say nothing of it
};

} // namespace warpwright
