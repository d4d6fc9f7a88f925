// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/comparison/comparison_choice.h"

#include <string>

namespace CLI {
class App;
}

namespace warpwright {

/// What `wright compare` was asked for, besides the folder and --json.
struct CompareLine {
    ComparisonChoice left;
    ComparisonChoice right;
    bool showsAll = false;  ///< --all: what is the same, too
    bool wantsSass = false; ///< --sass: compile both texts and compare their instructions

    bool operator==(const CompareLine &) const = default;
};

/// The words of the command as CLI11 fills them in; they outlive the parsing.
class CompareWords {
public:
    CLI::App *addTo(CLI::App &app, std::string &folder, bool &asksJson);
    /// After a parsing without complaints.
    [[nodiscard]] CompareLine line() const;

private:
    std::string m_left;
    std::string m_right;
    bool m_showsAll = false;
    bool m_wantsSass = false;
};

} // namespace warpwright
