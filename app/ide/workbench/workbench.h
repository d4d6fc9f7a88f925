// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ide/workbench/iteration_tree.h"
#include "app/ide/workbench/job.h"
#include "app/ide/workbench/live_compile.h"
#include "app/ide/workbench/unkept_evaluations.h"
#include "toolchain/base/data_folders.h"
#include "toolchain/base/settings.h"
#include "toolchain/check/evaluation_thread.h"
#include "toolchain/evaluation/evaluation.h"
#include "toolchain/evaluation/measured_figures.h"
#include "toolchain/evaluation/unexercised.h"
#include "toolchain/workspace/candidate_texts.h"
#include "toolchain/workspace/stated_configs.h"
#include "toolchain/workspace/workspace.h"
#include "toolchain/workspace/workspace_lock.h"

#include <QObject>

#include <memory>
#include <optional>

namespace warpwright {

/// What every pane shows at this moment: either the text being edited, or an earlier iteration, read-only.
struct Shown {
    int iteration = 0;      ///< 0: a text that was never checked
    bool isEarlier = false; ///< read-only; the text being edited waits
    CandidateTexts texts;   ///< of an earlier one
    QString replay; ///< «event 12 of 70 …»: the text as a past run had it then; empty: it is no replay
    /// In a replay «proposal 7»: whose evaluation it is where that is not of the text; empty: it is of the
    /// text.
    QString evaluated;
    std::optional<Evaluation> evaluation;
    bool isSummary = false;                     ///< no more of that evaluation was kept than its summary
    MeasuredFigures figures;                    ///< of that evaluation
    StatedConfigs configs;                      ///< of the text that was evaluated
    std::optional<Evaluation> parentEvaluation; ///< for what changed in registers
    QString compileLog;
};

/// The open workspace: its iterations, the running check and what is shown. No widgets; everything slow
/// happens in the pool or in the check's own thread. Every failure arrives as failed(), with what, why and
/// what to do.
class Workbench : public QObject {
    Q_OBJECT
public:
    Workbench(DataFolders folders, QString programVersion, QObject *parent = nullptr);

    void setSettings(const Settings &settings) { m_settings = settings; }
    [[nodiscard]] const Settings &settings() const { return m_settings; }
    [[nodiscard]] const DataFolders &folders() const { return m_folders; }

    /// Closes what is open. Ends in opened() or failed().
    void open(const QString &path);
    void close();
    [[nodiscard]] const std::optional<Workspace> &workspace() const { return m_workspace; }
    /// Why nothing can be changed here (another window has it, the folder is read-only); empty: it can.
    [[nodiscard]] const QString &readOnlyReason() const { return m_readOnlyReason; }
    /// The same where there is room for a few words: «read-only: open in process 4711».
    [[nodiscard]] QString readOnlyWords() const;
    /// Reads the list of files again, after one was made, renamed or deleted.
    void refreshFiles();

    /// Evaluates what lies on disk now: the caller has saved. Commits it as an iteration by `you` first.
    /// Asked while a check runs, the newest text wins: a check of another text is stopped and this one
    /// follows it, of the same text (in the same tier, or a higher one) it goes on and serves both.
    void check(Tier tier, LastStage lastStage = LastStage::Profile);
    /// The same in the quick tier; on a GPU the values that the candidate's CHOICES name are tried after it.
    void checkConfigs();
    /// An agent's run writes into the workspace meanwhile, and holds its lock: nothing is checked or branched
    /// here.
    void lend(bool isLent);
    [[nodiscard]] bool isLent() const { return m_isLent; }
    /// The run has made this iteration the text (0: it has measured one): shows it.
    void followRun(int iteration);
    /// What a check of the text on disk asks for.
    [[nodiscard]] EvaluationRequest request() const;
    void stop();
    [[nodiscard]] bool isRunning() const { return m_isPreparing || m_runner.isRunning(); }
    [[nodiscard]] bool isStopping() const { return m_runner.isStopping() || (m_isPreparing && m_wantsStop); }
    [[nodiscard]] const StageProgress &progressNow() const { return m_progress; }
    [[nodiscard]] const QStringList &passedStages() const { return m_passedStages; }

    [[nodiscard]] const std::vector<IterationRecord> &iterations() const { return m_tree->records; }
    [[nodiscard]] const SharedTree &tree() const { return m_tree; }
    [[nodiscard]] const Shown &shown() const { return m_shown; }
    /// The iteration of this workspace whose check runs; 0: none.
    [[nodiscard]] int checkedIteration() const;
    /// The iteration the edited text was made from; 0: none.
    [[nodiscard]] int liveIteration() const { return m_liveIteration; }
    /// How often the text was changed since it was last checked; 0: the evaluation is of this text.
    [[nodiscard]] int edits() const { return m_shown.isEarlier ? 0 : m_edits; }
    [[nodiscard]] bool hasLiveEdits() const { return m_edits > 0; }
    void setEdits(int edits);

    /// The saved text is compiled as it changes, unless the settings forbid it.
    void textSaved();
    /// What the compilers say of the text being edited where that is newer than its evaluation; null:
    /// nothing.
    [[nodiscard]] const CompiledText *compiledText() const;
    /// Of the text that is shown, from its evaluation or newer; null: it was never compiled.
    [[nodiscard]] const CompileSection *compileShown() const;
    /// What the compilers say of the text on disk, which an agent's run is measuring.
    void takeCompiled(const QString &log, const Evaluation &soFar);
    [[nodiscard]] bool isCompiling() const { return m_live.isRunning(); }

    /// Reads the history again: a terminal may have checked meanwhile. For when the window gets the focus.
    void lookAgain();
    void showIteration(int number);
    void backToText();
    /// The text and the evaluation at an event of a past run; isEarlier and `replay` are set. The text being
    /// edited waits, as under an earlier iteration.
    void showReplayed(const Shown &shown);
    /// What panes show beside the texts, read in the pool by whoever replays: the evaluation of this id, or
    /// as much of it as its summary tells where it lies here no more.
    [[nodiscard]] static Shown shownWithEvaluation(const QString &state, const QString &evaluation,
                                                   const std::optional<EvaluationSummary> &summary);
    /// Brings the shown earlier iteration's text onto the disk; what lies there is committed before. Ends in
    /// shownChanged() or failed(); the editors see the files change.
    void branchFromShown();

signals:
    /// An earlier text is the one on the disk now, and so what is checked.
    void branched(const CandidateTexts &texts);
    void opened();
    void closed();
    void filesChanged();
    void shownChanged();
    void iterationsChanged();
    void runChanged();
    void compiledTextChanged();
    void logged(const QString &line);
    void checked(const warpwright::Evaluation &evaluation);
    void noticed(const QString &title, const QString &text);
    void failed(const QString &title, const QString &text);

private:
    struct Opening;
    struct Wanted {
        Tier tier = Tier::Quick;
        LastStage lastStage = LastStage::Profile;
        bool sweepsConfigs = false;
    };
    /// A text that is kept and is to be evaluated.
    struct Prepared {
        Wanted wanted;
        QString state;     ///< of its workspace, which may be closed before the run has ended
        int iteration = 0; ///< 0: it could not be kept
        QString textHash;
        std::optional<CheckedParent> parent;
    };
    void adopt(Opening &&opening);
    void want(const Wanted &wanted);
    void prepare();
    void prepared(const Prepared &text);
    [[nodiscard]] bool isOfRunningText(const Prepared &text) const;
    [[nodiscard]] bool isAnsweredByRun(const Prepared &text) const;
    void startRun(const Prepared &text);
    void runCompiled(const QString &log, const Evaluation &soFar);
    void runEnded(const Evaluation &evaluation, const QString &storedAt);
    [[nodiscard]] bool isPicking() const { return !m_jobs.isStale(m_picked); }
    void reloadIterations(int showNumber, bool isEarlier, const std::optional<Evaluation> &known);
    [[nodiscard]] static Shown loadShown(const QString &state, const IterationTree &tree, int number,
                                         bool isEarlier);

    DataFolders m_folders;
    QString m_programVersion;
    Settings m_settings;
    EvaluationThread m_runner{QStringLiteral("check")};
    LiveCompile m_live;
    UnkeptEvaluations m_unkept;
    std::optional<Workspace> m_workspace;
    std::shared_ptr<WorkspaceLock> m_lock;
    QString m_readOnlyReason;
    SharedTree m_tree = makeIterationTree({});
    Shown m_shown;
    StageProgress m_progress;
    QStringList m_passedStages;
    JobNumber m_jobs; ///< of what is shown
    JobNumber m_treeJobs;
    int m_picked = -1; ///< the job that brings what a person wants to see; -1: it is there
    JobNumber m_filesJobs;
    int m_liveIteration = 0;
    std::optional<Wanted> m_wanted; ///< asked for, and its text not yet kept
    std::optional<Prepared> m_next; ///< follows when the run that was stopped for it has ended
    Prepared m_running;
    int m_edits = 0;
    bool m_isPreparing = false;
    bool m_wantsStop = false;
    bool m_isLent = false;
};

} // namespace warpwright
