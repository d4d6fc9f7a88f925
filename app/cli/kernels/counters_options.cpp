// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/kernels/counters_options.h"

#include "app/cli/command.h"
#include "app/cli/options/number_words.h"
#include "toolchain/counters/collect_plan.h"

#include <CLI/CLI.hpp>

namespace warpwright {
namespace {

QStringList namesSaid(const std::vector<const CLI::Option *> &options) {
    QStringList names;
    for (const CLI::Option *option : options)
        if (option->count() > 0)
            names << QString::fromStdString(option->get_name());
    return names;
}

} // namespace

void CountersOptions::addTo(CLI::App &app) {
    const CLI::Option *folder = addWorkspace(app, path);
    const CLI::Option *ofKernel = addKernel(app, kernel);
    const CLI::Option *ofLaunch =
        app.add_option("--launch", launch, "Only this launch, as they are numbered; of a report: in full")
            ->type_name("N")
            ->check(wholeFrom(1));
    const CLI::Option *ofSet =
        addText(app, "--set", set,
                "basic (default: what the views and wright findings read) or full (all that Nsight "
                "Compute has: some 40 runs of each kernel)")
            ->type_name("SET");
    const CLI::Option *ofSections =
        addTexts(app, "--sections", sections,
                 "Sections of Nsight Compute instead of a set, by commas: SpeedOfLight,Occupancy")
            ->delimiter(',')
            ->type_name("NAMES");
    const CLI::Option *ofLaunches =
        app.add_option("--launches", mostLaunches,
                       "At most so many launches of the call, the first ones (default: 24; 0: all)")
            ->type_name("N")
            ->check(wholeFrom(0));
    const CLI::Option *ofBaselines = app.add_flag(
        "--baselines", wantsBaselines, "The kernels of torch's eager and compiled reference as well");
    const CLI::Option *ofIteration =
        app.add_option("--iteration", iteration, "An earlier iteration instead of the text on disk")
            ->type_name("N")
            ->check(wholeFrom(1));
    const CLI::Option *ofOther =
        app.add_option("--against", against, "Show the differences to what was collected of this iteration")
            ->type_name("N")
            ->check(wholeFrom(1));
    app.add_flag("--stored", wantsStored,
                 "Show what was collected of this text before, and run nothing; needs no GPU");
    const CLI::Option *ofImport =
        addText(app, "--import", import,
                "Read this .ncu-rep instead of collecting; needs no GPU and no Nsight Compute. With "
                "DIR: keep it there, as counters of the current iteration or of --iteration N")
            ->type_name("FILE");
    app.add_flag("--raw", wantsRaw, "Print every metric of each launch");
    const CLI::Option *onDevice =
        addText(app, "--device", machine.device, "auto or cuda:N (default: the settings', else auto)")
            ->type_name("DEVICE");
    addPython(app, machine.python);
    app.add_flag("--json", asksJson, "Print all of it as JSON (warpwright.counters/1)");
    app.callback([=, this] {
        said = {folder->count() > 0, ofIteration->count() > 0, ofImport->count() > 0,
                namesSaid({ofSet, ofSections, ofLaunches, ofBaselines, ofOther, onDevice}),
                namesSaid({ofKernel, ofLaunch})};
    });
    app.footer("Document and report are kept in .warpwright/counters/ of the workspace; the report opens in "
               "Nsight Compute.\nExit code 0: here they are; 2: they could not be collected or read; "
               "130: stopped.");
}

QString CountersOptions::understand() {
    QString why;
    if (!counterSets().contains(set))
        why = QStringLiteral("--set \"%1\" is not %2").arg(set, counterSets().join(QStringLiteral(" or ")));
    for (QString &section : sections)
        section = section.trimmed();
    sections.removeAll(QString());
    if (said.import) {
        if (import.isEmpty())
            why = QStringLiteral("--import names no file: its value is empty");
        if (wantsStored)
            why = QStringLiteral("--import and --stored ask for two different things");
        attachesImport = said.folder;
        QStringList others = said.ofCollecting;
        if (!attachesImport && said.iteration)
            others << QStringLiteral("--iteration");
        if (!others.isEmpty())
            why = QStringLiteral("%1 does not apply to a report that is read by --import: leave it out")
                      .arg(others.last());
        if (attachesImport && !said.ofParts.isEmpty())
            why = QStringLiteral("%1 does not apply to a report that is kept in a workspace, which is kept "
                                 "whole: leave it out, and name it with --stored afterwards")
                      .arg(said.ofParts.last());
    }
    if (const QString noDevice = whyNoGpuDevice(machine.device); !noDevice.isEmpty())
        why = noDevice;
    return why.isEmpty() ? QString() : notUnderstood(why, QStringLiteral("wright counters --help"));
}

} // namespace warpwright
