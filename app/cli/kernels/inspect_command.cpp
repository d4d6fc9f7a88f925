// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/kernels/inspect_command.h"

#include "app/cli/options/number_words.h"
#include "app/cli/options/shared_options.h"
#include "app/cli/process/stop_on_interrupt.h"
#include "app/cli/process/version_text.h"
#include "toolchain/inspect/inspection_json.h"
#include "toolchain/inspect/inspection_run.h"
#include "toolchain/judge/evaluation_facts.h"
#include "toolchain/process/processes_below.h"
#include "toolchain/report/evaluation_report.h"
#include "toolchain/report/inspect_report.h"
#include "toolchain/tool_output/kernel_name.h"

#include <CLI/CLI.hpp>

#include <QDir>
#include <QEventLoop>
#include <QRegularExpression>

#include <unistd.h>

namespace warpwright {
namespace {

struct InspectOptions {
    QString path = QStringLiteral(".");
    QString kernel;
    QString architecture; ///< empty: not said
    QString python;
    int threads = 0;             ///< of a block; 0: the usual sizes
    int iteration = 0;           ///< 0: the text on disk
    int against = 0;             ///< an iteration to compare with; 0: none
    bool wantsResources = false; ///< also when neither of the others was said
    bool wantsSass = false;
    bool wantsPtx = false;
    bool asksJson = false;

    void addTo(CLI::App &app);
    [[nodiscard]] QString understand();
};

void InspectOptions::addTo(CLI::App &app) {
    addWorkspace(app, path);
    app.add_flag("--resources", wantsResources,
                 "Registers, spills, shared memory, occupancy, opcode mix (default)");
    app.add_flag("--sass", wantsSass, "The instructions of the chip, beside their source lines");
    app.add_flag("--ptx", wantsPtx, "PTX beside its source lines");
    addKernel(app, kernel);
    addText(app, "--arch", architecture,
            "sm_90a, sm_120 ... (default: the task's, else the device's, else the settings')")
        ->type_name("NAME");
    app.add_option("--threads", threads, "Threads of a block, for the occupancy (default: several)")
        ->check(between(1, 1024))
        ->type_name("COUNT");
    app.add_option("--iteration", iteration, "An earlier iteration instead of the text on disk")
        ->check(wholeFrom(1))
        ->type_name("NUMBER");
    app.add_option("--against", against,
                   "Also what has changed since this iteration: resources, and the opcodes of the SASS")
        ->check(wholeFrom(1))
        ->type_name("NUMBER");
    addPython(app, python);
    app.add_flag("--json", asksJson, "Print all of it as JSON (warpwright.inspect/1)");
    app.footer("Exit code 0: here it is; 3: a kernel does not compile; 2: it could not be inspected.");
}

QString InspectOptions::understand() {
    wantsResources = wantsResources || (!wantsSass && !wantsPtx);
    static const QRegularExpression form(QStringLiteral("^sm_\\d{2,3}[af]?$"));
    return architecture.isEmpty() || form.match(architecture).hasMatch()
               ? QString()
               : notUnderstood(
                     QStringLiteral("--arch \"%1\" is no architecture like sm_90a").arg(architecture),
                     QStringLiteral("wright inspect --help"));
}

InspectionRequest requestFor(const CommandContext &context, const InspectOptions &asked) {
    InspectionRequest request;
    request.path = QDir::current().absoluteFilePath(asked.path);
    request.python = asked.python;
    request.architecture = asked.architecture;
    request.settings = context.settings;
    request.folders = context.folders;
    request.needsSass = asked.wantsSass;
    request.wantsPtx = asked.wantsPtx;
    request.threads = asked.threads;
    request.iteration = asked.iteration;
    return request;
}

QString titleOf(const char *what, const InspectedKernel &kernel) {
    return QStringLiteral("%1 of %2, %3 (%4)")
        .arg(QLatin1String(what), kernel.resources.name, kernel.resources.arch, kernel.source);
}

QString textOf(const Inspection &inspection, const std::vector<InspectedKernel> &kernels,
               const std::optional<Inspection> &earlier, const InspectOptions &asked,
               const Terminal &terminal) {
    QStringList parts;
    if (asked.wantsResources)
        parts << resourcesText(inspection, kernels, terminal);
    for (const InspectedKernel &kernel : kernels) {
        if (asked.wantsSass && kernel.sass)
            parts << listingText(*kernel.sass, titleOf("SASS", kernel), inspection.workspace, terminal);
        if (asked.wantsPtx && kernel.ptx)
            parts << listingText(*kernel.ptx, titleOf("PTX", kernel), inspection.workspace, terminal);
    }
    if (asked.wantsPtx)
        for (const KernelCode &function : inspection.ptxFunctions)
            parts << listingText(function, QStringLiteral("PTX of the function %1").arg(function.name),
                                 inspection.workspace, terminal);
    if (earlier)
        parts << changesText(asked.against, kernelsNamed(earlier->kernels, asked.kernel), kernels, terminal);
    if (!inspection.note.isEmpty())
        parts << inked(terminal, Ink::Unsure, printable(inspection.note)) + QLatin1Char('\n');
    return parts.join(QLatin1Char('\n'));
}

int tell(const CommandContext &context, const InspectOptions &asked, const Inspection &inspection,
         const std::optional<Inspection> &earlier) {
    const std::vector<InspectedKernel> kernels = kernelsNamed(inspection.kernels, asked.kernel);
    const bool hasPassed = inspection.status == CompileStatus::Passed;
    if (hasPassed && kernels.empty()) {
        QStringList names;
        for (const InspectedKernel &kernel : inspection.kernels)
            names << shortKernelName(kernel.resources.name);
        return refuse(context,
                      names.isEmpty()
                          ? QStringLiteral("Cannot inspect \"%1\": its .cu files hold no kernel. Write a "
                                           "__global__ function.")
                                .arg(inspection.workspace)
                          : QStringLiteral("Cannot find a kernel \"%1\" in \"%2\": there are %3. Name one "
                                           "of them.")
                                .arg(asked.kernel, inspection.workspace, names.join(QStringLiteral(", "))));
    }
    if (context.asksJson) {
        OrderedJson document =
            toJson(inspection, {asked.wantsSass, asked.wantsPtx, asked.kernel}, programVersion());
        if (earlier)
            document["against"] =
                comparisonToJson(asked.against, kernelsNamed(earlier->kernels, asked.kernel), kernels);
        print(STDOUT_FILENO, QString::fromUtf8(dumpJson(document, 2)) + QLatin1Char('\n'));
    } else if (hasPassed) {
        print(STDOUT_FILENO, textOf(inspection, kernels, earlier, asked, context.output));
    }
    if (inspection.status == CompileStatus::Cancelled)
        return exitCodeFor(Verdict::Cancelled);
    if (hasPassed)
        return 0;
    Evaluation evaluation = emptyEvaluation(programVersion());
    evaluation.compile.diagnostics = inspection.diagnostics;
    const QString said = diagnosticsText(evaluation, context.errors);
    print(STDERR_FILENO, QStringLiteral("Cannot inspect \"%1\": its kernels do not compile for %2.\n%3")
                             .arg(printable(inspection.workspace), inspection.architecture,
                                  said.isEmpty() ? printable(inspection.log) : said));
    return exitCodeFor(Verdict::BuildFailed);
}

int runInspect(const CommandContext &context, const InspectOptions &asked) {
    adoptOrphans();
    QEventLoop loop;
    ProgressLine progress(context.errors);
    Interrupt interrupt;
    int exitCode = exitCodeFor(Verdict::Usage);
    std::optional<Inspection> earlier;
    // One run after the other: the earlier text first, for what is asked for is told last.
    const auto inspect = [&](const InspectionRequest &request, const auto &then) {
        InspectionRun run(request);
        QObject::connect(&run, &InspectionRun::progress, &progress, &ProgressLine::show);
        QObject::connect(&run, &InspectionRun::finished, &loop, [&](const Inspection &inspection) {
            progress.clear();
            then(inspection);
            loop.quit();
        });
        QObject::connect(&run, &InspectionRun::failed, &loop, [&](const QString &message) {
            progress.clear();
            exitCode = refuse(context, message);
            loop.quit();
        });
        stopOnInterrupt(interrupt, run, progress);
        run.start();
        loop.exec();
    };
    const InspectionRequest request = requestFor(context, asked);
    if (asked.against > 0) {
        InspectionRequest older = request;
        older.iteration = asked.against;
        inspect(older, [&](const Inspection &inspection) {
            if (inspection.status == CompileStatus::Passed)
                earlier = inspection;
            else
                exitCode = tell(context, asked, inspection, {});
        });
        if (!earlier)
            return exitCode;
    }
    inspect(request,
            [&](const Inspection &inspection) { exitCode = tell(context, asked, inspection, earlier); });
    return exitCode;
}

} // namespace

Command inspectCommand() {
    return commandWith("inspect", "Show what the compiler knows of a workspace's kernels; needs no GPU",
                       runInspect);
}

} // namespace warpwright
