// SPDX-License-Identifier: GPL-3.0-or-later
//
// warpwright-nvcc [--module-id ID] [--stub FILE] [--tell FILE] -- NVCC ARGUMENTS...
//
// nvcc -c -keep …, with its passes side by side. It makes and says what nvcc does and ends as nvcc does; what
// it does not understand of nvcc's dry run it leaves to nvcc. It belongs in the sandbox, with nvcc.

#include "toolchain/passes/pass_run.h"

#include <cstdio>
#include <cstring>
#include <sys/wait.h>
#include <unistd.h>

namespace {

using namespace warpwright;

std::optional<PassPlan> planOf(PassWords nvcc, std::string &why) {
    nvcc.emplace_back("--dryrun");
    PassProcess process;
    if (!process.start(nvcc)) {
        why = "no process for the dry run";
        return std::nullopt;
    }
    process.await();
    if (!WIFEXITED(process.status()) || WEXITSTATUS(process.status()) != 0) {
        why = "the dry run failed";
        return std::nullopt;
    }
    return readDryRun(process.error(), why);
}

void tell(const std::string &file, const std::string &what) {
    if (file.empty())
        return;
    if (FILE *told = std::fopen(file.c_str(), "we")) {
        std::fprintf(told, "%s\n", what.c_str());
        std::fclose(told);
    }
}

} // namespace

int main(int count, char **words) {
    PassRun::Guesses guesses;
    std::string told;
    int next = 1;
    for (; next + 1 < count && std::strcmp(words[next], "--") != 0; next += 2) {
        if (std::strcmp(words[next], "--module-id") == 0)
            guesses.moduleId = words[next + 1];
        else if (std::strcmp(words[next], "--stub") == 0)
            guesses.stub = readPassFile(words[next + 1]).value_or(std::string());
        else if (std::strcmp(words[next], "--tell") == 0)
            told = words[next + 1];
    }
    if (next + 1 >= count || std::strcmp(words[next], "--") != 0) {
        std::fputs(
            "usage: warpwright-nvcc [--module-id ID] [--stub FILE] [--tell FILE] -- NVCC ARGUMENTS...\n",
            stderr);
        return 125;
    }
    const PassWords nvcc(words + next + 1, words + count);
    std::string why;
    if (const auto plan = planOf(nvcc, why)) {
        PassRun run(*plan, guesses);
        if (const auto code = run.run()) {
            tell(told, run.told());
            std::fflush(nullptr);
            std::_Exit(*code);
        }
        why = "a pass ended in an unusual way";
    }
    tell(told, "passes one after the other: " + why);
    become(nvcc);
}
