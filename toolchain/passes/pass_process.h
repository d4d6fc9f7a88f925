// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/passes/pass_plan.h"

#include <array>
#include <poll.h>
#include <string>
#include <sys/types.h>
#include <vector>

namespace warpwright {

/// One pass: a process of our group whose two streams are kept apart, for nvcc's passes speak one after the
/// other. It is killed with us, and when it is destroyed.
class PassProcess {
public:
    PassProcess() = default;
    ~PassProcess();
    PassProcess(const PassProcess &) = delete;
    PassProcess &operator=(const PassProcess &) = delete;

    /// False: there is no process or no pipe to be had.
    [[nodiscard]] bool start(const PassWords &words);
    /// Kills it and forgets what it said. What it has started itself (g++ its cc1plus) ends with our group.
    void stop();
    /// Waits for its end.
    void await();
    [[nodiscard]] bool isRunning() const { return m_pid > 0; }

    /// Where it may speak.
    void addTo(std::vector<pollfd> &polled) const;
    /// Reads what has come. True: it has ended, and status() is known.
    [[nodiscard]] bool read();
    [[nodiscard]] int status() const { return m_status; } ///< as waitpid() gives it
    [[nodiscard]] const std::string &output() const { return m_said[0]; }
    [[nodiscard]] const std::string &error() const { return m_said[1]; }

private:
    void closeStreams();

    pid_t m_pid = 0;
    int m_status = 0;
    std::array<int, 2> m_streams = {-1, -1};
    std::array<std::string, 2> m_said;
};

/// This process becomes another. A file that is no program is none, whatever execvp would have a shell do.
[[noreturn]] void become(const PassWords &words);

/// Waits until one of them speaks or ends.
void awaitAny(const std::vector<pollfd> &polled);

} // namespace warpwright
