// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/setup/sandbox_facts.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace warpwright {
namespace {

#ifndef SYS_landlock_create_ruleset
constexpr long landlockCreateRuleset = 444; // the same on every architecture
#else
constexpr long landlockCreateRuleset = SYS_landlock_create_ruleset;
#endif
constexpr unsigned askForVersion = 1; // LANDLOCK_CREATE_RULESET_VERSION

/// 0 or the errno of trying. A bare clone() without memory sharing, so that nothing of Qt runs in the child.
int tryUserNamespace() {
    const long child = syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, nullptr, nullptr, nullptr, nullptr);
    if (child < 0)
        return errno;
    if (child == 0)
        _exit(0);
    int status = 0;
    waitpid(static_cast<pid_t>(child), &status, 0);
    return 0;
}

} // namespace

SandboxFacts findSandboxFacts() {
    SandboxFacts facts;
    const long abi = syscall(landlockCreateRuleset, nullptr, 0, askForVersion);
    facts.landlockAbi = abi > 0 ? static_cast<int>(abi) : 0;
    // With a null filter the kernel answers EFAULT where filters are built in, EINVAL where they are not.
    facts.hasSeccompFilter =
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, nullptr, 0, 0) == -1 && errno == EFAULT;
    const int problem = tryUserNamespace();
    facts.mayMakeUserNamespace = problem == 0;
    if (problem != 0)
        facts.whyNoUserNamespace = QString::fromLocal8Bit(std::strerror(problem));
    return facts;
}

} // namespace warpwright
