// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/record/run_scene.h"

#include "agent/session/session_words.h"
#include "toolchain/history/iteration_store.h"

#include <QDir>
#include <QFileInfo>

namespace warpwright {
namespace {

constexpr int askedEveryEvents = 64;
constexpr qint64 eventsNear = 64;

/// A landmark holds the ledger, which grows: the longer the run, the farther apart they stand.
qint64 eventsBetweenLandmarks(const RunScene &scene) {
    return 256 + static_cast<qint64>(scene.ledger.rows().size()) / 4;
}

std::optional<EvaluationSummary> summaryIn(const TrajectoryEvent &event) {
    const auto summary = event.body.find("summary");
    return summary == event.body.end() ? std::nullopt : summaryFromJson(*summary);
}

} // namespace

TrajectoryReplay::History historyBeside(const QString &trajectory) {
    const QString state = QDir::cleanPath(QFileInfo(trajectory).absolutePath() + QStringLiteral("/../.."));
    const IterationStore store(state);
    if (!QFileInfo(store.folder()).isDir())
        return {};
    return [store](int iteration) {
        return store.texts(iteration);
    };
}

QString ScenedProposal::answerWords(const QString &hunk) const {
    const bool isLeftOut = outcome == Outcome::Discarded || (outcome == Outcome::Applied && !isWritten);
    const bool isBranch = outcome == Outcome::KeptAsBranch;
    const auto found = answers.given().find(hunk);
    if (found == answers.given().end()) {
        const QString by = decidedBy.isEmpty() ? QString() : QStringLiteral(" by ") + decidedBy;
        return isLeftOut  ? QStringLiteral("left out") + by
               : isBranch ? QStringLiteral("kept as a branch") + by
                          : QStringLiteral("not answered");
    }
    const HunkAnswers::Given &given = found->second;
    QString words = given.answer == QLatin1String("accept")   ? QStringLiteral("accepted")
                    : given.answer == QLatin1String("reject") ? QStringLiteral("rejected")
                                                              : QStringLiteral("edited");
    if (!given.by.isEmpty())
        words += QStringLiteral(" by ") + given.by;
    if (given.answer == QLatin1String("reject"))
        return words;
    return words + (isLeftOut  ? QStringLiteral(", taken back")
                    : isBranch ? QStringLiteral(", kept as a branch")
                               : QString());
}

QString ScenedProposal::answerReason(const QString &hunk) const {
    const auto found = answers.given().find(hunk);
    return found == answers.given().end() ? why : found->second.reason;
}

RunScenes::RunScenes(TrajectoryReplay replay) : m_replay(std::move(replay)) {
    m_landmarks.emplace(0, m_now);
}

Result<RunScenes> RunScenes::open(const QString &file, TrajectoryReplay::History history) {
    Result<TrajectoryReplay> replay = TrajectoryReplay::open(file, std::move(history));
    if (!replay.hasValue())
        return Result<RunScenes>::error(replay.message());
    return Result<RunScenes>::ok(RunScenes(std::move(replay).value()));
}

Result<bool> RunScenes::next() {
    const Result<std::optional<ReplayedEvent>> step = m_replay.next();
    if (!step.hasValue())
        return Result<bool>::error(step.message());
    if (!step.value())
        return Result<bool>::ok(false);
    learn(*step.value());
    if (m_now.number - m_landmarks.rbegin()->first >= eventsBetweenLandmarks(m_now))
        m_landmarks.emplace(m_now.number, m_now);
    return Result<bool>::ok(true);
}

Result<void> RunScenes::seek(qint64 number, const std::function<bool()> &goesOn) {
    const RunScene *from = &std::prev(m_landmarks.upper_bound(number))->second;
    if (m_near && m_near->number <= number && m_near->number > from->number)
        from = &*m_near;
    if (number < m_now.number || from->number > m_now.number) {
        if (const Result<void> there = m_replay.seek(from->number); !there.hasValue())
            return there;
        m_now = *from;
    }
    // Whoever goes back mostly goes back one more.
    const qint64 near = number - eventsNear;
    while (m_now.number < number) {
        if (m_now.number == near)
            m_near = m_now;
        if (goesOn && m_now.number % askedEveryEvents == 0 && !goesOn())
            return Result<void>::ok();
        const Result<bool> step = next();
        if (!step.hasValue())
            return Result<void>::error(step.message());
        if (!step.value())
            return Result<void>::error(QStringLiteral("Cannot go to event %1 of \"%2\": its last one is %3.")
                                           .arg(number)
                                           .arg(m_replay.file())
                                           .arg(m_now.number));
    }
    return Result<void>::ok();
}

void RunScenes::learn(const ReplayedEvent &replayed) {
    const TrajectoryEvent &event = replayed.event;
    m_now.number = event.number;
    m_now.event = event;
    m_now.problem = replayed.problem;
    m_now.ledger.take(event.kind, event.body);
    m_now.summary.take(event.kind, event.body);
    const auto is = [&event](const char *kind) {
        return event.kind == QLatin1String(kind);
    };
    if (is("run-began") || is("run-continued") || is("restored"))
        m_now.iteration = static_cast<int>(event.integer("iteration"));
    else if (is("iteration") && event.text("textHash") == m_replay.textHash())
        m_now.iteration = static_cast<int>(event.integer("number"));
    else if (replayed.changesText)
        m_now.iteration = 0; // its number comes with the next event
    if (is("evaluation"))
        learnEvaluation(event);
    if (is("plan")) {
        m_now.plan.clear();
        if (const auto items = event.body.find("items"); items != event.body.end() && items->is_array())
            for (const Json &item : *items)
                m_now.plan.push_back({stringIn(item, "text"), stringIn(item, "state")});
    }
    if (is("proposal")) {
        ScenedProposal proposal;
        proposal.id = event.text("proposal");
        proposal.event = event;
        proposal.answers = HunkAnswers(event.body);
        if (Result<CandidateTexts> base = m_replay.textsOf(event.text("baseHash")); base.hasValue())
            proposal.base = std::move(base).value();
        if (const auto base = m_now.summaries.constFind(m_replay.textHash()); base != m_now.summaries.cend())
            proposal.before = *base;
        if (const auto known = m_now.summaries.constFind(event.text("resultHash"));
            known != m_now.summaries.cend())
            proposal.after = *known;
        m_now.proposal = proposal;
    } else if (m_now.proposal && is("step")) { // of the one that was applied last
        const QString answer = event.text("answer");
        if (answer == stepAnswerName(StepAnswer::Undo))
            m_now.proposal->outcome = ScenedProposal::Outcome::Discarded;
        else if (answer == stepAnswerName(StepAnswer::Branch))
            m_now.proposal->outcome = ScenedProposal::Outcome::KeptAsBranch;
    } else if (m_now.proposal && is("restored")) {
        m_now.proposal->isWritten = false;
    } else if (m_now.proposal && event.text("proposal") == m_now.proposal->id) {
        learnAnswer(event);
    }
    followPlan();
}

// Not every agent tells its plan again when it has done what an item says.
void RunScenes::followPlan() {
    const bool isAbout = m_now.proposal && (m_now.event.kind == QLatin1String("step") ||
                                            m_now.event.text("proposal") == m_now.proposal->id);
    if (!isAbout)
        return;
    const ScenedProposal &proposal = *m_now.proposal;
    const bool isOut = proposal.outcome == ScenedProposal::Outcome::Discarded ||
                       proposal.outcome == ScenedProposal::Outcome::KeptAsBranch ||
                       proposal.answers.areAllRejected();
    const QString title = proposal.event.text("title").simplified();
    for (PlanItem &item : m_now.plan)
        if ((item.state == QLatin1String("waiting") || item.state == QLatin1String("working")) &&
            item.text.simplified().compare(title, Qt::CaseInsensitive) == 0)
            item.state = isOut                                                  ? QStringLiteral("dropped")
                         : proposal.outcome == ScenedProposal::Outcome::Applied ? QStringLiteral("done")
                                                                                : QStringLiteral("working");
}

void RunScenes::learnEvaluation(const TrajectoryEvent &event) {
    const QString hash = event.text("textHash");
    const std::optional<EvaluationSummary> summary = summaryIn(event);
    if (hash.isEmpty() || !summary)
        return;
    const QString of = event.text("of");
    const bool isOfProposal = m_now.proposal && event.text("proposal") == m_now.proposal->id;
    if (isOfProposal && (of == QLatin1String("hunk") || of == QLatin1String("without-hunk"))) {
        HunkEvidence &known = m_now.proposal->evidences[event.text("hunk").toInt()];
        (of == QLatin1String("hunk") ? known.alone : known.allBut) =
            evidenceOf(m_now.proposal->before, *summary, hash);
    }
    m_now.evaluations.insert(hash, event.text("evaluation"));
    m_now.summaries.insert(hash, *summary);
    if (!m_now.proposal)
        return;
    if (isOfProposal && of == QLatin1String("proposal"))
        m_now.proposal->after = summary;
    if (isOfProposal && of == QLatin1String("iteration") && m_now.proposal->isWritten &&
        hash == m_replay.textHash()) {
        if (hash == m_now.proposal->event.text("resultHash")) {
            m_now.proposal->after = summary;
        } else {
            m_now.proposal->written = summary;
            m_now.proposal->writtenAs = static_cast<int>(event.integer("iteration"));
        }
    }
    // The text before may be measured only when the proposal is there already.
    if (of == QLatin1String("iteration") && event.text("proposal").isEmpty() &&
        event.integer("iteration") == m_now.proposal->event.integer("iteration"))
        m_now.proposal->before = summary;
}

void RunScenes::learnAnswer(const TrajectoryEvent &event) {
    ScenedProposal &proposal = *m_now.proposal;
    proposal.answers.take(event.kind, event.body);
    if (event.kind == QLatin1String("applied")) {
        proposal.outcome = ScenedProposal::Outcome::Applied;
        proposal.isWritten = true;
    } else if (event.kind == QLatin1String("policy")) {
        const QString answer = event.text("answer");
        proposal.decidedBy = event.kind;
        proposal.why = event.text("why");
        if (answer == QLatin1String("keep-as-branch"))
            proposal.outcome = ScenedProposal::Outcome::KeptAsBranch;
        else if (answer == QLatin1String("discard"))
            proposal.outcome = ScenedProposal::Outcome::Discarded;
    }
}

} // namespace warpwright
