// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <sys/types.h>
#include <vector>

namespace warpwright {

/// What a prisoner knows of the world outside, so that it can try.
struct SandboxTargets {
    std::string secret;  ///< a file that can be read outside
    std::string folder;  ///< a folder that can be written to outside
    uint16_t port = 0;   ///< of a listener on 127.0.0.1
    pid_t process = 0;   ///< a living process outside, of the same user
    std::string devices; ///< a device that must not be opened; empty: not tried
};

/// One attempt to get out.
struct SandboxAttempt {
    std::string name;   ///< "read a file outside"
    bool wasStopped;    ///< false: it worked
    std::string answer; ///< the kernel's word: "Permission denied"
};

/// Tries each way out once, in this process. Nothing is changed outside but one empty file in `folder`, if
/// that works. Tries only what has a target.
std::vector<SandboxAttempt> tryToGetOut(const SandboxTargets &targets);

/// Starts processes that wait, at most `most`, and ends them all. Returns how many there could be.
uint64_t countProcesses(uint64_t most);

/// "name\tstopped|open\tanswer\n" a line.
std::string attemptsText(const std::vector<SandboxAttempt> &attempts);

} // namespace warpwright
