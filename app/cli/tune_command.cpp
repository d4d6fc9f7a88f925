// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/factory/agent_by_name.h"
#include "agent/factory/reopened_run.h"
#include "agent/record/trajectory_writer.h"
#include "agent/record/unfinished_work.h"
#include "agent/session/evaluation_measurer.h"
#include "agent/session/session.h"
#include "app/cli/evaluation_request.h"
#include "app/cli/event_printer.h"
#include "app/cli/interrupt.h"
#include "app/cli/lesson_talk.h"
#include "app/cli/progress_line.h"
#include "app/cli/sweep.h"
#include "app/cli/tune_review.h"
#include "app/cli/tune_talk.h"
#include "app/cli/tune_words.h"
#include "app/cli/version_text.h"
#include "toolchain/base/figures.h"
#include "toolchain/history/iteration_store.h"
#include "toolchain/process/processes_below.h"

#include <QDir>
#include <QEventLoop>

#include <memory>
#include <unistd.h>

namespace warpwright {
namespace {

int exitCodeOf(SessionEnd end) {
    switch (end) {
    case SessionEnd::Done:
    case SessionEnd::Budget:
        return 0;
    case SessionEnd::Stopped:
        return 130;
    case SessionEnd::Failed:
        break;
    }
    return 2;
}

/// What a session needs besides its set-up; the latter is completed.
struct Begun {
    std::shared_ptr<Agent> agent;
    std::shared_ptr<TrajectoryWriter> writer;
};

Result<Begun> beginRun(const CommandContext &context, const EvaluationRequest &request, SessionSetup &setup) {
    using Answer = Result<Begun>;
    auto agent = agentByName(context.line.tune.agent, setup.source, request, setup.mode);
    if (!agent.hasValue())
        return Answer::error(agent.message());
    Result<TrajectoryWriter> writer = TrajectoryWriter::beginRun(setup.workspace.state);
    if (!writer.hasValue())
        return Answer::error(writer.message());
    setup.run = writer.value().run();
    return Answer::ok(
        {std::move(agent).value(), std::make_shared<TrajectoryWriter>(std::move(writer).value())});
}

/// The newest run that has not ended, or the one that was named, with its agent where it was.
Result<Begun> goOn(const CommandContext &context, const EvaluationRequest &request, SessionSetup &setup) {
    using Answer = Result<Begun>;
    Result<ReopenedRun> found =
        reopenRun(setup.workspace, context.line.tune.run, setup.source, request, context.line.tune.agent);
    if (!found.hasValue())
        return Answer::error(found.message());
    ReopenedRun run = std::move(found).value();
    const RunSoFar &so = run.so;
    setup.run = so.run;
    setup.source = so.source;
    setup.continued = so.continued;
    if (!context.line.tune.hasSaidMode)
        setup.mode = so.mode;
    if (setup.device.isEmpty())
        setup.device = so.device;
    // A budget that is said now takes the place of the one before.
    RunBudgets budgets = so.budgets;
    if (setup.budgets.iterations)
        budgets.iterations = setup.budgets.iterations;
    if (setup.budgets.minutes)
        budgets.minutes = setup.budgets.minutes;
    if (setup.budgets.tokens)
        budgets.tokens = setup.budgets.tokens;
    if (setup.budgets.cost)
        budgets.cost = setup.budgets.cost;
    setup.budgets = budgets;
    // It would end at once, and its agent's unfinished work would wait for nothing.
    if (const auto reached = reachedBudget(budgets, so.continued.meter); reached && !so.ending.isEmpty())
        return Answer::error(QStringLiteral("Cannot continue the run %1: its budget of %2 is used up. Say a "
                                            "larger one with --continue: --%2 N.")
                                 .arg(so.run, reached->budget));
    if (!run.notice.isEmpty())
        print(STDERR_FILENO, printable(run.notice) + QLatin1Char('\n'));
    print(context.line.asksJson ? STDERR_FILENO : STDOUT_FILENO,
          printable(QStringLiteral("%1\n").arg(continuedText(so))));
    return Answer::ok({std::move(run.agent), std::move(run.writer)});
}

/// The playbook writes kernels of its own: what becomes of those that are there is said before it begins.
/// Empty: none that passed are.
QString whatStays(const Workspace &workspace) {
    const IterationStore store(workspace.state);
    const int current = store.current();
    const Result<std::vector<IterationRecord>> records = store.records({current});
    if (workspace.sources.empty() || current == 0 || !records.hasValue() || records.value().empty())
        return {};
    const std::optional<EvaluationSummary> &found = records.value().front().latest;
    if (!found || found->verdict != Verdict::Pass || !found->candidate)
        return {};
    return QStringLiteral("The playbook writes kernels of its own. Yours stay as iteration %1 (%2).\n")
        .arg(current)
        .arg(timeText(found->candidate->medianMicroseconds));
}

} // namespace

int runTune(const CommandContext &context) {
    adoptOrphans();
    EvaluationRequest request = evaluationRequestFor(context);
    const Result<Workspace> workspace = Workspace::open(request.path, context.folders);
    if (!workspace.hasValue())
        return refuse(context, workspace.message());
    if (const QString why = workspace.value().whyNotTuned(); !why.isEmpty())
        return refuse(context, why);
    SessionSetup setup;
    setup.workspace = workspace.value();
    setup.device = context.line.device;
    setup.program = programVersion();
    setup.mode = context.line.tune.mode;
    setup.budgets = context.line.tune.budgets;
    setup.leave = context.line.tune.leave;
    if (!context.line.tune.script.isEmpty())
        setup.source = QDir::current().absoluteFilePath(context.line.tune.script);
    else if (context.line.tune.isExpertFirst)
        setup.source = QString::fromUtf8(expertFirst);
    const Result<Begun> begun =
        context.line.tune.continuesRun ? goOn(context, request, setup) : beginRun(context, request, setup);
    if (!begun.hasValue())
        return refuse(context, begun.message());
    Agent &agent = *begun.value().agent;
    TrajectoryWriter &writer = *begun.value().writer;
    request.settings.device = setup.device.isEmpty() ? request.settings.device : setup.device;

    QEventLoop loop;
    ProgressLine progress(context.errors);
    Interrupt interrupt(Interrupt::First::Pauses);
    EvaluationMeasurer measurer(workspace.value(), request);
    RecorderOf<TrajectoryWriter> kept(writer);
    EventPrinter printer(kept, context.line.asksJson);
    // With --json standard output belongs to the events.
    const int words = context.line.asksJson ? STDERR_FILENO : STDOUT_FILENO;
    const Terminal &terminal = context.line.asksJson ? context.errors : context.output;
    const std::unique_ptr<LessonTalk> lesson = LessonTalk::of(
        {setup.workspace.folder, setup.workspace.state, context.folders.resources, terminal, words},
        setup.source, context.line.tune.continuesRun, printer);
    Recorder &recorder = lesson ? static_cast<Recorder &>(*lesson) : printer;
    Session session(setup, agent, measurer, recorder);
    const AuthorKind kind = agent.identity().kind;
    const bool isListener = kind == AuthorKind::Model || kind == AuthorKind::Acp;
    TuneReview review(session, isListener ? agent.identity().name : QString(), terminal, STDIN_FILENO, words);
    const std::unique_ptr<TuneTalk> talk =
        isListener ? std::make_unique<TuneTalk>(agent, terminal, words, progress) : nullptr;
    int exitCode = 2;
    bool isUnfinished = false;

    QObject::connect(&agent, &Agent::remembered, &loop, [&isUnfinished](const Json &memory) {
        isUnfinished = unfinishedIn(memory).value_or(isUnfinished);
    });
    if (kind == AuthorKind::Playbook && !context.line.asksJson)
        QObject::connect(&agent, &Agent::message, &loop, [&](const AgentMessage &said) {
            progress.clear();
            print(STDOUT_FILENO, wrapped(printable(said.text), terminal.columns, 0) + QLatin1Char('\n'));
        });
    if (lesson) {
        lesson->setBeforeWords([&progress] { progress.clear(); });
        QObject::connect(&agent, &Agent::message, &loop,
                         [&lesson](const AgentMessage &message) { lesson->hear(message); });
        lesson->begin();
    }
    QObject::connect(&session, &Session::progress, &progress, [&](const StageProgress &now) {
        // The person is being asked something.
        if (session.state() != SessionState::AwaitingReview && session.prompts().empty())
            progress.show(now);
    });
    QObject::connect(&session, &Session::stateChanged, &progress, &ProgressLine::clear);
    QObject::connect(&session, &Session::scored, &loop, [&](const ScoredProposal &scored) {
        progress.clear();
        if (!context.line.asksJson)
            print(STDOUT_FILENO, scoredText(scored, scored.proposal.mid(1).toInt(), terminal));
    });
    QObject::connect(&session, &Session::trouble, &loop, [&](const QString &message) {
        progress.clear();
        print(STDERR_FILENO, printable(message) + QLatin1Char('\n'));
    });
    QObject::connect(&session, &Session::ended, &loop, [&](SessionEnd end, const QString &why) {
        progress.clear();
        // An agent that has no kernel for this reference is done, and nothing was tuned.
        const bool hasNoKernel = end == SessionEnd::Done && why.contains(QLatin1String("cannot, because "));
        exitCode = hasNoKernel ? 1 : exitCodeOf(end);
        if (lesson)
            lesson->end();
        print(exitCode == 2 ? STDERR_FILENO : words, printable(why) + QLatin1Char('\n'));
        if (const QString used = usedWords(session.meter()); !used.isEmpty())
            print(words, used + QLatin1Char('\n'));
        const auto reached = reachedBudget(session.budgets(), session.meter());
        if ((end == SessionEnd::Failed || isUnfinished) && writer.lastNumber() > 0)
            print(STDERR_FILENO,
                  printable(QStringLiteral(
                                "What was kept is kept, and the run can go on from here: wright tune \"%1\" "
                                "--continue%2\n")
                                .arg(setup.workspace.folder,
                                     reached ? QStringLiteral(" --%1 N, a larger budget").arg(reached->budget)
                                             : QString())));
        else if (end == SessionEnd::Budget)
            print(words,
                  printable(QStringLiteral("With a larger one it goes on: wright tune \"%1\" --continue\n")
                                .arg(setup.workspace.folder)));
        loop.quit();
    });
    QObject::connect(&interrupt, &Interrupt::stopAsked, &session, [&] {
        progress.clear();
        session.pause();
    });
    QObject::connect(&interrupt, &Interrupt::killAsked, &session, [&] {
        progress.clear();
        session.stop();
    });
    if (kind == AuthorKind::Playbook && !context.line.tune.continuesRun)
        print(words, whatStays(setup.workspace));
    session.start();
    loop.exec();
    sweep(interrupt.hasKilled());
    return exitCode;
}

} // namespace warpwright
