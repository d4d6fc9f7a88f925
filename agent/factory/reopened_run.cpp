// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/factory/reopened_run.h"

#include "agent/factory/agent_by_name.h"
#include "agent/record/live_run.h"
#include "agent/record/unfinished_work.h"
#include "agent/script/script_agent.h"
#include "toolchain/evaluation/evaluation_store.h"

#include <QDir>
#include <QFileInfo>
#include <QThread>

namespace warpwright {
namespace {

constexpr int eventsAtOnce = 4000;
constexpr int triesToTake = 10;
constexpr unsigned long betweenTriesMs = 100;

/// What its agent is to be, from its first line; kind You where that cannot be read.
struct Beginning {
    AgentName agent;
    QString source;
    SessionMode mode = SessionMode::Review;
};

/// Of a beginning, or of a going on with another agent.
void takeAgent(Beginning &read, const TrajectoryEvent &event) {
    if (const auto agent = event.body.find("agent"); agent != event.body.end()) {
        read.agent = {authorKindFromName(stringIn(*agent, "kind")), stringIn(*agent, "name")};
        read.source = stringIn(*agent, "source");
    }
}

Beginning beginningOf(const QString &trajectory) {
    Beginning read;
    const auto first = TrajectoryReader(trajectory).page(0, 1);
    if (!first.hasValue() || first.value().events.empty())
        return read;
    const TrajectoryEvent &event = first.value().events.front();
    read.mode = sessionModeFromName(event.text("mode")).value_or(SessionMode::Review);
    takeAgent(read, event);
    return read;
}

/// As it was left: another agent may have gone on with it.
Beginning lastBeginningOf(const QString &trajectory) {
    Beginning read = beginningOf(trajectory);
    TrajectoryReader::Page page;
    page.isLast = false;
    while (!page.isLast) {
        Result<TrajectoryReader::Page> next = TrajectoryReader(trajectory).page(page.next, eventsAtOnce);
        if (!next.hasValue())
            break;
        page = std::move(next).value();
        for (const TrajectoryEvent &event : page.events)
            if (event.kind == QLatin1String("run-continued"))
                takeAgent(read, event);
    }
    return read;
}

/// While the run's own program lives it is refused here, and nothing is touched.
Result<TrajectoryWriter> writerOf(const QString &folder) {
    Result<TrajectoryWriter> writer = TrajectoryWriter::continueRun(folder);
    // Of a program that was killed just now the kernel may still be closing the files.
    for (int i = 0; i < triesToTake && !writer.hasValue(); ++i) {
        QThread::msleep(betweenTriesMs);
        writer = TrajectoryWriter::continueRun(folder);
    }
    return writer;
}

/// As it is at the run's begin.
Result<std::shared_ptr<Agent>> agentOf(const Beginning &beginning, const QString &run, const QString &script,
                                       const EvaluationRequest &request, const AgentName &other) {
    using Answer = Result<std::shared_ptr<Agent>>;
    const QString cannot = QStringLiteral("Cannot continue the run %1: ").arg(run);
    const AgentName &before = beginning.agent;
    const bool isScript = before.kind == AuthorKind::Script;
    if (!isScript && !script.isEmpty())
        return Answer::error(
            cannot +
            QStringLiteral("its agent is %1, which takes no --script. Leave it out.").arg(before.text()));
    if (!before.isAgent())
        return Answer::error(cannot + QStringLiteral("its agent is \"%1\", which this version cannot go on "
                                                     "with. Begin another run.")
                                          .arg(before.text()));
    // What one has remembered says nothing to one of another kind.
    if (other.isAgent() && other.kind != before.kind)
        return Answer::error(cannot + QStringLiteral("it was by %1, and %2 is of another kind. Name another "
                                                     "%3, or begin another run.")
                                          .arg(before.text(), other.text(), authorKindName(before.kind)));
    const AgentName name = other.isAgent() ? other : before;
    if (const QString why = whyNotSetUp(name, request.folders); !why.isEmpty())
        return Answer::error(
            cannot + (name == before ? QStringLiteral("it was by %1, and %2.") : QStringLiteral("of %1 %2."))
                         .arg(name.text(), why));
    const QString source = script.isEmpty() ? beginning.source : script;
    if (isScript && source.isEmpty())
        return Answer::error(cannot + QStringLiteral("it does not say from which folder its script works. "
                                                     "Name it with --script FOLDER."));
    // How it paces itself was settled when the run began, whatever the mode is by now.
    return agentByName(name, source, request, beginning.mode);
}

} // namespace

AgentName agentOfRun(const QString &stateFolder, const QString &run) {
    return lastBeginningOf(trajectoryFile(runsFolder(stateFolder) + QLatin1Char('/') + run)).agent;
}

Result<ReopenedRun> reopenRun(const Workspace &workspace, const QString &run, const QString &script,
                              const EvaluationRequest &request, const AgentName &other) {
    using Answer = Result<ReopenedRun>;
    const QString id = run.isEmpty() ? unendedRun(workspace.state) : run;
    if (id.isEmpty())
        return Answer::error(
            QStringLiteral("Nothing to continue in \"%1\": each run there came to its end, or "
                           "none was begun. Begin one without --continue.")
                .arg(workspace.folder));
    const QString folder = runsFolder(workspace.state) + QLatin1Char('/') + id;
    ReopenedRun made;
    const Beginning beginning = lastBeginningOf(trajectoryFile(folder));
    const bool isOther = other.isAgent() && other.text() != beginning.agent.text();
    if (QFileInfo(trajectoryFile(folder)).isFile()) {
        Result<TrajectoryWriter> writer = writerOf(folder);
        if (!writer.hasValue())
            return Answer::error(writer.message());
        made.writer = std::make_shared<TrajectoryWriter>(std::move(writer).value());
        made.notice = made.writer->notice();
        auto agent = agentOf(beginning, id, script, request, other);
        if (!agent.hasValue())
            return Answer::error(agent.message());
        made.agent = std::move(agent).value();
    }
    // Steps of a script know what they were made for; others want to see what was measured.
    const EvaluationStore evaluations(workspace.state);
    std::pair<QString, std::optional<Evaluation>> latest;
    Result<RunSoFar> so = readRunSoFar(
        workspace, id,
        [&](AnsweredProposal answered) {
            if (beginning.agent.kind != AuthorKind::Script && !answered.evaluation.isEmpty()) {
                if (latest.first != answered.evaluation) {
                    Result<Evaluation> stored = evaluations.load(answered.evaluation);
                    latest = {answered.evaluation,
                              stored.hasValue() ? std::optional(std::move(stored).value()) : std::nullopt};
                }
                answered.request.lastEvaluation = latest.second;
            }
            return made.agent->wasAnswered(answered);
        },
        [&](Json memory) {
            if (isOther)
                memory.erase("session"); // another program's, which the new one does not know
            return made.agent->recall(memory);
        });
    if (!so.hasValue())
        return Answer::error(so.message());
    made.so = std::move(so).value();
    made.so.continued.isByAnother = isOther;
    if (auto *steps = qobject_cast<ScriptAgent *>(made.agent.get()))
        steps->beganFrom(made.so.madeFor);
    if (!script.isEmpty())
        made.so.source = script;
    return Answer::ok(std::move(made));
}

namespace {

double numberIn(const Json &json, const char *field) {
    const auto found = json.find(field);
    return found != json.end() && found->is_number() ? found->get<double>() : 0;
}

/// What it may use, and has used. Of its proposals the last one may not be answered yet.
void takeUse(LeftRun &left, const TrajectoryEvent &event) {
    const char *limits = event.kind == QLatin1String("run-began")         ? "budgets"
                         : event.kind == QLatin1String("budgets-changed") ? "to"
                                                                          : nullptr;
    if (limits != nullptr && event.body.contains(limits))
        left.budgets = budgetsFromJson(event.body[limits]);
    left.meter.minutes = std::max(left.meter.minutes, numberIn(event.body, "minutes"));
    if (event.kind == QLatin1String("proposal"))
        left.meter.iterations = left.proposal;
    if (event.kind == QLatin1String("budget-reached")) {
        left.meter.iterations = std::max(left.meter.iterations, left.proposal);
        if (event.text("budget") == QLatin1String("minutes"))
            left.meter.minutes = numberIn(event.body, "used");
    }
    if (event.kind != QLatin1String("usage"))
        return;
    AgentUsage usage;
    usage.tokensIn = event.integer("tokensIn");
    usage.tokensOut = event.integer("tokensOut");
    usage.cost = numberIn(event.body, "cost");
    usage.currency = event.text("currency");
    left.meter.add(usage);
}

} // namespace

LeftRun leftRun(const QString &stateFolder) {
    const QDir runs(runsFolder(stateFolder));
    for (const QString &run :
         runs.entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name | QDir::Reversed)) {
        const QString trajectory = trajectoryFile(runs.filePath(run));
        if (QFileInfo(trajectory).size() == 0)
            continue; // its program died before it had begun
        Beginning beginning = beginningOf(trajectory);
        LeftRun left;
        left.run = run;
        bool hasEnded = false;
        bool isUnfinished = false;
        TrajectoryReader::Page page;
        page.isLast = false;
        while (!page.isLast) {
            Result<TrajectoryReader::Page> next = TrajectoryReader(trajectory).page(page.next, eventsAtOnce);
            if (!next.hasValue())
                return {};
            page = std::move(next).value();
            for (const TrajectoryEvent &event : page.events) {
                takeUse(left, event);
                if (event.kind == QLatin1String("budget-reached"))
                    left.isByBudget = true; // with a larger one it goes on
                if (event.kind == QLatin1String("run-continued")) {
                    left.isByBudget = false;
                    takeAgent(beginning, event);
                }
                isUnfinished = unfinishedIn(event).value_or(isUnfinished);
                hasEnded = event.kind == QLatin1String("run-ended") ||
                           (hasEnded && event.kind != QLatin1String("run-continued"));
                if (event.kind != QLatin1String("proposal"))
                    continue;
                left.proposal = event.text("proposal").mid(1).toInt();
                left.title = event.text("title");
                left.step = static_cast<int>(event.integer("step"));
            }
        }
        left.agent = beginning.agent;
        left.process = otherProcessAt(stateFolder, run);
        return hasEnded && !isUnfinished && !left.isByBudget ? LeftRun() : left;
    }
    return {};
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
