// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "referee/base/channel.h"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace warpwright {

/// The client's side of the judge: JSON-RPC 2.0, one message a line, on stdin and stdout.
///
/// A thread reads, so that "cancel" and the end of the input are seen while a call is at work: both raise the
/// cancel flag. Everything else waits in a queue. Writing is done by one thread at a time.
class ClientLink {
public:
    ClientLink();

    /// The next request, waited for; nothing when the client has closed its end.
    std::optional<Json> next();

    void reply(const Json &id, const Json &result);
    void refuse(const Json &id, int code, const std::string &message, const Json &data = nullptr);
    void notify(const std::string &method, const Json &parameters);

private:
    void readLines();
    void write(const Json &message);

    std::mutex m_mutex;
    std::condition_variable m_arrived;
    std::deque<std::string> m_lines;
    bool m_ended = false;
    std::mutex m_writing;
};

} // namespace warpwright
