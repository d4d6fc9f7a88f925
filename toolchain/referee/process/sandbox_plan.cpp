// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/process/sandbox_plan.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

namespace warpwright {

namespace {

namespace files = std::filesystem;

constexpr uint32_t nobodyElse = 60001; // no distribution gives this number to a person or a service

bool holds(const std::string &folder, const std::string &path) {
    return path == folder || folder == "/" || path.rfind(folder + "/", 0) == 0;
}

/// Where this process's own libraries lie: the driver's above all, which the worker loads later.
std::vector<std::string> libraryFolders() {
    std::vector<std::string> folders;
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);) {
        const size_t begin = line.find('/');
        if (begin == std::string::npos || line.find(".so") == std::string::npos)
            continue;
        const std::string folder = line.substr(begin, line.rfind('/') - begin);
        if (folders.empty() || folders.back() != folder)
            folders.push_back(folder);
    }
    return folders;
}

std::vector<std::string> deviceFiles() {
    std::vector<std::string> found;
    std::error_code ignored;
    for (const auto &entry : files::directory_iterator("/dev", ignored)) {
        const std::string name = entry.path().filename();
        if (name.rfind("nvidia", 0) == 0 && entry.is_character_file(ignored) && name != "nvidia-modeset")
            found.push_back(entry.path());
    }
    // A slice of a card (MIG) is opened by files of its own, which all may read; the others configure cards.
    const char *shown = std::getenv("CUDA_VISIBLE_DEVICES");
    if (shown == nullptr || std::string(shown).rfind("MIG-", 0) != 0)
        return found;
    for (const auto &entry : files::directory_iterator("/dev/nvidia-caps", ignored)) {
        const files::perms mode = entry.status(ignored).permissions();
        if (entry.is_character_file(ignored) && (mode & files::perms::others_read) != files::perms::none)
            found.push_back(entry.path());
    }
    return found;
}

/// Threads of this user now: the limit counts them all.
uint64_t threadsOf(uid_t user) {
    uint64_t count = 0;
    std::error_code ignored;
    for (const auto &entry : files::directory_iterator("/proc", ignored)) {
        struct stat facts {};
        if (stat(entry.path().c_str(), &facts) != 0 || facts.st_uid != user)
            continue;
        std::ifstream file(entry.path() / "stat");
        std::string line;
        std::getline(file, line);
        const size_t end = line.rfind(')');
        if (end == std::string::npos)
            continue;
        std::istringstream rest(line.substr(end + 1));
        std::string word;
        for (int field = 3; field <= 20 && rest >> word; ++field) {
        }
        count += std::strtoull(word.c_str(), nullptr, 10); // field 20: num_threads
    }
    return count;
}

/// Whether anybody may read this; with its folders, where those are the system's own.
bool isOpenToAll(const std::string &path, bool withParents) {
    struct stat facts {};
    if (stat(path.c_str(), &facts) != 0)
        return true;
    const mode_t needed = S_ISDIR(facts.st_mode) ? S_IROTH | S_IXOTH : S_IROTH;
    if ((facts.st_mode & needed) != needed)
        return false;
    for (files::path folder = files::path(path).parent_path(); withParents && folder != "/";
         folder = folder.parent_path()) {
        if (stat(folder.c_str(), &facts) != 0 || (facts.st_mode & S_IXOTH) == 0)
            return false;
    }
    return true;
}

uint32_t userFor(const SandboxSpec &spec, const SandboxNeeds &needs) {
    if (geteuid() != 0)
        return 0;
    std::vector<std::string> paths = spec.readable;
    for (const char *file : {"/model_new.py", "/cuda_extension.so"})
        paths.push_back(needs.runFolder + file);
    const bool withParents = spec.kind == SandboxKind::Landlock;
    const bool all = std::all_of(paths.begin(), paths.end(),
                                 [&](const std::string &path) { return isOpenToAll(path, withParents); });
    return all ? nobodyElse : 0;
}

} // namespace

std::vector<std::string> safePaths(std::vector<std::string> paths, const std::vector<std::string> &secrets) {
    std::erase_if(paths, [&](const std::string &path) {
        return path.empty() || path[0] != '/' ||
               std::any_of(secrets.begin(), secrets.end(),
                           [&](const std::string &secret) { return !secret.empty() && holds(path, secret); });
    });
    std::sort(paths.begin(), paths.end());
    std::vector<std::string> kept;
    for (const std::string &path : paths) {
        const bool isCovered = std::any_of(kept.begin(), kept.end(), [&](const std::string &folder) {
            return holds(folder, path) && !files::is_symlink(folder);
        });
        if (!isCovered)
            kept.push_back(path);
    }
    return kept;
}

std::vector<std::string> pathsWithout(std::vector<std::string> paths, const std::string &hidden) {
    std::vector<std::string> kept;
    for (size_t i = 0; i < paths.size(); ++i) {
        std::error_code ignored;
        const std::string place =
            files::weakly_canonical(paths[i], ignored); // a link to the file is the file
        if (place.empty() || !holds(place, hidden)) {
            kept.push_back(paths[i]);
            continue;
        }
        if (place == hidden)
            continue;
        for (const auto &entry : files::directory_iterator(place, ignored))
            paths.push_back(entry.path());
    }
    return kept;
}

SandboxSpec planSandbox(SandboxKind kind, const SandboxNeeds &needs) {
    SandboxSpec spec;
    spec.kind = kind;
    std::vector<std::string> paths = needs.interpreter;
    for (const std::string &folder : libraryFolders())
        paths.push_back(folder);
    for (const char *path : {"/usr", "/lib", "/lib64", "/etc/ld.so.cache", "/etc/alternatives",
                             "/etc/localtime", "/sys/devices/system/cpu", "/sys/devices/system/node"})
        paths.emplace_back(path);
    paths.push_back(needs.shim);
    std::vector<std::string> secrets{needs.secret};
    if (const char *home = std::getenv("HOME"))
        secrets.emplace_back(home);
    spec.readable = safePaths(std::move(paths), secrets);
    for (const std::string &file : needs.hidden)
        spec.readable = pathsWithout(std::move(spec.readable), file);
    spec.readable.push_back(needs.runFolder);
    if (needs.memory == MemoryKind::Cuda)
        spec.devices = deviceFiles();
    if (kind == SandboxKind::Landlock) {
        spec.folder = needs.scratch;
        spec.writable = {needs.scratch};
    }
    spec.user = userFor(spec, needs);
    const auto processors = static_cast<uint64_t>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN)));
    // torch, OpenMP and the driver start several threads a core.
    spec.processes = 256 + 8 * processors + threadsOf(spec.user != 0 ? spec.user : geteuid());
    return spec;
}

std::string sandboxWords(const SandboxSpec &spec) {
    std::string words = std::string("--kind\n") + nameOf(spec.kind) + "\n--folder\n" + spec.folder +
                        "\n--user\n" + std::to_string(spec.user) + "\n--processes\n" +
                        std::to_string(spec.processes) + "\n";
    for (const std::string &path : spec.readable)
        words += "--read\n" + path + "\n";
    for (const std::string &path : spec.writable)
        words += "--write\n" + path + "\n";
    for (const std::string &path : spec.devices)
        words += "--device\n" + path + "\n";
    return words;
}

} // namespace warpwright
