// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/process/client_link.h"

#include "referee/base/cancel_flag.h"

#include <cerrno>
#include <cstdlib>
#include <unistd.h>

namespace warpwright {

namespace {

constexpr size_t lineLimit = size_t{16} << 20;

bool isCancel(const std::string &line) {
    if (line.find("\"cancel\"") == std::string::npos)
        return false;
    const Json message = Json::parse(line, nullptr, false);
    return message.is_object() && message.value("method", "") == "cancel";
}

} // namespace

ClientLink::ClientLink() {
    // Detached: it sits in read(2) until the process ends.
    std::thread([this] { readLines(); }).detach();
}

void ClientLink::readLines() {
    std::string pending;
    char chunk[65536];
    for (;;) {
        const ssize_t count = read(STDIN_FILENO, chunk, sizeof chunk);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0 || pending.size() > lineLimit)
            break;
        pending.append(chunk, static_cast<size_t>(count));
        for (size_t end = pending.find('\n'); end != std::string::npos; end = pending.find('\n')) {
            std::string line = pending.substr(0, end);
            pending.erase(0, end + 1);
            if (line.empty())
                continue;
            if (isCancel(line)) {
                cancelFlag() = true;
                continue;
            }
            const std::lock_guard lock(m_mutex);
            m_lines.push_back(std::move(line));
            m_arrived.notify_one();
        }
    }
    cancelFlag() = true;
    const std::lock_guard lock(m_mutex);
    m_ended = true;
    m_arrived.notify_one();
}

std::optional<Json> ClientLink::next() {
    std::unique_lock lock(m_mutex);
    m_arrived.wait(lock, [this] { return !m_lines.empty() || m_ended; });
    if (m_lines.empty())
        return std::nullopt;
    const std::string line = std::move(m_lines.front());
    m_lines.pop_front();
    return Json::parse(line, nullptr, false);
}

void ClientLink::write(const Json &message) {
    const std::string text = message.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
    const std::lock_guard lock(m_writing);
    size_t sent = 0;
    while (sent < text.size()) {
        const ssize_t count = ::write(STDOUT_FILENO, text.data() + sent, text.size() - sent);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return; // the client is gone; the end of stdin says the same
        sent += static_cast<size_t>(count);
    }
}

void ClientLink::reply(const Json &id, const Json &result) {
    write({{"jsonrpc", "2.0"}, {"id", id}, {"result", result}});
}

void ClientLink::refuse(const Json &id, int code, const std::string &message, const Json &data) {
    Json error{{"code", code}, {"message", message}};
    if (!data.is_null())
        error["data"] = data;
    write({{"jsonrpc", "2.0"}, {"id", id}, {"error", error}});
}

void ClientLink::notify(const std::string &method, const Json &parameters) {
    write({{"jsonrpc", "2.0"}, {"method", method}, {"params", parameters}});
}

} // namespace warpwright
