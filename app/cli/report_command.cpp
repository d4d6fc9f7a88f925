// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/stored_report.h"
#include "app/cli/command.h"
#include "app/cli/listing_line.h"
#include "app/cli/version_text.h"
#include "toolchain/figures.h"
#include "toolchain/processes_below.h"

#include <QDir>

#include <unistd.h>

namespace warpwright {

int runReport(const CommandContext &context) {
    adoptOrphans();
    const Result<Workspace> workspace =
        Workspace::open(QDir::current().absoluteFilePath(context.line.path), context.folders);
    if (!workspace.hasValue())
        return refuse(context, workspace.message());
    Result<ReportInput> stored = storedReport(workspace.value(), context.line.iteration, context.line.run);
    if (!stored.hasValue())
        return refuse(context, stored.message());
    ReportInput input = std::move(stored).value();
    QStringList missing;
    CommandContext ofText = context;
    if (!input.run.isEmpty()) // of the text that the run came to
        ofText.line.iteration = input.iteration;
    if (!addListing(ofText, input.known, missing))
        return exitCodeFor(Verdict::Cancelled);
    input = withFindings(std::move(input), missing);
    input.program = QStringLiteral("wright ") + programVersion();
    input.madeAt = QDateTime::currentDateTimeUtc();

    const QString file = context.line.html.isEmpty()
                             ? workspace.value().folder + QStringLiteral("/report.html")
                             : QDir::current().absoluteFilePath(context.line.html);
    const Result<qint64> size = writeReport(input, context.folders, file);
    if (!size.hasValue())
        return refuse(context, size.message());
    const QString which = !input.run.isEmpty() ? QStringLiteral("run %1").arg(input.run)
                          : input.iteration > 0
                              ? QStringLiteral("iteration %1%2")
                                    .arg(input.iteration)
                                    .arg(input.isOnDisk ? QStringLiteral(", the text on disk") : QString())
                              : QStringLiteral("the text on disk, which is no iteration yet");
    print(STDOUT_FILENO, QStringLiteral("Report of %1, %2: %3\n")
                             .arg(which, bytesText(static_cast<double>(size.value())), file));
    return 0;
}

} // namespace warpwright
