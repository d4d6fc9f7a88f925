// SPDX-License-Identifier: GPL-3.0-or-later
// What evaluation_run.h does in place of verify and profile when counters were asked for.
#include "toolchain/counters/collect_stage.h"
#include "toolchain/counters/counter_store.h"
#include "toolchain/evaluation_facts.h"
#include "toolchain/evaluation_run.h"
#include "toolchain/evaluation_store.h"
#include "toolchain/workspace.h"

#include <QCoreApplication>

namespace warpwright {
namespace {

EvaluationMessage notCollected(const QString &folder, const QString &why, const QString &advice) {
    return EvaluationMessage{QStringLiteral("Cannot collect counters of"), folder, why, advice, {}};
}

} // namespace

bool EvaluationRun::mayCollect() {
    const CollectRefusal refusal = whyNotCollectable(m_device, m_toolchain, m_request.environment,
                                                     findWallProgram(QCoreApplication::applicationDirPath()));
    if (refusal.why.isEmpty())
        return true;
    end(Verdict::Environment, notCollected(m_workspace.folder, refusal.why, refusal.advice));
    return false;
}

void EvaluationRun::planCollect(const Json &exported) {
    const CollectNeeds needs{m_device,  m_toolchain, m_workspace.modelFile, m_runFolder,
                             m_referee, m_scratch,   m_request.environment};
    const Result<CollectPlan> plan =
        makeCollectPlan(needs, *m_request.collect, findWallProgram(QCoreApplication::applicationDirPath()),
                        m_exported, exported);
    if (!plan.hasValue())
        return end(Verdict::Environment, notCollected(m_workspace.folder, plan.message(), {}));
    m_collectPlan = plan.value();
    // The judge holds most of the device's memory, and has nothing more to do.
    m_judge->stop();
}

void EvaluationRun::startCollect() {
    ReportReading reading =
        reportReading(m_toolchain, m_request.python, m_request.folders, m_request.environment);
    reading.scratchFolder = m_scratch;
    m_collect = new CollectRun(*m_collectPlan, reading, this);
    connect(m_collect, &CollectRun::progress, this,
            [this](const QString &step, int launch) { show(QStringLiteral("counters"), step, launch, 0); });
    connect(m_collect, &CollectRun::finished, this, &EvaluationRun::takeCounters);
    connect(m_collect, &CollectRun::failed, this, [this](const QString &message) {
        m_collect->deleteLater();
        m_collect = nullptr;
        if (m_isEnding)
            return settle();
        end(Verdict::Environment, messageFrom(message));
    });
    m_collect->start();
}

void EvaluationRun::takeCounters(const SharedCounters &collected) {
    m_collect->deleteLater();
    m_collect = nullptr;
    m_stageClock->end(QStringLiteral("counters"));
    if (m_isEnding)
        return settle();
    Counters counters = *collected;
    counters.program = m_request.programVersion;
    counters.workspace = m_workspace.name;
    counters.textHash = stringIn(m_evaluation.workspace, "textHash");
    counters.iteration = m_request.iteration;
    const QString state = m_request.stateFolder.isEmpty() ? m_workspace.state : m_request.stateFolder;
    if (const auto checked = EvaluationStore(state).find(m_evaluation.inputsHash); checked.hasValue())
        counters.evaluation = checked.value().id;
    std::map<QString, QString> reports;
    for (const QString &arm : armsOf(*m_collectPlan))
        reports[arm] = reportPathOf(*m_collectPlan, arm);
    const Result<QString> stored = CounterStore(state).store(counters, reports);
    if (!stored.hasValue())
        counters.problems << QStringLiteral("These counters are not kept. ") + stored.message();
    emit this->collected(makeShared(std::move(counters)), stored.hasValue() ? stored.value() : QString());
    end(Verdict::NotRun, EvaluationMessage{QStringLiteral("Verify and profile were not run"),
                                           {},
                                           QStringLiteral("only counters were asked for"),
                                           QStringLiteral("Run wright check for a verdict."),
                                           {}});
}

} // namespace warpwright
