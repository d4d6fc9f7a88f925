// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/history/compare_options.h"

#include "app/cli/options/shared_options.h"

#include <CLI/CLI.hpp>

namespace warpwright {
namespace {

CLI::Validator comparisonSide() {
    return {[](const std::string &text) -> std::string {
                const Result<ComparisonChoice> choice = comparisonChoiceOf(QString::fromStdString(text));
                return choice.hasValue() ? std::string() : choice.message().toStdString();
            },
            "SIDE"};
}

void addSide(CLI::App &app, const char *name, ComparisonChoice &side, const char *help) {
    app.add_option_function<std::string>(
           name,
           [&side](const std::string &word) {
               if (const auto choice = comparisonChoiceOf(QString::fromStdString(word)); choice.hasValue())
                   side = choice.value();
           },
           help)
        ->required()
        ->check(comparisonSide())
        ->type_name("");
}

} // namespace

void CompareOptions::addTo(CLI::App &app) {
    addText(app, "DIR", path, "A workspace, or the record of a run")->required()->type_name("");
    addSide(app, "LEFT", left, "An iteration's number, now (the text on disk), eager or compile");
    addSide(app, "RIGHT", right, "The same; differences are RIGHT against LEFT");
    app.add_flag("--all", showsAll, "Show what is the same, not measured to differ or missing, too");
    app.add_flag("--sass", wantsSass,
                 "Compile both texts and compare their instructions; else those of the counters");
    app.add_flag("--json", asksJson, "Print all of it as JSON (warpwright.compare/1)");
    app.footer("Nothing is run or measured: it reads what was checked and collected before, and says what "
               "would bring the rest.\nOf times whose difference may be zero no difference was measured, nor "
               "of single counters less than 5 % apart.");
}

} // namespace warpwright
