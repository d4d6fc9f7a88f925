// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/history/replay_frames.h"

#include "agent/record/event_summary.h"
#include "agent/record/trajectory_reader.h"
#include "app/ide/review/proposal_views.h"
#include "toolchain/base/figures.h"
#include "toolchain/evaluation/evaluation_store.h"

#include <QCoreApplication>
#include <QElapsedTimer>

namespace warpwright {
namespace {

/// More of a message than that is read in the trajectory itself.
constexpr qsizetype mostWords = 4000;
/// By then a run has measured something, or it is looked for no further.
constexpr int eventsWithTask = 32;

QString words(const char *text) {
    return QCoreApplication::translate("ReplayFrames", text);
}

/// Whose evaluation an event is about, where that is not the text on the disk.
struct Subject {
    QString hash;
    QString name; ///< «proposal 7», «hunk 2 of proposal 7 alone»
};

/// From 1, as its card counts them.
int placeOfHunk(const ScenedProposal &proposal, const QString &hunk) {
    int place = 0;
    if (const auto hunks = proposal.event.body.find("hunks"); hunks != proposal.event.body.end())
        for (const Json &one : *hunks) {
            ++place;
            if (stringIn(one, "id") == hunk)
                return place;
        }
    return 0;
}

/// From the proposal's own check on until it is written: what was decided was decided of that.
std::optional<Subject> subjectOf(const RunScene &scene, const QString &textHash) {
    const TrajectoryEvent &event = scene.event;
    if (!scene.proposal || event.text("proposal") != scene.proposal->id)
        return std::nullopt;
    const int number = numberOf(scene.proposal->id);
    Subject subject{scene.proposal->event.text("resultHash"), words("proposal %1").arg(number)};
    if (event.kind == QLatin1String("evaluation")) {
        const QString of = event.text("of");
        const int hunk = placeOfHunk(*scene.proposal, event.text("hunk"));
        subject.hash = event.text("textHash");
        if (of == QLatin1String("hunk"))
            subject.name = words("hunk %1 of proposal %2 alone").arg(hunk).arg(number);
        else if (of == QLatin1String("without-hunk"))
            subject.name = words("proposal %2 without hunk %1").arg(hunk).arg(number);
        else if (of == QLatin1String("iteration"))
            subject.name = words("iteration %1").arg(event.integer("iteration"));
    } else if (scene.proposal->isWritten) {
        return std::nullopt;
    }
    const bool isOther = subject.hash != textHash && scene.summaries.contains(subject.hash);
    return isOther ? std::optional(subject) : std::nullopt;
}

} // namespace

QString runName(const QDateTime &beganAt) {
    return words("run of %1").arg(beganAt.toLocalTime().toString(QStringLiteral("d MMM, HH:mm")));
}

Result<std::shared_ptr<ReplayFrames>> ReplayFrames::open(const QString &stateFolder, const QString &run) {
    using Answer = Result<std::shared_ptr<ReplayFrames>>;
    const QString file = trajectoryFile(runsFolder(stateFolder) + QLatin1Char('/') + run);
    Result<RunScenes> scenes = RunScenes::open(file, historyBeside(file));
    if (!scenes.hasValue())
        return Answer::error(scenes.message());
    std::shared_ptr<ReplayFrames> frames(new ReplayFrames(stateFolder, std::move(scenes).value()));
    frames->learnTask();
    return Answer::ok(frames);
}

// From its first evaluation that is still there.
void ReplayFrames::learnTask() {
    const Result<TrajectoryReader::Page> page = TrajectoryReader(m_scenes.file()).page(0, eventsWithTask);
    if (!page.hasValue())
        return;
    for (const TrajectoryEvent &event : page.value().events) {
        if (event.kind != QLatin1String("evaluation") || !m_task.inputs.isEmpty())
            continue;
        if (const Result<Evaluation> whole = EvaluationStore(m_state).load(event.text("evaluation"));
            whole.hasValue())
            m_task = measuredFigures(whole.value()).task;
    }
}

ReplayFrame ReplayFrames::at(qint64 number, int iteration, const std::function<bool()> &goesOn) {
    const Result<void> there = m_scenes.seek(number, goesOn);
    ReplayFrame made = frame(iteration);
    if (!there.hasValue())
        made.error = there.message();
    return made;
}

ReplayFrame ReplayFrames::onwards(int milliseconds, qint64 last, bool stopsAtProposals) {
    QElapsedTimer clock;
    clock.start();
    QString error;
    do {
        const Result<bool> step = m_scenes.next();
        if (!step.hasValue())
            error = step.message();
        if (!step.hasValue() || !step.value())
            break;
        if (stopsAtProposals && m_scenes.now().event.kind == QLatin1String("proposal"))
            break;
    } while (m_scenes.now().number < last && clock.elapsed() < milliseconds);
    ReplayFrame made = frame(0);
    made.error = error;
    return made;
}

void ReplayFrames::addReview(ReplayFrame &frame) {
    const RunScene &scene = m_scenes.now();
    frame.proposalEvent = scene.proposal->event.number;
    frame.isAboutProposal = scene.event.text("proposal") == scene.proposal->id;
    std::optional<ShownReview> review = shownReview(*scene.proposal, m_scenes.texts());
    if (!review)
        return;
    // What is equal is the same, so that nothing is drawn anew for it.
    if (m_review == nullptr || *m_review != *review)
        m_review = std::make_shared<const ShownReview>(std::move(*review));
    frame.review = m_review;
    const auto found = m_review->ids.find(scene.event.text("hunk"));
    frame.hunk = found == m_review->ids.end() || !frame.isAboutProposal ? 0 : found->second;
}

ReplayFrame ReplayFrames::frame(int iteration) {
    const RunScene &scene = m_scenes.now();
    ReplayFrame made;
    made.number = scene.number;
    made.at = scene.event.at;
    made.heading = words("Event %1, %2").arg(scene.number).arg(scene.event.kind);
    made.words = eventProse(scene.event);
    if (scene.event.kind == QLatin1String("run-ended") || scene.event.kind == QLatin1String("run-stopped"))
        if (const QStringList lines = scene.summary.lines(scene.ledger); !lines.isEmpty())
            made.words += QStringLiteral("\n\n") + lines.join(QLatin1Char('\n'));
    if (made.words.size() > mostWords)
        made.words = made.words.left(mostWords) + QStringLiteral(" …");
    made.problem = scene.problem;

    CandidateTexts texts = m_scenes.texts();
    QString hash = m_scenes.textHash();
    int number = scene.iteration > 0 ? scene.iteration : m_numbers.value(hash);
    if (iteration > 0) {
        const Result<CandidateTexts> kept = m_scenes.iterationTexts(iteration);
        if (kept.hasValue()) {
            texts = kept.value();
            hash = textHashOf(texts);
            number = iteration;
        } else {
            made.error = kept.message();
        }
    }
    const std::optional<Subject> subject = iteration > 0 ? std::nullopt : subjectOf(scene, hash);
    const QString evaluatedHash = subject ? subject->hash : hash;
    const QString evaluation = scene.evaluations.value(evaluatedHash);
    made.key = QStringLiteral("%1 %2 %3 ").arg(hash, evaluation).arg(number);
    if (subject)
        made.key += subject->name;
    if (made.key != m_key) {
        m_key = made.key;
        const auto summary = scene.summaries.constFind(evaluatedHash);
        m_shown = Workbench::shownWithEvaluation(
            m_state, evaluation, summary == scene.summaries.cend() ? std::nullopt : std::optional(*summary));
        m_shown.configs = statedConfigs(texts);
        if (subject) {
            m_shown.evaluated = subject->name;
            if (const Result<CandidateTexts> of = m_scenes.textsOf(subject->hash); of.hasValue())
                m_shown.configs = statedConfigs(of.value());
            // Beside the text that it was made for.
            if (Result<Evaluation> before = EvaluationStore(m_state).load(scene.evaluations.value(hash));
                before.hasValue())
                m_shown.parentEvaluation = std::move(before).value();
        }
        if (m_shown.figures.task.inputs.isEmpty())
            m_shown.figures.task = m_task;
    }
    made.shown = m_shown;
    made.shown.iteration = number;
    made.shown.isEarlier = true;
    made.shown.texts = std::move(texts);
    made.shown.replay =
        words("event %1 of the run").arg(scene.number); // whoever shows it knows which run it is

    made.view.plan = planSteps(scene.plan);
    if (scene.proposal) {
        made.view.proposal = proposalView(*scene.proposal);
        // The text of an iteration that is a branch is none that its hunks stand in.
        if (hash == m_scenes.textHash())
            addReview(made);
    }
    made.view.ledger = ledgerLines(scene.ledger, mostLedgerRows);
    made.view.ledgerRemark = ledgerRemark(scene.ledger, mostLedgerRows);
    return made;
}

} // namespace warpwright
