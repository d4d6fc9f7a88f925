// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "referee/task/task_session.h"

#include <string>

namespace warpwright {

/// How inputs rotate and batches are cut: the same for all arms.
struct TimingPlan {
    int sets = 2;                ///< input sets that batches rotate over
    int ring = 2;                ///< outputs kept alive, at most: all of a batch, as far as there is room
    int examinedOfBatch = 12;    ///< calls whose results are compared, after each of the candidate's batches
    double examineSeconds = 0.0; ///< for that, in all; then fewer are
    double batchSeconds = 0.0;   ///< wanted length of a batch
    double restSeconds = 0.0;    ///< pause before a batch
    double warmSeconds = 0.0;    ///< of calls before anything is timed
    double drawSeconds = 0.0;    ///< of drawing inputs anew before a batch
    bool isCold = true;          ///< sets and outputs together exceed the cache several times
    int emptyBatches = 9;        ///< the shortest is what a batch costs beside its calls
    int leastBlocks = 8;         ///< of a process
    int mostBlocks = 24;
    double limitSeconds = 20.0;    ///< of a process's blocks
    double wantedHalfWidth = 0.01; ///< relative: enough blocks when every pair's interval is that narrow
    int blocksBetweenLooks = 1;    ///< how often that is asked: a bootstrap over many blocks takes its time
    int leastProcesses = 1;        ///< fresh ones of every arm
    int mostProcesses = 1;
    double processLimitSeconds = 0.0; ///< no further process is started after that
    int stepsBefore = 0;              ///< of the stage's progress, before the first block
};

/// How many input sets timed calls rotate over: so many that even the fastest conceivable call of this task
/// meets none twice in a batch, as far as the free memory and the time for drawing them go. A power of two,
/// the same for every candidate and tier, so that stored times are of the same rotation: found out once for a
/// memory plan, and kept in the session. Measures the ceilings.
int planSets(TaskSession &session);

/// Ring, batches and processes for this task on this device in `tier` ("quick", "certify"). `arms`: live
/// ones, the candidate among them.
TimingPlan planTiming(const TaskSession &session, const std::string &tier, int sets, int arms);

/// For a change that a quick check could not decide: as narrow as the certify tier wants it, by blocks of the
/// quick tier for `seconds` at most. Nobody looks at which side of 1 an interval lies: only at its width.
void planLonger(TimingPlan &plan, MemoryKind memory, double seconds);

} // namespace warpwright
