// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "referee/task_session.h"
#include "referee/timing_plan.h"

#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace warpwright {

/// Call by call, as Python does it; or all calls of a batch as one CUDA graph, launched once.
enum class Lane { Calls, Graph };

/// One arm while it is timed in one lane.
struct TimedArm {
    std::string name;
    WorkerProcess *worker = nullptr;
    double firstCallSeconds = 0.0; ///< with compiling, before anything is timed
    double callSeconds = 0.0;      ///< estimate after warm-up
    int calls = 1;                 ///< in one batch
    double emptySeconds = 0.0;     ///< envelope of a batch without calls, subtracted; of trusted arms alone
    std::vector<double> microseconds; ///< per call, one a block
    std::vector<int> processes;       ///< in which of the arm's processes each was taken
    bool isUntrusted = false;         ///< a candidate: it stands still while others run
    bool wasSlowed = false;
    /// Part of each batch in which calls were still being handed to the device.
    std::vector<double> submitShare;
    /// Part of each batch in which a thread of it, or the judge, stood in line for a processor.
    std::vector<double> queuedShare;

    /// So much of its time may be other programs', 0 to 1: see shareOfOthers().
    double foreignShare() const;

    /// The processor, not the device, set the pace: such times differ more from process to process.
    bool isLaunchBound() const;
};

/// Interleaved randomised blocks: in each, every arm runs one batch, in random order, over the same input
/// sets.
///
/// The clock is the judge's: from just before a batch is released to the moment its worker says that the
/// device is idle, less the same envelope around nothing. Before each batch the judge overwrites the cache
/// and rests.
class BlockTimer {
public:
    BlockTimer(TaskSession &session, TimingPlan plan, Json sets, Lane lane);

    /// Sets, warm-up, calls per batch, empty envelope. Throws WorkerFault of that arm.
    void prepare(TimedArm &arm, double limitSeconds);

    /// In the lane of graphs, after `calls` was prepared in the other: as many calls as make a batch become
    /// one graph. Throws WorkerFault of that arm: not everything can be captured.
    void capture(TimedArm &arm, const TimedArm &calls);

    /// Runs blocks of the arms' processes number `process` until the interval of arms[0] against each other
    /// arm is narrow enough or a limit is reached. Throws WorkerFault with `faultyArm()` naming whose.
    /// `renewInputs` may change the inputs while the worker of arms[0] stands still before its batch of the
    /// sets `order`,
    /// `afterBatch` may look at the outputs of the batch just run; false of `beforeBlock` or of it ends the
    /// run.
    struct Watch {
        std::function<bool(int block)> beforeBlock;
        std::function<void(const std::vector<int> &order)> renewInputs;
        std::function<bool(int block, TimedArm &arm, const std::vector<int> &order)> afterBatch;
    };
    void run(int process, const std::vector<TimedArm *> &arms, const Watch &watch);

    /// Seconds of a call in one batch of its own beside all blocks, half as long as theirs.
    double timeAside(TimedArm &arm, double limitSeconds);

    /// A batch like those of blocks that counts nowhere: for its results. Returns its sets.
    std::vector<int> runAside(TimedArm &arm, double limitSeconds,
                              const std::function<void(const std::vector<int> &)> &renewInputs);

    /// How many results a batch of these calls keeps.
    int ringFor(const std::vector<int> &order) const;

    const std::string &faultyArm() const { return m_faultyArm; }
    const Json &blocks() const { return m_blocks; }
    const Json &clocks() const { return m_clocks; }
    int blockCount() const { return m_blockCount; }          ///< of all processes
    double deviceSeconds() const { return m_deviceSeconds; } ///< warm-up and batches
    const TimingPlan &plan() const { return m_plan; }

private:
    WorkerProcess::Envelope timeOnce(TimedArm &arm, const std::vector<int> &order, double limitSeconds,
                                     const std::function<void(const std::vector<int> &)> &renewInputs = {});
    void timeBlock(int process, TimedArm &arm, const std::vector<int> &sets, int position,
                   const std::function<void(const std::vector<int> &)> &renewInputs);
    /// Where there is no room: an arm that does not work has its parameters, and no more.
    void rest(TimedArm &arm);
    void captureCalls(TimedArm &arm, int calls);
    [[nodiscard]] int callsOfBatch(double callSeconds) const;
    void settleCalls(TimedArm &arm, double limitSeconds);
    std::vector<int> setsFrom(int first, int count) const;
    std::string stepText(int process, int block) const;
    bool isNarrowEnough(const std::vector<TimedArm *> &arms, size_t before) const;

    TaskSession &m_session;
    TimingPlan m_plan;
    Json m_sets;
    Lane m_lane;
    ClockWitness m_clock;
    std::mt19937_64 m_random;
    Json m_blocks = Json::array();
    Json m_clocks = Json::array();
    std::string m_faultyArm;
    int m_blockCount = 0;
    double m_deviceSeconds = 0.0;
    uint64_t m_startNanoseconds = 0;
};

} // namespace warpwright
