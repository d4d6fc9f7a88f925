// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/record/run_so_far.h"

#include "agent/record/event_summary.h"
#include "agent/record/recorded_feedback.h"
#include "agent/record/run_scene.h"
#include "agent/record/standing_answers.h"
#include "agent/record/unfinished_work.h"
#include "agent/review/taken_part.h"
#include "agent/session/applied_text.h"
#include "toolchain/history/iteration_store.h"
#include "toolchain/workspace/candidate_files.h"
#include "toolchain/workspace/candidate_texts.h"
#include "toolchain/workspace/workspace_lock.h"

#include <QDir>
#include <QFileInfo>
#include <QHash>
#include <QThread>

#include <algorithm>
#include <utility>

namespace warpwright {
namespace {

constexpr int triesToLock = 20;
constexpr unsigned long betweenTriesMs = 100;

double numberIn(const Json &json, const char *field) {
    const auto found = json.find(field);
    return found != json.end() && found->is_number() ? found->get<double>() : 0;
}

/// The proposal that the run was at, and what was done about it.
struct AtWork {
    QString id;
    AnsweredProposal made;
    HunkAnswers answers;
    RecordedFeedback feedback;
    StandingAnswers standing;
    GivenBets bets;
    QString baseHash;
    bool isAnswered = false;   ///< applied, or decided against
    bool isTried = false;      ///< applied by a step that nobody has answered: it lies there no more
    bool isToBeBranch = false; ///< an iteration beside is still to come
    int iteration = 0;         ///< that its base is
};

/// Of a beginning, or of a going on with another agent.
void takeAgent(RunSoFar &so, const TrajectoryEvent &event) {
    if (const auto agent = event.body.find("agent"); agent != event.body.end()) {
        so.agent = authorKindFromName(stringIn(*agent, "kind"));
        so.agentName = stringIn(*agent, "name");
        so.source = stringIn(*agent, "source");
    }
}

void takeBegin(RunSoFar &so, const TrajectoryEvent &event) {
    so.run = event.text("run");
    so.device = event.text("device");
    so.mode = sessionModeFromName(event.text("mode")).value_or(SessionMode::Review);
    so.beganIn = so.mode;
    takeAgent(so, event);
    if (const auto budgets = event.body.find("budgets"); budgets != event.body.end())
        so.budgets = budgetsFromJson(*budgets);
}

void takeBet(GivenBets &bets, const TrajectoryEvent &event) {
    const auto prediction = event.body.find("prediction");
    if (event.kind == QLatin1String("bet") && prediction != event.body.end()) {
        const Prediction placed = predictionFromJson(*prediction);
        if (placed == Prediction{}) // taken back
            bets.bets.erase(event.text("by"));
        else
            bets.bets[event.text("by")] = placed;
    } else if (event.kind == QLatin1String("result-shown")) {
        bets.isShown = true;
    }
}

void takeAnswer(AtWork &at, const TrajectoryEvent &event, SessionMode mode) {
    at.answers.take(event.kind, event.body);
    at.standing.take(event);
    takeBet(at.bets, event);
    if (event.kind == QLatin1String("applied")) {
        at.isTried = mode == SessionMode::Step;
        at.isAnswered = !at.isTried;
    } else if (event.kind == QLatin1String("policy")) {
        at.isAnswered = event.text("answer") == QLatin1String("discard");
        at.isToBeBranch = event.text("answer") == QLatin1String("keep-as-branch");
    }
}

/// What died between the history and the record: an iteration that the agent made of this proposal.
std::optional<int> untoldIteration(const IterationStore &store, const AtWork &at, const std::set<int> &told) {
    const auto records = store.list();
    std::optional<int> found;
    for (const IterationRecord &record :
         records.hasValue() ? records.value() : std::vector<IterationRecord>())
        if (record.iteration.author.kind != AuthorKind::You &&
            isNoteOf(record.iteration.note, at.made.title) &&
            (record.mark == IterationMark::None || record.mark == IterationMark::BesideCode) &&
            !told.empty() && record.iteration.number > *told.rbegin())
            found = record.iteration.number;
    return found;
}

/// A program that was killed just now may have left a child behind that is about to become another program,
/// and holds what its parent held until then.
void takePatiently(WorkspaceLock &lock) {
    lock.take();
    for (int i = 0; i < triesToLock && !lock.mayWrite(); ++i) {
        QThread::msleep(betweenTriesMs);
        lock.take();
    }
}

/// Its accepted hunks are answers, which are given again: they go out of the files where a draft or a save
/// has brought them in. Gives the text that lies there then.
Result<CandidateTexts> takeOutAnswers(const Workspace &workspace, const AtWork &at) {
    using Answer = Result<CandidateTexts>;
    WorkspaceLock lock(workspace.state);
    takePatiently(lock);
    if (!lock.mayWrite())
        return Answer::error(lock.message());
    const Result<CandidateTexts> now = readCandidateTexts(workspace);
    if (!now.hasValue())
        return now;
    const CandidateTexts without = takenOutOf(workspace, at.standing, now.value());
    if (without == now.value())
        return now;
    const auto put = CandidateFiles(workspace.folder, workspace.state).put(without);
    return put.hasValue() ? readCandidateTexts(workspace) : Answer::error(put.message());
}

/// Finishes on the disk what was begun there: files that are half written, or a text that is in the history
/// and was to be written. True: the proposal is dealt with.
Result<bool> finishOnDisk(const Workspace &workspace, const std::optional<AtWork> &at, ContinuedRun &on,
                          const QHash<QString, QString> &measured) {
    using Answer = Result<bool>;
    WorkspaceLock lock(workspace.state);
    takePatiently(lock);
    if (!lock.mayWrite())
        return Answer::error(lock.message());
    const AppliedText applied(workspace);
    if (const Result<int> finished = applied.finish(); !finished.hasValue())
        return Answer::error(finished.message());
    const std::optional<int> untold = at ? untoldIteration(applied.store(), *at, on.told) : std::nullopt;
    if (!untold)
        return Answer::ok(false);
    const Result<CandidateTexts> now = applied.read();
    if (!now.hasValue())
        return Answer::error(now.message());
    if (!at->isToBeBranch) {
        if (applied.store().current() != *untold) { // the run went back from it, or it was only tried
            on.untold.push_back(*untold);
            return Answer::ok(false);
        }
        if (now.value() == on.texts) // not one file was written yet
            if (const Result<void> put = applied.goBack(*untold); !put.hasValue())
                return Answer::error(put.message());
        return Answer::ok(true);
    }
    // It is beside the text, which stays what the history goes on from.
    on.untold.push_back(*untold);
    const Result<CandidateTexts> branch = applied.store().texts(*untold);
    if (const QString id = branch.hasValue() ? measured.value(textHashOf(branch.value())) : QString();
        !id.isEmpty())
        if (const Result<void> linked = applied.store().link(*untold, id); !linked.hasValue())
            return Answer::error(linked.message());
    if (applied.store().current() == *untold)
        if (const Result<void> set = applied.store().setCurrent(at->iteration); !set.hasValue())
            return Answer::error(set.message());
    return Answer::ok(true);
}

/// What was said of a proposal, for when it is made once more.
Result<void> giveAgain(const Workspace &workspace, const AtWork &at, RunSoFar &so) {
    const Result<CandidateTexts> now = takeOutAnswers(workspace, at);
    if (!now.hasValue())
        return Result<void>::error(now.message());
    so.continued.unanswered = at.made.title;
    so.bets = at.bets;
    so.continued.given = GivenAnswers{at.baseHash, at.made.resultHash, at.answers};
    // Made for the text of then, and another one lies there now: its hunks are others, too.
    if (at.baseHash == textHashOf(at.made.request.texts) && now.value() != at.made.request.texts)
        so.continued.given.answers = {};
    return Result<void>::ok();
}

} // namespace

Result<RunSoFar> readRunSoFar(const Workspace &workspace, const QString &run, const TellAnswered &tell,
                              const TellMemory &tellMemory) {
    using Answer = Result<RunSoFar>;
    const QString file = trajectoryFile(runsFolder(workspace.state) + QLatin1Char('/') + run);
    const auto refuse = [&run](const QString &why) {
        return Answer::error(QStringLiteral("Cannot continue the run %1: %2").arg(run, why));
    };
    if (!QFileInfo(file).isFile())
        return refuse(QStringLiteral("there is none of this name in \"%1\". wright log lists its runs.")
                          .arg(workspace.folder));
    Result<TrajectoryReplay> opened = TrajectoryReplay::open(file, historyBeside(file));
    if (!opened.hasValue())
        return refuse(opened.message());
    TrajectoryReplay replay = std::move(opened).value();
    RunSoFar so;
    ContinuedRun &on = so.continued;
    std::optional<AtWork> at;
    std::optional<AtWork> left;       ///< goes on, and has not been proposed once more yet
    QHash<QString, QString> measured; ///< evaluations by the hash of their text
    QString ending;
    bool isByBudget = false;                    ///< it goes on with a larger one
    bool isUnfinished = false;                  ///< its agent left work: it goes on however it ended
    QStringList waiting;                        ///< what the person wrote and no agent has read
    QStringList read;                           ///< with the request that runs
    QDateTime since;                            ///< when the program began whose events these are
    std::map<int, EvaluationSummary> summaries; ///< of iterations, as far as they were measured
    const auto finish = [&]() -> Result<void> {
        if (!at)
            return Result<void>::ok();
        ++on.meter.iterations;
        AtWork done = *std::exchange(at, {});
        done.made.feedback = done.feedback.feedback(done.answers);
        return tell ? tell(done.made) : Result<void>::ok();
    };
    for (;;) {
        const Result<std::optional<ReplayedEvent>> next = replay.next();
        if (!next.hasValue())
            return refuse(next.message());
        if (!next.value())
            break;
        const TrajectoryEvent &event = next.value()->event;
        const auto is = [&event](const char *kind) {
            return event.kind == QLatin1String(kind);
        };
        so.ledger.take(event.kind, event.body);
        if (at)
            at->feedback.take(event);
        on.meter.minutes = std::max(on.meter.minutes, numberIn(event.body, "minutes"));
        if (is("budget-reached") && event.text("budget") == QLatin1String("minutes"))
            on.meter.minutes = std::max(on.meter.minutes, numberIn(event.body, "used"));
        if (is("run-began")) {
            takeBegin(so, event);
            since = event.at;
            on.told.insert(static_cast<int>(event.integer("iteration")));
        } else if (is("run-continued")) {
            ending.clear();
            isByBudget = false;
            since = event.at;
            takeAgent(so, event);
            so.mode = sessionModeFromName(event.text("mode")).value_or(so.mode);
            // What was left unanswered was proposed once more, or was found to be applied.
            if (at && event.text("answered") == at->id) {
                if (!at->isAnswered && !at->isToBeBranch && !at->answers.areAllRejected())
                    at->feedback.wasFoundApplied(event.text("baseHash"));
                at->isAnswered = true;
            }
            if (at && !at->isAnswered) {
                on.proposals = std::max(0, on.proposals - 1);
                left = std::exchange(at, {});
            }
        } else if (is("mode-changed")) {
            so.mode = sessionModeFromName(event.text("to")).value_or(so.mode);
        } else if (is("budgets-changed")) {
            if (const auto to = event.body.find("to"); to != event.body.end())
                so.budgets = budgetsFromJson(*to);
        } else if (is("run-ended") || is("run-stopped")) {
            ending = is("run-ended") ? eventSummary(event) : QString();
        } else if (is("budget-reached")) {
            isByBudget = true; // with a larger one it goes on
        } else if (is("iteration")) {
            on.told.insert(static_cast<int>(event.integer("number")));
            if (at && at->isToBeBranch && event.text("note") == at->made.title)
                at->isAnswered = true;
        } else if (is("usage")) {
            AgentUsage usage;
            usage.tokensIn = event.integer("tokensIn");
            usage.tokensOut = event.integer("tokensOut");
            usage.tokensCached = event.integer("tokensCached");
            usage.cost = numberIn(event.body, "cost");
            usage.currency = event.text("currency");
            on.meter.add(usage);
        } else if (is("agent-memory")) {
            const auto memory = event.body.find("memory");
            // Whoever remembers what was said has been told what the person wrote before it.
            if (memory != event.body.end() && memory->contains("said"))
                read.clear();
            isUnfinished = unfinishedIn(event).value_or(isUnfinished);
            if (tellMemory && memory != event.body.end())
                if (const Result<void> told = tellMemory(*memory); !told.hasValue())
                    return refuse(told.message());
        } else if (is("messages-waiting")) {
            const auto texts = event.body.find("texts");
            waiting = texts == event.body.end() ? QStringList() : stringsIn(*texts);
        } else if (is("message") && event.text("role") == QLatin1String("person")) {
            waiting.removeOne(event.text("text"));
            read << event.text("text");
        } else if (is("evaluation") && event.text("of") == QLatin1String("proposal")) {
            measured.insert(event.text("textHash"), event.text("evaluation"));
        } else if (is("evaluation") && event.text("of") == QLatin1String("iteration")) {
            const auto iteration = static_cast<int>(event.integer("iteration"));
            on.evaluated[iteration] = event.text("evaluation");
            if (const auto found = event.body.find("summary"); found != event.body.end())
                if (const auto summary = summaryFromJson(*found))
                    summaries.insert_or_assign(iteration, *summary);
        } else if (is("proposal")) {
            read.clear(); // it was answered
            // The session asks for the next one only when it is done with the one before.
            if (const Result<void> done = finish(); !done.hasValue())
                return refuse(done.message());
            const auto iteration = static_cast<int>(event.integer("iteration"));
            const auto before = summaries.find(iteration);
            left.reset();
            at = AtWork();
            at->id = event.text("proposal");
            at->made = {{}, since, {}, event.text("title"), event.text("resultHash"), {}};
            at->made.request.workspace = workspace.folder;
            at->made.request.device = so.device;
            at->made.request.proposal = at->id;
            at->made.request.iteration = iteration;
            at->made.request.texts = replay.texts();
            if (const auto known = on.evaluated.find(iteration); known != on.evaluated.end())
                at->made.evaluation = known->second;
            at->answers = HunkAnswers(event.body);
            at->standing = StandingAnswers(event, replay.texts());
            at->feedback = RecordedFeedback(event, before == summaries.end() ? std::nullopt
                                                                             : std::optional(before->second));
            at->baseHash = event.text("baseHash");
            at->iteration = iteration;
            on.proposals = at->id.mid(1).toInt();
        } else if (is("step") && at) {
            at->isAnswered = true;
            at->isTried = false;
        } else if (at && event.text("proposal") == at->id) {
            takeAnswer(*at, event, so.mode);
        }
    }
    if (!ending.isEmpty() && !isUnfinished && !isByBudget)
        return refuse(QStringLiteral("it came to its end (%1). Begin another run.").arg(ending));
    const QString workspaceThen = [&] {
        const auto first = TrajectoryReader(file).page(0, 1);
        return first.hasValue() && !first.value().events.empty()
                   ? first.value().events.front().text("workspace")
                   : QString();
    }();
    if (!workspaceThen.isEmpty() && QFileInfo(workspaceThen) != QFileInfo(workspace.folder) &&
        QFileInfo(workspaceThen + QStringLiteral("/.warpwright/runs/") + run).isDir())
        return refuse(QStringLiteral("it is of the workspace \"%1\". Continue it there.").arg(workspaceThen));
    on.texts = replay.texts();
    so.madeFor = at ? at->made.request.texts : left ? left->made.request.texts : on.texts;
    const Result<bool> finished = finishOnDisk(workspace, at, on, measured);
    if (!finished.hasValue())
        return refuse(finished.message());
    if (at) {
        // One that is kept beside is recorded as rejected as well, before it is in the history.
        const bool isDone =
            at->isAnswered || (at->answers.areAllRejected() && !at->isToBeBranch) || finished.value();
        on.answered = isDone ? at->id : QString();
        on.unanswered = isDone ? QString() : at->made.title;
        if (!isDone) {
            if (const Result<void> given = giveAgain(workspace, *at, so); !given.hasValue())
                return refuse(given.message());
            on.proposals = std::max(0, on.proposals - 1); // proposed once more it keeps its number
        }
        // What lies there may be a part of what was proposed, which nobody has measured.
        if (finished.value() && !at->isToBeBranch)
            if (const Result<CandidateTexts> there = readCandidateTexts(workspace); there.hasValue())
                at->feedback.wasFoundApplied(textHashOf(there.value()));
        if (isDone)
            if (const Result<void> done = finish(); !done.hasValue())
                return refuse(done.message());
    }
    if (left)
        if (const Result<void> given = giveAgain(workspace, *left, so); !given.hasValue())
            return refuse(given.message());
    on.messages = read + waiting;
    so.run = run;
    on.budgets = so.budgets;
    so.ending = ending;
    return Answer::ok(std::move(so));
}

QString unendedRun(const QString &stateFolder) {
    const QDir runs(runsFolder(stateFolder));
    for (const QString &run :
         runs.entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name | QDir::Reversed)) {
        const TrajectoryReader reader(trajectoryFile(runs.filePath(run)));
        bool hasEnded = true;
        bool isByBudget = false;
        bool isUnfinished = false;
        qint64 offset = 0;
        for (;;) {
            const auto page = reader.page(offset, 4000);
            if (!page.hasValue())
                break;
            for (const TrajectoryEvent &event : page.value().events) {
                isUnfinished = unfinishedIn(event).value_or(isUnfinished);
                const bool begins =
                    event.kind == QLatin1String("run-began") || event.kind == QLatin1String("run-continued");
                isByBudget = !begins && (isByBudget || event.kind == QLatin1String("budget-reached"));
                hasEnded = !begins && (hasEnded || event.kind == QLatin1String("run-ended")) && !isByBudget;
            }
            offset = page.value().next;
            if (page.value().isLast)
                break;
        }
        if (!hasEnded || isUnfinished)
            return run;
    }
    return {};
}

} // namespace warpwright
