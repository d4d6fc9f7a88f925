// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/report_line.h"

#include "app/cli/number_words.h"

#include <CLI/CLI.hpp>

namespace warpwright {

CLI::App *ReportWords::addTo(CLI::App &app, std::string &path, int &iteration, std::string &python) {
    CLI::App *report = app.add_subcommand(
        "report", "Write one page for a browser: the task, what was tried, charts, sources, the verdict");
    report->add_option("DIR", path, "A workspace, or the record of a run (default: the current folder)")
        ->type_name("");
    report->add_option("--iteration", iteration, "An earlier iteration instead of the text on disk")
        ->check(aboveZero())
        ->type_name("NUMBER");
    report
        ->add_option("--run", m_run,
                     "A page of this run of an agent: each proposal with its change, verdict and outcome")
        ->type_name("ID");
    report
        ->add_option("--html", m_html,
                     "The file to write (default: report.html in the workspace, of a record in the "
                     "current folder)")
        ->type_name("FILE");
    report->add_option("--python", python, "The interpreter whose torch is used")->type_name("PROGRAM");
    report->footer("The page needs neither network nor this program, and holds what is stored of the text: "
                   "nothing is run "
                   "on a device. Its sources and your words are in it: look at it before you pass it "
                   "on.\nExit code 0: it is "
                   "written; 2: it could not be.");
    return report;
}

} // namespace warpwright
