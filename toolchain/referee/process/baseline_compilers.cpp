// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/process/baseline_compilers.h"

#include "referee/base/cpu_chunks.h"
#include "referee/base/fault.h"
#include "referee/process/fork_server.h"

#include <algorithm>

namespace warpwright {

namespace {

constexpr double limitSeconds = 300.0;
constexpr double limitOfLoopSeconds = 60.0;
constexpr int64_t mostOperators = 3000;
constexpr int fewestProcessors = 4; // the candidate is compiled and verified meanwhile
constexpr int mostCompilers = 8;

} // namespace

double compileLimitSeconds(const Json &facts) {
    int64_t operators = 0;
    for (const Json &count : facts.value("operators", Json::object()))
        operators += count.get<int64_t>();
    return operators > mostOperators ? limitOfLoopSeconds : limitSeconds;
}

bool BaselineCompilers::arePossible(uint64_t bytes) {
    return static_cast<int>(coreCount()) >= fewestProcessors &&
           bytes <= availableMemory(MemoryKind::Cuda) / 2;
}

void BaselineCompilers::start(ForkServer &forkServer, const Task &task,
                              const std::vector<std::string> &modes) {
    end();
    const int compilers = std::clamp(
        static_cast<int>(coreCount()) / std::max(1, static_cast<int>(modes.size())), 1, mostCompilers);
    for (const std::string &mode : modes) {
        try {
            // On a GPU too it asks the judge for no memory: nobody would answer before it is waited for.
            m_workers.push_back(
                std::make_unique<WorkerProcess>(forkServer, "compile ahead (" + mode + ")", MemoryKind::Cpu));
            m_calls.push_back(std::make_unique<PendingCall>(*m_workers.back(), "compile_ahead",
                                                            Json{{"device", task.device},
                                                                 {"path", task.model},
                                                                 {"seed", task.seed},
                                                                 {"mode", mode},
                                                                 {"inputs", task.inputs},
                                                                 {"train", task.trains},
                                                                 {"processes", compilers}},
                                                            task.limitSeconds));
        } catch (const WorkerFault &) {
            // Its arm compiles by itself.
        } catch (const Fault &) {
            // So does it where no process could be started.
        }
    }
}

void BaselineCompilers::wait() {
    for (const auto &call : m_calls) {
        try {
            call->wait();
        } catch (const WorkerFault &) {
            // Its arm compiles by itself, and says why it cannot.
        }
    }
    end();
}

// First the processes: a call that is open waits for its answer, or for the end of who would give it.
void BaselineCompilers::end() {
    for (const auto &worker : m_workers)
        worker->beginEnd();
    m_calls.clear();
    m_workers.clear();
}

} // namespace warpwright
