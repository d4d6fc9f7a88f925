// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/heat_words.h"

#include "app/cli/number_words.h"

#include <CLI/CLI.hpp>

namespace warpwright {

CLI::App *addHeatTo(CLI::App &app, HeatAsked &asked, std::string &path, std::string &kernel, int &iteration,
                    bool &wantsSass, std::string &python, bool &asksJson) {
    CLI::App *heat = app.add_subcommand("heat", "Show which lines of the kernels the time goes to, by what "
                                                "Nsight Compute sampled; needs no GPU");
    heat->add_option("DIR", path, "A workspace (default: the current folder)")->type_name("");
    heat->add_option("--kernel", kernel, "Only kernels whose name holds this")->type_name("NAME");
    heat->add_option("--launch", asked.launch,
                     "One launch, by its number in the call, from 1 (default: all together)")
        ->check(wholeFrom(1))
        ->type_name("N");
    heat->add_option("--iteration", iteration, "An earlier iteration instead of the text on disk")
        ->check(wholeFrom(1))
        ->type_name("N");
    heat->add_option("--lines", asked.lines, "So many lines of each kernel at most (default: 10; 0: all)")
        ->check(wholeFrom(0))
        ->type_name("N");
    heat->add_flag("--sass", wantsSass, "The instructions of the chip with their samples, too");
    heat->add_option("--python", python, "The interpreter whose torch is used")->type_name("PROGRAM");
    heat->add_flag("--json", asksJson, "Print all of it as JSON (warpwright.heat/1)");
    heat->footer(
        "It is read from the counters of this very text (wright counters) and from what the compiler "
        "makes of it.\nExit code 0: here it is; 2: there are no such counters, or the workspace "
        "cannot be read.");
    return heat;
}

} // namespace warpwright
