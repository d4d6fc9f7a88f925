// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/options/leave_words.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace warpwright {
namespace {

constexpr const char *permissions = "permissions";
constexpr const char *noSandbox = "no-sandbox";

} // namespace

void addLeave(CLI::App &command, PromptLeave &leave) {
    command
        .add_option_function<std::vector<std::string>>(
            "--allow",
            [&leave](const std::vector<std::string> &allowed) {
                const auto isAllowed = [&allowed](const char *what) {
                    return std::find(allowed.begin(), allowed.end(), what) != allowed.end();
                };
                leave = {isAllowed(permissions), isAllowed(noSandbox)};
            },
            "Of what an agent of another program may ask, without asking you: permissions: whatever it "
            "asks leave for; no-sandbox: that it runs where no sandbox can be built around it; may be "
            "said again")
        ->check(CLI::IsMember({permissions, noSandbox}))
        ->expected(1)
        ->take_all()
        ->allow_extra_args(false)
        ->type_name("WHAT");
}

} // namespace warpwright
