// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command.h"
#include "app/cli/listing_line.h"
#include "app/cli/version_text.h"
#include "toolchain/counters/counter_store.h"
#include "toolchain/findings/stored_input.h"
#include "toolchain/heat/heat_json.h"
#include "toolchain/process/processes_below.h"
#include "toolchain/report/heat_report.h"
#include "toolchain/tool_output/kernel_name.h"

#include <QDir>

#include <unistd.h>

namespace warpwright {
namespace {

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
QString whyNothing(const CommandContext &context, const Counters &counters, const Heat &heat) {
    if (!heat.isEmpty())
        return {};
    QStringList names;
    int launches = 0;
    for (const KernelCounters *kernel : counters.kernelsOf(QStringLiteral("candidate"))) {
        launches = std::max(launches, kernel->launch + 1);
        if (const QString name = shortKernelName(kernel->name); !names.contains(name))
            names << name;
    }
    if (!context.line.kernel.isEmpty() && names.filter(context.line.kernel).isEmpty())
        return QStringLiteral(
                   "Cannot find a kernel \"%1\" among those that were counted: there are %2. Name one "
                   "of them.")
            .arg(context.line.kernel,
                 names.isEmpty() ? QStringLiteral("none") : names.join(QStringLiteral(", ")));
    const int asked = context.line.heat.launch;
    if (asked > launches)
        return QStringLiteral("Cannot find launch %1: %2 were counted, from 1. Name one of them.")
            .arg(asked)
            .arg(launches);
    if (const QString why = whyNotBoth(counters, context.line.kernel, asked); !why.isEmpty())
        return why;
    return QStringLiteral("Cannot show the heat of \"%1\": its counters hold no samples of %2. Collect them "
                          "with fewer launches: wright counters --launches 8.")
        .arg(context.line.path,
             names.isEmpty() ? QStringLiteral("its kernels") : names.join(QStringLiteral(", ")));
}

int tell(const CommandContext &context, const StoredInput &stored) {
    const CommandLine &line = context.line;
    const HeatChoice choice{line.kernel, line.heat.launch - 1};
    Heat heat = heatOf(*stored.input.counters, stored.input.inspection ? &*stored.input.inspection : nullptr,
                       stored.input.texts, choice);
    heat.iteration = line.iteration;
    if (const QString why = whyNothing(context, *stored.input.counters, heat); !why.isEmpty())
        return refuse(context, why);
    if (line.asksJson) {
        const HeatSubject subject{programVersion(), stored.subject.workspace, choice, line.wantsSass};
        print(STDOUT_FILENO, QString::fromUtf8(dumpJson(toJson(heat, subject), 2)) + QLatin1Char('\n'));
        return 0;
    }
    if (line.wantsSass)
        print(STDOUT_FILENO, heatListingText(heat, context.output));
    print(STDOUT_FILENO, heatText(heat, line.heat.lines, context.output));
    return 0;
}

} // namespace

int runHeat(const CommandContext &context) {
    adoptOrphans();
    const int iteration = context.line.iteration;
    const Result<Workspace> workspace =
        Workspace::open(QDir::current().absoluteFilePath(context.line.path), context.folders);
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
    if (!addListing(context, stored.input, missing))
        return exitCodeFor(Verdict::Cancelled);
    return tell(context, stored);
}

} // namespace warpwright
