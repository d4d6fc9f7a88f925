// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/record/reported_runs.h"

#include "agent/record/event_summary.h"
#include "agent/record/run_scene.h"
#include "agent/record/trajectory_reader.h"
#include "agent/review/prediction_outcome.h"
#include "agent/review/text_change.h"
#include "agent/session/auto_policy.h"
#include "agent/session/session_words.h"
#include "toolchain/base/figures.h"
#include "toolchain/evaluation/time_ratio.h"
#include "toolchain/history/iteration_words.h"

#include <QDir>
#include <QFileInfo>

#include <algorithm>

namespace warpwright {
namespace {

/// Of what changes may still be told on a page.
struct Room {
    qsizetype lines = 0;
    qsizetype letters = 0;

    [[nodiscard]] bool isEmpty() const { return lines <= 0 || letters <= 0; }
    void take(const QString &line) {
        --lines;
        letters -= line.size();
    }
};

constexpr int eventsOfAPage = 1000;
constexpr Room wholePage{20'000, 1'000'000};    ///< of all changes of a page
constexpr qsizetype longestLine = 400;          ///< bytes
constexpr qsizetype mostLinesOfProposal = 1000; ///< a text that is wholly new may be longer
constexpr qsizetype mostMessages = 200;

QString budgetsText(const Json &body) {
    if (!body.contains("budgets"))
        return {};
    const RunBudgets budgets = budgetsFromJson(body["budgets"]);
    QStringList parts;
    if (budgets.iterations)
        parts << countText(*budgets.iterations, QStringLiteral("proposal"));
    if (budgets.minutes)
        parts << QStringLiteral("%1 minutes").arg(*budgets.minutes);
    if (budgets.tokens)
        parts << QStringLiteral("%1 tokens").arg(numberText(static_cast<double>(*budgets.tokens)));
    if (budgets.cost)
        parts << QStringLiteral("a cost of %1").arg(*budgets.cost);
    return parts.join(QStringLiteral(", "));
}

QStringList textLines(const std::vector<QByteArray> &lines, Room &room) {
    QStringList texts;
    for (const QByteArray &line : lines) {
        if (room.isEmpty())
            break;
        QString text = QString::fromUtf8(line.left(longestLine));
        while (text.endsWith(QLatin1Char('\n')) || text.endsWith(QLatin1Char('\r')))
            text.chop(1);
        room.take(text);
        texts << text;
    }
    return texts;
}

/// What a proposal changes, as its event has it; takes from `page` what it tells.
void addChange(ReportedProposal &proposal, const Json &body, Room &page) {
    const auto hunks = body.find("hunks");
    if (hunks == body.end() || !hunks->is_array())
        return;
    const Room before{std::min(page.lines, mostLinesOfProposal), page.letters};
    Room room = before;
    for (const Json &json : *hunks) {
        const Result<LineChange> read = lineChangeFromJson(json);
        if (!read.hasValue())
            continue; // replay says what is wrong with it
        const LineChange &change = read.value();
        ReportedHunk hunk;
        hunk.file = change.file;
        hunk.line = change.hadFile ? change.oldStart + 1 : 0;
        hunk.oldLines = textLines(change.oldLines, room);
        hunk.newLines = textLines(change.newLines, room);
        const qsizetype told = hunk.oldLines.size() + hunk.newLines.size();
        proposal.linesLeftOut +=
            static_cast<qsizetype>(change.oldLines.size() + change.newLines.size()) - told;
        if (told > 0)
            proposal.hunks.push_back(std::move(hunk));
    }
    page.lines -= before.lines - room.lines;
    page.letters = room.letters;
}

QString shareRangeText(double value, std::optional<double> low, std::optional<double> high) {
    const QString text = percentText(value);
    return low && high ? QStringLiteral("%1 (%2–%3)").arg(text, percentText(*low), percentText(*high)) : text;
}

QString expectedText(const TrajectoryEvent &proposal) {
    if (!proposal.body.contains("prediction"))
        return {};
    const Prediction prediction = predictionFromJson(proposal.body["prediction"]);
    QStringList parts;
    if (prediction.timeRatio)
        parts << QStringLiteral("%1 of the time before")
                     .arg(shareRangeText(*prediction.timeRatio, prediction.low, prediction.high));
    if (!prediction.words.isEmpty())
        parts << QStringLiteral("«%1»").arg(prediction.words);
    return parts.join(QStringLiteral(", "));
}

QString measuredText(const std::optional<EvaluationSummary> &before,
                     const std::optional<EvaluationSummary> &after) {
    if (!after)
        return {};
    const std::optional<TimeRatio> ratio = before ? timeRatio(*before, *after) : std::nullopt;
    if (!ratio)
        return QStringLiteral("%1 %2").arg(verdictWord(after), speedUpWords(after)).trimmed();
    const QString why = whyNoDifference(*before, *after);
    return QStringLiteral("%1, %2 of the time before%3 (%4)")
        .arg(verdictWord(after), shareRangeText(ratio->value, ratio->low, ratio->high),
             why.isEmpty() ? QString() : QStringLiteral(", ") + why, wayText(ratio->way));
}

/// "2.27× of 2.70–4.00×: outside; predicted from …"; empty: nothing was expected, or there is no ratio.
QString hitText(const Prediction &prediction, const std::optional<EvaluationSummary> &before,
                const std::optional<EvaluationSummary> &after) {
    const std::optional<ExpectedRange> range = expectedRange(prediction);
    const std::optional<TimeRatio> ratio = before && after ? timeRatio(*before, *after) : std::nullopt;
    if (!range || !ratio)
        return {};
    QString text =
        QStringLiteral("%1, %2 were expected: %3")
            .arg(timesFasterText(ratio->value), rangeText(*range), outcomeText(prediction, *ratio));
    const QString base =
        otherBaseText(prediction, measuredBefore(*before, *after), ratio->way == TimeRatio::Way::SideBySide);
    return base.isEmpty() ? text : text + QStringLiteral("; ") + base;
}

QString authorIn(const TrajectoryEvent &event) {
    const auto author = event.body.find("author");
    if (author == event.body.end())
        return {};
    return authorText({authorKindFromName(stringIn(*author, "kind")), stringIn(*author, "name")});
}

/// A proposal as far as a run has come with it.
struct Followed {
    ScenedProposal scene;
    QString written;           ///< hash of the text that was written of it; empty: none was
    bool isBesideCode = false; ///< of that, comments alone: nothing is measured of the proposal by it
    int iteration = 0;
    QStringList bets;
};

/// Takes up the events of one run.
class RunReader {
public:
    RunReader(const QString &run, std::size_t mostProposals, bool isWhole) : m_most(mostProposals) {
        m_run.id = run;
        m_run.isWhole = isWhole;
    }

    void take(const TrajectoryEvent &event) {
        const auto is = [&event](const char *kind) {
            return event.kind == QLatin1String(kind);
        };
        if (is("run-began") || is("run-continued"))
            takeBeginning(event);
        else if (is("run-stopped") || is("run-ended"))
            m_run.ending = event.text("why").isEmpty()
                               ? event.kind.mid(4)
                               : event.kind.mid(4) + QStringLiteral(": ") + event.text("why");
        else if (is("mode-changed"))
            m_run.mode = event.text("to");
        else if (is("evaluation"))
            takeEvaluation(event);
        else if (is("iteration"))
            takeIteration(event);
        else if (is("proposal"))
            takeProposal(event);
        else if (is("message") && m_run.isWhole)
            takeMessage(event);
        else
            takeDecision(event);
    }

    [[nodiscard]] ReportedRun told() && {
        for (const Followed &each : m_proposals)
            m_run.proposals.push_back(told(each));
        if (m_run.isWhole) { // the newest ones first: they are what the run came to
            Room room = wholePage;
            for (std::size_t i = m_proposals.size(); i-- > 0;)
                addChange(m_run.proposals[i], m_proposals[i].scene.event.body, room);
        }
        return std::move(m_run);
    }

private:
    void takeBeginning(const TrajectoryEvent &event) {
        if (!m_run.beganAt.isValid()) {
            m_run.beganAt = event.at;
            m_run.device = event.text("device");
            m_run.beganFrom = static_cast<int>(event.integer("iteration"));
            if (m_run.isWhole)
                m_run.budgets = budgetsText(event.body);
        }
        m_run.ending.clear();
        if (const QString mode = event.text("mode"); !mode.isEmpty())
            m_run.mode = mode;
        if (const auto agent = event.body.find("agent"); agent != event.body.end()) {
            const QString kind = stringIn(*agent, "kind");
            const QString name = stringIn(*agent, "name");
            const QString version = stringIn(*agent, "version");
            QString words = name.isEmpty() || name == kind ? kind : QStringLiteral("%1 (%2)").arg(kind, name);
            if (!version.isEmpty())
                words += QStringLiteral(", version %1").arg(version);
            m_run.agent = m_run.agent.isEmpty() || m_run.agent == words
                              ? words
                              : QStringLiteral("%1; then %2").arg(m_run.agent, words);
        }
    }

    void takeEvaluation(const TrajectoryEvent &event) {
        const auto found = event.body.find("summary");
        const std::optional<EvaluationSummary> summary =
            found == event.body.end() ? std::nullopt : summaryFromJson(*found);
        const QString hash = event.text("textHash");
        if (summary && !hash.isEmpty()) {
            m_summaries.insert(hash, *summary);
            m_evaluations.insert(hash, event.text("evaluation"));
        }
    }

    void takeMessage(const TrajectoryEvent &event) {
        if (event.text("role") == QLatin1String("person") && m_run.messages.size() < mostMessages)
            m_run.messages << event.text("text");
    }

    void takeIteration(const TrajectoryEvent &event) {
        m_run.iterations.push_back(static_cast<int>(event.integer("number")));
        const QString hash = event.text("textHash");
        const auto isOfIt = [&hash](const Followed &each) {
            return each.iteration == 0 &&
                   (each.written == hash || each.scene.event.text("resultHash") == hash);
        };
        const auto found = std::find_if(m_proposals.rbegin(), m_proposals.rend(), isOfIt);
        if (found != m_proposals.rend())
            found->iteration = static_cast<int>(event.integer("number"));
    }

    void takeProposal(const TrajectoryEvent &event) {
        Followed followed;
        followed.scene.id = event.text("proposal");
        followed.scene.event = event;
        followed.scene.answers = HunkAnswers(event.body);
        // One that is made once more takes the place of the one before.
        std::erase_if(m_proposals,
                      [&followed](const Followed &each) { return each.scene.id == followed.scene.id; });
        m_proposals.push_back(std::move(followed));
        if (m_proposals.size() > m_most) {
            m_proposals.erase(m_proposals.begin());
            ++m_run.proposalsLeftOut;
        }
    }

    void takeDecision(const TrajectoryEvent &event) {
        if (m_proposals.empty())
            return;
        ScenedProposal &last = m_proposals.back().scene;
        if (event.kind == QLatin1String("step")) {
            if (event.text("answer") == stepAnswerName(StepAnswer::Undo))
                last.outcome = ScenedProposal::Outcome::Discarded;
            else if (event.text("answer") == stepAnswerName(StepAnswer::Branch))
                last.outcome = ScenedProposal::Outcome::KeptAsBranch;
            return;
        }
        if (event.kind == QLatin1String("restored")) {
            last.isWritten = false;
            return;
        }
        const QString id = event.text("proposal");
        const auto found = std::find_if(m_proposals.rbegin(), m_proposals.rend(),
                                        [&id](const Followed &each) { return each.scene.id == id; });
        if (id.isEmpty() || found == m_proposals.rend())
            return;
        ScenedProposal &scene = found->scene;
        scene.answers.take(event.kind, event.body);
        if (event.kind == QLatin1String("bet")) {
            found->bets << eventSummary(event);
        } else if (event.kind == QLatin1String("applied")) {
            scene.outcome = ScenedProposal::Outcome::Applied;
            scene.isWritten = true;
            found->written = event.text("resultHash");
            const auto beside = event.body.find("besideCode");
            found->isBesideCode = beside != event.body.end() && *beside == true;
        } else if (event.kind == QLatin1String("policy")) {
            const QString answer = event.text("answer");
            scene.decidedBy = event.kind;
            scene.why = event.text("why");
            if (answer == QLatin1String("keep-as-branch"))
                scene.outcome = ScenedProposal::Outcome::KeptAsBranch;
            else if (answer == QLatin1String("discard"))
                scene.outcome = ScenedProposal::Outcome::Discarded;
        }
    }

    /// "partly applied: 1 of 11 hunks"; what a person made other of it counts as taken.
    [[nodiscard]] static QString appliedText(const ScenedProposal &scene) {
        const auto &given = scene.answers.given();
        const auto left = std::count_if(given.begin(), given.end(), [](const auto &answer) {
            return answer.second.answer == QLatin1String("reject");
        });
        if (left == 0)
            return QStringLiteral("applied");
        return QStringLiteral("partly applied: %1 of %2")
            .arg(static_cast<qsizetype>(given.size()) - left)
            .arg(countText(static_cast<qsizetype>(given.size()), QStringLiteral("hunk")));
    }

    [[nodiscard]] static QString outcomeText(const ScenedProposal &scene) {
        const QString by = scene.decidedBy.isEmpty() ? QString() : QStringLiteral(" by ") + scene.decidedBy;
        switch (scene.outcome) {
        case ScenedProposal::Outcome::Applied:
            return appliedText(scene) + (scene.isWritten ? QString() : QStringLiteral(", then taken back"));
        case ScenedProposal::Outcome::KeptAsBranch:
            return QStringLiteral("kept as a branch") + by;
        case ScenedProposal::Outcome::Discarded:
            return QStringLiteral("left out") + by;
        case ScenedProposal::Outcome::Open:
            break;
        }
        return scene.answers.areAllRejected() ? QStringLiteral("rejected") : QStringLiteral("not decided");
    }

    /// What is the same for all hunks is told once.
    [[nodiscard]] static QStringList answersOf(const ScenedProposal &scene) {
        QStringList answers;
        QStringList words;
        const auto hunks = scene.event.body.find("hunks");
        if (hunks == scene.event.body.end() || !hunks->is_array())
            return answers;
        for (const Json &hunk : *hunks) {
            const QString id = stringIn(hunk, "id");
            const QString reason = scene.answerReason(id);
            words << scene.answerWords(id) +
                         (reason.isEmpty() ? QString() : QStringLiteral(", «%1»").arg(reason));
            answers << QStringLiteral("hunk %1 of %2: %3").arg(id, stringIn(hunk, "file"), words.last());
        }
        if (words.size() > 1 && words.count(words.first()) == words.size())
            return {QStringLiteral("all %1 hunks: %2").arg(words.size()).arg(words.first())};
        return answers;
    }

    [[nodiscard]] std::optional<EvaluationSummary> summaryOfText(const QString &hash) const {
        const auto found = m_summaries.constFind(hash);
        return found == m_summaries.cend() ? std::nullopt : std::optional(*found);
    }

    [[nodiscard]] ReportedProposal told(const Followed &each) const {
        const TrajectoryEvent &event = each.scene.event;
        ReportedProposal proposal;
        proposal.id = each.scene.id;
        proposal.title = event.text("title");
        proposal.reason = event.text("reason");
        proposal.author = authorIn(event);
        proposal.expected = expectedText(event);
        // What was written of it may be less than what was proposed.
        const QString text =
            each.written.isEmpty() || each.isBesideCode ? event.text("resultHash") : each.written;
        const std::optional<EvaluationSummary> after = summaryOfText(text);
        const std::optional<EvaluationSummary> before = summaryOfText(event.text("baseHash"));
        proposal.measured = measuredText(before, after);
        // What was written in part is another text than the one that was predicted.
        if (text == event.text("resultHash"))
            proposal.hit =
                hitText(predictionFromJson(event.body.value("prediction", Json::object())), before, after);
        proposal.evaluation = m_evaluations.value(text);
        proposal.isWrong = after && after->verdict == Verdict::Wrong;
        proposal.outcome = outcomeText(each.scene);
        proposal.why = each.scene.why;
        proposal.answers = answersOf(each.scene) + each.bets;
        proposal.madeFor = static_cast<int>(event.integer("iteration"));
        proposal.iteration = each.iteration;
        return proposal;
    }

    std::size_t m_most;
    ReportedRun m_run;
    std::vector<Followed> m_proposals;
    QHash<QString, EvaluationSummary> m_summaries; ///< by the text's hash
    QHash<QString, QString> m_evaluations;         ///< their ids, by the same
};

} // namespace

QStringList runNames(const QString &stateFolder) {
    const QString folder = runsFolder(stateFolder);
    QStringList names = QDir(folder).entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name);
    names.removeIf([&folder](const QString &name) {
        return !QFileInfo::exists(trajectoryFile(folder + QLatin1Char('/') + name));
    });
    return names;
}

ReportedRuns reportedRuns(const QString &stateFolder, std::size_t mostProposals, const QString &whole) {
    ReportedRuns all;
    const QString folder = runsFolder(stateFolder);
    for (const QString &name : runNames(stateFolder)) {
        if (!whole.isEmpty() && name != whole)
            continue;
        const TrajectoryReader reader(trajectoryFile(folder + QLatin1Char('/') + name));
        RunReader run(name, mostProposals, !whole.isEmpty());
        for (TrajectoryReader::Page page{{}, 0, 0, false}; !page.isLast;) {
            Result<TrajectoryReader::Page> read = reader.page(page.next, eventsOfAPage);
            if (!read.hasValue()) {
                all.problems << read.message();
                break;
            }
            page = std::move(read).value();
            for (const TrajectoryEvent &event : page.events)
                run.take(event);
        }
        all.runs.push_back(std::move(run).told());
    }
    std::size_t room = mostProposals;
    for (auto run = all.runs.rbegin(); run != all.runs.rend(); ++run) {
        const std::size_t kept = std::min(room, run->proposals.size());
        run->proposalsLeftOut += static_cast<int>(run->proposals.size() - kept);
        run->proposals.erase(run->proposals.begin(),
                             run->proposals.end() - static_cast<std::ptrdiff_t>(kept));
        room -= kept;
    }
    return all;
}

} // namespace warpwright
