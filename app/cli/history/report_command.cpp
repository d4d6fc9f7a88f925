// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/history/report_command.h"

#include "agent/record/recordings.h"
#include "agent/record/trajectory_event.h"
#include "agent/report/stored_report.h"
#include "app/cli/history/iteration_source.h"
#include "app/cli/kernels/listing_line.h"
#include "app/cli/options/number_words.h"
#include "app/cli/options/shared_options.h"
#include "app/cli/process/version_text.h"
#include "toolchain/base/figures.h"
#include "toolchain/process/processes_below.h"

#include <CLI/CLI.hpp>

#include <QDir>
#include <QFileInfo>
#include <QTemporaryDir>

#include <unistd.h>

namespace warpwright {
namespace {

struct ReportOptions {
    QString path = QStringLiteral("."); ///< a workspace, or the record of a run
    QString run;                        ///< the page is of this run; empty: of a text
    QString html;                       ///< the file to write; empty: not said
    QString python;
    int iteration = 0; ///< 0: the text on disk

    void addTo(CLI::App &app);
};

void ReportOptions::addTo(CLI::App &app) {
    addText(app, "DIR", path, "A workspace, or the record of a run (default: the current folder)")
        ->type_name("");
    app.add_option("--iteration", iteration, "An earlier iteration instead of the text on disk")
        ->check(wholeFrom(1))
        ->type_name("NUMBER");
    addText(app, "--run", run,
            "A page of this run of an agent: each proposal with its change, verdict and outcome")
        ->type_name("ID");
    addText(app, "--html", html,
            "The file to write (default: report.html in the workspace, of a record in the current folder)")
        ->type_name("FILE");
    addPython(app, python);
    app.footer("The page needs neither network nor this program, and holds what is stored of the text: "
               "nothing is run on a device. Its sources and your words are in it: look at it before you pass "
               "it on.\nExit code 0: it is written; 2: it could not be.");
}

/// What the page is of.
struct Told {
    Workspace workspace;
    QString run; ///< empty: of a text
    QString place;
    bool isRecord = false;
    std::shared_ptr<QTemporaryDir> scratch; ///< of a record: the text that its run began with, as a workspace
    std::shared_ptr<QTemporaryDir> records; ///< and the state, where it belongs to no workspace
};

Result<Told> toldOfWorkspace(const CommandContext &context, const QString &path, const QString &run) {
    Result<Workspace> workspace = Workspace::open(path, context.folders);
    if (!workspace.hasValue())
        return Result<Told>::error(workspace.message());
    Told told;
    told.workspace = std::move(workspace).value();
    told.run = run;
    told.place = told.workspace.folder;
    return Result<Told>::ok(std::move(told));
}

Result<Told> toldOfRecord(const CommandContext &context, const QString &path, const QString &run) {
    using Answer = Result<Told>;
    const Result<IterationSource> read = iterationSource(path, context.folders, {});
    if (!read.hasValue())
        return Answer::error(read.message());
    const IterationSource &source = read.value();
    if (!run.isEmpty() && run != source.run)
        return Answer::error(QStringLiteral("\"%1\" is the record of the run %2: name a workspace to tell of "
                                            "the run \"%3\".")
                                 .arg(source.place, source.run, run));
    if (const QFileInfo state(source.state);
        !source.scratch && state.fileName() == QLatin1String(".warpwright"))
        return toldOfWorkspace(context, state.path(), source.run);
    Told told;
    told.isRecord = true;
    told.run = source.run;
    told.place = QDir::currentPath();
    told.records = source.scratch;
    told.scratch = std::make_shared<QTemporaryDir>();
    if (!told.scratch->isValid())
        return Answer::error(QStringLiteral("Cannot tell of the record \"%1\": %2")
                                 .arg(source.place, told.scratch->errorString()));
    Recording recording;
    recording.name = source.name;
    recording.folder = runsFolder(source.state) + QLatin1Char('/') + source.run;
    const Result<OpenedRecording> opened = openRecordingCopy(recording, told.scratch->path());
    if (!opened.hasValue())
        return Answer::error(opened.message());
    Result<Workspace> workspace = Workspace::open(opened.value().folder, context.folders);
    if (!workspace.hasValue())
        return Answer::error(workspace.message());
    told.workspace = std::move(workspace).value();
    told.workspace.state = source.state; // with the evaluations, and of a workspace's run the history
    return Answer::ok(std::move(told));
}

Result<Told> toldAt(const CommandContext &context, const ReportOptions &asked) {
    const QString path = QDir::current().absoluteFilePath(asked.path);
    return isRecord(path) ? toldOfRecord(context, path, asked.run)
                          : toldOfWorkspace(context, path, asked.run);
}

int runReport(const CommandContext &context, const ReportOptions &asked) {
    adoptOrphans();
    const Result<Told> told = toldAt(context, asked);
    if (!told.hasValue())
        return refuse(context, told.message());
    Result<ReportInput> stored = storedReport(told.value().workspace, asked.iteration, told.value().run);
    if (!stored.hasValue())
        return refuse(context, stored.message());
    ReportInput input = std::move(stored).value();
    QStringList missing;
    // Of a run: of the text that it came to.
    const ListedText text{asked.path, input.run.isEmpty() ? asked.iteration : input.iteration, asked.python};
    if (told.value().isRecord)
        missing << QStringLiteral("no listing of the kernels: the text of a past run is not compiled again");
    else if (!addListing(context, text, input.known, missing))
        return exitCodeFor(Verdict::Cancelled);
    input = withFindings(std::move(input), missing);
    input.program = QStringLiteral("wright ") + programVersion();
    input.madeAt = QDateTime::currentDateTimeUtc();

    const QString file = asked.html.isEmpty() ? told.value().place + QStringLiteral("/report.html")
                                              : QDir::current().absoluteFilePath(asked.html);
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

} // namespace

Command reportCommand() {
    return commandWith("report",
                       "Write one page for a browser: the task, what was tried, charts, sources, the verdict",
                       runReport);
}

} // namespace warpwright
