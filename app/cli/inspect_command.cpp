// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command.h"
#include "app/cli/stop_on_interrupt.h"
#include "app/cli/version_text.h"
#include "toolchain/inspect/inspection_json.h"
#include "toolchain/inspect/inspection_run.h"
#include "toolchain/judge/evaluation_facts.h"
#include "toolchain/process/processes_below.h"
#include "toolchain/report/evaluation_report.h"
#include "toolchain/report/inspect_report.h"
#include "toolchain/tool_output/kernel_name.h"

#include <QDir>
#include <QEventLoop>

#include <unistd.h>

namespace warpwright {
namespace {

InspectionRequest requestFor(const CommandContext &context) {
    InspectionRequest request;
    request.path = QDir::current().absoluteFilePath(context.line.path);
    request.python = context.line.python;
    request.architecture = context.line.architecture;
    request.settings = context.settings;
    request.folders = context.folders;
    request.needsSass = context.line.wantsSass;
    request.wantsPtx = context.line.wantsPtx;
    request.threads = context.line.threads;
    request.iteration = context.line.iteration;
    return request;
}

QString titleOf(const char *what, const InspectedKernel &kernel) {
    return QStringLiteral("%1 of %2, %3 (%4)")
        .arg(QLatin1String(what), kernel.resources.name, kernel.resources.arch, kernel.source);
}

QString textOf(const Inspection &inspection, const std::vector<InspectedKernel> &kernels,
               const std::optional<Inspection> &earlier, const CommandLine &line, const Terminal &terminal) {
    QStringList parts;
    if (line.wantsResources)
        parts << resourcesText(inspection, kernels, terminal);
    for (const InspectedKernel &kernel : kernels) {
        if (line.wantsSass && kernel.sass)
            parts << listingText(*kernel.sass, titleOf("SASS", kernel), inspection.workspace, terminal);
        if (line.wantsPtx && kernel.ptx)
            parts << listingText(*kernel.ptx, titleOf("PTX", kernel), inspection.workspace, terminal);
    }
    if (line.wantsPtx)
        for (const KernelCode &function : inspection.ptxFunctions)
            parts << listingText(function, QStringLiteral("PTX of the function %1").arg(function.name),
                                 inspection.workspace, terminal);
    if (earlier)
        parts << changesText(line.against, kernelsNamed(earlier->kernels, line.kernel), kernels, terminal);
    if (!inspection.note.isEmpty())
        parts << inked(terminal, Ink::Unsure, printable(inspection.note)) + QLatin1Char('\n');
    return parts.join(QLatin1Char('\n'));
}

int tell(const CommandContext &context, const Inspection &inspection,
         const std::optional<Inspection> &earlier) {
    const CommandLine &line = context.line;
    const std::vector<InspectedKernel> kernels = kernelsNamed(inspection.kernels, line.kernel);
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
                                .arg(line.kernel, inspection.workspace, names.join(QStringLiteral(", "))));
    }
    if (line.asksJson) {
        OrderedJson document =
            toJson(inspection, {line.wantsSass, line.wantsPtx, line.kernel}, programVersion());
        if (earlier)
            document["against"] =
                comparisonToJson(line.against, kernelsNamed(earlier->kernels, line.kernel), kernels);
        print(STDOUT_FILENO, QString::fromUtf8(dumpJson(document, 2)) + QLatin1Char('\n'));
    } else if (hasPassed) {
        print(STDOUT_FILENO, textOf(inspection, kernels, earlier, line, context.output));
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

} // namespace

int runInspect(const CommandContext &context) {
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
    const InspectionRequest request = requestFor(context);
    if (context.line.against > 0) {
        InspectionRequest older = request;
        older.iteration = context.line.against;
        inspect(older, [&](const Inspection &inspection) {
            if (inspection.status == CompileStatus::Passed)
                earlier = inspection;
            else
                exitCode = tell(context, inspection, {});
        });
        if (!earlier)
            return exitCode;
    }
    inspect(request, [&](const Inspection &inspection) { exitCode = tell(context, inspection, earlier); });
    return exitCode;
}

} // namespace warpwright
