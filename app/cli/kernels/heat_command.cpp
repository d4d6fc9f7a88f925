// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/kernels/heat_command.h"

#include "app/cli/kernels/listing_line.h"
#include "app/cli/options/number_words.h"
#include "app/cli/options/shared_options.h"
#include "app/cli/process/version_text.h"
#include "toolchain/counters/counter_store.h"
#include "toolchain/findings/stored_input.h"
#include "toolchain/heat/heat_json.h"
#include "toolchain/process/processes_below.h"
#include "toolchain/report/heat_report.h"
#include "toolchain/tool_output/kernel_name.h"

#include <CLI/CLI.hpp>

#include <QDir>

#include <unistd.h>

namespace warpwright {
namespace {

struct HeatOptions {
    QString path = QStringLiteral(".");
    QString kernel;
    QString python;
    int iteration = 0;      ///< 0: the text on disk
    int launch = 0;         ///< number in the call, from 1; 0: all
    int lines = 10;         ///< of each kernel at most; 0: all
    bool wantsSass = false; ///< the instructions, too
    bool asksJson = false;

    void addTo(CLI::App &app);
};

void HeatOptions::addTo(CLI::App &app) {
    addWorkspace(app, path);
    addKernel(app, kernel);
    app.add_option("--launch", launch,
                   "One launch, by its number in the call, from 1 (default: all together)")
        ->check(wholeFrom(1))
        ->type_name("N");
    app.add_option("--iteration", iteration, "An earlier iteration instead of the text on disk")
        ->check(wholeFrom(1))
        ->type_name("N");
    app.add_option("--lines", lines, "So many lines of each kernel at most (default: 10; 0: all)")
        ->check(wholeFrom(0))
        ->type_name("N");
    app.add_flag("--sass", wantsSass, "The instructions of the chip with their samples, too");
    addPython(app, python);
    app.add_flag("--json", asksJson, "Print all of it as JSON (warpwright.heat/1)");
    app.footer("It is read from the counters of this very text (wright counters) and from what the compiler "
               "makes of it.\nExit code 0: here it is; 2: there are no such counters, or the workspace "
               "cannot be read.");
}

QString ofText(int iteration) {
    return iteration > 0 ? QStringLiteral("iteration %1").arg(iteration) : QStringLiteral("the text on disk");
}

/// Where the launch that was asked for is one of another kernel than was asked for; empty: it is not.
QString whyNotBoth(const Counters &counters, const QString &kernel, int launch) {
    if (kernel.isEmpty() || launch <= 0)
        return {};
    constexpr qsizetype mostNamed = 8;
    QStringList launches;
    QString other;
    for (const KernelCounters *one : counters.kernelsOf(QStringLiteral("candidate"))) {
        const QString name = shortKernelName(one->name);
        const bool isNamed = one->name.contains(kernel) || name.contains(kernel);
        if (isNamed && one->launch + 1 == launch)
            return {};
        if (isNamed)
            launches << QString::number(one->launch + 1);
        else if (one->launch + 1 == launch)
            other = name;
    }
    if (launches.isEmpty() || other.isEmpty())
        return {};
    return QStringLiteral("Cannot show launch %1 of \"%2\": it is one of %3. Of \"%2\" are %4%5: name one of "
                          "them, or leave --kernel or --launch out.")
        .arg(launch)
        .arg(kernel, other, launches.mid(0, mostNamed).join(QStringLiteral(", ")),
             launches.size() > mostNamed ? QStringLiteral(" and %1 more").arg(launches.size() - mostNamed)
                                         : QString());
}

/// Why there is nothing to show; empty: there is something.
QString whyNothing(const HeatOptions &asked, const Counters &counters, const Heat &heat) {
    if (!heat.isEmpty())
        return {};
    QStringList names;
    int launches = 0;
    for (const KernelCounters *kernel : counters.kernelsOf(QStringLiteral("candidate"))) {
        launches = std::max(launches, kernel->launch + 1);
        if (const QString name = shortKernelName(kernel->name); !names.contains(name))
            names << name;
    }
    if (!asked.kernel.isEmpty() && names.filter(asked.kernel).isEmpty())
        return QStringLiteral(
                   "Cannot find a kernel \"%1\" among those that were counted: there are %2. Name one "
                   "of them.")
            .arg(asked.kernel, names.isEmpty() ? QStringLiteral("none") : names.join(QStringLiteral(", ")));
    if (asked.launch > launches)
        return QStringLiteral("Cannot find launch %1: %2 were counted, from 1. Name one of them.")
            .arg(asked.launch)
            .arg(launches);
    if (const QString why = whyNotBoth(counters, asked.kernel, asked.launch); !why.isEmpty())
        return why;
    return QStringLiteral("Cannot show the heat of \"%1\": its counters hold no samples of %2. Collect them "
                          "with fewer launches: wright counters --launches 8.")
        .arg(asked.path, names.isEmpty() ? QStringLiteral("its kernels") : names.join(QStringLiteral(", ")));
}

int tell(const CommandContext &context, const HeatOptions &asked, const StoredInput &stored) {
    const HeatChoice choice{asked.kernel, asked.launch - 1};
    Heat heat = heatOf(*stored.input.counters, stored.input.inspection ? &*stored.input.inspection : nullptr,
                       stored.input.texts, choice);
    heat.iteration = asked.iteration;
    if (const QString why = whyNothing(asked, *stored.input.counters, heat); !why.isEmpty())
        return refuse(context, why);
    if (context.asksJson) {
        const HeatSubject subject{programVersion(), stored.subject.workspace, choice, asked.wantsSass};
        print(STDOUT_FILENO, QString::fromUtf8(dumpJson(toJson(heat, subject), 2)) + QLatin1Char('\n'));
        return 0;
    }
    if (asked.wantsSass)
        print(STDOUT_FILENO, heatListingText(heat, context.output));
    print(STDOUT_FILENO, heatText(heat, asked.lines, context.output));
    return 0;
}

int runHeat(const CommandContext &context, const HeatOptions &asked) {
    adoptOrphans();
    const int iteration = asked.iteration;
    const Result<Workspace> workspace =
        Workspace::open(QDir::current().absoluteFilePath(asked.path), context.folders);
    if (!workspace.hasValue())
        return refuse(context, workspace.message());
    Result<StoredInput> read = storedInputOf(workspace.value(), iteration);
    if (!read.hasValue())
        return refuse(context, read.message());
    StoredInput stored = std::move(read).value();
    if (!stored.damagedCounters.isEmpty())
        return refuse(context, stored.damagedCounters);
    if (!stored.input.counters) {
        const QString other = CounterStore(workspace.value().state).newestText();
        return refuse(
            context,
            QStringLiteral("Cannot show the heat of %1 in \"%2\": there are no counters of it. Run wright "
                           "counters %2%3 on a machine with a GPU.%4")
                .arg(ofText(iteration), workspace.value().folder,
                     iteration > 0 ? QStringLiteral(" --iteration %1").arg(iteration) : QString(),
                     other.isEmpty() ? QString() : QStringLiteral(" There are some of %1.").arg(other)));
    }
    QStringList missing; // whyNotListing says it of each kernel that would have needed it
    if (!addListing(context, {asked.path, asked.iteration, asked.python}, stored.input, missing))
        return exitCodeFor(Verdict::Cancelled);
    return tell(context, asked, stored);
}

} // namespace

Command heatCommand() {
    return commandWith(
        "heat",
        "Show which lines of the kernels the time goes to, by what Nsight Compute sampled; needs no GPU",
        runHeat);
}

} // namespace warpwright
