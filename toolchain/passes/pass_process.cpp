// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/passes/pass_process.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace warpwright {

namespace {

constexpr std::size_t outputLimitBytes = 8u << 20; ///< as of CompileRun: what comes after is read and dropped
constexpr int cannotStart = 127;

/// In the child. There are no other threads: what exec needs may be made here.
[[noreturn]] void becomePass(const PassWords &words, int output, int error, pid_t parent) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(cannotStart);
    dup2(output, STDOUT_FILENO);
    dup2(error, STDERR_FILENO);
    become(words);
}

} // namespace

void become(const PassWords &words) {
    std::vector<char *> arguments;
    for (const std::string &word : words)
        arguments.push_back(const_cast<char *>(word.c_str()));
    arguments.push_back(nullptr);
    if (words[0].find('/') != std::string::npos)
        execv(arguments[0], arguments.data());
    else
        execvp(arguments[0], arguments.data());
    std::fprintf(stderr, "warpwright-nvcc: Cannot start \"%s\": %s\n", arguments[0], std::strerror(errno));
    std::fflush(stderr);
    _exit(cannotStart);
}

PassProcess::~PassProcess() {
    stop();
}

bool PassProcess::start(const PassWords &words) {
    int output[2];
    int error[2];
    if (pipe2(output, O_CLOEXEC) != 0)
        return false;
    m_streams[0] = output[0];
    if (pipe2(error, O_CLOEXEC) != 0) {
        close(output[1]);
        closeStreams();
        return false;
    }
    m_streams[1] = error[0];
    const pid_t parent = getpid();
    const pid_t child = fork();
    if (child == 0)
        becomePass(words, output[1], error[1], parent);
    close(output[1]);
    close(error[1]);
    if (child < 0) {
        closeStreams();
        return false;
    }
    for (const int stream : m_streams)
        fcntl(stream, F_SETFL, O_NONBLOCK);
    m_pid = child;
    return true;
}

void PassProcess::stop() {
    if (m_pid > 0) {
        kill(m_pid, SIGKILL);
        while (waitpid(m_pid, nullptr, 0) < 0 && errno == EINTR) {
        }
        m_pid = 0;
    }
    closeStreams();
    m_said = {};
}

void PassProcess::await() {
    while (isRunning()) {
        std::vector<pollfd> polled;
        addTo(polled);
        awaitAny(polled);
        if (read())
            return;
    }
}

void PassProcess::addTo(std::vector<pollfd> &polled) const {
    for (const int stream : m_streams)
        if (stream >= 0)
            polled.push_back({stream, POLLIN, 0});
}

bool PassProcess::read() {
    for (std::size_t i = 0; i < m_streams.size(); ++i) {
        while (m_streams[i] >= 0) {
            char bytes[16384];
            const ssize_t count = ::read(m_streams[i], bytes, sizeof bytes);
            if (count < 0 && errno == EINTR)
                continue;
            if (count < 0 && errno == EAGAIN)
                break;
            if (count <= 0) {
                close(m_streams[i]);
                m_streams[i] = -1;
            } else if (m_said[i].size() < outputLimitBytes) {
                m_said[i].append(bytes, static_cast<std::size_t>(count));
            }
        }
    }
    if (m_pid <= 0 || m_streams[0] >= 0 || m_streams[1] >= 0)
        return false;
    while (waitpid(m_pid, &m_status, 0) < 0 && errno == EINTR) {
    }
    m_pid = 0;
    return true;
}

void PassProcess::closeStreams() {
    for (int &stream : m_streams) {
        if (stream >= 0)
            close(stream);
        stream = -1;
    }
}

void awaitAny(const std::vector<pollfd> &polled) {
    std::vector<pollfd> copy = polled;
    while (poll(copy.data(), copy.size(), -1) < 0 && errno == EINTR) {
    }
}

} // namespace warpwright
