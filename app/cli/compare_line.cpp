// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/compare_line.h"

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

ComparisonChoice sideOf(const std::string &word) {
    const Result<ComparisonChoice> choice = comparisonChoiceOf(QString::fromStdString(word));
    return choice.hasValue() ? choice.value() : ComparisonChoice();
}

} // namespace

CLI::App *CompareWords::addTo(CLI::App &app, std::string &folder, bool &asksJson) {
    CLI::App *compare = app.add_subcommand(
        "compare", "Two iterations, or a text and a baseline, beside each other: verdict, times, findings, "
                   "resources, SASS, counters, and what of the text differs; differences first");
    compare->add_option("DIR", folder, "A workspace, or the record of a run")->required()->type_name("");
    compare->add_option("LEFT", m_left, "An iteration's number, now (the text on disk), eager or compile")
        ->required()
        ->check(comparisonSide())
        ->type_name("");
    compare->add_option("RIGHT", m_right, "The same; differences are RIGHT against LEFT")
        ->required()
        ->check(comparisonSide())
        ->type_name("");
    compare->add_flag("--all", m_showsAll, "Show what is the same, not measured to differ or missing, too");
    compare->add_flag("--sass", m_wantsSass,
                      "Compile both texts and compare their instructions; else those of the counters");
    compare->add_flag("--json", asksJson, "Print all of it as JSON (warpwright.compare/1)");
    compare->footer(
        "Nothing is run or measured: it reads what was checked and collected before, and says what "
        "would bring the rest.\nOf times whose difference may be zero no difference was measured, nor of "
        "single counters less than 5 % apart.");
    return compare;
}

CompareLine CompareWords::line() const {
    return {sideOf(m_left), sideOf(m_right), m_showsAll, m_wantsSass};
}

} // namespace warpwright
