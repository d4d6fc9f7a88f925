// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <vector>

namespace warpwright {

using Json = nlohmann::json;

/// A descriptor that closes itself.
class Descriptor {
public:
    explicit Descriptor(int value = -1) : m_value(value) {}
    ~Descriptor() { reset(); }
    Descriptor(Descriptor &&other) noexcept : m_value(other.release()) {}
    Descriptor &operator=(Descriptor &&other) noexcept {
        if (this != &other)
            reset(other.release());
        return *this;
    }

    int value() const { return m_value; }
    bool isOpen() const { return m_value >= 0; }
    int release();
    void reset(int value = -1);

private:
    int m_value;
};

/// Two connected sockets, both closed on exec.
std::pair<Descriptor, Descriptor> socketPair();

/// Length-prefixed JSON messages on a socket, read without blocking.
///
/// Guarantees: a message longer than 64 MiB or that is not a JSON object ends the channel (`isBroken`),
/// whatever the other side meant by it. Reading never waits; `poll` on `descriptor()` does.
class Channel {
public:
    explicit Channel(Descriptor socket);

    int descriptor() const { return m_socket.value(); }
    bool isBroken() const { return m_broken; }

    /// False when the other side is gone.
    bool send(const Json &message, const std::vector<int> &descriptors = {});

    /// Takes what has arrived; a whole message, or nothing yet.
    std::optional<Json> receive();

private:
    Descriptor m_socket;
    std::string m_buffer;
    bool m_broken = false;
};

} // namespace warpwright
