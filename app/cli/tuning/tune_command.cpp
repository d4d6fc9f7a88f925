// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/tuning/tune_command.h"

#include "agent/factory/agent_by_name.h"
#include "agent/factory/reopened_run.h"
#include "agent/record/trajectory_writer.h"
#include "agent/record/unfinished_work.h"
#include "agent/session/evaluation_measurer.h"
#include "agent/session/session.h"
#include "app/cli/judging/evaluation_request.h"
#include "app/cli/process/interrupt.h"
#include "app/cli/process/progress_line.h"
#include "app/cli/process/sweep.h"
#include "app/cli/process/version_text.h"
#include "app/cli/tuning/event_printer.h"
#include "app/cli/tuning/lesson_talk.h"
#include "app/cli/tuning/tune_options.h"
#include "app/cli/tuning/tune_review.h"
#include "app/cli/tuning/tune_talk.h"
#include "app/cli/tuning/tune_words.h"
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

Result<Begun> beginRun(const TuneOptions &asked, const EvaluationRequest &request, SessionSetup &setup) {
    using Answer = Result<Begun>;
    auto agent = agentByName(asked.agent, setup.source, request, setup.mode);
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
Result<Begun> goOn(const TuneOptions &asked, const EvaluationRequest &request, SessionSetup &setup) {
    using Answer = Result<Begun>;
    Result<ReopenedRun> found = reopenRun(setup.workspace, asked.run, setup.source, request, asked.agent);
    if (!found.hasValue())
        return Answer::error(found.message());
    ReopenedRun run = std::move(found).value();
    const RunSoFar &so = run.so;
    setup.run = so.run;
    setup.source = so.source;
    setup.continued = so.continued;
    if (!asked.hasSaidMode)
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
    print(asked.asksJson ? STDERR_FILENO : STDOUT_FILENO,
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

SessionSetup setupOf(const TuneOptions &asked, const Workspace &workspace) {
    SessionSetup setup;
    setup.workspace = workspace;
    setup.device = asked.machine.device;
    setup.program = programVersion();
    setup.mode = asked.mode;
    setup.budgets = asked.budgets;
    setup.leave = asked.leave;
    if (!asked.script.isEmpty())
        setup.source = QDir::current().absoluteFilePath(asked.script);
    else if (asked.isExpertFirst)
        setup.source = QString::fromUtf8(expertFirst);
    return setup;
}

/// One run as a terminal shows it and a person steers it, to its end.
class TuneRun {
public:
    /// With --json standard output belongs to the events, and words go to standard error.
    TuneRun(const CommandContext &context, const TuneOptions &asked, const EvaluationRequest &request,
            SessionSetup setup, Begun begun)
        : m_asked(asked),
          m_setup(std::move(setup)),
          m_begun(std::move(begun)),
          m_words(asked.asksJson ? STDERR_FILENO : STDOUT_FILENO),
          m_terminal(asked.asksJson ? context.errors : context.output),
          m_progress(context.errors),
          m_measurer(m_setup.workspace, request),
          m_kept(*m_begun.writer),
          m_printer(m_kept, asked.asksJson),
          m_lesson(LessonTalk::of({m_setup.workspace.folder, m_setup.workspace.state,
                                   context.folders.resources, m_terminal, m_words},
                                  m_setup.source, asked.continuesRun, m_printer)),
          m_session(m_setup, agent(), m_measurer, m_lesson ? static_cast<Recorder &>(*m_lesson) : m_printer),
          m_review(m_session, isListener() ? agent().identity().name : QString(), m_terminal, STDIN_FILENO,
                   m_words),
          m_talk(isListener() ? std::make_unique<TuneTalk>(agent(), m_terminal, m_words, m_progress)
                              : nullptr) {
        hearAgent();
        hearSession();
        QObject::connect(&m_interrupt, &Interrupt::stopAsked, &m_session, [this] {
            m_progress.clear();
            m_session.pause();
        });
        QObject::connect(&m_interrupt, &Interrupt::killAsked, &m_session, [this] {
            m_progress.clear();
            m_session.stop();
        });
    }

    [[nodiscard]] int toItsEnd() {
        if (kind() == AuthorKind::Playbook && !m_asked.continuesRun)
            print(m_words, whatStays(m_setup.workspace));
        m_session.start();
        m_loop.exec();
        sweep(m_interrupt.hasKilled());
        return m_exitCode;
    }

private:
    [[nodiscard]] Agent &agent() const { return *m_begun.agent; }
    [[nodiscard]] AuthorKind kind() const { return agent().identity().kind; }
    [[nodiscard]] bool isListener() const { return kind() == AuthorKind::Model || kind() == AuthorKind::Acp; }

    void hearAgent() {
        QObject::connect(&agent(), &Agent::remembered, &m_loop, [this](const Json &memory) {
            m_isUnfinished = unfinishedIn(memory).value_or(m_isUnfinished);
        });
        if (kind() == AuthorKind::Playbook && !m_asked.asksJson)
            QObject::connect(&agent(), &Agent::message, &m_loop, [this](const AgentMessage &said) {
                m_progress.clear();
                print(STDOUT_FILENO,
                      wrapped(printable(said.text), m_terminal.columns, 0) + QLatin1Char('\n'));
            });
        if (!m_lesson)
            return;
        m_lesson->setBeforeWords([this] { m_progress.clear(); });
        QObject::connect(&agent(), &Agent::message, &m_loop,
                         [this](const AgentMessage &message) { m_lesson->hear(message); });
        m_lesson->begin();
    }

    void hearSession() {
        QObject::connect(&m_session, &Session::progress, &m_progress, [this](const StageProgress &now) {
            // The person is being asked something.
            if (m_session.state() != SessionState::AwaitingReview && m_session.prompts().empty())
                m_progress.show(now);
        });
        QObject::connect(&m_session, &Session::stateChanged, &m_progress, &ProgressLine::clear);
        QObject::connect(&m_session, &Session::scored, &m_loop, [this](const ScoredProposal &scored) {
            m_progress.clear();
            if (!m_asked.asksJson)
                print(STDOUT_FILENO, scoredText(scored, scored.proposal.mid(1).toInt(), m_terminal));
        });
        QObject::connect(&m_session, &Session::trouble, &m_loop, [this](const QString &message) {
            m_progress.clear();
            print(STDERR_FILENO, printable(message) + QLatin1Char('\n'));
        });
        QObject::connect(&m_session, &Session::ended, &m_loop,
                         [this](SessionEnd end, const QString &why) { tellEnd(end, why); });
    }

    void tellEnd(SessionEnd end, const QString &why) {
        m_progress.clear();
        // An agent that has no kernel for this reference is done, and nothing was tuned.
        const bool hasNoKernel = end == SessionEnd::Done && why.contains(QLatin1String("cannot, because "));
        m_exitCode = hasNoKernel ? 1 : exitCodeOf(end);
        if (m_lesson)
            m_lesson->end();
        print(m_exitCode == 2 ? STDERR_FILENO : m_words, printable(why) + QLatin1Char('\n'));
        if (const QString used = usedWords(m_session.meter()); !used.isEmpty())
            print(m_words, used + QLatin1Char('\n'));
        const auto reached = reachedBudget(m_session.budgets(), m_session.meter());
        if ((end == SessionEnd::Failed || m_isUnfinished) && m_begun.writer->lastNumber() > 0)
            print(STDERR_FILENO,
                  printable(QStringLiteral(
                                "What was kept is kept, and the run can go on from here: wright tune \"%1\" "
                                "--continue%2\n")
                                .arg(m_setup.workspace.folder,
                                     reached ? QStringLiteral(" --%1 N, a larger budget").arg(reached->budget)
                                             : QString())));
        else if (end == SessionEnd::Budget)
            print(m_words,
                  printable(QStringLiteral("With a larger one it goes on: wright tune \"%1\" --continue\n")
                                .arg(m_setup.workspace.folder)));
        m_loop.quit();
    }

    const TuneOptions &m_asked;
    SessionSetup m_setup;
    Begun m_begun;
    int m_words; ///< the descriptor that is written to
    Terminal m_terminal;
    QEventLoop m_loop;
    ProgressLine m_progress;
    Interrupt m_interrupt{Interrupt::First::Pauses};
    EvaluationMeasurer m_measurer;
    RecorderOf<TrajectoryWriter> m_kept;
    EventPrinter m_printer;
    std::unique_ptr<LessonTalk> m_lesson; ///< null: it is none
    Session m_session;
    TuneReview m_review;
    std::unique_ptr<TuneTalk> m_talk; ///< null: the agent does not talk
    int m_exitCode = 2;
    bool m_isUnfinished = false;
};

int runTune(const CommandContext &context, const TuneOptions &asked) {
    adoptOrphans();
    EvaluationRequest request = evaluationRequestFor(context, asked.path, asked.machine);
    const Result<Workspace> workspace = Workspace::open(request.path, context.folders);
    if (!workspace.hasValue())
        return refuse(context, workspace.message());
    if (const QString why = workspace.value().whyNotTuned(); !why.isEmpty())
        return refuse(context, why);
    SessionSetup setup = setupOf(asked, workspace.value());
    Result<Begun> begun = asked.continuesRun ? goOn(asked, request, setup) : beginRun(asked, request, setup);
    if (!begun.hasValue())
        return refuse(context, begun.message());
    if (!setup.device.isEmpty())
        request.settings.device = setup.device;
    TuneRun run(context, asked, request, std::move(setup), std::move(begun).value());
    return run.toItsEnd();
}

} // namespace

Command tuneCommand() {
    return commandWith(
        "tune", "Let an agent propose changes; review them by hunk, step through them, or let them run",
        runTune);
}

} // namespace warpwright
