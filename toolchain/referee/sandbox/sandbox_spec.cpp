// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/sandbox/sandbox_spec.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace warpwright {

namespace {

bool readNumber(const std::string &text, uint64_t &number) {
    char *end = nullptr;
    errno = 0;
    number = std::strtoull(text.c_str(), &end, 10);
    return errno == 0 && !text.empty() && *end == '\0' && text[0] != '-';
}

bool readKind(const std::string &text, SandboxKind &kind) {
    for (const SandboxKind known : {SandboxKind::None, SandboxKind::Landlock, SandboxKind::Namespaces}) {
        if (text == nameOf(known)) {
            kind = known;
            return true;
        }
    }
    return false;
}

bool readProfile(const std::string &text, SandboxProfile &profile) {
    if (text == "run")
        profile = SandboxProfile::Run;
    else if (text == "tools")
        profile = SandboxProfile::Tools;
    else if (text == "build")
        profile = SandboxProfile::Build;
    else
        return false;
    return true;
}

bool readPath(const std::string &text, std::vector<std::string> &paths) {
    if (text.empty() || text[0] != '/')
        return false;
    paths.push_back(text);
    return true;
}

bool readOption(const std::string &name, const std::string &value, SandboxSpec &spec) {
    uint64_t number = 0;
    if (name == "--kind")
        return readKind(value, spec.kind);
    if (name == "--profile")
        return readProfile(value, spec.profile);
    if (name == "--read")
        return readPath(value, spec.readable);
    if (name == "--write")
        return readPath(value, spec.writable);
    if (name == "--device")
        return readPath(value, spec.devices);
    if (name == "--folder") {
        spec.folder = value;
        return !value.empty() && value[0] == '/';
    }
    if (name == "--tell") {
        spec.tell = value;
        return !value.empty() && value[0] == '/';
    }
    if (name == "--or-set") {
        spec.orSet = value;
        return value.find('=') != std::string::npos;
    }
    if (!readNumber(value, number))
        return false;
    if (name == "--user")
        spec.user = static_cast<uint32_t>(number);
    else if (name == "--scratch-bytes")
        spec.scratchBytes = number;
    else if (name == "--file-bytes")
        spec.fileBytes = number;
    else if (name == "--open-files")
        spec.openFiles = number;
    else if (name == "--processes")
        spec.processes = number;
    else if (name == "--address-bytes")
        spec.addressBytes = number;
    else if (name == "--or-weaker")
        spec.orWeaker = number != 0;
    else
        return false;
    return true;
}

} // namespace

std::string readSandboxSpec(const std::vector<std::string> &words, SandboxSpec &spec, size_t &next) {
    for (next = 0; next < words.size(); next += 2) {
        if (words[next] == "--") {
            ++next;
            return {};
        }
        if (words[next] == "--over" && next + 2 < words.size() && words[next + 1].starts_with('/') &&
            words[next + 2].starts_with('/')) {
            spec.covers.emplace_back(words[next + 1], words[next + 2]);
            ++next;
            continue;
        }
        if (next + 1 == words.size() || !readOption(words[next], words[next + 1], spec))
            return "not an option of a sandbox: \"" + words[next] + "\"";
    }
    return {};
}

const char *nameOf(SandboxKind kind) {
    switch (kind) {
    case SandboxKind::Landlock:
        return "landlock";
    case SandboxKind::Namespaces:
        return "namespaces";
    case SandboxKind::None:
        break;
    }
    return "none";
}

std::string systemProblem(const std::string &what) {
    return what + ": " + std::strerror(errno);
}

} // namespace warpwright
