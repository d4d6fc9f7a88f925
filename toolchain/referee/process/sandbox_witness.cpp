// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/process/sandbox_witness.h"

#include "referee/base/fault.h"

#include <arpa/inet.h>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <fstream>
#include <map>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

namespace warpwright {

namespace {

constexpr double tryLimitSeconds = 30.0;

/// Listens on 127.0.0.1, so that a connection from inside can be seen.
class Listener {
public:
    Listener() : m_socket(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)) {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof address;
        if (bind(m_socket.value(), reinterpret_cast<sockaddr *>(&address), size) == 0 &&
            listen(m_socket.value(), 4) == 0 &&
            getsockname(m_socket.value(), reinterpret_cast<sockaddr *>(&address), &size) == 0)
            m_port = ntohs(address.sin_port);
    }
    uint16_t port() const { return m_port; } ///< 0: this machine has no loopback
    bool wasReached() const {
        const Descriptor stream(accept4(m_socket.value(), nullptr, nullptr, SOCK_CLOEXEC));
        return stream.isOpen();
    }

private:
    Descriptor m_socket;
    uint16_t m_port = 0;
};

std::map<std::string, std::string> statusOf(pid_t process) {
    std::map<std::string, std::string> facts;
    std::ifstream file("/proc/" + std::to_string(process) + "/status");
    for (std::string line; std::getline(file, line);) {
        const size_t colon = line.find(':');
        const size_t text = line.find_first_not_of(" \t", colon + 1);
        if (colon != std::string::npos && text != std::string::npos)
            facts[line.substr(0, colon)] = line.substr(text);
    }
    return facts;
}

/// "pid:[4026531836]"; empty: not ours to know.
std::string space(const std::string &process, const char *kind) {
    char target[64];
    const ssize_t length = readlink(("/proc/" + process + "/ns/" + kind).c_str(), target, sizeof target);
    return length > 0 ? std::string(target, static_cast<size_t>(length)) : std::string();
}

void demand(bool holds, const std::string &otherwise) {
    if (!holds)
        throw SandboxFault(otherwise);
}

void lookFromOutside(const WorkerProcess &worker, const SandboxSpec &spec, Json &lacks) {
    const auto facts = statusOf(worker.insidePid());
    const auto is = [&](const char *name, const char *value) {
        const auto found = facts.find(name);
        return found != facts.end() && found->second == value;
    };
    demand(is("NoNewPrivs", "1"), "the worker could gain rights");
    demand(is("Seccomp", "2"), "no filter of system calls stands");
    demand(is("CapEff", "0000000000000000") && is("CapPrm", "0000000000000000"), "the worker kept rights");
    if (spec.kind == SandboxKind::Namespaces) {
        const std::string process = std::to_string(worker.insidePid());
        for (const char *kind : {"pid", "mnt", "net", "ipc", "uts"}) {
            const std::string theirs = space(process, kind);
            if (theirs.empty())
                lacks.push_back(std::string("Its namespace \"") + kind +
                                "\" could not be looked at from outside.");
            demand(theirs.empty() || theirs != space("self", kind),
                   std::string("the worker shares the namespace \"") + kind + "\" with the judge");
        }
    }
    const auto user = facts.find("Uid");
    if (user != facts.end() && std::strtoul(user->second.c_str(), nullptr, 10) == geteuid())
        lacks.push_back(geteuid() == 0 ? "It runs as the system's root, without root's rights."
                                       : "It runs as your own user.");
}

void addWhatIsNeverThere(const SandboxSpec &spec, Json &lacks) {
    if (spec.kind == SandboxKind::Landlock)
        lacks.push_back(
            "No namespaces: it can learn names, sizes and owners of files, though not read them.");
    if (spec.kind == SandboxKind::None)
        lacks.push_back("The candidate ran in a process of its own, but not in a sandbox.");
    else
        lacks.push_back("No cgroup: memory is bounded by a watchdog and by addresses.");
    if (!spec.devices.empty())
        lacks.push_back("The device's driver is reached as from any program.");
}

} // namespace

Json witnessSandbox(WorkerProcess &worker, const SandboxSpec &spec, const std::string &secret,
                    const std::string &outsideFolder) {
    Json lacks = Json::array();
    Json tried = Json::array();
    if (spec.kind != SandboxKind::None) {
        const Listener listener;
        const Json reply = worker.call(
            "try_sandbox",
            {{"secret", secret}, {"folder", outsideFolder}, {"port", listener.port()}, {"process", getpid()}},
            tryLimitSeconds);
        for (const Json &attempt : reply.value("attempts", Json::array())) {
            const std::string name = attempt.value("name", "");
            demand(attempt.value("result", "") == "stopped", "it can " + name);
            tried.push_back(name);
        }
        demand(!tried.empty(), "the worker tried nothing");
        demand(!listener.wasReached(), "it reached a listener of the judge");
        const std::string left = outsideFolder + "/written-from-inside";
        demand(access(left.c_str(), F_OK) != 0, "it wrote to \"" + left + "\"");
        lookFromOutside(worker, spec, lacks);
    }
    addWhatIsNeverThere(spec, lacks);
    return {{"kind", nameOf(spec.kind)}, {"lacks", lacks}, {"tried", tried}};
}

} // namespace warpwright
