// SPDX-License-Identifier: GPL-3.0-or-later
// What evaluation_run.h does in place of verify and profile when counters or a timeline were asked for.
#include "toolchain/base/text_file.h"
#include "toolchain/check/evaluation_run.h"
#include "toolchain/counters/collect_stage.h"
#include "toolchain/counters/counter_store.h"
#include "toolchain/evaluation/evaluation_store.h"
#include "toolchain/judge/evaluation_facts.h"
#include "toolchain/timeline/timeline_store.h"

#include <QCoreApplication>
#include <QFile>

namespace warpwright {
namespace {

EvaluationMessage notDone(const QString &what, const QString &folder, const QString &why,
                          const QString &advice) {
    return EvaluationMessage{what, folder, why, advice, {}};
}

const QString cannotCollect = QStringLiteral("Cannot collect counters of");
const QString cannotTrace = QStringLiteral("Cannot trace a call of");

} // namespace

bool EvaluationRun::mayCollect() {
    const QString program = findSandboxProgram(QCoreApplication::applicationDirPath());
    const CollectRefusal refusal = whyNotCollectable(m_device, m_toolchain, m_request.environment, program);
    if (refusal.why.isEmpty())
        return true;
    end(Verdict::Environment, notDone(cannotCollect, m_workspace.folder, refusal.why, refusal.advice));
    return false;
}

void EvaluationRun::planTools(const Json &exported) {
    if (!m_request.collect)
        return planTrace(exported);
    const CollectNeeds needs{m_device,  m_toolchain, m_workspace.modelFile, m_runFolder,
                             m_referee, m_scratch,   m_request.environment};
    const Result<CollectPlan> plan =
        makeCollectPlan(needs, *m_request.collect, findSandboxProgram(QCoreApplication::applicationDirPath()),
                        m_exported, exported);
    if (!plan.hasValue())
        return end(Verdict::Environment, notDone(cannotCollect, m_workspace.folder, plan.message(), {}));
    m_collectPlan = plan.value();
    // The judge holds most of the device's memory, and has nothing more to do.
    m_judge->stop();
}

void EvaluationRun::planTrace(const Json &exported) {
    const auto refuse = [this](const QString &why) {
        end(Verdict::Environment,
            notDone(cannotTrace, m_workspace.folder, why, QStringLiteral("Install the package again.")));
    };
    TracePlan plan;
    plan.sandboxProgram = findSandboxProgram(QCoreApplication::applicationDirPath());
    if (plan.sandboxProgram.isEmpty())
        return refuse(QStringLiteral(
            "there is no warpwright-sandbox, the program of the sandbox that the candidate runs in"));
    plan.sandboxWords = stringsIn(exported.is_object() ? exported.value("wall", Json()) : Json());
    if (plan.sandboxWords.isEmpty())
        return refuse(QStringLiteral("the judge named no sandbox for it"));
    plan.scratch = m_scratch + QStringLiteral("/trace");
    if (const Result<void> made = makeFolder(plan.scratch); !made.hasValue())
        return refuse(made.message());
    // The candidate may run as another user.
    QFile::setPermissions(plan.scratch, QFile::permissions(plan.scratch) | QFileDevice::ReadOther |
                                            QFileDevice::ExeOther | QFileDevice::WriteOther);
    plan.interpreter = m_toolchain.python->interpreter;
    plan.script = m_referee + QStringLiteral("/worker/trace_call.py");
    plan.regionWatch = m_device.kind == TargetKind::Cuda ? QString() : m_regionWatch;
    plan.inputs = m_exported;
    plan.runFolder = m_runFolder;
    plan.modelFile = m_workspace.modelFile;
    plan.environment = m_request.environment;
    if (m_device.kind == TargetKind::Cuda) {
        plan.toolkit = m_toolchain.cuda ? m_toolchain.cuda->root : QString();
        plan.device = m_device.gpu && !m_device.gpu->uuid.isEmpty()
                          ? m_device.gpu->uuid
                          : QString::number(m_device.gpu ? m_device.gpu->index : 0);
    }
    m_tracePlan = plan;
    m_judge->stop();
}

void EvaluationRun::startTools() {
    if (m_tracePlan) {
        m_trace = new TraceRun(*m_tracePlan, TraceRun::patienceMs, this);
        connect(m_trace, &TraceRun::progress, this,
                [this](const QString &step) { show(QStringLiteral("timeline"), step); });
        connect(m_trace, &TraceRun::finished, this, &EvaluationRun::takeTimeline);
        connect(m_trace, &TraceRun::failed, this, [this](const QString &message) {
            std::exchange(m_trace, nullptr)->deleteLater();
            m_isEnding ? settle() : end(Verdict::Environment, messageFrom(message));
        });
        m_trace->start();
        return;
    }
    ReportReading reading =
        reportReading(m_toolchain, m_request.python, m_request.folders, m_request.environment);
    reading.scratchFolder = m_scratch;
    m_collect = new CollectRun(*m_collectPlan, reading, this);
    connect(m_collect, &CollectRun::progress, this,
            [this](const QString &step, int launch) { show(QStringLiteral("counters"), step, launch, 0); });
    connect(m_collect, &CollectRun::finished, this, &EvaluationRun::takeCounters);
    connect(m_collect, &CollectRun::failed, this, [this](const QString &message) {
        std::exchange(m_collect, nullptr)->deleteLater();
        m_isEnding ? settle() : end(Verdict::Environment, messageFrom(message));
    });
    m_collect->start();
}

QString EvaluationRun::lastCheckOf(const QString &state) const {
    const Result<Evaluation> checked = EvaluationStore(state).find(m_evaluation.inputsHash);
    return checked.hasValue() ? checked.value().id : QString();
}

void EvaluationRun::endTools(const QString &what) {
    end(Verdict::NotRun, EvaluationMessage{QStringLiteral("Verify and profile were not run"),
                                           {},
                                           QStringLiteral("only %1 asked for").arg(what),
                                           QStringLiteral("Run wright check for a verdict."),
                                           {}});
}

void EvaluationRun::takeCounters(const SharedCounters &collected) {
    std::exchange(m_collect, nullptr)->deleteLater();
    m_stageClock->end(QStringLiteral("counters"));
    if (m_isEnding)
        return settle();
    const QString state = m_request.stateFolder.isEmpty() ? m_workspace.state : m_request.stateFolder;
    Counters counters = *collected;
    counters.program = m_request.programVersion;
    counters.workspace = m_workspace.name;
    counters.textHash = stringIn(m_evaluation.workspace, "textHash");
    counters.iteration = m_request.iteration;
    counters.evaluation = lastCheckOf(state);
    std::map<QString, QString> reports;
    for (const QString &arm : armsOf(*m_collectPlan))
        reports[arm] = reportPathOf(*m_collectPlan, arm);
    const Result<QString> stored = CounterStore(state).store(counters, reports);
    if (!stored.hasValue())
        counters.problems << QStringLiteral("These counters are not kept. ") + stored.message();
    emit this->collected(makeShared(std::move(counters)), stored.hasValue() ? stored.value() : QString());
    endTools(QStringLiteral("counters were"));
}

void EvaluationRun::takeTimeline(const Timeline &traced) {
    std::exchange(m_trace, nullptr)->deleteLater();
    m_stageClock->end(QStringLiteral("timeline"));
    if (m_isEnding)
        return settle();
    const QString state = m_request.stateFolder.isEmpty() ? m_workspace.state : m_request.stateFolder;
    Timeline timeline = traced;
    timeline.program = m_request.programVersion;
    timeline.workspace = m_workspace.name;
    timeline.textHash = stringIn(m_evaluation.workspace, "textHash");
    timeline.iteration = m_request.iteration;
    timeline.evaluation = lastCheckOf(state);
    const Result<QString> stored = TimelineStore(state).store(timeline);
    if (!stored.hasValue())
        timeline.problems << QStringLiteral("This timeline is not kept. ") + stored.message();
    emit this->traced(timeline, stored.hasValue() ? stored.value() : QString());
    endTools(QStringLiteral("a timeline was"));
}

} // namespace warpwright
