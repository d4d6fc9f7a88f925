// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/leave_words.h"

#include <CLI/CLI.hpp>

#include <algorithm>

namespace warpwright {
namespace {

constexpr const char *permissions = "permissions";
constexpr const char *noSandbox = "no-sandbox";

} // namespace

void LeaveWords::addTo(CLI::App &command) {
    command
        .add_option(
            "--allow", allowed,
            "Of what an agent of another program may ask, without asking you: permissions: whatever it "
            "asks leave for; no-sandbox: that it runs where no sandbox can be built around it; may be "
            "said again")
        ->check(CLI::IsMember({permissions, noSandbox}))
        ->expected(1)
        ->take_all()
        ->allow_extra_args(false)
        ->type_name("WHAT");
}

PromptLeave LeaveWords::leave() const {
    const auto isAllowed = [this](const char *what) {
        return std::find(allowed.begin(), allowed.end(), what) != allowed.end();
    };
    return {isAllowed(permissions), isAllowed(noSandbox)};
}

} // namespace warpwright
