// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/show_line.h"

#include "app/cli/number_words.h"

#include <CLI/CLI.hpp>

namespace warpwright {

CLI::App *ShowWords::addTo(CLI::App &app, std::string &folder, int &iteration, bool &asksJson) {
    CLI::App *show = app.add_subcommand(
        "show",
        "One iteration: what changed since its parent, who decided it, what was expected and measured");
    show->add_option("DIR", folder, "A workspace, or the record of a run")->required()->type_name("");
    show->add_option("ITERATION", iteration, "Its number, as log lists it")
        ->required()
        ->check(iterationNumber())
        ->type_name("");
    show->add_flag("--stat", m_wantsStat, "In place of the diff one line for each file that changed");
    show->add_option("--file", m_files, "Only files whose path holds this; may be said again")
        ->type_name("TEXT")
        ->expected(1);
    show->add_flag("--json", asksJson, "Print all of it as JSON (warpwright.show/1)");
    return show;
}

ShowLine ShowWords::line() const {
    ShowLine line;
    line.wantsStat = m_wantsStat;
    for (const std::string &file : m_files)
        line.files.append(QString::fromStdString(file));
    return line;
}

} // namespace warpwright
