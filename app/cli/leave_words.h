// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/session/prompt_leave.h"

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace warpwright {

/// The words of --allow, as CLI11 fills them in; they outlive the parsing.
struct LeaveWords {
    std::vector<std::string> allowed;

    void addTo(CLI::App &command);
    [[nodiscard]] PromptLeave leave() const;
};

} // namespace warpwright
