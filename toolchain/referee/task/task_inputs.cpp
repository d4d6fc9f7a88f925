// SPDX-License-Identifier: GPL-3.0-or-later
//
// The part of task_session.h that draws inputs.
#include "referee/base/secret_seed.h"
#include "referee/task/fingerprint.h"
#include "referee/task/task_session.h"

#include <utility>

namespace warpwright {

namespace {

constexpr size_t setsToShare = 4;
constexpr double inputsLimitSeconds = 120.0;

} // namespace

// Inputs that never differ would let a kept result pass: first whatever fixes the seed is left out, then
// values are changed.
void TaskSession::drawFirstInputs() {
    if (!isSameDraw())
        return;
    for (const char *vary : {"seeds", "values"}) {
        m_vary = vary;
        if (!isSameDraw()) {
            m_check.noteFixedInputs(m_vary);
            return;
        }
    }
    m_vary.clear();
    if (m_inputBytes > 0)
        m_check.noteFixedInputs(m_vary);
}

bool TaskSession::isSameDraw() {
    const auto print = [this] {
        return fingerprint(m_inputs->base(), m_inputBytes, m_inputs->kind());
    };
    m_inputTree = drawInputs(secretSeed());
    const Json first = print();
    const uint64_t start = monotonicNanoseconds();
    m_inputTree = drawInputs(secretSeed()); // the first one met a cold device
    m_drawSeconds = static_cast<double>(monotonicNanoseconds() - start) * 1e-9;
    return print() == first;
}

Json TaskSession::drawInputs(uint64_t seed) {
    const Phases::Span span(m_phases, "inputs");
    return draw(drawing(seed, 0, 1)).at(0);
}

Json TaskSession::drawNearly(uint64_t seed) {
    const Phases::Span span(m_phases, "inputs");
    Json request = drawing(seed, 0, 1);
    request["nearly"] = true;
    return draw(request).at(0);
}

// On a CPU torch's generators know one thread: the oracle, where it waits, draws the other half.
Json TaskSession::drawInputSets(size_t first, size_t count) {
    const Phases::Span span(m_phases, "inputs");
    if (count < setsToShare || !canOracleDraw(first))
        return draw(drawing(secretSeed(), first, count));
    const size_t half = count / 2;
    WorkerProcess &oracle = *m_kept.at(oracleSpec.name).worker;
    Json sets;
    try {
        PendingCall other(oracle, "draw_inputs", drawing(secretSeed(), first + half, count - half),
                          inputsLimitSeconds);
        sets = draw(drawing(secretSeed(), first, half));
        Json rest = other.wait();
        for (Json &set : rest.at("sets"))
            sets.push_back(std::move(set));
        return sets;
    } catch (const WorkerFault &) {
        if (!m_reference->isAlive())
            throw;
        m_kept.erase(oracleSpec.name); // the reference draws them all, or says why not
    }
    return draw(drawing(secretSeed(), first, count));
}

// A get_inputs() with a generator of its own does not heed seeds: two processes would draw what the other one
// has drawn before.
bool TaskSession::canOracleDraw(size_t set) {
    const auto kept = m_kept.find(oracleSpec.name);
    if (m_device.memory != MemoryKind::Cpu || kept == m_kept.end() || !m_canShareDraws)
        return false;
    try {
        if (std::exchange(kept->second.inputsVersion, m_inputsVersion) != m_inputsVersion)
            handOver(*kept->second.worker, "inputs", *m_inputs);
        if (m_hasTriedToShare)
            return true;
        m_hasTriedToShare = true;
        const uint64_t seed = secretSeed();
        const auto print = [&] {
            return fingerprint(m_inputs->base() + set * m_inputBytes, m_inputBytes, m_inputs->kind());
        };
        const Json byOracle =
            kept->second.worker->call("draw_inputs", drawing(seed, set, 1), inputsLimitSeconds).at("sets");
        const Json itsPrint = print();
        m_canShareDraws = draw(drawing(seed, set, 1)) == byOracle && print() == itsPrint;
    } catch (const WorkerFault &) {
        if (!m_reference->isAlive())
            throw;
        m_kept.erase(oracleSpec.name);
        return false;
    }
    return m_canShareDraws;
}

Json TaskSession::drawing(uint64_t seed, size_t first, size_t count) const {
    return {{"seed", seed},
            {"offset", first * m_inputBytes},
            {"count", count},
            {"step", m_inputBytes},
            {"vary", m_vary}};
}

Json TaskSession::draw(const Json &request) {
    Json sets = m_reference->call("draw_inputs", request, inputsLimitSeconds).at("sets");
    trim(*m_reference);
    return sets;
}

void TaskSession::resizeInputs(uint64_t bytes, const std::vector<WorkerProcess *> &workers) {
    if (m_inputs->bytes() >= bytes)
        return;
    if (!isRoomy()) // both at once have no room
        return exchangeInputs(bytes, workers);
    auto larger = std::make_unique<SharedRegion>(m_device.memory, bytes, "inputs");
    for (WorkerProcess *worker : workers) {
        if (worker->memoryLimit() != 0)
            worker->setMemoryLimit(worker->memoryLimit() + bytes);
        handOver(*worker, "inputs", *larger);
    }
    m_inputs = std::move(larger);
    ++m_inputsVersion;
}

} // namespace warpwright
