// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/sandbox/sandbox_landlock.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace warpwright {

namespace {

// The kernel's interface, written down here because the C library's headers on older systems know less of it
// than their kernels. The numbers are the same on every architecture.
constexpr long createRuleset = 444;
constexpr long addRule = 445;
constexpr long restrictSelf = 446;
constexpr uint32_t askForVersion = 1;
constexpr int ruleIsPath = 1;

namespace access {
constexpr uint64_t execute = 1 << 0;
constexpr uint64_t writeFile = 1 << 1;
constexpr uint64_t readFile = 1 << 2;
constexpr uint64_t readFolder = 1 << 3;
constexpr uint64_t makeCharacterDevice = 1 << 6;
constexpr uint64_t makeBlockDevice = 1 << 11;
constexpr uint64_t firstVersion = (1 << 13) - 1;
constexpr uint64_t refer = 1 << 13;    // version 2
constexpr uint64_t truncate = 1 << 14; // version 3
constexpr uint64_t control = 1 << 15;  // version 5: ioctl on devices
constexpr uint64_t ofFiles = execute | writeFile | readFile | truncate | control;
} // namespace access

constexpr uint64_t noBind = 1, noConnect = 2;          // version 4
constexpr uint64_t noAbstractSocket = 1, noSignal = 2; // version 6

struct Ruleset {
    uint64_t files, network, scopes;
};

struct __attribute__((packed)) PathRule {
    uint64_t allowed;
    int32_t parent;
};

uint64_t knownRights(int version) {
    uint64_t rights = access::firstVersion;
    rights |= version >= 2 ? access::refer : 0;
    rights |= version >= 3 ? access::truncate : 0;
    rights |= version >= 5 ? access::control : 0;
    return rights;
}

/// What is not there needs no rule.
std::string allow(int rules, const std::string &path, uint64_t rights) {
    const int place = open(path.c_str(), O_PATH | O_CLOEXEC);
    if (place < 0)
        return {};
    struct stat facts {};
    fstat(place, &facts);
    PathRule rule{S_ISDIR(facts.st_mode) ? rights : rights & access::ofFiles, place};
    const long result = syscall(addRule, rules, ruleIsPath, &rule, 0);
    std::string problem = result == 0 ? std::string() : systemProblem("Landlock rule for " + path);
    close(place);
    return problem;
}

} // namespace

int landlockVersion() {
    const long version = syscall(createRuleset, nullptr, 0, askForVersion);
    return version > 0 ? static_cast<int>(version) : 0;
}

std::string closeFiles(const SandboxSpec &spec) {
    const int version = landlockVersion();
    if (version == 0)
        return "this kernel has no Landlock";
    const uint64_t known = knownRights(version);
    const Ruleset ruleset{known, version >= 4 ? noBind | noConnect : 0,
                          version >= 6 ? noAbstractSocket | noSignal : 0};
    // Older kernels refuse a longer structure than theirs only when the rest is not zero.
    const int rules = static_cast<int>(syscall(createRuleset, &ruleset, sizeof ruleset, 0));
    if (rules < 0)
        return systemProblem("Landlock");
    const uint64_t reading = access::readFile | access::readFolder | access::execute;
    const uint64_t writing = known & ~(access::makeCharacterDevice | access::makeBlockDevice);
    const uint64_t device = known & (access::readFile | access::writeFile | access::control);
    std::string problem;
    const auto grant = [&](const std::string &path, uint64_t rights) {
        if (problem.empty())
            problem = allow(rules, path, rights);
    };
    for (const std::string &path : spec.readable)
        grant(path, reading);
    for (const std::string &path : spec.writable)
        grant(path, writing);
    for (const std::string &path : spec.devices)
        grant(path, device);
    for (const char *path : {"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"})
        grant(path, device);
    // CUDA's driver opens /proc/self/task/*/comm to write, and cuts it. Without a device nobody may: through
    // /proc/self/mem a process writes over its own code, whatever its memory's rights are.
    const uint64_t own = known & (access::readFile | access::readFolder |
                                  (spec.devices.empty() ? 0 : access::writeFile | access::truncate));
    if (spec.kind == SandboxKind::Namespaces) {
        grant("/tmp", writing);
        grant("/proc", own);
    } else if (spec.profile == SandboxProfile::Run) {
        grant("/proc/self", own);
        grant("/proc/cpuinfo", access::readFile);
        grant("/proc/meminfo", access::readFile);
    } else {
        grant("/proc", own); // a rule on /proc/self does not cover children
    }
    if (problem.empty() && syscall(restrictSelf, rules, 0) != 0)
        problem = systemProblem("Landlock");
    close(rules);
    return problem;
}

} // namespace warpwright
