// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/sandbox/sandbox_namespaces.h"

#include "referee/sandbox/sandbox_landlock.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <map>
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>

namespace warpwright {

namespace {

// Newer than some C libraries' headers; the same numbers on every architecture.
constexpr long mountSetattr = 442;
constexpr int atRecursive = 0x8000;
constexpr uint64_t attributeReadOnly = 1;
constexpr uint64_t attributeNoSetuid = 2;

struct MountAttributes {
    uint64_t set, clear, propagation, userNamespace;
};

constexpr uint32_t insideUser = 60001;

bool writeFile(const char *path, const std::string &text) {
    const int file = open(path, O_WRONLY | O_CLOEXEC);
    if (file < 0)
        return false;
    const bool done = write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
    const int why = errno;
    close(file);
    errno = why;
    return done;
}

bool makeFolders(const std::string &path) {
    for (size_t slash = path.find('/', 1); slash != std::string::npos; slash = path.find('/', slash + 1)) {
        if (mkdir(path.substr(0, slash).c_str(), 0755) != 0 && errno != EEXIST)
            return false;
    }
    return mkdir(path.c_str(), 0755) == 0 || errno == EEXIST;
}

bool makePlace(const std::string &path, bool isFolder) {
    if (isFolder)
        return makeFolders(path);
    if (!makeFolders(path.substr(0, path.rfind('/'))))
        return false;
    const int file = open(path.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0644);
    if (file >= 0)
        close(file);
    return file >= 0;
}

// A bind mount keeps flags that a user namespace may not take away; naming them again keeps it allowed.
unsigned long keptFlags(const std::string &path) {
    struct statvfs facts {};
    if (statvfs(path.c_str(), &facts) != 0)
        return 0;
    constexpr std::pair<unsigned long, unsigned long> known[] = {{ST_NODEV, MS_NODEV},
                                                                 {ST_NOEXEC, MS_NOEXEC},
                                                                 {ST_NOATIME, MS_NOATIME},
                                                                 {ST_NODIRATIME, MS_NODIRATIME},
                                                                 {ST_RELATIME, MS_RELATIME}};
    unsigned long flags = 0;
    for (const auto &[shown, wanted] : known)
        flags |= (facts.f_flag & shown) != 0 ? wanted : 0u;
    return flags;
}

bool makeReadOnly(const std::string &place) {
    MountAttributes attributes{attributeReadOnly | attributeNoSetuid, 0, 0, 0};
    if (syscall(mountSetattr, AT_FDCWD, place.c_str(), atRecursive, &attributes, sizeof attributes) == 0)
        return true;
    return mount(nullptr, place.c_str(), nullptr,
                 MS_BIND | MS_REMOUNT | MS_RDONLY | MS_NOSUID | keptFlags(place), nullptr) == 0;
}

/// Where a path really lies, and the links on the way there; empty: it is not there.
std::string realPlace(const std::string &path, std::map<std::string, std::string> &links) {
    std::string rest = path;
    std::string place;
    for (int followed = 0; followed < 40;) {
        const size_t begin = rest.find_first_not_of('/');
        if (begin == std::string::npos)
            return place;
        const size_t slash = std::min(rest.find('/', begin), rest.size());
        const std::string name = rest.substr(begin, slash - begin);
        rest.erase(0, slash);
        if (name == ".")
            continue;
        if (name == "..") {
            place.erase(place.empty() ? 0 : place.rfind('/'));
            continue;
        }
        char target[PATH_MAX + 1];
        const std::string next = place + "/" + name;
        const ssize_t length = readlink(next.c_str(), target, PATH_MAX);
        if (length < 0) {
            if (errno != EINVAL) // EINVAL: there, and no link
                return {};
            place = next;
            continue;
        }
        ++followed;
        const std::string text(target, static_cast<size_t>(length));
        links[next] = text;
        if (text[0] == '/')
            place.clear();
        rest = text + rest;
    }
    return {};
}

/// What the new root shows of the old one, by real paths.
struct View {
    std::vector<std::string> readable, writable;
    std::map<std::string, std::string> links;
    bool canWriteProc = true;
};

View viewOf(const SandboxSpec &spec) {
    View view;
    // Where Landlock does not say who may write there (see there); who runs out of memory is then told less.
    view.canWriteProc = !spec.devices.empty() || landlockVersion() > 0;
    const auto add = [&view](const std::string &path, std::vector<std::string> &paths) {
        if (const std::string place = realPlace(path, view.links); !place.empty())
            paths.push_back(place);
    };
    for (const std::string &path : spec.readable)
        add(path, view.readable);
    for (const std::string &path : spec.writable)
        add(path, view.writable);
    for (const char *device : {"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"})
        add(device, view.writable);
    for (const std::string &device : spec.devices)
        add(device, view.writable);
    // Parents before what lies in them, or the parent would hide it.
    std::sort(view.readable.begin(), view.readable.end());
    return view;
}

/// Shows a path of the old root at the same place of the new one.
std::string show(const std::string &path, bool isReadOnly) {
    struct stat facts {};
    const std::string source = "/oldroot" + path;
    const std::string place = "/newroot" + path;
    if (lstat(source.c_str(), &facts) != 0)
        return systemProblem("find " + path);
    if (!makePlace(place, S_ISDIR(facts.st_mode)))
        return systemProblem("make a place for " + path);
    if (mount(source.c_str(), place.c_str(), nullptr, MS_BIND | MS_REC, nullptr) != 0)
        return systemProblem("show " + path);
    if (isReadOnly && !makeReadOnly(place))
        return systemProblem("make " + path + " read-only");
    return {};
}

std::string showLink(const std::string &path, const std::string &target) {
    const std::string place = "/newroot" + path;
    struct stat facts {};
    if (lstat(place.c_str(), &facts) == 0) // in a folder that is shown whole
        return {};
    if (!makeFolders(place.substr(0, place.rfind('/'))) || symlink(target.c_str(), place.c_str()) != 0)
        return systemProblem("link " + path);
    return {};
}

std::string mountPrivate(const char *place, uint64_t bytes, const char *mode) {
    const std::string options = "size=" + std::to_string(bytes) + ",mode=" + mode;
    if (!makeFolders(place) || mount("tmpfs", place, "tmpfs", MS_NOSUID | MS_NODEV, options.c_str()) != 0)
        return systemProblem(std::string("make ") + place);
    return {};
}

std::string showAll(const View &view, uint64_t scratchBytes) {
    std::string problem = mountPrivate("/newroot/tmp", scratchBytes, "1777");
    std::string covered = "?";
    for (const std::string &path : view.readable) {
        if (!problem.empty() || (path + "/").rfind(covered + "/", 0) == 0)
            continue;
        problem = show(path, true);
        covered = path;
    }
    for (const std::string &path : view.writable)
        problem = problem.empty() ? show(path, false) : problem;
    for (const auto &[path, target] : view.links)
        problem = problem.empty() ? showLink(path, target) : problem;
    if (!problem.empty())
        return problem;
    // CUDA's driver writes to /proc/self/task/*/comm, so this one is writable; it shows our own processes
    // only.
    const unsigned long options =
        MS_NOSUID | MS_NODEV | MS_NOEXEC | (view.canWriteProc ? 0ul : static_cast<unsigned long>(MS_RDONLY));
    if (!makeFolders("/newroot/proc") || mount("proc", "/newroot/proc", "proc", options, nullptr) != 0)
        return systemProblem("mount /proc");
    return {};
}

bool pivot(const char *root, const char *old) {
    return syscall(SYS_pivot_root, root, old) == 0;
}

} // namespace

namespace {

/// As root without a user namespace, else with one.
std::string leave(int spaces) {
    const uid_t user = geteuid();
    const gid_t group = getegid();
    if (user == 0 && unshare(spaces) == 0)
        return {};
    if (unshare(CLONE_NEWUSER | spaces) != 0)
        return systemProblem("namespaces");
    const std::string inside = std::to_string(insideUser);
    if (!writeFile("/proc/self/setgroups", "deny") ||
        !writeFile("/proc/self/uid_map", inside + " " + std::to_string(user) + " 1") ||
        !writeFile("/proc/self/gid_map", inside + " " + std::to_string(group) + " 1"))
        return systemProblem("user namespace");
    return {};
}

} // namespace

std::string leaveNamespaces() {
    return leave(CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP);
}

std::string coverFiles(const std::vector<std::pair<std::string, std::string>> &covers) {
    if (std::string problem = leave(CLONE_NEWNS); !problem.empty())
        return problem;
    if (mount(nullptr, "/", nullptr, MS_REC | MS_SLAVE, nullptr) != 0)
        return systemProblem("private mounts");
    for (const auto &[stands, place] : covers) {
        if (mount(stands.c_str(), place.c_str(), nullptr, MS_BIND, nullptr) != 0)
            return systemProblem("put " + stands + " over " + place);
        if (!makeReadOnly(place))
            return systemProblem("make " + place + " read-only");
    }
    return {};
}

std::string buildRoot(const SandboxSpec &spec) {
    const View view = viewOf(spec);
    // Nothing that is mounted here may travel back.
    if (mount(nullptr, "/", nullptr, MS_REC | MS_SLAVE, nullptr) != 0)
        return systemProblem("private mounts");
    // Two steps, as the old root must be seen while the new one is made, /tmp in it too.
    if (mount("tmpfs", "/tmp", "tmpfs", MS_NOSUID | MS_NODEV, "size=16m,mode=0755") != 0)
        return systemProblem("new root");
    if (mkdir("/tmp/newroot", 0755) != 0 || mkdir("/tmp/oldroot", 0755) != 0 ||
        !pivot("/tmp", "/tmp/oldroot") || chdir("/") != 0)
        return systemProblem("new root");
    if (mount("/newroot", "/newroot", nullptr, MS_BIND | MS_REC, nullptr) != 0)
        return systemProblem("new root");
    if (std::string problem = showAll(view, spec.scratchBytes); !problem.empty())
        return problem;
    if (umount2("/oldroot", MNT_DETACH) != 0 || chdir("/newroot") != 0 || !pivot(".", ".") ||
        umount2(".", MNT_DETACH) != 0 || chdir("/") != 0)
        return systemProblem("leave the old root");
    // This mount alone: what lies in it has its own flags.
    if (mount(nullptr, "/", nullptr, MS_BIND | MS_REMOUNT | MS_RDONLY | MS_NOSUID | MS_NODEV, nullptr) != 0)
        return systemProblem("make the root read-only");
    return {};
}

std::string dropRights(uint32_t user) {
    if (user != 0 && geteuid() == 0) {
        if (setgroups(0, nullptr) != 0 && errno != EPERM)
            return systemProblem("setgroups");
        if (setresgid(user, user, user) != 0 || setresuid(user, user, user) != 0)
            return systemProblem("become user " + std::to_string(user));
    }
    for (int capability = 0; prctl(PR_CAPBSET_READ, capability, 0, 0, 0) >= 0; ++capability)
        prctl(PR_CAPBSET_DROP, capability, 0, 0,
              0); // needs a right that may be gone: the rest is then empty, too
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
    __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
    __user_cap_data_struct none[2] = {};
    if (syscall(SYS_capset, &header, none) != 0)
        return systemProblem("give up rights");
    // A change of user takes a process's own /proc/self away from it; CUDA's driver writes there.
    prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
    return {};
}

} // namespace warpwright
