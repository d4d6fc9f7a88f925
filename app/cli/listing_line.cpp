// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/listing_line.h"

#include "app/cli/stop_on_interrupt.h"
#include "toolchain/inspect/inspection_run.h"

#include <QDir>
#include <QEventLoop>

namespace warpwright {
namespace {

InspectionRequest requestFor(const CommandContext &context) {
    InspectionRequest request;
    request.path = QDir::current().absoluteFilePath(context.line.path);
    request.python = context.line.python;
    request.settings = context.settings;
    request.folders = context.folders;
    request.iteration = context.line.iteration;
    return request;
}

} // namespace

bool addListing(const CommandContext &context, FindingInput &known, QStringList &missing) {
    QEventLoop loop;
    ProgressLine progress(context.errors);
    Interrupt interrupt;
    bool isCancelled = false;
    InspectionRun run(requestFor(context));
    QObject::connect(&run, &InspectionRun::progress, &progress, &ProgressLine::show);
    QObject::connect(&run, &InspectionRun::finished, &loop, [&](const Inspection &inspection) {
        isCancelled = inspection.status == CompileStatus::Cancelled;
        if (inspection.status == CompileStatus::Passed)
            known.inspection = inspection;
        else
            missing << QStringLiteral("no listing of the kernels: they do not compile; wright check "
                                      "says why");
        if (!inspection.note.isEmpty())
            missing << inspection.note;
        loop.quit();
    });
    QObject::connect(&run, &InspectionRun::failed, &loop, [&](const QString &message) {
        missing << message;
        loop.quit();
    });
    stopOnInterrupt(interrupt, run, progress);
    run.start();
    loop.exec();
    progress.clear();
    return !isCancelled;
}

} // namespace warpwright
