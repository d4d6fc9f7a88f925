// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/data_folders.h"
#include "toolchain/base/settings.h"
#include "toolchain/check/certify_left.h"
#include "toolchain/check/sanitizer_run.h"
#include "toolchain/check/sanitizer_stage.h"
#include "toolchain/compile/compile_run.h"
#include "toolchain/compile/device_choice.h"
#include "toolchain/counters/collect_run.h"
#include "toolchain/device_queue/device_turn.h"
#include "toolchain/environment/toolchain_probe.h"
#include "toolchain/evaluation/evaluation.h"
#include "toolchain/evaluation/unexercised.h"
#include "toolchain/judge/judge_keeper.h"
#include "toolchain/judge/judge_session.h"
#include "toolchain/progress/certify_pace.h"
#include "toolchain/progress/stage_progress.h"
#include "toolchain/timeline/trace_run.h"
#include "toolchain/workspace/workspace.h"

#include <QElapsedTimer>
#include <QObject>
#include <QProcessEnvironment>

#include <functional>
#include <memory>
#include <optional>

namespace warpwright {

/// What a person asks of one evaluation.
struct EvaluationRequest {
    QString path;   ///< a workspace folder or a lone model file
    QString device; ///< "auto", "cpu", "cuda:N"; empty: the settings', else auto
    QString python; ///< an interpreter; empty: the settings', else our environment's
    /// A workspace folder with the text that this one is a change of, timed beside it, so that what the
    /// change did is one measurement; empty: none.
    QString before;
    /// Blocks of the quick tier go on for so many seconds at most, until their intervals are narrow; 0: as
    /// long as the tier says.
    double longerSeconds = 0;
    /// What the text is a change of, for when nothing of the change runs on this device.
    std::optional<CheckedParent> parent;
    bool sweepsConfigs =
        false; ///< after a quick profile on a GPU, what the candidate's CHOICES name is tried
    Tier tier = Tier::Quick;
    LastStage lastStage = LastStage::Profile;
    Settings settings;
    DataFolders folders;
    QString programVersion;
    QString judgeProgram;   ///< a judge of the person's own instead of the built one; for tests
    int judgeSilenceMs = 0; ///< 0: the judge's own limit
    bool listsKernels =
        false;            ///< their instructions, too, while they are compiled: somebody will look at them
    bool isStored = true; ///< false: nobody will ask for the document again
    /// In place of verify and profile: the candidate under Nsight Compute. Then nothing is timed or judged.
    std::optional<CollectRequest> collect;
    bool traces = false; ///< in their place, too: when what of one call of each arm runs
    bool isForWindow =
        false;           ///< a person looks at a window for it: goes before programs that wait without one
    int iteration = 0;   ///< that `path` is the text of, for the counters; 0: what is on disk
    QString stateFolder; ///< where counters are kept; empty: the workspace's own
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
};

/// The whole act: open the workspace, look for the tools, compile, and meanwhile let the judge open the task;
/// then verify, then profile, then (certify, CUDA) the sanitizers. Everything is measured anew; the document
/// is stored in the workspace's state folder.
///
/// Always ends in exactly one finished(), whose evaluation has a verdict and keeps every result up to that
/// point; by then each process it started has ended, but for a judge that went to the keeper. cancel() works
/// in every stage and gives the verdict `cancelled`.
class EvaluationRun : public QObject {
    Q_OBJECT
public:
    explicit EvaluationRun(EvaluationRequest request, QObject *parent = nullptr);
    ~EvaluationRun() override;

    /// Where the judge comes from and goes to; it outlives the run, in the same thread. None: a judge of its
    /// own.
    void setKeeper(JudgeKeeper *keeper) { m_keeper = keeper; }
    void start();
    void cancel();

signals:
    void progress(const warpwright::StageProgress &progress);
    /// A stage has come to its end, with its status; for people who watch.
    void stageEnded(const QString &stage, warpwright::StageStatus status, double seconds);
    /// What the compilers said, as it is stored beside the document, and what is known by then: a verdict may
    /// take minutes more.
    void compiled(const QString &log, const warpwright::Evaluation &soFar);
    /// What `collect` brought; `storedAt`: the path of their document, empty where they could not be kept
    /// (`problems` says why). finished() follows, with a verdict that says that nothing was checked.
    void collected(const warpwright::SharedCounters &counters, const QString &storedAt);
    /// The same of `traces`.
    void traced(const warpwright::Timeline &timeline, const QString &storedAt);
    /// `storedAt`: the path of the document; empty where it could not be stored (a doubt says why), was not
    /// to be, or no workspace was found.
    void finished(const warpwright::Evaluation &evaluation, const QString &storedAt);

private:
    void openWorkspace();
    void toolsFound(const Toolchain &toolchain);
    bool chooseTarget();
    [[nodiscard]] QString whyNotRunnable() const;
    [[nodiscard]] int jobs() const;
    void startCompile();
    void compileDone(const CompileOutcome &outcome);
    [[nodiscard]] CompileRun *makeCompileRun(const CompilePlan &plan);
    void startBefore();
    void withoutBefore(const QString &why);
    void nameBefore(OrderedJson &profile) const;
    void startJudge();
    void waitForTurn(std::function<void()> then);
    void giveTurnBack();
    [[nodiscard]] DeviceUse deviceUse() const;
    [[nodiscard]] QString turnKey() const;
    void showWait();
    void countWait();
    void verify();
    void beginProfile();
    void profile();
    [[nodiscard]] bool takeJudge();
    void listenToJudge();
    void taskOpened(const Json &reply);
    void releaseJudge();
    void removeScratch();
    void addDoubt(const QString &doubt);
    void goOn();
    void judgeAnswered(const QString &method, const Json &reply);
    void judgeRefused(const JudgeError &error);
    void takeCommonParts(const Json &reply);
    [[nodiscard]] SanitizerNeeds sanitizerNeeds() const;
    void exportInputs();
    void planSanitizers(const Json &exported);
    void startSanitizers();
    void withoutSanitizers(const QString &why);
    void sanitized(const SanitizerSection &section);
    [[nodiscard]] bool isForTools() const { return m_request.collect || m_request.traces; }
    [[nodiscard]] bool mayCollect();
    [[nodiscard]] QString lastCheckOf(const QString &state) const;
    void planTools(const Json &exported);
    void planTrace(const Json &words);
    void startTools();
    void endTools(const QString &what);
    void takeTimeline(const Timeline &traced);
    void takeCounters(const SharedCounters &collected);
    void pass();
    void show(const QString &stage, const QString &step, int index = 0, int count = 0,
              double lastSeconds = -1);
    void showCompile(const QString &step, int done, int count, const QString &text);
    void end(Verdict verdict, const EvaluationMessage &message);
    void markCancelled();
    [[nodiscard]] EvaluationMessage cancelledByYou() const;
    void keepProcesses();
    void tellExercised();
    void settle();

    EvaluationRequest m_request;
    Evaluation m_evaluation;
    Workspace m_workspace;
    CandidateTexts m_texts;
    Toolchain m_toolchain;
    DeviceChoice m_device;
    CompileTarget m_target;
    CompilePlan m_plan;
    QString m_runFolder;
    CompileRun *m_compileBefore = nullptr;
    QString m_runFolderBefore;
    QString m_textHashBefore;
    QString m_noBefore; // why the text before is not timed
    QString m_compileLog;
    QString m_scratch;
    QString m_judgeScratch; // goes where the judge goes
    QString m_judgeKey;
    JudgeKeeper *m_keeper = nullptr;
    std::unique_ptr<DeviceTurn>
        m_turn;                     // from the first work on the device until the judge is asked nothing more
    std::function<void()> m_onTurn; // what is done with it once it comes
    QString m_referee;
    std::optional<EvaluationMessage> m_undecided; // certify could not say how fast it is
    QString m_exported;                           // folder of the judge's export; empty: none was asked for
    std::optional<SanitizerPlan> m_sanitizerPlan;
    std::optional<CollectPlan> m_collectPlan;
    std::optional<TracePlan> m_tracePlan;
    QString m_regionWatch; // library of our judge's that sees parallel regions; empty: it is another's
    std::unique_ptr<StageClock> m_stageClock;
    CertifyPace m_pace;
    CertifyLeft m_left;                  ///< of a profile that is not answered yet
    QHash<QString, QString> m_shownStep; // by stage
    QStringList m_compileSteps;
    QElapsedTimer m_clock;
    QElapsedTimer m_stageTime;
    QElapsedTimer m_waits; ///< for the device, with nothing else to do
    ToolchainProbe *m_probe = nullptr;
    CompileRun *m_compile = nullptr;
    JudgeSession *m_judge = nullptr;
    SanitizerRun *m_sanitizers = nullptr;
    CollectRun *m_collect = nullptr;
    TraceRun *m_trace = nullptr;
    JudgeError m_openError;
    bool m_isOpened = false;
    bool m_hasOpenError = false;
    bool m_isBuildingJudge = false;
    bool m_isEnding = false;
    bool m_isFinished = false;
};

} // namespace warpwright
