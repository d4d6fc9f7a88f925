// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/process/queue_witness.h"

#include <algorithm>
#include <charconv>
#include <dirent.h>
#include <fstream>
#include <memory>
#include <string>

namespace warpwright {

namespace {

// «time on a processor, time in its queue, slices»: nanoseconds. 0 where the kernel does not say.
uint64_t waitIn(const std::string &path) {
    std::ifstream file(path);
    uint64_t ran = 0;
    uint64_t waited = 0;
    return file >> ran >> waited ? waited : 0;
}

} // namespace

std::map<pid_t, uint64_t> QueueWitness::waits() const {
    std::map<pid_t, uint64_t> found;
    const std::string folder = "/proc/" + std::to_string(m_process) + "/task/";
    const std::unique_ptr<DIR, int (*)(DIR *)> threads(opendir(folder.c_str()), closedir);
    if (!threads)
        return found;
    while (const dirent *entry = readdir(threads.get())) {
        const std::string name = entry->d_name;
        pid_t thread = 0;
        if (std::from_chars(name.data(), name.data() + name.size(), thread).ec == std::errc())
            found[thread] = waitIn(folder + name + "/schedstat");
    }
    return found;
}

uint64_t QueueWitness::ownWait() const {
    return waitIn("/proc/thread-self/schedstat");
}

void QueueWitness::begin() {
    m_before = waits();
    m_ownBefore = ownWait();
}

double QueueWitness::waitedSeconds() const {
    uint64_t longest = 0;
    for (const auto &[thread, waited] : waits()) {
        const auto before = m_before.find(thread);
        // One that is new since then has waited since then.
        const uint64_t counted = before == m_before.end() ? 0 : before->second;
        longest = std::max(longest, waited - std::min(waited, counted));
    }
    const uint64_t own = ownWait();
    return static_cast<double>(longest + own - std::min(own, m_ownBefore)) * 1e-9;
}

} // namespace warpwright
