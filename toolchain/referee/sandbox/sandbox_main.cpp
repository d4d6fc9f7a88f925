// SPDX-License-Identifier: GPL-3.0-or-later
//
// warpwright-sandbox [OPTIONS OF A SANDBOX] -- PROGRAM ARGUMENTS...   runs a program in a sandbox
// warpwright-sandbox [OPTIONS OF A SANDBOX] -- --try WHAT VALUE...    tries to get out, and says what worked
//
// warpwright-sandbox --over FILE PLACE … [--or-set NAME=VALUE] -- PROGRAM ARGUMENTS...
//     runs a program that finds FILE where PLACE is, read-only, and the file of that name nowhere. Where this
//     system does not let us, it gets NAME=VALUE in its environment, if that was given.
//
// It ends as the program did. What it cannot build ends it with 125 and a sentence on stderr.

#include "referee/sandbox/sandbox.h"
#include "referee/sandbox/sandbox_landlock.h"
#include "referee/sandbox/sandbox_namespaces.h"
#include "referee/sandbox/sandbox_probe.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

using namespace warpwright;

constexpr int cannotBuild = 125;
constexpr int cannotStart = 127;

[[noreturn]] void fail(const std::string &problem) {
    std::fprintf(stderr, "warpwright-sandbox: %s\n", problem.c_str());
    std::_Exit(cannotBuild);
}

// What a bomb gets: touched, so that it counts.
uint64_t countMebibytes(uint64_t most) {
    uint64_t count = 0;
    constexpr size_t piece = 16u << 20;
    while (count < most) {
        void *memory = mmap(nullptr, piece, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED)
            break;
        std::memset(memory, 1, piece);
        count += piece >> 20;
    }
    return count;
}

int tryAll(const std::vector<std::string> &words) {
    SandboxTargets targets;
    uint64_t processes = 0;
    uint64_t mebibytes = 0;
    for (size_t i = 0; i + 1 < words.size(); i += 2) {
        const std::string &value = words[i + 1];
        if (words[i] == "secret")
            targets.secret = value;
        else if (words[i] == "folder")
            targets.folder = value;
        else if (words[i] == "device")
            targets.devices = value;
        else if (words[i] == "port")
            targets.port = static_cast<uint16_t>(std::atoi(value.c_str()));
        else if (words[i] == "process")
            targets.process = std::atoi(value.c_str());
        else if (words[i] == "processes")
            processes = std::strtoull(value.c_str(), nullptr, 10);
        else if (words[i] == "mebibytes")
            mebibytes = std::strtoull(value.c_str(), nullptr, 10);
        else
            fail("nothing to try: \"" + words[i] + "\"");
    }
    std::vector<SandboxAttempt> attempts = tryToGetOut(targets);
    if (processes > 0) {
        const uint64_t count = countProcesses(processes);
        attempts.push_back({"start " + std::to_string(processes) + " processes", count < processes,
                            std::to_string(count) + " started"});
    }
    if (mebibytes > 0) {
        const uint64_t count = countMebibytes(mebibytes);
        attempts.push_back({"take " + std::to_string(mebibytes) + " MiB of memory", count < mebibytes,
                            std::to_string(count) + " MiB taken"});
    }
    std::fputs(attemptsText(attempts).c_str(), stdout);
    std::fflush(stdout);
    return 0;
}

/// Inside: closes the sandbox behind itself and becomes the program.
[[noreturn]] void become(const SandboxSpec &spec, const std::vector<std::string> &command) {
    if (!spec.tell.empty()) {
        if (FILE *file = std::fopen(spec.tell.c_str(), "we")) {
            std::fputs(nameOf(spec.kind), file);
            std::fclose(file);
        }
    }
    if (spec.kind != SandboxKind::None) {
        if (const std::string problem = enclose(spec, {}); !problem.empty())
            fail(problem);
    }
    if (command[0] == "--try")
        std::exit(tryAll({command.begin() + 1, command.end()}));
    std::vector<char *> arguments;
    for (const std::string &word : command)
        arguments.push_back(const_cast<char *>(word.c_str()));
    arguments.push_back(nullptr);
    execvp(arguments[0], arguments.data());
    std::fprintf(stderr, "warpwright-sandbox: Cannot start \"%s\": %s\n", arguments[0], std::strerror(errno));
    std::_Exit(cannotStart);
}

/// Ends as what it ran ended.
[[noreturn]] void endAs(int code, int number) {
    if (number == 0)
        std::_Exit(code);
    ::signal(number, SIG_DFL);
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); // no second core file
    raise(number);
    std::_Exit(128 + number);
}

/// Says why there will be no program, and ends.
[[noreturn]] void giveUp(int say, const std::string &problem) {
    (void)!write(say, problem.data(), problem.size());
    std::_Exit(cannotBuild);
}

/// The first process inside: makes the root, starts the program and watches over it.
[[noreturn]] void rule(const SandboxSpec &spec, const std::vector<std::string> &command, int report,
                       int say) {
    dieWithParent();
    if (const std::string problem = buildRoot(spec); !problem.empty())
        giveUp(say, problem);
    const pid_t child = fork();
    if (child < 0)
        giveUp(say, systemProblem("fork"));
    if (child == 0)
        become(spec, command);
    watchOver(child, report, spec.user);
}

/// Leaves the namespaces and waits for the first process inside; its end is everybody's there.
[[noreturn]] void leave(const SandboxSpec &spec, const std::vector<std::string> &command, int report,
                        int say) {
    dieWithParent();
    if (const std::string problem = leaveNamespaces(); !problem.empty())
        giveUp(say, problem);
    const pid_t first = fork();
    if (first < 0)
        giveUp(say, systemProblem("fork"));
    if (first == 0)
        rule(spec, command, report, say);
    while (waitpid(first, nullptr, 0) < 0 && errno == EINTR) {
    }
    std::_Exit(0);
}

/// Runs the program in namespaces and ends as it did; returns why that could not be.
std::string runInNamespaces(const SandboxSpec &spec, const std::vector<std::string> &command) {
    int report[2];
    int say[2];
    if (pipe2(report, O_CLOEXEC) != 0 || pipe2(say, O_CLOEXEC) != 0)
        return systemProblem("pipe");
    const pid_t helper = fork();
    if (helper < 0)
        return systemProblem("fork");
    if (helper == 0)
        leave(spec, command, report[1], say[1]);
    close(report[1]);
    close(say[1]);
    while (waitpid(helper, nullptr, 0) < 0 && errno == EINTR) {
    }
    int ended[2] = {};
    if (read(report[0], ended, sizeof ended) == static_cast<ssize_t>(sizeof ended))
        endAs(ended[0], ended[1]);
    char problem[512];
    const ssize_t length = read(say[0], problem, sizeof problem);
    if (length <= 0)
        endAs(0, SIGKILL); // nobody was left to report: the program was killed with its namespace
    return std::string(problem, static_cast<size_t>(length));
}

} // namespace

int main(int count, char **words) {
    SandboxSpec spec;
    size_t next = 0;
    const std::vector<std::string> all(words + 1, words + count);
    if (const std::string problem = readSandboxSpec(all, spec, next); !problem.empty())
        fail(problem);
    const std::vector<std::string> command(all.begin() + static_cast<long>(std::min(next, all.size())),
                                           all.end());
    if (command.empty())
        fail("no program is named after --");
    if (!spec.covers.empty()) {
        const std::string problem = coverFiles(spec.covers);
        if (!problem.empty() && (spec.orSet.empty() || putenv(spec.orSet.data()) != 0))
            fail(problem);
    }
    if (spec.kind == SandboxKind::Namespaces) {
        const std::string problem = runInNamespaces(spec, command);
        if (!spec.orWeaker)
            fail(problem);
        spec.kind = SandboxKind::Landlock;
    }
    if (spec.kind == SandboxKind::Landlock && spec.orWeaker && landlockVersion() == 0)
        spec.kind = SandboxKind::None;
    become(spec, command);
}
