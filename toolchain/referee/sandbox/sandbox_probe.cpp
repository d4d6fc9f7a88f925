// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/sandbox/sandbox_probe.h"

#include <arpa/inet.h>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <netinet/in.h>
#include <sched.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

namespace warpwright {

namespace {

SandboxAttempt attempt(const std::string &name, bool worked) {
    return {name, !worked, worked ? std::string() : std::strerror(errno)};
}

bool canOpen(const std::string &path, int flags) {
    const int file = open(path.c_str(), flags | O_CLOEXEC, 0600);
    if (file >= 0)
        close(file);
    return file >= 0;
}

// A process namespace gives small numbers anew: what bears the number in there is not the one outside.
bool isOutside(pid_t process) {
    return process > 64 || getpid() > 64;
}

bool canConnect(uint16_t port) {
    const int stream = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (stream < 0)
        return false;
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(port);
    const bool done = connect(stream, reinterpret_cast<const sockaddr *>(&address), sizeof address) == 0;
    const int why = errno;
    close(stream);
    errno = why;
    return done || why == ECONNREFUSED; // somebody answered
}

bool canSendDatagram() {
    const int datagram = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (datagram < 0)
        return false;
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(9); // «discard»
    const char letter = 'x';
    const bool done = sendto(datagram, &letter, 1, MSG_DONTWAIT, reinterpret_cast<const sockaddr *>(&address),
                             sizeof address) == 1;
    const int why = errno;
    close(datagram);
    errno = why;
    return done;
}

bool canTrace(pid_t process) {
    if (ptrace(PTRACE_SEIZE, process, nullptr, nullptr) != 0)
        return false;
    ptrace(PTRACE_INTERRUPT, process, nullptr, nullptr);
    waitpid(process, nullptr, __WALL);
    ptrace(PTRACE_DETACH, process, nullptr, nullptr);
    return true;
}

bool canReadMemory(pid_t process) {
    char here = 0;
    iovec mine{&here, 1};
    iovec theirs{&here, 1}; // any address will do: the right to look is asked for first
    if (process_vm_readv(process, &mine, 1, &theirs, 1, 0) == 1 || errno == EFAULT)
        return true;
    return canOpen("/proc/" + std::to_string(process) + "/mem", O_RDONLY);
}

bool canUseMounts() {
    return unshare(0) == 0; // changes nothing, and is asked for at the same door
}

} // namespace

std::vector<SandboxAttempt> tryToGetOut(const SandboxTargets &targets) {
    std::vector<SandboxAttempt> attempts;
    if (!targets.secret.empty())
        attempts.push_back(attempt("read a file outside", canOpen(targets.secret, O_RDONLY)));
    if (!targets.folder.empty())
        attempts.push_back(attempt("write a file outside",
                                   canOpen(targets.folder + "/written-from-inside", O_CREAT | O_WRONLY)));
    if (targets.port != 0) {
        attempts.push_back(attempt("connect to this machine", canConnect(targets.port)));
        attempts.push_back(attempt("send a datagram", canSendDatagram()));
    }
    if (targets.process != 0) {
        const pid_t process = targets.process;
        const std::string files = "/proc/" + std::to_string(process);
        const bool isThere = isOutside(process);
        attempts.push_back(attempt("signal a process outside", isThere && kill(process, 0) == 0));
        attempts.push_back(attempt("trace a process outside", isThere && canTrace(process)));
        attempts.push_back(
            attempt("read the memory of a process outside", isThere && canReadMemory(process)));
        attempts.push_back(attempt("read the environment of a process outside",
                                   isThere && canOpen(files + "/environ", O_RDONLY)));
    }
    if (!targets.devices.empty())
        attempts.push_back(attempt("open a device", canOpen(targets.devices, O_RDWR)));
    attempts.push_back(attempt("make namespaces", canUseMounts()));
    return attempts;
}

uint64_t countProcesses(uint64_t most) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return 0;
    uint64_t count = 0;
    while (count < most) {
        const pid_t child = fork();
        if (child == 0) {
            close(ends[1]);
            char letter = 0;
            (void)!read(ends[0], &letter, 1); // until the other end is closed
            _exit(0);
        }
        if (child < 0)
            break;
        ++count;
    }
    const int why = errno;
    close(ends[0]);
    close(ends[1]);
    for (uint64_t i = 0; i < count; ++i)
        wait(nullptr);
    errno = why;
    return count;
}

std::string attemptsText(const std::vector<SandboxAttempt> &attempts) {
    std::string text;
    for (const SandboxAttempt &tried : attempts)
        text += tried.name + '\t' + (tried.wasStopped ? "stopped" : "open") + '\t' + tried.answer + '\n';
    return text;
}

} // namespace warpwright
