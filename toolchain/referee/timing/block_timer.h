// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "referee/task/task_session.h"
#include "referee/timing/timing_plan.h"

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
    std::vector<int> captured;     ///< sets of the calls that are its graph
    std::vector<double> microseconds; ///< per call, one a block
    std::vector<int> processes;       ///< in which of the arm's processes each was taken
    bool isUntrusted = false;         ///< a candidate: it stands still while others run
    bool isExamined = false;          ///< its results are looked at, in every batch
    uint32_t tensors = 1;             ///< of a result, whose places it tells
    int batches = 0;                  ///< so far that came to their end
    int lateEnds = 0;                 ///< of them: the device was at work after the end that was told
    std::vector<double> idleSeconds;  ///< after each end: until the judge saw the device idle
    int busyStarts = 0;               ///< batches before which the device had other work
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
/// The clock is the judge's: from just before a batch is released to the moment at which its worker says that
/// the device is idle, less the same envelope around nothing. Before each batch the judge overwrites the
/// cache and rests. How many calls a batch has, and over which sets, is told turn by turn. An arm that is
/// examined is stopped in the middle of further batches, which count nowhere: none can know which.
class BlockTimer {
public:
    /// What a batch of an examined arm has left, while that stands still.
    struct Batch {
        std::vector<int> sets; ///< of call i
        uint32_t ring = 1;     ///< results that are kept: of the last calls
        WorkerProcess::BatchEnd end;
    };
    using Examiner = std::function<void(TimedArm &, const Batch &)>;

    BlockTimer(TaskSession &session, TimingPlan plan, Json sets, Lane lane);

    /// Called after each batch of an examined arm whose form is known.
    void setExaminer(Examiner examiner) { m_examiner = std::move(examiner); }

    /// Sets, first call, calls per batch, empty envelope. Throws WorkerFault of that arm. `learnForm` is
    /// called once after the first batch.
    void prepare(TimedArm &arm, double limitSeconds, const std::function<void()> &learnForm = {});

    /// In the lane of graphs, after `calls` was prepared in the other: as many calls as make a batch become
    /// one graph. Throws WorkerFault of that arm: not everything can be captured.
    void capture(TimedArm &arm, const TimedArm &calls);

    /// Runs blocks of the arms' processes number `process` until the interval of arms[0] against each other
    /// arm is narrow enough or a limit is reached. Throws WorkerFault with `faultyArm()` naming whose.
    /// `renewInputs` may change the inputs while the worker of arms[0] stands still before its batch of the
    /// sets `order`; false of `beforeBlock` or `afterBatch` ends the run.
    struct Watch {
        std::function<bool(int block)> beforeBlock;
        std::function<void(const std::vector<int> &order)> renewInputs;
        std::function<bool(int block, TimedArm &arm)> afterBatch;
    };
    void run(int process, const std::vector<TimedArm *> &arms, const Watch &watch);

    /// Seconds of a call in one batch of its own beside all blocks, half as long as theirs.
    double timeAside(TimedArm &arm, double limitSeconds);

    /// A batch like those of blocks that counts nowhere: for its results.
    void runAside(TimedArm &arm, double limitSeconds,
                  const std::function<void(const std::vector<int> &)> &renewInputs);

    const std::string &faultyArm() const { return m_faultyArm; }
    const Json &blocks() const { return m_blocks; }
    const Json &clocks() const { return m_clocks; }
    int blockCount() const { return m_blockCount; }          ///< of all processes
    double deviceSeconds() const { return m_deviceSeconds; } ///< warm-up and batches
    const TimingPlan &plan() const { return m_plan; }

private:
    using RenewInputs = std::function<void(const std::vector<int> &)>;
    /// `stopsAfter`: see BatchCalls.
    WorkerProcess::Envelope timeOnce(TimedArm &arm, const std::vector<int> &order, double limitSeconds,
                                     const RenewInputs &renewInputs = {}, uint32_t stopsAfter = 0);
    [[nodiscard]] uint32_t ringFor(const TimedArm &arm, size_t calls) const;
    void timeBlock(int process, TimedArm &arm, const std::vector<int> &sets, int position,
                   const RenewInputs &renewInputs);
    /// Seconds that the device was at work after the end of a batch, beyond what trusted arms show.
    double lateWork(TimedArm &arm);
    void ambush(TimedArm &arm, const RenewInputs &renewInputs);
    /// Where there is no room: an arm that does not work has its parameters, and no more.
    void rest(TimedArm &arm);
    void captureCalls(TimedArm &arm, int calls);
    [[nodiscard]] int callsOfBatch(double callSeconds) const;
    void settleCalls(TimedArm &arm, double limitSeconds, const std::function<void()> &learnForm);
    std::vector<int> anySets(int count);
    std::string stepText(int process, int block) const;
    bool isNarrowEnough(const std::vector<TimedArm *> &arms, size_t before) const;

    TaskSession &m_session;
    TimingPlan m_plan;
    Json m_sets;
    Lane m_lane;
    ClockWitness m_clock;
    Examiner m_examiner;
    std::mt19937_64 m_random;
    Json m_blocks = Json::array();
    Json m_clocks = Json::array();
    std::string m_faultyArm;
    int m_blockCount = 0;
    double m_deviceSeconds = 0.0;
    std::vector<double> m_usualIdle; ///< of trusted arms, after each batch
    uint64_t m_startNanoseconds = 0;
};

} // namespace warpwright
