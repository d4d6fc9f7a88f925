// SPDX-License-Identifier: GPL-3.0-or-later
//
// The sandbox for worker.py, which forks by itself. Texts are the words of readSandboxSpec, one a line;
// answers are a problem, or "". One thread only; an answer is good until the next call.

#include "referee/sandbox/sandbox.h"
#include "referee/sandbox/sandbox_namespaces.h"
#include "referee/sandbox/sandbox_probe.h"

namespace {

using namespace warpwright;

std::string &lastAnswer() {
    static std::string text;
    return text;
}

const char *answer(std::string text) {
    lastAnswer() = std::move(text);
    return lastAnswer().c_str();
}

std::vector<std::string> linesOf(const char *text) {
    std::vector<std::string> lines;
    std::string line;
    for (; *text != '\0'; ++text) {
        if (*text != '\n') {
            line += *text;
            continue;
        }
        lines.push_back(line);
        line.clear();
    }
    if (!line.empty())
        lines.push_back(line);
    return lines;
}

template <typename Act>
const char *withSpec(const char *text, Act act) {
    SandboxSpec spec;
    size_t next = 0;
    std::string problem = readSandboxSpec(linesOf(text), spec, next);
    return answer(problem.empty() ? act(spec) : problem);
}

} // namespace

extern "C" {

const char *ww_sandbox_leave() {
    return answer(leaveNamespaces());
}

const char *ww_sandbox_root(const char *text) {
    return withSpec(text, [](const SandboxSpec &spec) { return buildRoot(spec); });
}

const char *ww_sandbox_enclose(const char *text, const int *kept, int count) {
    return withSpec(
        text, [&](const SandboxSpec &spec) { return enclose(spec, std::vector<int>(kept, kept + count)); });
}

void ww_sandbox_watch(int child, int report, unsigned user) {
    watchOver(child, report, user);
}

const char *ww_sandbox_try(const char *secret, const char *folder, int port, int process) {
    return answer(attemptsText(tryToGetOut({secret, folder, static_cast<uint16_t>(port), process, {}})));
}
}
