// SPDX-License-Identifier: GPL-3.0-or-later
// The judge of evaluation_run.h: a new one, or one that the last check of the same task left warm.
#include "toolchain/base/scratch_folders.h"
#include "toolchain/check/evaluation_run.h"
#include "toolchain/evaluation/judge_sections.h"
#include "toolchain/judge/evaluation_facts.h"
#include "toolchain/judge/judge_setup.h"
#include "toolchain/judge/referee_build.h"

#include <QDir>

namespace warpwright {
namespace {

const QString turnStage = QStringLiteral("turn");

} // namespace

void EvaluationRun::startJudge() {
    removeForgottenScratch(m_request.folders.cache);
    m_scratch = scratchFolder(m_request.folders.cache, m_evaluation.id);
    m_judgeScratch = m_scratch + QStringLiteral("-judge");
    const JudgeNeeds needs{m_workspace,       m_toolchain,    m_device,
                           m_request.folders, m_request.tier, m_request.judgeProgram,
                           m_judgeScratch};
    Result<JudgeSession::Setup> made = makeJudgeSetup(needs);
    if (!made.hasValue()) {
        end(Verdict::Environment, messageFrom(made.message()));
        return;
    }
    JudgeSession::Setup setup = std::move(made).value();
    if (!setup.replacement.isEmpty())
        addDoubt(
            QStringLiteral("The judge was not ours but \"%1\": its word is no measurement of Warpwright's.")
                .arg(setup.replacement));
    m_judgeKey = judgeKeyOf(needs, setup);
    if (setup.plan)
        m_regionWatch = refereeFolder(setup.data, *setup.plan) + QStringLiteral("/libwarpwright_regions.so");
    if (takeJudge())
        return;
    m_isBuildingJudge = setup.plan && !isRefereeBuilt(setup.data, *setup.plan);
    setup.maxJobs = jobs();
    setup.silenceLimitMs = m_request.judgeSilenceMs;
    // Importing torch takes processors, which on a CPU are what others measure. A judge that must be compiled
    // first takes them, too, but for so long that nobody is to stand in line behind that.
    const bool isCuda = m_device.kind == TargetKind::Cuda;
    const bool isBeside = isCuda || m_isBuildingJudge;
    setup.opensWhenAsked = isBeside;
    setup.openParams["compilesAhead"] = isCuda && m_request.lastStage == LastStage::Profile;
    m_judge = new JudgeSession(std::move(setup), this);
    listenToJudge();
    if (isBeside)
        m_judge->start();
    else
        waitForTurn([this] { m_judge->start(); });
}

void EvaluationRun::waitForTurn(std::function<void()> then) {
    if (m_turn && m_turn->isHeld())
        return then();
    m_onTurn = std::move(then);
    if (m_turn) // it waits already, for less: its place in the line stays
        return;
    const QString device = m_device.gpu ? m_device.gpu->cardUuid : QStringLiteral("cpu");
    const QString key = turnKey();
    DeviceUse use = deviceUse();
    use.expectedSeconds = m_stageClock->lastSeconds(turnStage, key);
    m_turn = std::make_unique<DeviceTurn>(m_request.folders.cache, device, use);
    connect(m_turn.get(), &DeviceTurn::waiting, this, &EvaluationRun::showWait);
    connect(m_turn.get(), &DeviceTurn::taken, this, [this, key] {
        if (m_isEnding || m_judge == nullptr)
            return;
        addDoubt(m_turn->trouble());
        countWait();
        static_cast<void>(m_stageClock->begin(turnStage, key, 0, 0));
        std::exchange(m_onTurn, {})();
    });
    m_turn->take();
}

void EvaluationRun::giveTurnBack() {
    m_turn.reset();
    m_stageClock->end(turnStage);
}

DeviceUse EvaluationRun::deviceUse() const {
    DeviceUse use;
    use.what = m_request.collect                          ? QStringLiteral("collects counters of")
               : m_request.traces                         ? QStringLiteral("traces")
               : m_request.tier == Tier::Certify          ? QStringLiteral("certifies")
               : m_request.lastStage == LastStage::Verify ? QStringLiteral("verifies")
                                                          : QStringLiteral("checks");
    use.workspace = m_workspace.name;
    use.isForWindow = m_request.isForWindow;
    use.owner = m_evaluation.id;
    return use;
}

// A check has several turns, the device free for others between them, and each takes what it takes.
QString EvaluationRun::turnKey() const {
    const char *from = !m_isOpened                                            ? "open"
                       : statusOf(m_evaluation.verify) == StageStatus::Passed ? "profile"
                                                                              : "verify";
    return QStringLiteral("%1 %2 %3").arg(tierName(m_request.tier), deviceUse().what, QLatin1String(from));
}

// While compilers work this is what a person sees, and waiting costs nothing.
void EvaluationRun::showWait() {
    if (m_isEnding || !m_turn || !m_turn->wait() || m_compile != nullptr || m_compileBefore != nullptr)
        return;
    if (!m_waits.isValid())
        m_waits.start();
    StageProgress now;
    now.stage = QStringLiteral("wait");
    now.wait = m_turn->wait();
    now.step = waitStep(*now.wait);
    now.elapsedSeconds = static_cast<double>(now.wait->since.msecsTo(QDateTime::currentDateTimeUtc())) / 1000;
    emit progress(now);
}

// Others' time on the device, which says nothing of this text.
void EvaluationRun::countWait() {
    if (!m_waits.isValid())
        return;
    addSecondsInQueue(m_evaluation, static_cast<double>(m_waits.elapsed()) / 1000);
    m_waits.invalidate();
}

// The certify tier measures in processes that nobody warmed.
bool EvaluationRun::takeJudge() {
    if (m_keeper == nullptr)
        return false;
    if (m_request.tier != Tier::Quick) {
        m_keeper->clear();
        return false;
    }
    const JudgeKeeper::Kept kept = m_keeper->take(m_judgeKey);
    if (kept.session == nullptr)
        return false;
    QDir(m_judgeScratch).removeRecursively();
    m_judgeScratch = kept.scratch;
    m_judge = kept.session;
    m_judge->setParent(this);
    listenToJudge();
    QTimer::singleShot(0, this, [this] {
        if (m_judge != nullptr && !m_isEnding)
            taskOpened(m_judge->openReply());
    });
    return true;
}

void EvaluationRun::listenToJudge() {
    connect(m_judge, &JudgeSession::progress, this,
            [this](const QString &stage, const QString &step, int index, int count, double lastSeconds) {
                // What is done once on a machine took no time the last time, and its words change as it goes.
                const double elapsed = static_cast<double>(m_clock.elapsed()) / 1000;
                const StageProgress once{stage, step, index, count, elapsed, {}};
                if (isOfJudgeBuild(once)) {
                    if (!m_isEnding)
                        emit progress(once);
                    return;
                }
                // The judge draws inputs for whichever tool runs the candidate next.
                const bool isForSanitizers = !m_request.collect && !m_request.traces;
                const QString shown = isForSanitizers || stage != QLatin1String("sanitize") ? stage
                                      : m_request.traces ? QStringLiteral("timeline")
                                                         : QStringLiteral("counters");
                show(shown, step, index, count, lastSeconds);
            });
    connect(m_judge, &JudgeSession::measured, this, [this](const Json &process) {
        if (!m_isEnding)
            m_left.add(process);
    });
    connect(m_judge, &JudgeSession::readyToOpen, this, [this] {
        if (!m_isEnding)
            waitForTurn([this] { m_judge->open(); });
    });
    connect(m_judge, &JudgeSession::opened, this, &EvaluationRun::taskOpened);
    connect(m_judge, &JudgeSession::answered, this, &EvaluationRun::judgeAnswered);
    connect(m_judge, &JudgeSession::refused, this, &EvaluationRun::judgeRefused);
    connect(m_judge, &JudgeSession::stopped, this, [this] {
        m_judge->deleteLater();
        m_judge = nullptr;
        if ((m_collectPlan || m_tracePlan) && !m_isEnding)
            startTools();
        else if (m_sanitizerPlan && !m_isEnding)
            startSanitizers();
        else
            settle();
    });
}

void EvaluationRun::taskOpened(const Json &reply) {
    if (m_isEnding)
        return;
    m_isOpened = true;
    m_stageClock->end(QStringLiteral("open"));
    m_evaluation.task = taskSection(m_workspace.name, reply);
    takeCommonParts(reply);
    if (m_compile != nullptr)
        waitForTurn([this] { m_judge->expect(); });
    else
        goOn();
}

// Others may measure while a first check's baselines are compiled.
void EvaluationRun::beginProfile() {
    if (!m_judge->isCompiling())
        return profile();
    show(QStringLiteral("profile"), QStringLiteral("compile the baselines"));
    if (m_isEnding) // whoever is shown it may have stopped us
        return;
    giveTurnBack();
    m_judge->baselines();
}

void EvaluationRun::profile() {
    m_stageTime.start(); // others may have measured meanwhile
    show(QStringLiteral("profile"), QStringLiteral("prepare the arms"));
    if (m_isEnding)
        return;
    m_judge->profile(Json{{"tier", toJson(tierName(m_request.tier))},
                          {"before", toJson(m_runFolderBefore)},
                          {"longerSeconds", m_request.longerSeconds},
                          {"sweep", m_request.sweepsConfigs}});
}

EvaluationMessage EvaluationRun::cancelledByYou() const {
    return {QStringLiteral("Cancelled by you"),
            m_workspace.folder,
            m_left.words(m_pace.usual()),
            {},
            m_left.detail()};
}

// However it was ended: what whole processes have measured took minutes.
void EvaluationRun::keepProcesses() {
    if (m_left.processes() > 0)
        m_evaluation.profile["unfinished"] = m_left.section(m_pace.usual());
}

// A judge that is asked nothing may go on to the next check; nothing of the candidate is alive in it.
void EvaluationRun::releaseJudge() {
    if (m_keeper == nullptr || m_request.tier != Tier::Quick || !m_judge->isIdle()) {
        m_judge->stop();
        return;
    }
    m_judge->disconnect(this);
    m_keeper->keep(m_judgeKey, std::exchange(m_judge, nullptr), std::exchange(m_judgeScratch, {}));
}

} // namespace warpwright
