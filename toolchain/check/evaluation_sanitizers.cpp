// SPDX-License-Identifier: GPL-3.0-or-later
// The last stage of evaluation_run.h: the candidate under compute-sanitizer.
#include "toolchain/check/evaluation_run.h"
#include "toolchain/judge/evaluation_facts.h"

#include <QCoreApplication>

namespace warpwright {

SanitizerNeeds EvaluationRun::sanitizerNeeds() const {
    return {m_request.tier, m_device,  m_toolchain,           m_workspace.folder,          m_runFolder,
            m_referee,      m_scratch, m_request.environment, m_evaluation.compile.kernels};
}

// The first half of the sanitizers, and of counters: what they run the candidate on.
void EvaluationRun::exportInputs() {
    const QString sandbox = findSandboxProgram(QCoreApplication::applicationDirPath());
    if (const QString why = whyNoSanitizers(sanitizerNeeds(), sandbox); !why.isEmpty() && !isForTools())
        return withoutSanitizers(why);
    if (!isForTools() && stringIn(m_evaluation.profile.value("memory", OrderedJson::object()), "plan") ==
                             QLatin1String("frugal"))
        return withoutSanitizers(QStringLiteral("one call takes so much of the device that the tools, which "
                                                "need room beside it, cannot run there"));
    const Result<QString> folder = makeExportFolder(sanitizerNeeds());
    if (!folder.hasValue())
        return isForTools() ? end(Verdict::Environment, messageFrom(folder.message()))
                            : withoutSanitizers(folder.message());
    m_exported = folder.value();
    m_stageTime.start();
    m_judge->exportInputs(Json{{"folder", toJson(m_exported)}, {"runFolder", toJson(m_runFolder)}});
}

void EvaluationRun::planSanitizers(const Json &exported) {
    const Result<SanitizerPlan> plan = makeSanitizerPlan(
        sanitizerNeeds(), findSandboxProgram(QCoreApplication::applicationDirPath()), m_exported, exported);
    if (!plan.hasValue())
        return withoutSanitizers(plan.message());
    // The judge holds most of the device's memory, and has nothing more to do.
    m_sanitizerPlan = plan.value();
    m_judge->stop();
}

void EvaluationRun::withoutSanitizers(const QString &why) {
    m_evaluation.sanitizers = sanitizersNotRun(why);
    pass();
}

void EvaluationRun::startSanitizers() {
    m_sanitizers = new SanitizerRun(*m_sanitizerPlan, this);
    connect(m_sanitizers, &SanitizerRun::progress, this, [this](const QString &tool, int index, int count) {
        show(QStringLiteral("sanitize"), tool, index, count);
    });
    connect(m_sanitizers, &SanitizerRun::finished, this, &EvaluationRun::sanitized);
    m_sanitizers->start();
}

// Memory errors are not a matter of taste; what the other two found is a doubt.
void EvaluationRun::sanitized(const SanitizerSection &section) {
    m_sanitizers->deleteLater();
    m_sanitizers = nullptr;
    m_evaluation.sanitizers = section;
    m_stageClock->end(QStringLiteral("sanitize"));
    emit stageEnded(QStringLiteral("sanitize"), section.status,
                    static_cast<double>(m_stageTime.elapsed()) / 1000);
    if (m_isEnding) {
        settle();
        return;
    }
    m_evaluation.doubts += doubtsOf(section);
    if (const QString why = memoryErrorText(section); !why.isEmpty())
        end(Verdict::RunFailed,
            verdictMessage(
                Verdict::RunFailed, m_workspace, QStringLiteral("memcheck found ") + why,
                QStringLiteral("Guard that access: it reaches memory that is not the tensor's, and "
                               "the result was right by luck.")));
    else
        pass();
}

} // namespace warpwright
