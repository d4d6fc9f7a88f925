// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "referee/base/channel.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace warpwright {

class Amputation;

struct ExitStatus {
    std::optional<int> code;
    std::optional<int> signal;
};

/// The interpreter that has imported torch, touched no device, and forks workers.
///
/// Its environment is made from scratch: the caller's settings of torch, Python, the loader or the compilers
/// reach neither the baselines nor the candidate. It dies with the judge.
class ForkServer {
public:
    struct Options {
        std::string python;                    ///< the user's interpreter
        std::string script;                    ///< worker.py
        std::string cache;                     ///< folder for what torch.compile keeps
        std::string scratch;                   ///< TMPDIR and working folder
        const Amputation *amputated = nullptr; ///< null: the user's torch as it is
    };

    /// Starts the interpreter, which imports torch. Throws Fault("environment").
    explicit ForkServer(const Options &options);
    ~ForkServer();
    ForkServer(const ForkServer &) = delete;
    ForkServer &operator=(const ForkServer &) = delete;

    /// Until torch is imported, which whoever forks first waits for else. Throws Fault("environment") with
    /// its words.
    void awaitStart();

    /// `sandbox`: null, or what worker.py's Sandbox needs. Throws SandboxFault when that sandbox cannot be
    /// built.
    pid_t fork(const std::vector<int> &descriptors, const Json &sandbox);
    /// Lets it import what torch.compile needs, which takes seconds, while the judge does something else: the
    /// next fork waits for it, and every compiled arm is spared it.
    void importCompiler();
    ExitStatus awaitExit(pid_t worker);
    const Json &greeting() const {
        return m_greeting;
    } ///< once it has started: python, torch, cuda: versions; paths

private:
    /// Sends `request` (null: nothing) and waits for its answer. Throws Fault, Cancelled.
    Json exchange(const Json &request, const std::vector<int> &descriptors, double limitSeconds);
    std::string wordsSoFar();
    [[noreturn]] void failStart(const std::string &why);

    std::unique_ptr<Channel> m_channel;
    Descriptor m_errors;
    std::string m_python;
    Json m_greeting;
    bool m_hasCompiler = false;
    pid_t m_pid = -1;
};

} // namespace warpwright
