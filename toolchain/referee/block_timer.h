// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "referee/task_session.h"

#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace warpwright {

/// One arm while it is timed.
struct TimedArm {
    std::string name;
    WorkerProcess *worker = nullptr;
    double firstCallSeconds = 0.0;    ///< with compiling, before anything is timed
    double callSeconds = 0.0;         ///< estimate after warm-up
    int calls = 1;                    ///< in one batch
    double emptySeconds = 0.0;        ///< envelope of a batch without calls, subtracted
    std::vector<double> microseconds; ///< per call, one a block
    std::vector<double> megahertz;
    bool wasSlowed = false;
    std::vector<double>
        submitShare; ///< part of each batch in which calls were still being handed to the device

    /// The processor, not the device, set the pace: such times differ more from process to process.
    bool isLaunchBound() const;
};

/// How inputs rotate and batches are cut: the same for all arms.
struct TimingPlan {
    int sets = 2;              ///< input sets, rotated in random order
    int ring = 2;              ///< outputs kept alive, so that none is written to warm memory
    double batchSeconds = 0.0; ///< wanted length of a batch
    double restSeconds = 0.0;  ///< pause before a batch
    bool isCold = true;        ///< sets and outputs together exceed the cache several times
    int leastBlocks = 8;
    int mostBlocks = 24;
    double limitSeconds = 20.0;
    int stepsBefore = 0;           ///< of the stage's progress, before the first block
    double wantedHalfWidth = 0.01; ///< relative: enough blocks when the first pair's interval is that narrow
};

/// Interleaved randomised blocks: in each, every arm runs one batch, in random order, over the same input
/// sets.
///
/// The clock is the judge's: from just before a batch is released to the moment its worker says that the
/// device is idle, less the same envelope around nothing. Before each batch the judge overwrites the cache
/// and rests.
class BlockTimer {
public:
    BlockTimer(TaskSession &session, TimingPlan plan, Json sets);

    /// Sets, warm-up, calls per batch, empty envelope. Throws WorkerFault of that arm.
    void prepare(TimedArm &arm, double warmSeconds, double limitSeconds);

    /// Runs blocks until the interval of arms[0] against each other arm is narrow enough or a limit is
    /// reached. Throws WorkerFault with `faultyArm()` naming whose.
    /// `beforeBlock` may change the inputs, `afterBatch` may look at the outputs of the batch just run; false
    /// of either ends the run.
    void run(std::vector<TimedArm *> arms, const std::function<bool(int block)> &beforeBlock,
             const std::function<bool(int block, TimedArm &arm, const std::vector<int> &order)> &afterBatch);

    /// How many results a batch of these calls keeps.
    int ringFor(const std::vector<int> &order) const;

    const std::string &faultyArm() const { return m_faultyArm; }
    const Json &blocks() const { return m_blocks; }
    const Json &clocks() const { return m_clocks; }
    int blockCount() const { return m_blockCount; }
    const TimingPlan &plan() const { return m_plan; }

private:
    WorkerProcess::Envelope timeOnce(TimedArm &arm, const std::vector<int> &order, double limitSeconds);
    bool isNarrowEnough(const std::vector<TimedArm *> &arms) const;

    TaskSession &m_session;
    TimingPlan m_plan;
    Json m_sets;
    ClockWitness m_clock;
    std::mt19937_64 m_random;
    Json m_blocks = Json::array();
    Json m_clocks = Json::array();
    std::string m_faultyArm;
    int m_blockCount = 0;
    uint64_t m_startNanoseconds = 0;
};

/// Input sets, ring and batch length for this task on this device, from its bytes and the free memory.
/// `callSeconds`: what a call of the candidate takes, about; 0: not known.
TimingPlan planTiming(const TaskSession &session, const std::string &tier, int arms, double callSeconds);

} // namespace warpwright
