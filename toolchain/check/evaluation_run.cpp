// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/check/evaluation_run.h"

#include "toolchain/evaluation/evaluation_store.h"
#include "toolchain/evaluation/judge_sections.h"
#include "toolchain/judge/evaluation_facts.h"
#include "toolchain/workspace/candidate_texts.h"
#include "toolchain/workspace/source_scan.h"
#include "toolchain/workspace/text_refusal.h"

#include <QCoreApplication>
#include <QDir>

namespace warpwright {
namespace {

const QString certifyProcesses = QStringLiteral("count of certify's processes");

EvaluationMessage said(const char *what, const QString &thing, const QString &why, const QString &advice) {
    return EvaluationMessage{QString::fromUtf8(what), thing, why, advice, {}};
}

void addDoubts(QStringList &doubts, const QStringList &more) {
    for (const QString &doubt : more) {
        if (!doubt.isEmpty() && !doubts.contains(doubt))
            doubts.append(doubt);
    }
}

} // namespace

EvaluationRun::EvaluationRun(EvaluationRequest request, QObject *parent)
    : QObject(parent),
      m_request(std::move(request)),
      m_evaluation(emptyEvaluation(m_request.programVersion)) {
    m_evaluation.tier = m_request.tier;
    m_evaluation.lastStage = m_request.lastStage;
    m_referee = m_request.folders.refereeSources();
    if (m_request.tier == Tier::Certify)
        m_evaluation.sanitizers = sanitizersNotRun(QStringLiteral("the candidate did not get that far"));
}

// Whatever still runs goes first: it writes into the scratch folder, and the device is not free before.
EvaluationRun::~EvaluationRun() {
    m_isEnding = true;
    for (QObject *child : QObjectList(children())) {
        child->disconnect(this);
        delete child;
    }
    removeScratch();
}

void EvaluationRun::addDoubt(const QString &doubt) {
    addDoubts(m_evaluation.doubts, {doubt});
}

void EvaluationRun::removeScratch() {
    for (QString *folder : {&m_scratch, &m_judgeScratch})
        if (!folder->isEmpty())
            QDir(std::exchange(*folder, {})).removeRecursively();
}

void EvaluationRun::start() {
    m_clock.start();
    m_stageClock = std::make_unique<StageClock>(m_request.folders.cache + QStringLiteral("/durations.json"),
                                                QDir(m_request.path).absolutePath());
    m_pace = CertifyPace(m_stageClock->lastCount(QStringLiteral("profile"), certifyProcesses));
    show(QStringLiteral("prepare"), QStringLiteral("look for compilers, Python, torch and devices"));
    QTimer::singleShot(0, this, &EvaluationRun::openWorkspace);
}

void EvaluationRun::openWorkspace() {
    if (m_isEnding)
        return;
    const Result<Workspace> opened = Workspace::open(m_request.path, m_request.folders);
    if (!opened.hasValue()) {
        end(Verdict::Usage, messageFrom(opened.message()));
        return;
    }
    m_workspace = opened.value();
    m_workspace.task = m_workspace.task.withDefaults(m_request.settings);
    m_evaluation.workspace = workspaceSection(m_workspace);
    // So that anyone can tell later whether the text has changed, without a compiler.
    if (const Result<CandidateTexts> texts = readCandidateTexts(m_workspace); texts.hasValue()) {
        m_evaluation.workspace["textHash"] = toJson(textHashOf(texts.value()));
        if (!m_workspace.isLoneFile)
            addDoubts(m_evaluation.doubts, doubtsOf(scanSources(texts.value())));
        m_texts = texts.value();
    }
    addDoubts(m_evaluation.doubts, doubtsOfFiles(m_workspace));
    m_evaluation.task["name"] = toJson(m_workspace.name);
    m_evaluation.precisionAllowed = m_workspace.task.allow;

    m_probe = new ToolchainProbe(ToolchainProbe::Request{m_request.python, m_request.settings,
                                                         m_request.folders, m_request.environment, false},
                                 this);
    connect(m_probe, &ToolchainProbe::finished, this, &EvaluationRun::toolsFound);
    m_probe->start();
}

void EvaluationRun::toolsFound(const Toolchain &toolchain) {
    m_probe = nullptr;
    m_toolchain = toolchain;
    m_evaluation.environment = environmentSection(m_toolchain, m_request.programVersion);
    if (m_isEnding) {
        settle();
        return;
    }
    m_stageClock->end(QStringLiteral("prepare"));
    if (!chooseTarget() || (m_request.collect && !mayCollect()))
        return;
    if (const auto refusal = whyNotCheckable(m_workspace, m_plan.target.kind == TargetKind::Cuda)) {
        m_evaluation.compile.diagnostics = refusal->diagnostics;
        if (refusal->verdict == Verdict::BuildFailed)
            m_evaluation.compile.status = StageStatus::Failed;
        end(refusal->verdict, refusal->message);
        return;
    }
    const bool hasText = !m_workspace.sources.empty() || !m_workspace.modelNewFile.isEmpty();
    if (m_request.lastStage != LastStage::Compile && whyNotRunnable().isEmpty())
        startJudge();
    if (m_isEnding)
        return;
    if (hasText)
        startCompile();
    else
        goOn();
}

// The device, the plan and the hash. False: the end has begun.
bool EvaluationRun::chooseTarget() {
    const auto lack = [this](const QString &message) {
        end(Verdict::Environment, messageFrom(message));
        return false;
    };
    if (!m_toolchain.python)
        return lack(m_toolchain.pythonMessage);
    const QString asked = m_request.device.isEmpty() ? m_request.settings.device : m_request.device;
    const Result<DeviceChoice> device = chooseDevice(asked, m_toolchain);
    if (!device.hasValue())
        return lack(device.message());
    m_device = device.value();
    addDoubts(m_evaluation.doubts, {m_device.doubt});
    const GpuDevice *gpu = m_device.gpu ? &*m_device.gpu : nullptr;
    const CompileTarget target{m_device.kind, chooseArchitecture(m_workspace, m_request.settings, gpu)};
    m_evaluation.device = deviceSection(m_device, target.architecture);

    const Result<CompilePlan> plan = makeCompilePlan(m_workspace, m_toolchain, target);
    if (!plan.hasValue())
        return lack(plan.message());
    m_plan = plan.value();
    m_evaluation.inputsHash = inputsHashOf(m_workspace, m_toolchain, m_device, m_plan);
    m_evaluation.compile.architecture = target.architecture;
    m_target = target;
    // Without nvcc and without a twin there is nothing at all that could be compiled.
    if (!whyNotRunnable().isEmpty() && !m_toolchain.cuda)
        return lack(m_toolchain.cudaMessage);
    return true;
}

// Why verify and profile cannot be run on this device; empty when they can.
QString EvaluationRun::whyNotRunnable() const {
    if (m_device.kind == TargetKind::Cuda || m_workspace.cudaSourcesWithoutTwin().isEmpty())
        return {};
    return m_toolchain.devices.empty()
               ? QStringLiteral("no CUDA device: not run")
               : QStringLiteral("it has no CPU twin, and the device is the CPU: not run");
}

int EvaluationRun::jobs() const {
    return m_request.settings.maxJobs > 0 ? m_request.settings.maxJobs : sensibleJobCount();
}

void EvaluationRun::startCompile() {
    m_compile = makeCompileRun(m_plan);
    connect(m_compile, &CompileRun::progress, this, &EvaluationRun::showCompile);
    connect(m_compile, &CompileRun::finished, this, &EvaluationRun::compileDone);
    connect(m_compile, &CompileRun::failed, this, [this](const QString &message) {
        m_compile = nullptr;
        end(Verdict::Environment, messageFrom(message));
        settle();
    });
    m_compile->start();
    startBefore();
}

CompileRun *EvaluationRun::makeCompileRun(const CompilePlan &plan) {
    CompileRun::Options options;
    options.cacheFolder = m_request.folders.cache;
    // On first use the judge is built beside the candidate, and its twenty sources take longer: it gets the
    // cores.
    options.maxJobs = m_isBuildingJudge ? std::max(1, jobs() / 2) : jobs();
    options.environment = m_request.environment;
    if (m_request.listsKernels && m_toolchain.cuda)
        options.nvdisasm = m_toolchain.cuda->nvdisasm;
    options.sandbox = makeBuildSandbox(findSandboxProgram(QCoreApplication::applicationDirPath()), plan,
                                       m_toolchain, m_request.environment);
    return new CompileRun(plan, options, this);
}

void EvaluationRun::compileDone(const CompileOutcome &outcome) {
    m_compile = nullptr;
    CompileSection &section = m_evaluation.compile;
    section.seconds = outcome.seconds;
    section.objects = outcome.objects;
    section.cachedObjects = outcome.cachedObjects;
    section.sandbox = outcome.sandbox;
    section.diagnostics = outcome.diagnostics;
    section.kernels = outcome.kernels;
    m_compileLog = outcome.log;
    m_runFolder = outcome.runFolder;
    section.status = outcome.status == CompileStatus::Passed   ? StageStatus::Passed
                     : outcome.status == CompileStatus::Failed ? StageStatus::Failed
                                                               : StageStatus::Cancelled;
    m_stageClock->end(QStringLiteral("compile"));
    emit compiled(m_compileLog, m_evaluation);
    emit stageEnded(QStringLiteral("compile"), section.status, outcome.seconds);
    if (m_isEnding) {
        settle();
    } else if (section.status == StageStatus::Failed) {
        // A tool that fails without a word that we can read still leaves its last line.
        if (countErrors(section.diagnostics) == 0) {
            Diagnostic last;
            last.severity = Severity::Fatal;
            last.message = outcome.log.trimmed().section(QLatin1Char('\n'), -1);
            last.tool = QStringLiteral("compiler");
            if (last.message.isEmpty())
                last.message = QStringLiteral("it failed and said nothing");
            section.diagnostics.push_back(last);
        }
        const int errors = countErrors(section.diagnostics);
        end(Verdict::BuildFailed,
            said("Cannot compile", m_workspace.folder,
                 errors == 1 ? QStringLiteral("1 error") : QStringLiteral("%1 errors").arg(errors),
                 QStringLiteral("Fix the first one first: later ones often follow from it.")));
    } else {
        goOn();
    }
}

// Called whenever one of the two sides has come further.
void EvaluationRun::goOn() {
    if (m_isEnding || m_compile != nullptr || m_compileBefore != nullptr)
        return;
    showWait(); // compilers spoke last
    const QString notRunnable = whyNotRunnable();
    const bool hasText = !m_workspace.sources.empty() || !m_workspace.modelNewFile.isEmpty();
    if (m_request.lastStage == LastStage::Compile && !hasText) {
        end(Verdict::NotRun, said("There is nothing to compile in", m_workspace.modelFile,
                                  QStringLiteral("it is a reference without kernels"),
                                  QStringLiteral("Make a workspace with wright new DIR --from \"%1\", or run "
                                                 "wright check without --stages, which tries the reference.")
                                      .arg(m_workspace.modelFile)));
    } else if (m_request.lastStage == LastStage::Compile) {
        end(Verdict::NotRun,
            said("Verify and profile were not run", {}, QStringLiteral("only compile was asked for"),
                 QStringLiteral("Run wright check without --stages for a verdict.")));
    } else if (!notRunnable.isEmpty()) {
        const QString source = m_workspace.cudaSourcesWithoutTwin().constFirst();
        end(Verdict::NotRun, said("Cannot run", source, notRunnable, adviceForTwin(m_workspace, source)));
    } else if (m_hasOpenError) {
        end(m_openError.verdict, m_openError.message);
    } else if (!m_isOpened) {
        return;
    } else if (m_workspace.modelNewFile.isEmpty()) {
        end(Verdict::NotRun,
            said("There is no candidate in", m_workspace.folder, QStringLiteral("it has no model_new.py"),
                 QStringLiteral(
                     "The reference works. Make a workspace with wright new DIR --from \"%1\", and write "
                     "kernels/ and model_new.py.")
                     .arg(m_workspace.modelFile)));
    } else {
        waitForTurn([this] { isForTools() ? exportInputs() : verify(); });
    }
}

void EvaluationRun::verify() {
    m_stageTime.start();
    show(QStringLiteral("verify"), QStringLiteral("load the candidate"));
    if (m_isEnding) // whoever is shown it may have stopped us
        return;
    m_judge->verify(Json{{"runFolder", toJson(m_runFolder)},
                         {"rounds", 5},
                         {"isLast", m_request.lastStage != LastStage::Profile}});
}

void EvaluationRun::judgeAnswered(const QString &method, const Json &reply) {
    if (m_isEnding)
        return;
    if (method == QLatin1String("expect")) {
        if (m_compile != nullptr)
            giveTurnBack(); // others may measure while ours is compiled
        return;
    }
    if (method == QLatin1String("baselines"))
        return waitForTurn([this] { profile(); });
    if (method == QLatin1String("export"))
        return isForTools() ? planTools(reply) : planSanitizers(reply);
    m_stageClock->end(method);
    if (m_pace.processes() > 0 && method == QLatin1String("profile"))
        m_stageClock->rememberCount(method, certifyProcesses, m_pace.processes());
    const bool isVerify = method == QLatin1String("verify");
    OrderedJson &section = isVerify ? m_evaluation.verify : m_evaluation.profile;
    section = isVerify ? verifySection(reply) : profileSection(reply);
    m_left = {}; // all that was measured is in the answer
    if (!isVerify)
        nameBefore(section);
    else
        m_evaluation.precisionMeasured = stringIn(reply.value("precision", Json::object()), "measured");
    const double seconds = static_cast<double>(m_stageTime.elapsed()) / 1000;
    section["seconds"] = seconds;
    takeCommonParts(reply);
    const QString word = stringIn(reply, "verdict");
    const std::optional<Verdict> verdict = verdictFromName(word);
    const bool isUnderstood = statusOf(section) == StageStatus::Passed && (word.isEmpty() || verdict);
    const bool isGood = isUnderstood && verdict.value_or(Verdict::Pass) == Verdict::Pass;
    const QString whyUndecided = isVerify || !isGood ? QString() : whyTimesAreNotWhole(section);
    if (!isVerify && (verdict == Verdict::Inconclusive || !whyUndecided.isEmpty()))
        setStatus(section, StageStatus::Undecided);
    emit stageEnded(method, statusOf(section), seconds);

    if (verdict == Verdict::Inconclusive && m_request.tier == Tier::Certify) {
        // How fast it is is not known; whether it stays in its memory can be.
        m_undecided =
            verdictMessage(*verdict, m_workspace, stringIn(reply, "reason"), stringIn(reply, "advice"));
        exportInputs();
    } else if (verdict && *verdict != Verdict::Pass) {
        end(*verdict, judgedMessage(*verdict, m_workspace, reply, m_evaluation.verify));
    } else if (whyUndecided.isEmpty() && !isUnderstood) {
        section = isVerify ? verifySection(Json::object()) : profileSection(Json::object());
        end(Verdict::Environment, said("Cannot understand the judge", method,
                                       QStringLiteral("it gave the status \"%1\" and the verdict \"%2\"")
                                           .arg(stringIn(reply, "status"), word),
                                       QStringLiteral("Report this with what wright doctor prints.")));
    } else if (!whyUndecided.isEmpty()) {
        end(Verdict::Inconclusive,
            verdictMessage(Verdict::Inconclusive, m_workspace,
                           QStringLiteral("the times scatter so much that no interval could be given (%1)")
                               .arg(whyUndecided),
                           QStringLiteral("Let the machine do nothing else, then check again.")));
    } else if (isVerify && m_request.lastStage == LastStage::Profile) {
        beginProfile();
    } else if (!isVerify) {
        exportInputs();
    } else {
        pass();
    }
}

void EvaluationRun::takeCommonParts(const Json &reply) {
    mergeFacts(m_evaluation.device, reply.value("device", Json::object()));
    if (reply.contains("task"))
        mergeFacts(m_evaluation.task, reply["task"]);
    if (reply.contains("integrity"))
        m_evaluation.integrity = integritySection(reply, m_evaluation.integrity);
    addDoubts(m_evaluation.doubts, doubtsIn(reply));
}

void EvaluationRun::pass() {
    if (m_undecided)
        return end(Verdict::Inconclusive, *m_undecided);
    const RewardTimes times = rewardTimesIn(m_evaluation.profile);
    if (!degeneracyIn(m_evaluation.task).isEmpty())
        return end(Verdict::Pass, {});
    if (m_request.lastStage != LastStage::Profile)
        addDoubts(m_evaluation.doubts,
                  {QStringLiteral("Nothing was timed: the reward 1 says only that the result is right.")});
    else if (!times.compile)
        addDoubts(m_evaluation.doubts,
                  {QStringLiteral("The arm compile was not measured, so the reward is at most 2.")});
    end(Verdict::Pass, {});
}

void EvaluationRun::judgeRefused(const JudgeError &error) {
    if (m_isEnding)
        return;
    // The measurement is whole; a judge that cannot export, or dies at it, takes nothing from it.
    if (!m_exported.isEmpty() && !isForTools()) {
        withoutSanitizers(plainText(error.message));
        return;
    }
    // The task could not be opened: what the compilers say is still wanted.
    if (!m_isOpened) {
        m_openError = error;
        m_hasOpenError = true;
        goOn();
        return;
    }
    // A refusal that the candidate is to blame for is a failed stage; any other leaves the stage undecided.
    if (exitCodeFor(error.verdict) == 1) {
        const bool isVerify = statusOf(m_evaluation.verify) != StageStatus::Passed;
        setStatus(isVerify ? m_evaluation.verify : m_evaluation.profile, StageStatus::Failed);
    }
    end(error.verdict, error.message);
}

// One sub-step after the other: what begins ends what was.
void EvaluationRun::show(const QString &stage, const QString &step, int index, int count,
                         double lastSeconds) {
    if (m_shownStep.value(stage) != step)
        m_stageClock->end(stage);
    m_shownStep[stage] = step;
    StageProgress now = m_stageClock->begin(stage, step, index, count);
    if (lastSeconds >= 0)
        now.lastSeconds = lastSeconds;
    if (m_request.tier == Tier::Certify && stage == QLatin1String("profile"))
        now.step = m_pace.told(step, static_cast<double>(m_clock.elapsed()) / 1000);
    emit progress(now);
}

// Compilers run side by side, and each says its name twice: when it begins and when it is done.
void EvaluationRun::showCompile(const QString &step, int, int count, const QString &text) {
    const QString stage = QStringLiteral("compile");
    const QString name = step == QLatin1String("compile") ? text : step;
    if (m_compileSteps.contains(name)) {
        m_stageClock->end(stage, name);
        return;
    }
    m_compileSteps.append(name);
    const bool isObject = step == QLatin1String("compile");
    emit progress(m_stageClock->begin(stage, name, isObject ? static_cast<int>(m_compileSteps.size()) : 0,
                                      isObject ? count : 0));
}

void EvaluationRun::cancel() {
    end(Verdict::Cancelled, cancelledByYou());
}

// The verdict stands from here on; what still runs is ended, and settle() waits for it.
void EvaluationRun::end(Verdict verdict, const EvaluationMessage &message) {
    if (m_isEnding)
        return;
    m_isEnding = true;
    m_evaluation.verdict = verdict;
    m_evaluation.message = message;
    // A traceback names the copy that ran; the person edits the original.
    if (EvaluationMessage &told = m_evaluation.message; !m_runFolder.isEmpty())
        for (QString *text : {&told.thing, &told.why, &told.advice, &told.detail})
            text->replace(m_runFolder, m_workspace.folder);
    if (m_probe != nullptr)
        m_probe->cancel();
    for (CompileRun *compile : {m_compile, m_compileBefore})
        if (compile != nullptr)
            compile->cancel();
    if (m_judge != nullptr)
        releaseJudge();
    if (m_sanitizers != nullptr)
        m_sanitizers->cancel();
    if (m_collect != nullptr)
        m_collect->cancel();
    if (m_trace != nullptr)
        m_trace->cancel();
    QTimer::singleShot(0, this, &EvaluationRun::settle);
}

void EvaluationRun::markCancelled() {
    if (m_evaluation.compile.status != StageStatus::Passed) {
        m_evaluation.compile.status = StageStatus::Cancelled;
    } else if (m_request.lastStage != LastStage::Compile &&
               statusOf(m_evaluation.profile) != StageStatus::Passed) {
        const bool isVerify = statusOf(m_evaluation.verify) != StageStatus::Passed;
        setStatus(isVerify ? m_evaluation.verify : m_evaluation.profile, StageStatus::Cancelled);
    }
}

void EvaluationRun::settle() {
    if (!m_isEnding || m_isFinished || m_probe != nullptr || m_compile != nullptr ||
        m_compileBefore != nullptr || m_judge != nullptr || m_sanitizers != nullptr || m_collect != nullptr ||
        m_trace != nullptr)
        return;
    m_isFinished = true;
    if (m_turn && m_turn->isHeld() && m_evaluation.verdict == Verdict::Pass)
        giveTurnBack(); // and how long it took is what the next is expected to take
    m_turn.reset();
    if (m_evaluation.verdict == Verdict::Cancelled)
        markCancelled();
    keepProcesses();
    m_evaluation.reward = rewardFor(m_evaluation.verdict, rewardTimesIn(m_evaluation.profile));
    if (m_evaluation.verdict == Verdict::Pass && !degeneracyIn(m_evaluation.task).isEmpty())
        m_evaluation.reward.reset();
    tellExercised();
    m_evaluation.seconds = static_cast<double>(m_clock.elapsed()) / 1000;
    if (m_stageClock) { // none: stopped before it was started
        m_stageClock->abandon();
        m_stageClock->save();
    }
    removeScratch();
    QString storedAt;
    if (m_request.isStored && !m_workspace.state.isEmpty()) {
        const Result<QString> stored = EvaluationStore(m_workspace.state).store(m_evaluation, m_compileLog);
        if (stored.hasValue())
            storedAt = stored.value();
        else
            addDoubt(doubtOfUnkept(stored.message()));
    }
    emit finished(m_evaluation, storedAt);
}

} // namespace warpwright
