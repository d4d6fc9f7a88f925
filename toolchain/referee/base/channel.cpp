// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/base/channel.h"

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <sys/socket.h>
#include <unistd.h>

namespace warpwright {

namespace {

constexpr uint32_t messageLimit = 64u << 20;

} // namespace

int Descriptor::release() {
    const int value = m_value;
    m_value = -1;
    return value;
}

void Descriptor::reset(int value) {
    if (m_value >= 0)
        close(m_value);
    m_value = value;
}

std::pair<Descriptor, Descriptor> socketPair() {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        throw std::runtime_error(std::string("socketpair: ") + std::strerror(errno));
    return {Descriptor(ends[0]), Descriptor(ends[1])};
}

Channel::Channel(Descriptor socket) : m_socket(std::move(socket)) {}

bool Channel::send(const Json &message, const std::vector<int> &descriptors) {
    const std::string text = message.dump(-1, ' ', false, Json::error_handler_t::replace);
    const auto length = static_cast<uint32_t>(text.size());
    std::string bytes(sizeof length, '\0');
    std::memcpy(bytes.data(), &length, sizeof length);
    bytes += text;

    alignas(cmsghdr) char control[CMSG_SPACE(8 * sizeof(int))] = {};
    size_t sent = 0;
    while (sent < bytes.size()) {
        iovec part{bytes.data() + sent, bytes.size() - sent};
        msghdr header{};
        header.msg_iov = &part;
        header.msg_iovlen = 1;
        if (sent == 0 && !descriptors.empty()) {
            header.msg_control = control;
            header.msg_controllen = CMSG_SPACE(descriptors.size() * sizeof(int));
            cmsghdr *rights = CMSG_FIRSTHDR(&header);
            rights->cmsg_level = SOL_SOCKET;
            rights->cmsg_type = SCM_RIGHTS;
            rights->cmsg_len = CMSG_LEN(descriptors.size() * sizeof(int));
            std::memcpy(CMSG_DATA(rights), descriptors.data(), descriptors.size() * sizeof(int));
        }
        const ssize_t count = sendmsg(m_socket.value(), &header, MSG_NOSIGNAL);
        if (count < 0) {
            if (errno == EINTR)
                continue;
            m_broken = true;
            return false;
        }
        sent += static_cast<size_t>(count);
    }
    return true;
}

std::optional<Json> Channel::receive() {
    char chunk[65536];
    for (;;) {
        uint32_t length = 0;
        if (m_buffer.size() >= sizeof length) {
            std::memcpy(&length, m_buffer.data(), sizeof length);
            if (length > messageLimit) {
                m_broken = true;
                return std::nullopt;
            }
            if (m_buffer.size() >= sizeof length + length) {
                Json message = Json::parse(m_buffer.begin() + sizeof length,
                                           m_buffer.begin() + sizeof length + length, nullptr, false);
                m_buffer.erase(0, sizeof length + length);
                if (!message.is_object()) {
                    m_broken = true;
                    return std::nullopt;
                }
                return message;
            }
        }
        const ssize_t count = recv(m_socket.value(), chunk, sizeof chunk, MSG_DONTWAIT);
        if (count > 0) {
            m_buffer.append(chunk, static_cast<size_t>(count));
            continue;
        }
        if (count < 0 && errno == EINTR)
            continue;
        if (count == 0 || (errno != EAGAIN && errno != EWOULDBLOCK))
            m_broken = true;
        return std::nullopt;
    }
}

} // namespace warpwright
