// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/counters_line.h"

#include "app/cli/number_words.h"
#include "toolchain/counters/collect_plan.h"

#include <CLI/CLI.hpp>

namespace warpwright {

CLI::App *CountersWords::addTo(CLI::App &app, std::string &path, std::string &kernel, int &iteration,
                               int &against, std::string &device, std::string &python, bool &asksJson) {
    CLI::App *counters =
        app.add_subcommand("counters", "Collect what the hardware counted in one call of the candidate, by "
                                       "Nsight Compute; or read a report of it");
    m_folder = counters->add_option("DIR", path, "A workspace (default: the current folder)")->type_name("");
    CLI::Option *ofKernel =
        counters->add_option("--kernel", kernel, "Only kernels whose name holds this")->type_name("NAME");
    CLI::Option *ofLaunch =
        counters
            ->add_option("--launch", m_launch, "Only this launch, as they are numbered; of a report: in full")
            ->type_name("N")
            ->check(wholeFrom(1));
    CLI::Option *set =
        counters
            ->add_option("--set", m_set,
                         "basic (default: what the views and wright findings read) or full (all that Nsight "
                         "Compute has: some 40 runs of each kernel)")
            ->type_name("SET");
    CLI::Option *sections =
        counters
            ->add_option("--sections", m_sections,
                         "Sections of Nsight Compute instead of a set, by commas: SpeedOfLight,Occupancy")
            ->delimiter(',')
            ->type_name("NAMES");
    CLI::Option *launches =
        counters
            ->add_option("--launches", m_mostLaunches,
                         "So many launches of the call at most, its first ones (default: 24; 0: all)")
            ->type_name("N")
            ->check(wholeFrom(0));
    CLI::Option *baselines = counters->add_flag(
        "--baselines", m_wantsBaselines, "The kernels of torch's eager and compiled reference as well");
    m_ofIteration =
        counters->add_option("--iteration", iteration, "An earlier iteration instead of the text on disk")
            ->type_name("N")
            ->check(wholeFrom(1));
    CLI::Option *ofOther =
        counters
            ->add_option("--against", against, "Show the differences to what was collected of this iteration")
            ->type_name("N")
            ->check(wholeFrom(1));
    counters->add_flag("--stored", m_wantsStored,
                       "Show what was collected of this text before, and run nothing; needs no GPU");
    m_importOption =
        counters
            ->add_option("--import", m_import,
                         "Read this .ncu-rep instead of collecting; needs no GPU and no Nsight Compute. With "
                         "DIR: keep it there, as counters of the current iteration or of --iteration N")
            ->type_name("FILE");
    counters->add_flag("--raw", m_wantsRaw, "Print every metric of each launch");
    CLI::Option *onDevice =
        counters->add_option("--device", device, "auto or cuda:N (default: the settings', else auto)")
            ->type_name("DEVICE");
    counters->add_option("--python", python, "The interpreter whose torch is used")->type_name("PROGRAM");
    counters->add_flag("--json", asksJson, "Print all of it as JSON (warpwright.counters/1)");
    m_ofCollecting = {set, sections, launches, baselines, ofOther, onDevice};
    m_ofParts = {ofKernel, ofLaunch};
    counters->footer(
        "Document and report are kept in .warpwright/counters/ of the workspace; the report opens in "
        "Nsight Compute.\nExit code 0: here they are; 2: they could not be collected or read; "
        "130: stopped.");
    return counters;
}

CLI::App *CountersWords::addTimelineTo(CLI::App &app, std::string &path, std::string &device,
                                       std::string &python, bool &asksJson) {
    CLI::App *timeline = app.add_subcommand(
        "timeline", "Show when what of one call runs: kernels, copies, gaps and launches of the "
                    "candidate and of torch; needs no Nsight Compute");
    timeline->add_option("DIR", path, "A workspace (default: the current folder)")->type_name("");
    timeline->add_flag("--stored", m_wantsStored,
                       "Show what was traced of this text before, and run nothing");
    timeline->add_option("--device", device, "auto, cpu or cuda:N (default: the settings', else auto)")
        ->type_name("DEVICE");
    timeline->add_option("--python", python, "The interpreter whose torch is used")->type_name("PROGRAM");
    timeline->add_flag("--json", asksJson, "Print all of it as JSON (warpwright.timeline/1)");
    timeline->footer("The document is kept in .warpwright/timelines/ of the workspace.\n"
                     "Exit code 0: here it is; 2: the candidate could not be traced; 130: stopped.");
    return timeline;
}

CountersLine CountersWords::line(QString &why) const {
    CountersLine line;
    line.set = QString::fromStdString(m_set);
    if (!counterSets().contains(line.set))
        why = QStringLiteral("--set \"%1\" is not %2")
                  .arg(line.set, counterSets().join(QStringLiteral(" or ")));
    for (const std::string &section : m_sections)
        if (const QString name = QString::fromStdString(section).trimmed(); !name.isEmpty())
            line.sections << name;
    line.mostLaunches = m_mostLaunches;
    line.import = QString::fromStdString(m_import);
    line.wantsBaselines = m_wantsBaselines;
    line.wantsStored = m_wantsStored;
    line.wantsRaw = m_wantsRaw;
    line.launch = m_launch;
    if (m_importOption == nullptr || m_importOption->count() == 0)
        return line;
    if (line.import.isEmpty())
        why = QStringLiteral("--import names no file: what stands behind it is empty");
    if (m_wantsStored)
        why = QStringLiteral("--import and --stored ask for two different things");
    line.attachesImport = m_folder->count() > 0;
    std::vector<const CLI::Option *> others = m_ofCollecting;
    if (!line.attachesImport)
        others.push_back(m_ofIteration);
    for (const CLI::Option *option : others)
        if (option->count() > 0)
            why = QStringLiteral("%1 says nothing to a report that is read by --import: leave it out")
                      .arg(QString::fromStdString(option->get_name()));
    for (const CLI::Option *option : m_ofParts)
        if (line.attachesImport && option->count() > 0)
            why = QStringLiteral("%1 says nothing to a report that is kept in a workspace, which is kept "
                                 "whole: leave it out, and name it with --stored afterwards")
                      .arg(QString::fromStdString(option->get_name()));
    return line;
}

} // namespace warpwright
