// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace warpwright {

/// What `wright show` was asked for, besides the iteration and --json.
struct ShowLine {
    bool wantsStat = false; ///< --stat: a line for each file in place of the diff
    QStringList files;      ///< --file: only of files whose path holds one of these; empty: of all

    bool operator==(const ShowLine &) const = default;
};

/// The words of the command as CLI11 fills them in; they outlive the parsing.
class ShowWords {
public:
    CLI::App *addTo(CLI::App &app, std::string &folder, int &iteration, bool &asksJson);
    /// After a parsing without complaints.
    [[nodiscard]] ShowLine line() const;

private:
    std::vector<std::string> m_files;
    bool m_wantsStat = false;
};

} // namespace warpwright
