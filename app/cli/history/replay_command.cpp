// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/history/replay_command.h"

#include "agent/interface/prediction.h"
#include "agent/record/event_summary.h"
#include "agent/record/recorded_times.h"
#include "agent/record/replay.h"
#include "agent/record/replay_steps.h"
#include "agent/record/run_scene.h"
#include "agent/record/run_summary.h"
#include "app/cli/history/replay_diff.h"
#include "app/cli/options/number_words.h"
#include "app/cli/options/shared_options.h"
#include "app/cli/process/version_text.h"
#include "toolchain/base/figures.h"
#include "toolchain/evaluation/evaluation_summary.h"
#include "toolchain/evaluation/time_ratio.h"
#include "toolchain/workspace/workspace.h"

#include <CLI/CLI.hpp>

#include <QDir>
#include <QFileInfo>
#include <QHash>
#include <QThread>

#include <algorithm>
#include <iostream>
#include <string>
#include <unistd.h>

namespace warpwright {
namespace {

struct ReplayOptions {
    QString path;     ///< a trajectory, the folder of a run, or a workspace
    double speed = 0; ///< 0: as fast as it can be printed; 1: as it happened
    bool isStepped = false;
    int untilEvent = 0;      ///< 0: to the end
    bool wantsDiffs = false; ///< the proposals, and not the story
    bool asksJson = false;

    void addTo(CLI::App &app);
};

void ReplayOptions::addTo(CLI::App &app) {
    addText(app, "RUN", path, "A trajectory.jsonl, the folder of a run, or a workspace: its newest run")
        ->required()
        ->type_name("");
    CLI::Option *atSpeed =
        app.add_option("--speed", speed, "1: as it happened; 10: ten times as fast (default: at once)")
            ->check(between(0.001, 1e6))
            ->type_name("X");
    CLI::Option *step = app.add_flag("--step", isStepped, "Wait for Enter before each step");
    app.add_flag("--diff", wantsDiffs,
                 "Instead of the events each proposal as a unified diff, with the answer to each hunk, by "
                 "whom, and why")
        ->excludes(atSpeed)
        ->excludes(step);
    app.add_option("--to", untilEvent, "Stop after this event")->check(wholeFrom(1))->type_name("NUMBER");
    app.add_flag("--json", asksJson, "Print the steps as JSON (warpwright.replay/1)");
    app.footer("Exit code 0: every text comes out byte for byte, and times and verdicts are those of the "
               "evaluations that are stored; 1: not; 2: it could not be read.");
}

/// A night between two events is not waited for.
constexpr qint64 longestPauseMs = 5000;

/// The trajectory that is meant: a file, a run's folder, or the newest run of a workspace.
Result<QString> trajectoryAt(const QString &path, const DataFolders &folders) {
    using Answer = Result<QString>;
    if (QFileInfo(path).isFile() && !path.endsWith(QLatin1String(".py")))
        return Answer::ok(path);
    if (QFileInfo(trajectoryFile(path)).isFile())
        return Answer::ok(trajectoryFile(path));
    const Result<Workspace> workspace = Workspace::open(path, folders);
    if (!workspace.hasValue())
        return Answer::error(
            QStringLiteral("Cannot find a run at \"%1\": it is neither a trajectory.jsonl, nor a "
                           "folder with one, nor a workspace. wright log lists a workspace's runs.")
                .arg(path));
    const QDir runs(runsFolder(workspace.value().state));
    const QStringList names = runs.entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name | QDir::Reversed);
    for (const QString &name : names)
        if (QFileInfo(trajectoryFile(runs.filePath(name))).isFile())
            return Answer::ok(trajectoryFile(runs.filePath(name)));
    return Answer::error(QStringLiteral("Cannot find a run in \"%1\": no agent has worked there yet.")
                             .arg(workspace.value().folder));
}

struct Tally {
    qint64 events = 0;
    int texts = 0;
    bool isCutShort = false; ///< the person had enough, or --to was reached
};

OrderedJson stepToJson(const ReplayStep &step) {
    return OrderedJson{
        {"first", step.first},
        {"last", step.last},
        {"title", toJson(step.title)},
        {"proposal", step.proposal.isEmpty() ? OrderedJson(nullptr) : OrderedJson(toJson(step.proposal))},
        {"iteration", step.iteration},
        {"happened", stringsToJson<OrderedJson>(step.happened)}};
}

OrderedJson documentOf(const TrajectoryReplay &replay, const ReplaySteps &steps, const Tally &tally) {
    OrderedJson all = OrderedJson::array();
    for (const ReplayStep &step : steps.steps())
        all.push_back(stepToJson(step));
    OrderedJson problems = OrderedJson::array();
    for (const TrajectoryReplay::Problem &problem : replay.problems())
        problems.push_back(OrderedJson{{"event", problem.number}, {"message", toJson(problem.message)}});
    OrderedJson files = OrderedJson::array();
    for (const auto &[path, text] : replay.texts())
        files.push_back(OrderedJson{{"path", toJson(path)}, {"bytes", text.size()}});
    return OrderedJson{{"schema", "warpwright.replay/1"},
                       {"program", toJson(programVersion())},
                       {"trajectory", toJson(replay.file())},
                       {"events", tally.events},
                       {"texts", tally.texts},
                       {"isExact", replay.problems().empty()},
                       {"isWhole", !tally.isCutShort},
                       {"problems", std::move(problems)},
                       {"textHash", toJson(replay.textHash())},
                       {"files", std::move(files)},
                       {"steps", std::move(all)}};
}

QString endText(const TrajectoryReplay &replay, const ReplaySteps &steps, const Tally &tally,
                const Terminal &terminal) {
    const QString what =
        QStringLiteral("%1, %2, %3")
            .arg(countText(static_cast<qsizetype>(tally.events), QStringLiteral("event")),
                 countText(static_cast<qsizetype>(steps.steps().size()), QStringLiteral("step")),
                 countText(tally.texts, QStringLiteral("text")));
    if (replay.problems().empty())
        return QStringLiteral("\n%1: %2\n")
            .arg(what, inked(terminal, Ink::Good, QStringLiteral("every text comes out byte for byte")));
    QString text =
        QStringLiteral("\n%1: %2\n")
            .arg(what, inked(terminal, Ink::Bad, QStringLiteral("the texts do NOT come out byte for byte")));
    for (const TrajectoryReplay::Problem &problem : replay.problems())
        text += QStringLiteral("  - ") + wrapped(printable(problem.message), terminal.columns - 4, 4) +
                QLatin1Char('\n');
    return text;
}

OrderedJson timesToJson(const RecordedTimes &times) {
    OrderedJson mismatches = OrderedJson::array();
    for (const RecordedTimes::Mismatch &mismatch : times.mismatches())
        mismatches.push_back(OrderedJson{{"event", mismatch.number}, {"message", toJson(mismatch.message)}});
    return OrderedJson{
        {"evaluations", times.told()}, {"checked", times.checked()}, {"mismatches", std::move(mismatches)}};
}

QString timesText(const RecordedTimes &times, const Terminal &terminal) {
    const QString words = times.words();
    if (words.isEmpty())
        return {};
    const bool isGood = times.mismatches().empty() && times.checked() > 0;
    QString text = !times.mismatches().empty() ? inked(terminal, Ink::Bad, words)
                   : isGood                    ? inked(terminal, Ink::Good, words)
                                               : words;
    text += QLatin1Char('\n');
    for (const RecordedTimes::Mismatch &mismatch : times.mismatches())
        text += QStringLiteral("  - ") + wrapped(printable(mismatch.message), terminal.columns - 4, 4) +
                QLatin1Char('\n');
    return text;
}

// A run that is going on has none yet; one whose program died, or whose record was cut, will have none.
QString noEndText(const TrajectoryReplay &replay, const RunSummary &summary, const Terminal &terminal) {
    const QString open = summary.openWords();
    return wrapped(
               printable(QStringLiteral("The record has no end: it breaks off after event %1%2. The run is "
                                        "going on, or its program was ended, or the record was cut.")
                             .arg(QString::number(replay.number()),
                                  open.isEmpty() ? QString() : QStringLiteral("; ") + open)),
               terminal.columns, 0) +
           QLatin1Char('\n');
}

/// "hunks 1–8", "hunks 1–3, 5", "hunk 2"
QString hunkWords(const QStringList &hunks) {
    QStringList runs;
    for (qsizetype first = 0; first < hunks.size();) {
        qsizetype last = first;
        while (last + 1 < hunks.size() && hunks[last].toInt() > 0 &&
               hunks[last + 1].toInt() == hunks[last].toInt() + 1)
            ++last;
        runs << (last == first ? hunks[first] : QStringLiteral("%1–%2").arg(hunks[first], hunks[last]));
        first = last + 1;
    }
    return (hunks.size() == 1 ? QStringLiteral("hunk ") : QStringLiteral("hunks ")) +
           runs.join(QStringLiteral(", "));
}

/// One answer to hunks of a proposal, one event for each.
struct Answers {
    qint64 first = 0;
    QDateTime at;
    QString proposal, by, answer, reason;
    QStringList hunks;

    [[nodiscard]] bool takes(const TrajectoryEvent &event) const {
        return !hunks.isEmpty() && event.text("proposal") == proposal && event.text("by") == by &&
               event.text("answer") == answer && event.text("reason") == reason;
    }
    /// The reason of one of these, said behind the answer: recorded as the same answer once more.
    [[nodiscard]] bool areExplainedBy(const TrajectoryEvent &event) const {
        return reason.isEmpty() && !event.text("reason").isEmpty() && hunks.contains(event.text("hunk")) &&
               event.text("proposal") == proposal && event.text("by") == by && event.text("answer") == answer;
    }
    [[nodiscard]] QString words() const {
        return QStringLiteral("%1, %2 by %3: %4%5")
            .arg(proposal, hunkWords(hunks), by, answer,
                 reason.isEmpty() ? QString() : QStringLiteral(": ") + reason.simplified());
    }
};

/// "13.4 (5.7–17.4) ms; 75.9 % of the time before, no difference measured, 80.0 % was expected": what an
/// evaluation measured, beside what was expected of it; `ledger` as it was after the event. Empty: the event
/// tells of no time.
QString measuredWords(const TrajectoryEvent &event, const PredictionLedger &ledger) {
    if (event.kind != QLatin1String("evaluation") || !event.body.contains("summary"))
        return {};
    const std::optional<EvaluationSummary> summary = summaryFromJson(event.body["summary"]);
    if (!summary || summary->verdict != Verdict::Pass || !summary->candidate)
        return {};
    const ArmTiming &time = *summary->candidate;
    const TimeScale scale = timeScaleOf(time.medianMicroseconds, time.lowMicroseconds, time.highMicroseconds);
    QString words = scale.withSpread(time.medianMicroseconds, time.lowMicroseconds, time.highMicroseconds);
    if (event.text("of") != QLatin1String("proposal"))
        return words;
    for (const LedgerRow &row : ledger.rows()) {
        if (row.proposal != event.text("proposal") || !row.measured)
            continue;
        words += QStringLiteral("; %1 of the time before").arg(percentText(row.measured->value));
        if (row.measured->isNoise())
            words += QStringLiteral(", no difference measured");
        if (row.prediction.timeRatio)
            words += QStringLiteral(", %1 was expected").arg(percentText(*row.prediction.timeRatio));
    }
    return words;
}

/// Tells one event after the other; waits where it is told to. Hunks that were answered alike are one line.
class Story {
public:
    Story(const ReplayOptions &asked, const Terminal &output) : m_asked(asked), m_output(output) {}

    /// False: the person has had enough.
    [[nodiscard]] bool tell(const ReplayedEvent &one, bool beginsStep, const PredictionLedger &ledger) {
        if (m_asked.asksJson || m_asked.wantsDiffs)
            return true;
        // What an agent keeps for itself tells a reader nothing.
        if (one.event.kind == QLatin1String("agent-memory") && one.problem.isEmpty())
            return true;
        const bool isOfHunk = one.event.kind == QLatin1String("decision") &&
                              !one.event.text("hunk").isEmpty() && one.problem.isEmpty();
        const bool isReason = isOfHunk && m_answers.areExplainedBy(one.event) &&
                              (m_explained.hunks.isEmpty() || m_explained.takes(one.event));
        if (!isOfHunk || beginsStep ||
            !(isReason || (m_explained.hunks.isEmpty() && m_answers.takes(one.event))))
            end();
        if (beginsStep && one.event.number > 1) {
            if (m_asked.isStepped) {
                print(STDERR_FILENO, QStringLiteral("Enter: the next step; q: enough "));
                std::string answer;
                if (!std::getline(std::cin, answer) || answer == "q")
                    return false;
            }
            print(STDOUT_FILENO, QStringLiteral("\n"));
        }
        if (m_asked.speed > 0 && m_before.isValid())
            QThread::msleep(static_cast<unsigned long>(
                static_cast<double>(std::clamp<qint64>(m_before.msecsTo(one.event.at), 0, longestPauseMs)) /
                m_asked.speed));
        m_before = one.event.at;
        const QString measured = measuredWords(one.event, ledger);
        if (isOfHunk) {
            Answers &answers = isReason && !m_answers.hunks.isEmpty() ? m_explained : m_answers;
            if (answers.hunks.isEmpty())
                answers = {one.event.number,
                           one.event.at,
                           one.event.text("proposal"),
                           one.event.text("by"),
                           one.event.text("answer"),
                           one.event.text("reason"),
                           {}};
            answers.hunks << one.event.text("hunk");
            if (&answers == &m_explained)
                m_answers.hunks.removeAll(one.event.text("hunk"));
            return true;
        }
        const bool isDeed = one.event.kind == QLatin1String("proposal") || one.changesText;
        const QString told = printable(eventSummary(one.event));
        printLine(one.event.number, one.event.at,
                  (isDeed ? inked(m_output, Ink::Strong, told) : told) +
                      (measured.isEmpty() ? QString() : QStringLiteral(" (%1)").arg(measured)));
        if (!one.problem.isEmpty())
            print(STDOUT_FILENO,
                  QStringLiteral("       %1\n").arg(inked(m_output, Ink::Bad, printable(one.problem))));
        return true;
    }

    /// What has been gathered is told.
    void end() {
        for (Answers *answers : {&m_answers, &m_explained}) {
            if (!answers->hunks.isEmpty())
                printLine(answers->first, answers->at, printable(answers->words()));
            *answers = {};
        }
    }

private:
    void printLine(qint64 number, const QDateTime &at, const QString &text) const {
        print(STDOUT_FILENO,
              QStringLiteral("%1  %2  %3\n")
                  .arg(number, 5)
                  .arg(inked(m_output, Ink::Faint, at.toLocalTime().toString(QStringLiteral("hh:mm:ss"))),
                       text));
    }

    const ReplayOptions &m_asked;
    const Terminal &m_output;
    Answers m_answers;
    Answers m_explained; ///< taken out of those: their reason came behind them
    QDateTime m_before;
};

int runReplay(const CommandContext &context, const ReplayOptions &asked) {
    const Result<QString> file = trajectoryAt(QDir::current().absoluteFilePath(asked.path), context.folders);
    if (!file.hasValue())
        return refuse(context, file.message());
    Result<TrajectoryReplay> opened = TrajectoryReplay::open(file.value(), historyBeside(file.value()));
    if (!opened.hasValue())
        return refuse(context, opened.message());
    TrajectoryReplay replay = std::move(opened).value();
    ReplaySteps steps;
    RunSummary summary;
    PredictionLedger ledger;
    RecordedTimes times(file.value());
    Story story(asked, context.output);
    Tally tally;
    for (;;) {
        if (asked.untilEvent > 0 && replay.number() >= asked.untilEvent) {
            TrajectoryReplay ahead = replay;
            const Result<std::optional<ReplayedEvent>> more = ahead.next();
            tally.isCutShort = !more.hasValue() || more.value().has_value();
            break;
        }
        const Result<std::optional<ReplayedEvent>> next = replay.next();
        if (!next.hasValue())
            return refuse(context, next.message());
        if (!next.value())
            break;
        ++tally.events;
        tally.texts += next.value()->changesText ? 1 : 0;
        const std::size_t before = steps.steps().size();
        steps.add(next.value()->event);
        summary.take(next.value()->event.kind, next.value()->event.body);
        ledger.take(next.value()->event.kind, next.value()->event.body);
        times.take(next.value()->event);
        if (!story.tell(*next.value(), steps.steps().size() > before, ledger)) {
            tally.isCutShort = true;
            break;
        }
    }
    story.end();
    if (asked.untilEvent > replay.number())
        return refuse(context, QStringLiteral("There is no event %1 in \"%2\": its last one is %3.")
                                   .arg(asked.untilEvent)
                                   .arg(file.value())
                                   .arg(replay.number()));
    std::vector<ScenedProposal> proposals;
    if (asked.wantsDiffs) {
        Result<std::vector<ScenedProposal>> read = proposalsOf(file.value(), asked.untilEvent);
        if (!read.hasValue())
            return refuse(context, read.message());
        proposals = std::move(read).value();
    }
    QString text;
    if (context.asksJson) {
        OrderedJson document = documentOf(replay, steps, tally);
        document["hasEnded"] = summary.hasEnded();
        document["open"] = toJson(summary.hasEnded() ? QString() : summary.openWords());
        document["times"] = timesToJson(times);
        if (asked.wantsDiffs)
            document["proposals"] = OrderedJson::array();
        for (const ScenedProposal &proposal : proposals)
            document["proposals"].push_back(answersToJson(proposal));
        text = QString::fromUtf8(dumpJson(document, 2)) + QLatin1Char('\n');
    } else {
        for (const ScenedProposal &proposal : proposals)
            text += diffText(proposal, context.output);
        for (const QString &told : summary.lines(ledger))
            text += QLatin1Char('\n') + wrapped(printable(told), context.output.columns, 2);
        text += (text.isEmpty() ? QString() : QStringLiteral("\n")) +
                endText(replay, steps, tally, context.output) + timesText(times, context.output);
        if (!tally.isCutShort && !summary.hasEnded())
            text += noEndText(replay, summary, context.output);
    }
    print(STDOUT_FILENO, text);
    return replay.problems().empty() && times.mismatches().empty() ? 0 : 1;
}

} // namespace

Command replayCommand() {
    return commandWith("replay", "Replay a recorded run, and check its texts and times", runReplay);
}

} // namespace warpwright
