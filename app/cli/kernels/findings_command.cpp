// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/kernels/findings_command.h"

#include "app/cli/kernels/listing_line.h"
#include "app/cli/options/number_words.h"
#include "app/cli/options/shared_options.h"
#include "app/cli/process/version_text.h"
#include "toolchain/findings/stored_input.h"
#include "toolchain/process/processes_below.h"
#include "toolchain/report/findings_report.h"
#include "toolchain/tool_output/kernel_name.h"

#include <CLI/CLI.hpp>

#include <QDir>

#include <unistd.h>

namespace warpwright {
namespace {

struct FindingsOptions {
    QString path = QStringLiteral(".");
    QString kernel;
    QString python;
    int iteration = 0; ///< 0: the text on disk
    bool asksJson = false;

    void addTo(CLI::App &app);
};

void FindingsOptions::addTo(CLI::App &app) {
    addWorkspace(app, path);
    addKernel(app, kernel);
    app.add_option("--iteration", iteration, "An earlier iteration instead of the text on disk")
        ->check(wholeFrom(1))
        ->type_name("NUMBER");
    addPython(app, python);
    app.add_flag("--json", asksJson, "Print all of it as JSON (warpwright.findings/1)");
    app.footer("They read the source, what the compiler says, and what is stored of this very text: the "
               "last check, the last counters.\nExit code 0: here they are, or there are none; 2: the "
               "workspace cannot be read.");
}

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

int tell(const CommandContext &context, const QString &kernel, StoredInput stored) {
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
    print(STDOUT_FILENO, context.asksJson ? QString::fromUtf8(dumpJson(toJson(findings, stored.subject), 2)) +
                                                QLatin1Char('\n')
                                          : findingsText(findings, context.output));
    return 0;
}

int runFindings(const CommandContext &context, const FindingsOptions &asked) {
    adoptOrphans();
    const Result<Workspace> workspace =
        Workspace::open(QDir::current().absoluteFilePath(asked.path), context.folders);
    if (!workspace.hasValue())
        return refuse(context, workspace.message());
    Result<StoredInput> read = storedInputOf(workspace.value(), asked.iteration);
    if (!read.hasValue())
        return refuse(context, read.message());
    StoredInput stored = std::move(read).value();
    if (!addListing(context, {asked.path, asked.iteration, asked.python}, stored.input, stored.missing))
        return exitCodeFor(Verdict::Cancelled);
    return tell(context, asked.kernel, std::move(stored));
}

} // namespace

Command findingsCommand() {
    return commandWith(
        "findings", "Say what keeps the kernels from being faster: hints with their evidence; needs no GPU",
        runFindings);
}

} // namespace warpwright
