// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>

namespace warpwright {

/// Set by the thread that reads the client's messages, read wherever the judge waits. One judge serves one
/// client.
inline std::atomic<bool> &cancelFlag() {
    static std::atomic<bool> flag{false};
    return flag;
}

inline bool cancelRequested() {
    return cancelFlag().load(std::memory_order_relaxed);
}

} // namespace warpwright
