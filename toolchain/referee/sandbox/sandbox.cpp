// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/sandbox/sandbox.h"

#include "referee/sandbox/sandbox_filter.h"
#include "referee/sandbox/sandbox_landlock.h"
#include "referee/sandbox/sandbox_namespaces.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <csignal>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace warpwright {

namespace {

#ifndef SYS_close_range
constexpr long closeRangeCall = 436;
#else
constexpr long closeRangeCall = SYS_close_range;
#endif

void closeRange(unsigned first, unsigned last) {
    if (first > last || syscall(closeRangeCall, first, last, 0) == 0)
        return;
    // Before Linux 5.9.
    rlimit limit{};
    getrlimit(RLIMIT_NOFILE, &limit);
    for (unsigned file = first; file <= std::min<rlim_t>(last, limit.rlim_cur); ++file)
        close(static_cast<int>(file));
}

void closeAllBut(const std::vector<int> &kept) {
    unsigned next = 3;
    for (const int file : kept) {
        if (file < 3)
            continue;
        if (static_cast<unsigned>(file) > next)
            closeRange(next, static_cast<unsigned>(file) - 1);
        next = static_cast<unsigned>(file) + 1;
    }
    closeRange(next, UINT_MAX);
}

void limit(int what, uint64_t most) {
    rlimit now{};
    getrlimit(static_cast<__rlimit_resource_t>(what), &now);
    const rlim_t value = std::min<rlim_t>(most, now.rlim_max);
    const rlimit wanted{value, value};
    setrlimit(static_cast<__rlimit_resource_t>(what), &wanted);
}

void setLimits(const SandboxSpec &spec) {
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_FSIZE, spec.fileBytes);
    limit(RLIMIT_NOFILE, spec.openFiles);
    limit(RLIMIT_MSGQUEUE, 0);
    if (spec.addressBytes != 0)
        limit(RLIMIT_AS, spec.addressBytes);
    if (spec.processes != 0)
        limit(RLIMIT_NPROC, spec.processes);
}

void resetSignals() {
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    for (int number = 1; number < NSIG; ++number)
        ::signal(number, SIG_DFL);
}

// When memory runs out the kernel is to end the candidate, not the judge or the person's editor.
void offerAsVictim() {
    const int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (file < 0)
        return;
    (void)!write(file, "1000", 4);
    close(file);
}

} // namespace

void dieWithParent() {
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
}

std::string enclose(const SandboxSpec &spec, const std::vector<int> &kept) {
    closeAllBut(kept);
    offerAsVictim();
    setLimits(spec);
    if (std::string problem = dropRights(spec.user); !problem.empty())
        return problem;
    dieWithParent(); // a change of user clears it
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return systemProblem("no new rights");
    if (chdir(spec.folder.c_str()) != 0)
        return systemProblem("enter " + spec.folder);
    if (landlockVersion() > 0 || spec.kind == SandboxKind::Landlock) {
        if (std::string problem = closeFiles(spec); !problem.empty())
            return problem;
    }
    // A process that may start others cannot be bound to its own number: they would be, too.
    const bool isAlone = spec.kind == SandboxKind::Landlock && spec.profile == SandboxProfile::Run;
    return closeSystemCalls(spec.profile, isAlone ? static_cast<uint32_t>(getpid()) : 0);
}

void watchOver(pid_t child, int report, uint32_t user) {
    resetSignals();
    closeAllBut({report});
    dropRights(user);
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); // nobody inside may look into this process
    dieWithParent();
    for (;;) {
        int status = 0;
        const pid_t ended = waitpid(-1, &status, 0);
        if (ended < 0 && errno == EINTR)
            continue;
        if (ended >= 0 && ended != child)
            continue;
        const int words[2] = {WIFEXITED(status) ? WEXITSTATUS(status) : -1,
                              WIFSIGNALED(status) ? WTERMSIG(status) : 0};
        (void)!write(report, words, sizeof words);
        _exit(0);
    }
}

} // namespace warpwright
