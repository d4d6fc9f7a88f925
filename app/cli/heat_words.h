// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace warpwright {

/// What `wright heat` was asked for, besides what other commands have, too.
struct HeatAsked {
    int launch = 0; ///< number in the call, from 1; 0: all
    int lines = 10; ///< of each kernel at most; 0: all

    bool operator==(const HeatAsked &) const = default;
};

/// The words of the command as CLI11 fills them in; they outlive the parsing.
CLI::App *addHeatTo(CLI::App &app, HeatAsked &asked, std::string &path, std::string &kernel, int &iteration,
                    bool &wantsSass, std::string &python, bool &asksJson);

} // namespace warpwright
