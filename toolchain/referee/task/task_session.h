// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "referee/base/fault.h"
#include "referee/base/phases.h"
#include "referee/base/progress.h"
#include "referee/device/ceilings.h"
#include "referee/device/device_facts.h"
#include "referee/device/quiet_device.h"
#include "referee/process/amputation.h"
#include "referee/process/baseline_compilers.h"
#include "referee/process/expected_candidate.h"
#include "referee/process/fork_server.h"
#include "referee/process/worker_process.h"
#include "referee/sandbox/sandbox_spec.h"
#include "referee/task/memory_plan.h"
#include "referee/task/reference_check.h"
#include "referee/task/task_weights.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace warpwright {

struct SandboxNeeds;

/// What makes an arm different from the others: flags, precision and compiler.
struct ArmSpec {
    std::string name;             ///< eager, compile, eagerStrict …, oracle
    std::string mode = "default"; ///< default, strict, tf32
    bool compiled = false;
    bool oracle = false; ///< fp64
    bool onHost = false; ///< on the CPU, whatever the device is
};

inline const ArmSpec oracleSpec{"oracle", "strict", false, true, false};
inline const ArmSpec hostOracleSpec{"oracle on the CPU", "strict", false, true, true};

/// Which inputs are cut into rows where the oracle works in pieces.
enum class RowCut {
    Unknown, ///< not tried yet
    All,     ///< all that have as many rows as the results
    Largest, ///< the largest of them alone
    None     ///< rows depend on each other
};

/// An opened task: the reference in a warm worker, its parameters and one set of inputs in shared memory, its
/// facts.
///
/// Faults of the reference are "task-failed", of the machine "environment". Seeds (secretSeed) are told to
/// trusted workers only.
class TaskSession {
public:
    /// Interpreters that workers are forked from.
    struct ForkServers {
        std::unique_ptr<ForkServer> whole; ///< what is trusted, in the user's torch
        std::unique_ptr<ForkServer>
            amputated; ///< the candidate, without torch's arithmetic; null: there are no copies
    };

    /// `forkServers`: what startForkServers made of the same parameters; nothing: they are started here.
    TaskSession(const Json &parameters, ProgressSink progress, ForkServers forkServers = {});
    ~TaskSession();

    /// Imports the user's torch, which takes seconds and disturbs nobody who measures on a GPU.
    static ForkServers startForkServers(const Json &parameters);

    Json description() const; ///< the answer to `open`

    const DeviceFacts &device() const { return m_device; }
    const Json &facts() const { return m_facts; }
    const std::vector<std::string> &allowedPrecision() const { return m_allowed; }
    const std::string &baselinesFile() const { return m_baselines; }
    const std::string &taskKey() const { return m_taskKey; } ///< names what stored baselines belong to
    uint64_t inputBytes() const { return m_inputBytes; }
    double drawSeconds() const { return m_drawSeconds; } ///< of one set of inputs
    uint64_t initSeed() const { return m_initSeed; }     ///< of every arm's constructor
    const Json &initInputs() const { return m_initInputs; }
    Phases &phases() { return m_phases; } ///< of the call at work
    const ProgressSink &progress() const { return m_progress; }
    const Ceilings &ceilings(); ///< measured once a session
    QuietDevice &quietDevice() { return *m_quiet; }
    bool hasCeilings() const { return m_ceilings.has_value(); }

    WorkerProcess &reference() { return *m_reference; }
    ReferenceCheck &referenceCheck() { return m_check; }

    /// A trusted worker with the reference's parameters, in a fresh process. Throws WorkerFault.
    std::unique_ptr<WorkerProcess> startArm(const ArmSpec &spec);
    /// The same; one that was kept goes on, with the parameters and inputs as they are now.
    std::unique_ptr<WorkerProcess> takeArm(const ArmSpec &spec);
    /// Keeps a trusted worker for the next candidate of this task, without the results that it holds. Nothing
    /// is kept of one that is gone.
    void keepArm(const ArmSpec &spec, std::unique_ptr<WorkerProcess> worker);

    /// How many input sets timed calls rotate over, once that is found out. A smaller memory plan forgets it.
    std::optional<int> timedSets() const { return m_timedSets; }
    void setTimedSets(int sets) { m_timedSets = sets; }

    /// Starts a worker in its sandbox for the next candidate, whose files need not be there yet. Where that
    /// fails, startCandidate says why.
    void expectCandidate();

    /// A worker with the candidate of `runFolder`, in the strongest sandbox that stands here. `place`: name
    /// of its scratch folder; two that live at one time have two. Throws WorkerFault: the candidate's.
    std::unique_ptr<WorkerProcess> startCandidate(const std::string &runFolder,
                                                  const std::string &place = firstPlace);
    /// Ends a worker now, and waits for its end in `awaitDismissed`: the answer need not.
    void dismiss(std::unique_ptr<WorkerProcess> worker);
    void awaitDismissed() { m_dismissed.clear(); }

    bool ranWithoutSandbox() const { return m_sandbox.is_object() && m_sandbox.value("kind", "") == "none"; }
    const Json &sandbox() const {
        return m_sandbox;
    } ///< of the last candidate: kind, lacks[], tried[]; null: none yet

    const Amputation &amputation() const { return m_amputation; }
    /// Why candidates' processes have torch's arithmetic in them where they need not have; empty: they have
    /// none, or nobody can take it out on this device.
    std::string arithmeticDoubt() const;
    /// Empty: a candidate can execute the code of files only, or a library's whose calls are counted.
    std::string codeDoubt() const;
    /// From now on a candidate may let torch compute while it gets parameters, in its constructor, in
    /// load_state_dict and in one call that nobody looks at; false: it may already, or torch is whole.
    bool prepareParameters();
    void leavePreparation() { m_prepares = false; } ///< another text comes, which may not need it
    bool preparesParameters() const { return m_prepares; }
    /// The parameters as they are now, to a candidate.
    void handWeights(WorkerProcess &candidate);

    /// That results move when inputs do, and when parameters do, is the reference's doing: one candidate's
    /// rounds have shown it for all.
    bool isDependenceShown(int rank) const { return rank <= m_shownRank; }
    void setDependenceShown(int rank) { m_shownRank = std::max(m_shownRank, rank); }

    /// Why every constant of the right value is right, once one candidate's rounds have shown it; empty: not.
    const std::string &degeneracy() const { return m_degeneracy; }
    void setDegeneracy(const std::string &reason) { m_degeneracy = reason; }

    /// Stress inputs by this name have ended a process of the reference's: they are not for this task.
    bool areStressInputsRefused(const std::string &name) const { return m_refusedStress.contains(name); }
    void refuseStressInputs(const std::string &name) { m_refusedStress.insert(name); }

    /// Names the run folder where `answer` names the folder that the candidate was laid in for its worker.
    void nameRunFolderIn(Json &answer) const { m_expected.renameIn(answer); }

    /// Prepares compiled arms while something else is going on.
    void expectCompiledArms() { m_forkServer->importCompiler(); }
    /// Compiles baselines of these modes (ArmSpec) in processes beside everything else, where the device is a
    /// GPU and there is room, or always. Nothing may be timed before awaitCompilers().
    void compileAhead(const std::vector<std::string> &modes, bool always);
    bool areCompilersAtWork() const { return m_compilers.areAtWork(); }
    void awaitCompilers() { m_compilers.wait(); }

    /// The sandbox for a tool that the client runs the candidate under: of the last candidate's kind.
    std::string sandboxWordsFor(const std::string &runFolder) const;

    /// Hands a region to a worker, which maps it under this name.
    static void handOver(WorkerProcess &worker, const std::string &name, const SharedRegion &region);

    /// Draws one set of get_inputs() into the reference's region of inputs. Returns the tree of the set.
    Json drawInputs(uint64_t seed);
    /// Whether get_inputs() gives the same each time, and inputs differ by our doing.
    bool areInputsFixed() const { return !m_vary.empty(); }
    /// Where they do: the inputs that `seed` gave before, in which a few numbers have traded places.
    Json drawNearly(uint64_t seed);

    /// Draws the sets `first` to `first + count - 1` in one call from a secret seed, each at its own place:
    /// set i lies at i * inputBytes(). Returns the list of their trees.
    Json drawInputSets(size_t first, size_t count);

    SharedRegion &inputs() { return *m_inputs; }
    TaskWeights &weights() { return *m_weights; }
    bool asksForIeee() const { return m_asksForIeee; } ///< what stress inputs show is a verdict then

    /// Who keeps what in memory: see MemoryPlan. The first one is made when the task is opened.
    const MemoryPlan &memoryPlan() const { return m_memoryPlans.at(m_memoryPlan); }
    bool isRoomy() const { return memoryPlan().isRoomy; }
    /// After one ran out of memory. False: there is none.
    bool takeSmallerPlan();
    /// Where there is no room: sets of timed calls before make place for a verification.
    void leaveOneInputSet();
    /// Where there is no room: what the worker has freed goes back to the device.
    void trim(WorkerProcess &worker);
    void trim(const std::vector<WorkerProcess *> &workers);
    /// Beside the worker's `run`: whether it gets inputs of its own. (What the reference writes to each call
    /// gets anew, anyway.)
    bool clonesInputs() const { return isRoomy(); }
    const MemoryNeeds &memoryNeeds() const { return m_needs; }
    Json memoryJson() const; ///< needs, plan and the most that was taken, for the answer
    RowCut rowCut() const { return m_rowCut; }
    void setRowCut(RowCut cut) { m_rowCut = cut; }
    const ArmSpec &oracleArm() const;
    /// The inputs at hand, for an arm on the CPU.
    void copyInputsToHost();

    /// Replaces the region of inputs by a larger one; `workers` lose the old one and get the new one.
    void resizeInputs(uint64_t bytes, const std::vector<WorkerProcess *> &workers);

    /// Runs `work`, turning a fault of the reference's worker into "task-failed".
    template <typename Work>
    auto asTask(Work work) {
        try {
            return work();
        } catch (const WorkerFault &fault) {
            throw taskFault(fault);
        }
    }
    Fault taskFault(const WorkerFault &fault) const;

private:
    static constexpr const char *firstPlace = "candidate";

    /// In a worker, which sees one device at most.
    const char *torchDevice() const { return m_device.memory == MemoryKind::Cuda ? "cuda:0" : "cpu"; }
    std::unique_ptr<WorkerProcess> startWorker(ForkServer &forkServer, const std::string &role,
                                               const Json &sandbox = Json(), bool onHost = false);
    std::unique_ptr<WorkerProcess> startSandboxed(const std::string &runFolder, const std::string &place);
    std::unique_ptr<WorkerProcess> startInSandbox(SandboxKind kind, const std::string &runFolder,
                                                  const std::string &place);
    SandboxNeeds needsFor(ForkServer &server, const std::string &runFolder, const std::string &place) const;
    SandboxKind sandboxKind() const; ///< of the last candidate
    static Json workerSandbox(SandboxKind kind, const SandboxNeeds &needs, const SandboxSpec &spec);
    ForkServer &serverOfCandidates() const { return m_amputated ? *m_amputated : *m_forkServer; }
    void loadCandidate(WorkerProcess &worker, const std::string &folder);
    /// Runs `load`, which gives parameters to a candidate, and where it prepares them, what that needs.
    void prepared(WorkerProcess &candidate, const std::function<void()> &load);
    std::unique_ptr<WorkerProcess> startCalculator();
    void openReference();
    void refuseInputsBeyond(uint64_t bytes) const; ///< more than any plan could take
    void planMemoryOf(const Json &inputTree);
    void lookAtReference(const Json &inputTree, bool clone);
    void exchangeInputs(uint64_t bytes, const std::vector<WorkerProcess *> &workers);
    void drawFirstInputs();
    bool isSameDraw();                ///< two draws of different seeds, bit by bit
    Json loading(Json request) const; ///< what all that load a model are told beside `request`
    bool canOracleDraw(size_t set);   ///< tried out once, in this set's place
    Json drawing(uint64_t seed, size_t first, size_t count) const; ///< what a worker is told
    Json draw(const Json &request);                                ///< a list of trees

    ProgressSink m_progress;
    std::string m_model;
    std::string m_shim;
    std::string m_baselines;
    std::string m_taskKey;
    std::vector<std::string> m_allowed;
    DeviceFacts m_device;
    Amputation m_amputation;
    bool m_couldMakeCode = false;
    bool m_triedOnCuda; ///< to make copies for cards; they are asked for
    std::unique_ptr<ForkServer> m_forkServer, m_amputated;
    bool m_prepares = false;
    at::Tensor m_decoy; ///< one set of inputs that nobody uses but who prepares parameters
    Json m_decoyTree;
    Json m_prepared; ///< which of torch's operators that took, by number of calls
    BaselineCompilers m_compilers;
    std::unique_ptr<WorkerProcess> m_reference;
    struct KeptArm {
        std::unique_ptr<WorkerProcess> worker;
        int inputsVersion = 0; ///< that it has mapped
    };
    std::map<std::string, KeptArm> m_kept; ///< by the arm's name
    std::string m_vary; ///< how inputs are made to differ where get_inputs() does not: workers' draw_inputs
    bool m_canShareDraws = true;
    bool m_hasTriedToShare = false;
    std::vector<std::unique_ptr<WorkerProcess>> m_dismissed;
    std::unique_ptr<TaskWeights> m_weights;
    std::unique_ptr<SharedRegion> m_inputs;
    int m_inputsVersion = 0; ///< counts the regions
    std::unique_ptr<SharedRegion> m_hostInputs;
    MemoryNeeds m_needs;
    MemorySupply m_supply;
    std::vector<MemoryPlan> m_memoryPlans{MemoryPlan()};
    size_t m_memoryPlan = 0;
    RowCut m_rowCut = RowCut::Unknown;
    std::optional<Ceilings> m_ceilings;
    std::unique_ptr<QuietDevice> m_quiet;
    std::optional<int> m_timedSets;
    std::string m_sandboxWish;    ///< auto, or a kind by name
    uint64_t m_sandboxMemory = 0; ///< what a candidate may use; 0: most of what is free
    std::string m_scratch;
    ReferenceCheck m_check;
    ExpectedCandidate m_expected;
    int m_expectedCount = 0;
    int m_shownRank = -1;
    std::string m_degeneracy;
    std::set<std::string> m_refusedStress;
    bool m_asksForIeee = false;
    Json m_sandbox;
    Json m_initInputs;
    Json m_facts;
    Json m_inputTree;
    uint64_t m_inputBytes = 0;
    double m_drawSeconds = 0.0;
    Phases m_phases;
    uint64_t m_initSeed = 0;
    int m_threads = 0;
};

} // namespace warpwright
