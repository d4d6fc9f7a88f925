// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command.h"
#include "app/cli/listing_line.h"
#include "app/cli/version_text.h"
#include "toolchain/findings/stored_input.h"
#include "toolchain/process/processes_below.h"
#include "toolchain/report/findings_report.h"
#include "toolchain/tool_output/kernel_name.h"

#include <QDir>

#include <unistd.h>

namespace warpwright {
namespace {

/// One kernel has one name, whoever tells of it: the compiler's listing leaves out what has no name.
QString bareName(QString name) {
    return name.remove(QStringLiteral("<unnamed>::")).remove(QStringLiteral("(anonymous namespace)::"));
}

/// The names of all kernels that findings could be of.
QStringList kernelNames(const FindingInput &input) {
    QStringList names;
    const auto add = [&names](const QString &name) {
        const QString shortName = bareName(shortKernelName(name));
        if (!names.contains(shortName))
            names << shortName;
    };
    if (input.inspection)
        for (const InspectedKernel &kernel : input.inspection->kernels)
            add(kernel.resources.name);
    if (input.counters)
        for (const KernelCounters &kernel : input.counters->kernels)
            add(kernel.name);
    if (input.evaluation)
        for (const KernelResources &kernel : input.evaluation->compile.kernels)
            add(kernel.name);
    return names;
}

int tell(const CommandContext &context, StoredInput stored) {
    const QString &kernel = context.line.kernel;
    const QStringList names = kernelNames(stored.input);
    if (!kernel.isEmpty() && names.filter(kernel).isEmpty())
        return refuse(context,
                      QStringLiteral("Cannot find a kernel \"%1\" in \"%2\": there are %3. Name one "
                                     "of them.")
                          .arg(kernel, stored.subject.workspace,
                               names.isEmpty() ? QStringLiteral("none") : names.join(QStringLiteral(", "))));
    Findings findings = findingsNamed(findingsOf(stored.input), kernel);
    findings.missing = stored.missing + findings.missing;
    stored.subject.program = programVersion();
    print(STDOUT_FILENO,
          context.line.asksJson
              ? QString::fromUtf8(dumpJson(toJson(findings, stored.subject), 2)) + QLatin1Char('\n')
              : findingsText(findings, context.output));
    return 0;
}

} // namespace

int runFindings(const CommandContext &context) {
    adoptOrphans();
    const Result<Workspace> workspace =
        Workspace::open(QDir::current().absoluteFilePath(context.line.path), context.folders);
    if (!workspace.hasValue())
        return refuse(context, workspace.message());
    Result<StoredInput> read = storedInputOf(workspace.value(), context.line.iteration);
    if (!read.hasValue())
        return refuse(context, read.message());
    StoredInput stored = std::move(read).value();
    if (!addListing(context, stored.input, stored.missing))
        return exitCodeFor(Verdict::Cancelled);
    return tell(context, std::move(stored));
}

} // namespace warpwright
