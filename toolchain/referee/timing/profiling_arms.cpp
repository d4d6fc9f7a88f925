// SPDX-License-Identifier: GPL-3.0-or-later
//
// The part of profiling.h that gets the baselines to work.
#include "referee/timing/profiling.h"

#include "referee/base/stage_answer.h"
#include "referee/process/baseline_compilers.h"
#include "referee/process/worker_faults.h"

#include <memory>
#include <utility>
#include <vector>

namespace warpwright {

namespace {

constexpr double firstCallsSeconds = 300.0;

double limitFor(const ArmSpec &spec, const Json &facts) {
    return spec.compiled ? compileLimitSeconds(facts) : firstCallsSeconds;
}

} // namespace

void Profiling::takeArm(BaselineArm &arm) {
    try {
        arm.worker = m_session.takeArm(arm.spec);
    } catch (const WorkerFault &fault) {
        if (!fault.outOfMemory || arm.spec.name != "eager")
            throw;
        StageAnswer(m_answer).doubt("There was no memory for one more process: eager was timed in the "
                                    "reference's, which uses again what it frees, and may be too fast.");
    }
}

// torch.compile may refuse a model; that is a missing baseline, not a wrong candidate.
void Profiling::loseCompiled(BaselineArm &arm, const WorkerFault &fault) {
    arm.lost = describe(fault);
    arm.live = false;
    arm.worker.reset();
    StageAnswer(m_answer).doubt("The baseline " + arm.spec.name +
                                " could not be measured: " + arm.lost.substr(0, 600));
}

// Their first calls compile for seconds: side by side, before anything is timed. Not on a GPU, where a first
// call also tries which variant of a kernel is quickest: beside others it would find another one, and a
// baseline that is slower than it has to be flatters the candidate.
void Profiling::compileBaselines() {
    std::vector<BaselineArm *> arms;
    for (BaselineArm &arm : m_arms.all()) {
        if (arm.live && arm.spec.compiled)
            arms.push_back(&arm);
    }
    if (arms.size() < 2 || m_session.device().memory == MemoryKind::Cuda)
        return;
    step("compile the baselines");
    std::vector<std::pair<BaselineArm *, std::unique_ptr<PendingCall>>> calls;
    for (BaselineArm *arm : arms) {
        try {
            takeArm(*arm);
            arm->worker->call("sets", {{"sets", m_inputs->sets()}}, 60.0);
            calls.emplace_back(arm, std::make_unique<PendingCall>(*arm->worker, "warm", Json::object(),
                                                                  compileLimitSeconds(m_session.facts())));
        } catch (const WorkerFault &fault) {
            loseCompiled(*arm, fault);
        }
    }
    for (const auto &[arm, call] : calls) {
        try {
            arm->calls.firstCallSeconds = call->wait().value("firstSeconds", 0.0);
        } catch (const WorkerFault &fault) {
            loseCompiled(*arm, fault);
        }
    }
}

void Profiling::prepareBaseline(BaselineArm &arm) {
    step("warm up " + arm.spec.name);
    m_atWork = arm.spec.name;
    try {
        // Not in the reference's process where there is room for another: that draws inputs and answers for
        // results between the batches, and on a CPU it keeps its memory, as no user's does.
        const bool hasRoom = m_session.isRoomy() || m_session.device().memory == MemoryKind::Cpu;
        if (isCertify())
            arm.worker = m_session.startArm(arm.spec);
        else if (arm.worker == nullptr && (arm.spec.name != "eager" || hasRoom))
            takeArm(arm);
        arm.calls.worker = arm.graph.worker = arm.worker ? arm.worker.get() : &m_session.reference();
        m_callTimer->prepare(arm.calls, limitFor(arm.spec, m_session.facts()));
    } catch (const WorkerFault &fault) {
        // With less room for all it may get through.
        if (!arm.spec.compiled || (fault.outOfMemory && m_session.isRoomy()))
            throw;
        loseCompiled(arm, fault);
    }
}

// The A/A gate: the baseline that the headline rests on, in a process of its own.
void Profiling::prepareTwin() {
    step("warm up " + m_twinOf + " once more");
    m_atWork = m_twinOf;
    m_twin.worker = m_session.startArm(m_twin.spec);
    m_twin.calls.worker = m_twin.graph.worker = m_twin.worker.get();
    m_callTimer->prepare(m_twin.calls, limitFor(m_twin.spec, m_session.facts()));
    m_twin.live = true;
}

} // namespace warpwright
