// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/process/stopped_process.h"

#include "referee/base/control_page.h"
#include "referee/base/fault.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <ctime>
#include <dirent.h>
#include <fcntl.h>
#include <memory>
#include <string>
#include <unistd.h>
#include <vector>

namespace warpwright {

namespace {

constexpr long betweenLooksNanoseconds = 20'000;

std::vector<pid_t> threadsOf(const std::string &folder) {
    std::vector<pid_t> found;
    const std::unique_ptr<DIR, int (*)(DIR *)> entries(opendir(folder.c_str()), closedir);
    while (const dirent *entry = entries ? readdir(entries.get()) : nullptr) {
        const std::string name = entry->d_name;
        pid_t thread = 0;
        if (std::from_chars(name.data(), name.data() + name.size(), thread).ec == std::errc())
            found.push_back(thread);
    }
    std::sort(found.begin(), found.end());
    return found;
}

// Stopped, or over.
bool standsStill(const std::string &folder, pid_t thread) {
    const int file = open((folder + std::to_string(thread) + "/stat").c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return true; // it has ended meanwhile
    char text[512];
    const ssize_t size = read(file, text, sizeof text);
    close(file);
    if (size <= 0)
        return true;
    // The name before it is whatever the thread calls itself, in brackets.
    const std::string words(text, static_cast<size_t>(size));
    const size_t state = words.rfind(')');
    return state != std::string::npos && state + 2 < words.size() &&
           std::string("TtZX").find(words[state + 2]) != std::string::npos;
}

} // namespace

std::optional<Stop> stopAll(pid_t pid, double limitSeconds) {
    Stop stop;
    stop.askedAt = monotonicNanoseconds();
    if (kill(pid, SIGSTOP) != 0)
        return std::nullopt;
    const std::string folder = "/proc/" + std::to_string(pid) + "/task/";
    while (true) {
        // A thread that stands still makes no others: when all that are there did so in one look, and there
        // are no more of them after it, none is left that could.
        const std::vector<pid_t> threads = threadsOf(folder);
        const bool doAll = std::all_of(threads.begin(), threads.end(),
                                       [&](pid_t thread) { return standsStill(folder, thread); });
        if (doAll && threads == threadsOf(folder)) {
            if (threads.empty())
                return std::nullopt;
            stop.seenAt = monotonicNanoseconds();
            stop.threads = static_cast<int>(threads.size());
            return stop;
        }
        if (static_cast<double>(monotonicNanoseconds() - stop.askedAt) * 1e-9 > limitSeconds) {
            WorkerFault fault;
            fault.kind = WorkerFault::Kind::TimedOut;
            fault.phase = "stop";
            fault.message = "a thread was not seen to stop";
            throw fault;
        }
        const timespec rest{0, betweenLooksNanoseconds};
        nanosleep(&rest, nullptr);
    }
}

} // namespace warpwright
