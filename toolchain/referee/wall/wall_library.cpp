// SPDX-License-Identifier: GPL-3.0-or-later
//
// The wall for worker.py, which forks by itself. Texts are the words of readWallSpec, one a line; answers are
// a problem, or "". One thread only; an answer is good until the next call.

#include "referee/wall/wall.h"
#include "referee/wall/wall_namespaces.h"
#include "referee/wall/wall_probe.h"

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
    WallSpec spec;
    size_t next = 0;
    std::string problem = readWallSpec(linesOf(text), spec, next);
    return answer(problem.empty() ? act(spec) : problem);
}

} // namespace

extern "C" {

const char *ww_wall_leave() {
    return answer(leaveNamespaces());
}

const char *ww_wall_root(const char *text) {
    return withSpec(text, [](const WallSpec &spec) { return buildRoot(spec); });
}

const char *ww_wall_enclose(const char *text, const int *kept, int count) {
    return withSpec(
        text, [&](const WallSpec &spec) { return enclose(spec, std::vector<int>(kept, kept + count)); });
}

void ww_wall_watch(int child, int report, unsigned user) {
    watchOver(child, report, user);
}

const char *ww_wall_try(const char *secret, const char *folder, int port, int process) {
    return answer(attemptsText(tryToGetOut({secret, folder, static_cast<uint16_t>(port), process, {}})));
}
}
