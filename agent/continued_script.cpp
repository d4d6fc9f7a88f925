// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/continued_script.h"

#include "agent/trajectory_event.h"

#include <QFileInfo>
#include <QThread>

namespace warpwright {
namespace {

constexpr int triesToTake = 10;
constexpr unsigned long betweenTriesMs = 100;

} // namespace

Result<ContinuedScript> continueScript(const Workspace &workspace, const QString &run,
                                       const QString &script) {
    using Answer = Result<ContinuedScript>;
    const QString id = run.isEmpty() ? unendedRun(workspace.state) : run;
    if (id.isEmpty())
        return Answer::error(
            QStringLiteral("Nothing to continue in \"%1\": each run there came to its end, or "
                           "none was begun. Begin one with --script FOLDER.")
                .arg(workspace.folder));
    const QString folder = runsFolder(workspace.state) + QLatin1Char('/') + id;
    // First the writer: while the run's own program lives, it is refused here and nothing is touched.
    ContinuedScript made;
    if (QFileInfo(trajectoryFile(folder)).isFile()) {
        Result<TrajectoryWriter> writer = TrajectoryWriter::continueRun(folder);
        // Of a program that was killed just now the kernel may still be closing the files.
        for (int i = 0; i < triesToTake && !writer.hasValue(); ++i) {
            QThread::msleep(betweenTriesMs);
            writer = TrajectoryWriter::continueRun(folder);
        }
        if (!writer.hasValue())
            return Answer::error(writer.message());
        made.writer = std::make_shared<TrajectoryWriter>(std::move(writer).value());
        made.notice = made.writer->notice();
    }
    // The folder stands in the first line, and the steps have to be gone through beside the events.
    QString source = script;
    if (source.isEmpty())
        if (const auto first = TrajectoryReader(trajectoryFile(folder)).page(0, 1);
            first.hasValue() && !first.value().events.empty())
            if (const auto agent = first.value().events.front().body.find("agent");
                agent != first.value().events.front().body.end())
                source = stringIn(*agent, "source");
    if (source.isEmpty() && made.writer)
        return Answer::error(
            QStringLiteral("Cannot continue the run %1: it does not say from which folder its "
                           "agent works. Name it with --script FOLDER.")
                .arg(id));
    if (made.writer) {
        auto agent = ScriptAgent::open(source);
        if (!agent.hasValue())
            return Answer::error(agent.message());
        made.agent = std::move(agent).value();
    }
    Result<RunSoFar> so =
        readRunSoFar(workspace, id, [&made](const QString &title, const CandidateTexts &texts) {
            return made.agent->wasAnswered(title, texts);
        });
    if (!so.hasValue())
        return Answer::error(so.message());
    made.so = std::move(so).value();
    made.so.source = source;
    return Answer::ok(std::move(made));
}

QString continuedText(const RunSoFar &so) {
    const QString unanswered = so.continued.unanswered;
    const bool hasAnswers = !so.continued.given.answers.given().empty();
    const QString answers = hasAnswers ? QStringLiteral(", with what was answered of it") : QString();
    return QStringLiteral("Continues the run %1: %2%3.")
        .arg(so.run,
             so.continued.meter.iterations == 1
                 ? QStringLiteral("1 proposal was answered")
                 : QStringLiteral("%1 proposals were answered").arg(so.continued.meter.iterations),
             unanswered.isEmpty()
                 ? QString()
                 : QStringLiteral("; \"%1\" was not, and is proposed once more%2").arg(unanswered, answers));
}

} // namespace warpwright
