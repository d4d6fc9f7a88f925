// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/interface/agent_events.h"
#include "agent/record/replay.h"
#include "agent/record/run_summary.h"
#include "agent/review/hunk_answers.h"
#include "agent/review/prediction_ledger.h"
#include "agent/session/hunk_evidence.h"

#include <QHash>

#include <map>
#include <optional>

namespace warpwright {

/// A proposal as far as a run had come with it.
struct ScenedProposal {
    enum class Outcome { Open, Applied, KeptAsBranch, Discarded };

    QString id;
    TrajectoryEvent event;
    CandidateTexts base;                     ///< the text that it was made for; empty: that is not recorded
    std::optional<EvaluationSummary> before; ///< of the text that it was made for
    std::optional<EvaluationSummary> after;  ///< of it, whole
    /// Of what was accepted of it, where that is not the whole: of the iteration `writtenAs`.
    std::optional<EvaluationSummary> written;
    int writtenAs = 0;
    HunkEvidences evidences; ///< of its single hunks
    HunkAnswers answers;
    Outcome outcome = Outcome::Open;
    QString decidedBy; ///< who kept or left it out whole: "policy"; empty: nobody
    QString why;       ///< so
    /// What was accepted of it stands in the text on disk: from `applied` on, until an earlier text is back.
    bool isWritten = false;

    /// How one of its hunks was answered and by whom, as far as that is known: "rejected by person",
    /// "accepted by policy, taken back", "not answered"; the reason apart.
    [[nodiscard]] QString answerWords(const QString &hunk) const;
    [[nodiscard]] QString answerReason(const QString &hunk) const;

    bool operator==(const ScenedProposal &) const = default;
};

/// What was known at one event of a run besides its text.
struct RunScene {
    qint64 number = 0;     ///< of the event; 0: before the first
    TrajectoryEvent event; ///< itself
    QString problem;       ///< why the text is not the recorded one; empty: it is
    int iteration = 0;     ///< that the text is; 0: none yet
    /// As it was told last; what the agent has proposed since under an item's words is no longer ahead.
    std::vector<PlanItem> plan;
    std::optional<ScenedProposal> proposal; ///< the last one
    PredictionLedger ledger;
    RunSummary summary;                  ///< up to here
    QHash<QString, QString> evaluations; ///< ids, by the hash of the text that was measured
    QHash<QString, EvaluationSummary> summaries;
};

/// A run as a film: the text at each event as TrajectoryReplay has it, byte for byte, and what was known
/// then. Going back is cheap. A value; nothing is measured or written.
class RunScenes {
public:
    [[nodiscard]] static Result<RunScenes> open(const QString &file, TrajectoryReplay::History history = {});

    /// The next event; false: that was the last.
    [[nodiscard]] Result<bool> next();
    /// Right after event `number`; 0: before the first. An error beyond the last, and then it is the last.
    /// `goesOn`: asked now and then; where it says no, it ends early and without an error.
    [[nodiscard]] Result<void> seek(qint64 number, const std::function<bool()> &goesOn = {});

    [[nodiscard]] const RunScene &now() const { return m_now; }
    [[nodiscard]] const QString &file() const { return m_replay.file(); }
    [[nodiscard]] const CandidateTexts &texts() const { return m_replay.texts(); }
    [[nodiscard]] const QString &textHash() const { return m_replay.textHash(); }
    /// Of any text that was passed, by its hash.
    [[nodiscard]] Result<CandidateTexts> textsOf(const QString &hash) const { return m_replay.textsOf(hash); }
    /// Also of one that never lay in the workspace.
    [[nodiscard]] Result<CandidateTexts> iterationTexts(int iteration) const {
        return m_replay.iterationTexts(iteration);
    }

private:
    explicit RunScenes(TrajectoryReplay replay);
    void learn(const ReplayedEvent &replayed);
    void learnEvaluation(const TrajectoryEvent &event);
    void learnAnswer(const TrajectoryEvent &event);
    void followPlan();

    TrajectoryReplay m_replay;
    RunScene m_now;
    std::map<qint64, RunScene> m_landmarks; ///< to go back to
    std::optional<RunScene> m_near;         ///< one more, shortly before where was gone to last
};

/// What lies beside a trajectory where it belongs to a workspace: its history; empty: none does.
[[nodiscard]] TrajectoryReplay::History historyBeside(const QString &trajectory);

} // namespace warpwright
