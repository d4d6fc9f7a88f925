// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/verification/spare_reference.h"

#include "referee/process/worker_faults.h"

#include <cstdlib>
#include <iterator>
#include <string>
#include <utility>

namespace warpwright {

namespace {

constexpr double runLimitSeconds = 120.0;
constexpr double releaseLimitSeconds = 60.0;
const ArmSpec spareSpec{"stress", "strict", false, false};

} // namespace

SpareReference::~SpareReference() = default;

bool SpareReference::isNeeded() const {
    return m_session.device().memory == MemoryKind::Cuda ||
           std::getenv("WARPWRIGHT_SPARE_PROCESS") != nullptr;
}

KnownStressInputs &SpareReference::known(StressKind kind) {
    return m_session.stressInputs(describe(kind.stress) + (" x" + std::to_string(kind.factor)));
}

bool SpareReference::takes(const VerificationRound &round, StressKind kind) {
    try {
        if (!m_worker || !m_worker->isAlive()) {
            m_worker.reset(); // with its memory
            m_worker = m_session.startArm(spareSpec);
        }
        m_worker->call("run",
                       {{"inputs", round.inputs}, {"clone", m_session.clonesInputs()}, {"mode", "strict"}},
                       runLimitSeconds);
        m_worker->call("release", Json::object(), releaseLimitSeconds);
        m_worker->trim();
        known(kind).seed = round.seed;
        return true;
    } catch (const WorkerFault &fault) {
        if (fault.outOfMemory) { // that says nothing of the inputs
            m_worker.reset();
            return true;
        }
        known(kind).areRefused = true;
        return false;
    }
}

std::vector<int64_t> SpareReference::stretchesToTry(const std::function<bool(StressKind)> &isTaken) {
    if (!isNeeded())
        return {std::begin(stretches), std::end(stretches)};
    std::vector<int64_t> largest;
    for (auto factor = std::rbegin(stretches); factor != std::rend(stretches); ++factor) {
        const StressKind kind{Stress::WholeNumbers, *factor};
        if (!known(kind).seed && !isTaken(kind))
            break;
        largest.assign(1, *factor);
    }
    return largest;
}

void SpareReference::end() {
    m_session.dismiss(std::move(m_worker));
}

} // namespace warpwright
