// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "referee/base/channel.h"
#include "referee/base/control_page.h"
#include "referee/device/shared_memory.h"
#include "referee/process/queue_witness.h"
#include "referee/process/turn_giver.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace warpwright {

class ForkServer;

/// One worker: a forked interpreter that runs one arm, with the heap that it shares with the judge.
///
/// Every call waits for the answer while it serves the worker's requests for memory and keeps the end of what
/// it prints; it ends with Cancelled, or with a WorkerFault for an exception there, a death, or a passed
/// limit. After a death or a passed limit the worker is killed and `isAlive()` is false. Destroying it kills
/// it and what it started. `sandbox`: null for a trusted worker, else what ForkServer::fork takes.
class WorkerProcess {
public:
    WorkerProcess(ForkServer &forkServer, std::string role, MemoryKind memory, const Json &sandbox = Json());
    ~WorkerProcess();
    WorkerProcess(const WorkerProcess &) = delete;
    WorkerProcess &operator=(const WorkerProcess &) = delete;

    const std::string &role() const { return m_role; }
    const WorkerArena &arena() const { return m_arena; }
    bool isAlive() const { return m_alive; }
    /// A candidate's: it may read what the judge hands over, and write nothing there.
    [[nodiscard]] bool isReader() const { return m_isReader; }
    void makeReader() { m_isReader = true; }
    /// It has been asked for timed calls before, by this check or an earlier one.
    [[nodiscard]] bool hasBeenTimed() const { return m_batches > 0; }
    pid_t pid() const { return m_pid; }
    pid_t insidePid() const { return m_insidePid; } ///< the worker itself, where `pid` only watches over it

    /// From now on a worker whose memory in use exceeds this is killed, and the fault says so. 0: no limit.
    void setMemoryLimit(uint64_t bytes) { m_memoryLimit = bytes; }
    uint64_t memoryLimit() const { return m_memoryLimit; }

    Json call(const std::string &operation, Json parameters, double limitSeconds,
              const std::vector<int> &descriptors = {});

    /// The two halves of a call, between which other workers may work too. One question at a time.
    void ask(const std::string &operation, Json parameters, const std::vector<int> &descriptors = {});
    Json answer(const std::string &operation, double limitSeconds);

    struct Envelope {
        double seconds; ///< from just before the release to the moment at which the judge saw the end
        uint64_t startNanoseconds; ///< CLOCK_MONOTONIC_RAW
        double submitSeconds; ///< the worker's own word: until the last call had been handed to the device
        double queuedSeconds; ///< of them, at most: its threads or the judge stood in line for a processor
    };

    /// What a batch came to, as the judge saw it.
    struct BatchEnd {
        uint32_t made = 0;       ///< calls, as the worker claims
        bool isStopped = false;  ///< in the middle, as `stopsAfter` asked
        bool isForged = false;   ///< the worker said that it is over before it was: it has been ended
        bool hasStarved = false; ///< see TurnGiver
    };

    /// One timed batch: the worker prepares and stands still while `whileStopped` runs here, so that none of
    /// its threads sees what that wrote until about 0.2 ms before the clock begins.
    ///
    /// With `whileFrozen` the worker is stopped again at the end, or in the middle where `calls` say so, and
    /// nothing of it runs between that and the return of `whileFrozen`; that reads `placeOf`. `atEnd` runs
    /// first, as soon as the end is seen, and returns what is to be added to the time.
    struct Watch {
        std::function<void()> whileStopped;
        std::function<double()> atEnd;
        std::function<void(const BatchEnd &)> whileFrozen;
    };
    Envelope batch(const Json &parameters, const BatchCalls &calls, double limitSeconds, const Watch &watch,
                   BatchEnd &end);

    /// Where the worker says that tensor number `tensor` of a call's result lies, as an address there:
    /// `slot` is the call's place in the ring, of `tensors` each.
    [[nodiscard]] uint64_t placeOf(uint32_t slot, uint32_t tensors, uint32_t tensor) const;

    /// Stops every thread of it, seen to stand still, and lets them go on: what is not measured must not take
    /// time from what is.
    void pause();
    void resume();

    /// Ends it without waiting until it is gone, as the destructor does: a device's context takes 70 ms.
    void beginEnd();

    /// Lets the memory go in which it has no tensor: it stays with the device otherwise, for the next one.
    /// What was read there before may not be read any more.
    void trim();

    std::string printed() const { return m_printed; } ///< the end of stdout and stderr, at most 16 KiB

private:
    void announceBatch(const Json &parameters, double limitSeconds);
    Envelope releaseBatch(TurnGiver &turns, double limitSeconds, const Watch &watch, BatchEnd &end);
    void awaitEnd(TurnGiver &turns, uint64_t start, double limitSeconds, bool mayStop);
    bool isDone() const { return m_page->done.load(std::memory_order_acquire) == m_batches; }
    void serveOnce(int waitMilliseconds);
    void readPrinted();
    [[noreturn]] void failDead(const std::string &phase);
    [[noreturn]] void failLate(const std::string &phase, double limitSeconds);
    void watchMemory();
    static void raiseIfError(const Json &reply, const std::string &operation);
    void kill();

    ForkServer &m_forkServer;
    std::string m_role;
    WorkerArena m_arena;
    std::unique_ptr<Channel> m_channel;
    Descriptor m_memory;
    Descriptor m_output;
    Descriptor m_pageFile;
    ControlPage *m_page = nullptr;
    std::string m_printed;
    uint32_t m_batches = 0;
    uint32_t m_starved = 0;      ///< batches in which it had to wait for its turn
    std::optional<Json> m_early; ///< an answer that came while the batch was waited for
    uint64_t m_memoryLimit = 0;
    uint64_t m_lastWatch = 0;
    Descriptor m_memoryFacts; ///< /proc/…/statm
    Descriptor m_end;         ///< readable when the worker behind a watcher has ended
    pid_t m_pid = -1;
    pid_t m_insidePid = -1;
    bool m_isReader = false;
    bool m_alive = false;
    bool m_isPaused = false;
    bool m_spin = false;
};

/// A call that is made now and answered when `wait` asks. An answer that nobody waited for is taken off the
/// channel when this goes, and so is its fault: the next call gets its own answer.
class PendingCall {
public:
    PendingCall(WorkerProcess &worker, std::string operation, Json parameters, double limitSeconds)
        : m_worker(worker), m_operation(std::move(operation)), m_limitSeconds(limitSeconds) {
        m_worker.ask(m_operation, std::move(parameters));
        m_isOpen = true;
    }
    ~PendingCall();
    PendingCall(const PendingCall &) = delete;
    PendingCall &operator=(const PendingCall &) = delete;

    Json wait() {
        m_isOpen = false;
        return m_worker.answer(m_operation, m_limitSeconds);
    }

private:
    WorkerProcess &m_worker;
    std::string m_operation;
    double m_limitSeconds;
    bool m_isOpen = false;
};

} // namespace warpwright
