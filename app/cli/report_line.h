// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <string>

namespace CLI {
class App;
}

namespace warpwright {

/// The words of `wright report` as CLI11 fills them in; they outlive the parsing.
class ReportWords {
public:
    /// `path`, `iteration`, `python`: shared with other commands.
    CLI::App *addTo(CLI::App &app, std::string &path, int &iteration, std::string &python);
    /// Where the page is to lie; empty: not said.
    [[nodiscard]] QString html() const { return QString::fromStdString(m_html); }
    /// The run that the page is of; empty: of a text.
    [[nodiscard]] QString run() const { return QString::fromStdString(m_run); }

private:
    std::string m_html;
    std::string m_run;
};

} // namespace warpwright
