// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace warpwright {

enum class SandboxKind {
    None,
    Landlock,  ///< Landlock, a seccomp filter and limits
    Namespaces ///< the same, and namespaces of its own for processes, mounts, network, IPC and users
};

enum class SandboxProfile {
    Run,   ///< a candidate that is judged: threads, but no process of its own and no program
    Tools, ///< a candidate under a sanitizer or profiler: looser, never used for a verdict's time
    Build  ///< a compiler: programs and processes, no device
};

/// What a sandbox lets through. All paths are absolute; what is not there is left out.
struct SandboxSpec {
    SandboxKind kind = SandboxKind::None;
    SandboxProfile profile = SandboxProfile::Run;
    std::vector<std::string> readable; ///< files and folders to read and to load code from
    std::vector<std::string> writable; ///< folders
    std::vector<std::string> devices;  ///< device files
    std::string folder = "/tmp";       ///< the working folder inside
    uint32_t user = 0;                 ///< to become, where we may; 0: stay who we are
    uint64_t scratchBytes = 1u << 30;  ///< of the private /tmp (namespaces)
    uint64_t fileBytes = 1u << 30;     ///< of one file
    uint64_t openFiles = 4096;
    uint64_t processes = 0;    ///< and threads, of this user; 0: no limit
    uint64_t addressBytes = 0; ///< of one process; 0: no limit
    bool orWeaker = false;     ///< for the program: what this system refuses is left out
    std::string tell;          ///< for the program: the file to write the name of the sandbox to that stands
    /// For the program: files that stand in the place of others, read-only, for it and what it starts.
    std::vector<std::pair<std::string, std::string>> covers; ///< {stands, in the place of}
    std::string orSet; ///< for the program: NAME=VALUE for its environment where none can be covered
};

/// Reads "--kind namespaces --read /usr …" into `spec`, up to "--" or the end; `next` becomes the place after
/// it. Returns what is wrong, or nothing.
std::string readSandboxSpec(const std::vector<std::string> &words, SandboxSpec &spec, size_t &next);

const char *nameOf(SandboxKind kind);

/// A system call's failure: "mount /usr: Permission denied".
std::string systemProblem(const std::string &what);

} // namespace warpwright
