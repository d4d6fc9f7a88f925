// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/process/worker_process.h"

#include "referee/base/cancel_flag.h"
#include "referee/base/fault.h"
#include "referee/process/fork_server.h"
#include "referee/process/stopped_process.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <fstream>
#include <optional>
#include <poll.h>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

namespace warpwright {

namespace {

constexpr size_t printedLimit = 16384;
constexpr int pollMilliseconds = 20;
constexpr int watcherMilliseconds = 200;
constexpr double stopSeconds = 10.0;        ///< a thread may stand in a call of the driver
constexpr long wakeUpNanoseconds = 200'000; // after it was stopped

#ifdef SYS_pidfd_open
constexpr long pidfdOpen = SYS_pidfd_open;
#else
constexpr long pidfdOpen = 434; // the same on every architecture
#endif

double secondsSince(uint64_t startNanoseconds) {
    return static_cast<double>(monotonicNanoseconds() - startNanoseconds) * 1e-9;
}

/// In namespaces the fork server's child watches, and its only child is the worker.
std::optional<pid_t> onlyChildOf(pid_t process) {
    const std::string number = std::to_string(process);
    std::ifstream file("/proc/" + number + "/task/" + number + "/children");
    pid_t child = 0;
    if (file >> child)
        return child;
    return std::nullopt;
}

std::string signalText(int number) {
    return "signal " + std::to_string(number) + " (" + strsignal(number) + ")";
}

} // namespace

WorkerProcess::WorkerProcess(ForkServer &forkServer, std::string role, MemoryKind memory, const Json &sandbox)
    : m_forkServer(forkServer),
      m_role(std::move(role)),
      m_arena(memory),
      m_spin(memory == MemoryKind::Cuda && sysconf(_SC_NPROCESSORS_ONLN) >= 4) {
    auto [controlHere, controlThere] = socketPair();
    auto [memoryHere, memoryThere] = socketPair();
    int pipeEnds[2];
    if (pipe2(pipeEnds, O_CLOEXEC) != 0)
        throw Fault("environment", "Cannot start a worker.", std::strerror(errno), "Close other programs.");
    m_output.reset(pipeEnds[0]);
    Descriptor outputThere(pipeEnds[1]);
    fcntl(m_output.value(), F_SETFL, O_NONBLOCK);
    m_pageFile.reset(memfd_create("control", MFD_CLOEXEC));
    if (!m_pageFile.isOpen() || ftruncate(m_pageFile.value(), controlPageBytes) != 0)
        throw Fault("environment", "Cannot start a worker.", std::strerror(errno), "Close other programs.");
    void *page = mmap(nullptr, controlPageBytes, PROT_READ | PROT_WRITE, MAP_SHARED, m_pageFile.value(), 0);
    if (page == MAP_FAILED)
        throw Fault("environment", "Cannot start a worker.", std::strerror(errno), "Close other programs.");
    m_page = static_cast<ControlPage *>(page);
    m_channel = std::make_unique<Channel>(std::move(controlHere));
    m_memory = std::move(memoryHere);
    m_pid = forkServer.fork(
        {controlThere.value(), memoryThere.value(), m_pageFile.value(), outputThere.value()}, sandbox);
    m_alive = true;
    m_insidePid = onlyChildOf(m_pid).value_or(m_pid);
    if (m_insidePid != m_pid)
        m_end.reset(static_cast<int>(syscall(pidfdOpen, m_insidePid, 0)));
    m_memoryFacts.reset(
        open(("/proc/" + std::to_string(m_insidePid) + "/statm").c_str(), O_RDONLY | O_CLOEXEC));
}

WorkerProcess::~WorkerProcess() {
    kill();
    if (m_page != nullptr)
        munmap(m_page, controlPageBytes);
}

void WorkerProcess::beginEnd() {
    if (!m_alive)
        return;
    ::kill(-m_pid, SIGKILL); // its session: everything that it started
    ::kill(m_pid, SIGKILL);
}

void WorkerProcess::kill() {
    beginEnd();
    if (std::exchange(m_alive, false))
        m_forkServer.awaitExit(m_pid);
}

void WorkerProcess::pause() {
    if (m_alive && !std::exchange(m_isPaused, true))
        (void)stopAll(m_insidePid, stopSeconds); // one that is gone is told of by its next answer
}

void WorkerProcess::resume() {
    if (m_alive && std::exchange(m_isPaused, false))
        ::kill(m_insidePid, SIGCONT);
}

void WorkerProcess::readPrinted() {
    char chunk[4096];
    for (ssize_t count = read(m_output.value(), chunk, sizeof chunk); count > 0;
         count = read(m_output.value(), chunk, sizeof chunk)) {
        m_printed.append(chunk, static_cast<size_t>(count));
        if (m_printed.size() > 2 * printedLimit)
            m_printed.erase(0, m_printed.size() - printedLimit);
    }
}

void WorkerProcess::serveOnce(int waitMilliseconds) {
    pollfd watched[3] = {
        {m_channel->descriptor(), POLLIN, 0},
        {m_memory.value(), POLLIN, 0}, // -1 once closed: poll ignores it
        {m_output.value(), POLLIN, 0},
    };
    if (poll(watched, 3, waitMilliseconds) <= 0)
        return;
    if (watched[1].revents != 0 && !m_arena.serve(m_memory.value()))
        m_memory.reset();
    if (watched[2].revents != 0) {
        readPrinted();
        if ((watched[2].revents & POLLIN) == 0)
            m_output.reset();
    }
}

void WorkerProcess::failDead(const std::string &phase) {
    readPrinted();
    m_alive = false;
    // In namespaces its watcher tells how it ended, and ends by itself: killed too early it tells
    // nothing.
    pollfd ended{m_end.value(), POLLIN, 0};
    if (!m_end.isOpen() || poll(&ended, 1, watcherMilliseconds) != 1)
        ::kill(-m_pid, SIGKILL);
    const ExitStatus status = m_forkServer.awaitExit(m_pid);
    WorkerFault fault;
    fault.kind = WorkerFault::Kind::Died;
    fault.phase = phase;
    fault.message = status.signal ? "was ended by " + signalText(*status.signal)
                    : status.code ? "ended by itself with exit code " + std::to_string(*status.code)
                                  : std::string("is gone");
    if (status.code)
        fault.type = "exit(" + std::to_string(*status.code) + ")";
    fault.signal = status.signal.value_or(0);
    fault.wasKilled = status.signal == SIGKILL;
    fault.detail = m_printed;
    throw fault;
}

void WorkerProcess::failLate(const std::string &phase, double limitSeconds) {
    readPrinted();
    kill();
    WorkerFault fault;
    fault.kind = WorkerFault::Kind::TimedOut;
    fault.phase = phase;
    char text[96];
    std::snprintf(text, sizeof text, "did not finish within %.1f s and was stopped", limitSeconds);
    fault.message = text;
    fault.detail = m_printed;
    throw fault;
}

void WorkerProcess::raiseIfError(const Json &reply, const std::string &operation) {
    const auto error = reply.find("error");
    if (error == reply.end() || !error->is_object())
        return;
    WorkerFault fault;
    fault.kind = WorkerFault::Kind::Raised;
    const auto text = [&](const char *key) {
        const auto found = error->find(key);
        return found != error->end() && found->is_string() ? found->get<std::string>() : std::string();
    };
    fault.phase = text("phase").empty() ? operation : text("phase");
    fault.type = text("type");
    fault.message = text("message");
    fault.detail = text("traceback");
    fault.outOfMemory = error->value("outOfMemory", false);
    throw fault;
}

void WorkerProcess::watchMemory() {
    constexpr uint64_t pauseNanoseconds = 10'000'000u;
    const uint64_t now = monotonicNanoseconds();
    if (m_memoryLimit == 0 || now - m_lastWatch < pauseNanoseconds)
        return;
    m_lastWatch = now;
    char text[128] = {};
    unsigned long long size = 0;
    unsigned long long resident = 0;
    if (pread(m_memoryFacts.value(), text, sizeof text - 1, 0) <= 0 ||
        std::sscanf(text, "%llu %llu", &size, &resident) != 2)
        return;
    const uint64_t bytes = resident * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
    if (bytes <= m_memoryLimit)
        return;
    readPrinted();
    kill();
    WorkerFault fault;
    fault.kind = WorkerFault::Kind::TimedOut;
    fault.phase = "memory";
    fault.message = "used " + std::to_string(bytes >> 20) + " MiB of memory, more than the " +
                    std::to_string(m_memoryLimit >> 20) + " MiB it may have, and was stopped";
    fault.outOfMemory = true;
    fault.detail = m_printed;
    throw fault;
}

Json WorkerProcess::answer(const std::string &operation, double limitSeconds) {
    const uint64_t start = monotonicNanoseconds();
    for (;;) {
        if (m_arena.kind() == MemoryKind::Cpu)
            noteMemory(MemoryKind::Cpu);
        if (auto message = m_channel->receive()) {
            raiseIfError(*message, operation);
            return *std::move(message);
        }
        if (m_channel->isBroken())
            failDead(operation);
        if (cancelRequested())
            throw Cancelled();
        if (secondsSince(start) > limitSeconds)
            failLate(operation, limitSeconds);
        watchMemory();
        serveOnce(pollMilliseconds);
    }
}

void WorkerProcess::ask(const std::string &operation, Json parameters, const std::vector<int> &descriptors) {
    if (!m_alive)
        failDead(operation);
    resume();
    parameters["op"] = operation;
    if (!m_channel->send(parameters, descriptors))
        failDead(operation);
}

Json WorkerProcess::call(const std::string &operation, Json parameters, double limitSeconds,
                         const std::vector<int> &descriptors) {
    ask(operation, std::move(parameters), descriptors);
    return answer(operation, limitSeconds);
}

void WorkerProcess::trim() {
    const Json gone = call("trim", Json::object(), 60.0).value("pieces", Json::array());
    std::vector<std::pair<uint64_t, uint64_t>> pieces;
    for (const Json &piece : gone)
        pieces.emplace_back(piece.at(0).get<uint64_t>(), piece.at(1).get<uint64_t>());
    m_arena.release(pieces);
}

PendingCall::~PendingCall() {
    if (!m_isOpen || !m_worker.isAlive())
        return;
    try {
        (void)wait();
    } catch (const std::exception &) {
        // Something else has failed before, and is told.
    }
}

WorkerProcess::Envelope WorkerProcess::batch(const Json &parameters, const BatchCalls &calls,
                                             double limitSeconds, const Watch &watch, BatchEnd &end) {
    announceBatch(parameters, limitSeconds);
    pause();
    watch.whileStopped();
    QueueWitness queue(m_insidePid);
    queue.begin();
    const uint32_t window = TurnGiver::windowFor(calls.callSeconds, m_spin) << std::min(m_starved, 8u);
    TurnGiver turns(*m_page, calls, m_spin, window);
    resume();
    // Let it stand in its loop again: a wake-up would be a part of the time.
    const timespec wakeUp{0, wakeUpNanoseconds};
    nanosleep(&wakeUp, nullptr);
    Envelope envelope = releaseBatch(turns, limitSeconds, watch, end);
    envelope.queuedSeconds = std::min(queue.waitedSeconds(), envelope.seconds);
    m_starved += turns.hasStarved();
    return envelope;
}

void WorkerProcess::announceBatch(const Json &parameters, double limitSeconds) {
    Json request = parameters;
    request["limitNanoseconds"] = 30'000'000'000u;
    const Json ready = call("batch", std::move(request), limitSeconds);
    ++m_batches;
    if (ready.value("batch", 0u) != m_batches)
        failDead("batch");
}

uint64_t WorkerProcess::placeOf(uint32_t slot, uint32_t tensors, uint32_t tensor) const {
    return m_page->places[(slot * tensors + tensor) % ControlPage::mostPlaces];
}

// Until the worker says that it has come to its end, or `mayStop` and it is time to stop it. A judge that
// spins serves memory a few times a millisecond; one that sleeps, at each look.
void WorkerProcess::awaitEnd(TurnGiver &turns, uint64_t start, double limitSeconds, bool mayStop) {
    constexpr uint64_t serviceNanoseconds = 200'000u;
    uint64_t served = start;
    for (;;) {
        turns.look();
        if (isDone() || (mayStop && turns.isStopDue()))
            return;
        // No pause: a virtual machine takes a processor away from who pauses, and names would be late.
        if (!m_spin && waitForWord(m_page->done, m_batches, 0, turns.rest()))
            return;
        if (m_spin && monotonicNanoseconds() - served < serviceNanoseconds)
            continue;
        serveOnce(0);
        m_early = m_channel->receive();
        if (m_early || m_channel->isBroken()) {
            // It may have come to its end since the last look at the page, and said so.
            if (isDone())
                return;
            if (m_early)
                raiseIfError(*m_early, "batch");
            failDead("timed calls");
        }
        if (cancelRequested())
            throw Cancelled();
        if (secondsSince(start) > limitSeconds)
            failLate("timed calls", limitSeconds);
        watchMemory();
        served = monotonicNanoseconds();
    }
}

WorkerProcess::Envelope WorkerProcess::releaseBatch(TurnGiver &turns, double limitSeconds, const Watch &watch,
                                                    BatchEnd &end) {
    m_early.reset();
    const uint64_t start = monotonicNanoseconds();
    turns.begin();
    m_page->go.store(m_batches, std::memory_order_release);
    futexWake(m_page->go);
    awaitEnd(turns, start, limitSeconds, watch.whileFrozen != nullptr);
    double seconds = secondsSince(start);
    end.made = turns.made();
    end.isStopped = !isDone();
    end.hasStarved = turns.hasStarved();
    // Nobody but the judge says when a batch ends.
    end.isForged = !end.isStopped && !turns.isOver();
    if (end.isForged) {
        kill();
        return {seconds, start, 0.0, 0.0};
    }
    if (!end.isStopped && watch.atEnd)
        seconds += watch.atEnd();
    if (watch.whileFrozen) {
        pause();
        if (end.isStopped)
            end.made = turns.made();
        watch.whileFrozen(end);
        if (!m_alive)
            return {seconds, start, 0.0, 0.0};
        if (end.isStopped)
            turns.end();
        resume();
        awaitEnd(turns, monotonicNanoseconds(), limitSeconds, false);
    }
    if (m_early)
        raiseIfError(*m_early, "batch");
    const Json ended = m_early ? *std::exchange(m_early, std::nullopt) : answer("batch", 60.0);
    const Json submit = ended.value("submitSeconds", Json());
    return {seconds, start, submit.is_number() ? submit.get<double>() : 0.0, 0.0};
}

} // namespace warpwright
