// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/kernels/listing_line.h"

#include "app/cli/process/stop_on_interrupt.h"
#include "toolchain/inspect/inspection_run.h"

#include <QDir>
#include <QEventLoop>

namespace warpwright {
namespace {

InspectionRequest requestFor(const CommandContext &context, const ListedText &text) {
    InspectionRequest request;
    request.path = QDir::current().absoluteFilePath(text.path);
    request.python = text.python;
    request.settings = context.settings;
    request.folders = context.folders;
    request.iteration = text.iteration;
    return request;
}

} // namespace

bool addListing(const CommandContext &context, const ListedText &text, FindingInput &known,
                QStringList &missing) {
    QEventLoop loop;
    ProgressLine progress(context.errors);
    Interrupt interrupt;
    bool isCancelled = false;
    InspectionRun run(requestFor(context, text));
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
