// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/task/task_weights.h"

#include "referee/comparison/judged_tensor.h"
#include "referee/device/ceilings.h"
#include "referee/task/fingerprint.h"

#include <ATen/core/Tensor.h>

#include <algorithm>
#include <utility>

namespace warpwright {

namespace {

constexpr double limitSeconds = 120.0;

} // namespace

TaskWeights::TaskWeights(MemoryKind memory, const Json &loaded, WorkerProcess &reference)
    : m_reference(reference),
      m_state(loaded.value("state", Json::array())),
      m_region(memory, loaded.value("stateBytes", uint64_t{0}), "weights") {
    m_reference.call("map", {{"region", "weights"}, {"bytes", m_region.bytes()}}, limitSeconds,
                     {m_region.descriptor()});
    m_reference.call("export_state", {{"state", m_state}}, limitSeconds);
    m_print = fingerprint(m_region.base(), m_region.bytes(), m_region.kind());
}

at::Tensor TaskWeights::bytesOf(const SharedRegion &region) {
    return tensorAt({{"dtype", "uint8"}, {"sizes", {region.bytes()}}, {"strides", {1}}, {"offset", 0u}},
                    region.base(), region.bytes(), region.kind());
}

const SharedRegion &TaskWeights::regionFor(const WorkerProcess &worker) const {
    if (worker.arena().kind() == m_region.kind())
        return m_region;
    if (!m_onHost)
        m_onHost = std::make_unique<SharedRegion>(MemoryKind::Cpu, m_region.bytes(), "weights on the CPU");
    bytesOf(*m_onHost).copy_(bytesOf(m_region).slice(0, 0, static_cast<int64_t>(m_onHost->bytes())));
    return *m_onHost;
}

void TaskWeights::hand(WorkerProcess &worker) const {
    const SharedRegion &region = regionFor(worker);
    worker.call("map", {{"region", "weights"}, {"bytes", region.bytes()}}, limitSeconds,
                {region.descriptor()});
    give(worker);
}

void TaskWeights::handCopy(WorkerProcess &worker) const {
    const SharedRegion copy(m_region.kind(), m_region.bytes(), "candidate's weights");
    bytesOf(copy).copy_(bytesOf(m_region));
    idle(m_region.kind());
    worker.call("map", {{"region", "weights"}, {"bytes", copy.bytes()}}, limitSeconds, {copy.descriptor()});
    give(worker);
}

void TaskWeights::give(WorkerProcess &worker) const {
    (void)regionFor(worker); // brings the copy on the CPU up to date
    worker.call("import_state", {{"state", m_state}}, limitSeconds);
}

void TaskWeights::carrySignal(int strength, const Json &inputs) {
    m_strength = strength;
    m_signalInputs = inputs;
}

void TaskWeights::redraw(uint64_t seed, const std::vector<WorkerProcess *> &others, Draw draw) {
    if (m_state.empty() || m_care > mostCare)
        return;
    if (!m_first.defined())
        m_first = bytesOf(m_region).clone();
    Json request = {{"seed", seed}, {"care", m_care}};
    if (std::exchange(m_areOfSignal, carriesSignal() && draw == Draw::Best))
        putFirstBack(); // what is drawn begins with their scale
    else if (m_care > 0 && m_areOthers)
        putFirstBack(); // they are to stay near to it
    if (m_areOfSignal)
        request["signal"] = {{"inputs", m_signalInputs}, {"strength", m_strength}};
    if (m_reference.call("redraw_state", request, limitSeconds).value("changed", 0) == 0)
        return;
    m_reference.call("export_state", {{"state", m_state}}, limitSeconds);
    m_print = fingerprint(m_region.base(), m_region.bytes(), m_region.kind());
    m_areOthers = true;
    ++m_version;
    for (WorkerProcess *worker : others)
        give(*worker);
}

bool TaskWeights::takeMoreCare() {
    m_care = std::min(m_care + 1, mostCare + 1);
    return m_care <= mostCare;
}

void TaskWeights::restore(const std::vector<WorkerProcess *> &others) {
    if (!m_areOthers)
        return;
    putFirstBack();
    m_print = fingerprint(m_region.base(), m_region.bytes(), m_region.kind());
    m_areOthers = m_areOfSignal = false;
    ++m_version;
    for (WorkerProcess *worker : others)
        give(*worker);
}

void TaskWeights::putBack(const Saved &saved, const std::vector<WorkerProcess *> &others) {
    bytesOf(m_region).copy_(saved.bytes);
    idle(m_region.kind());
    m_print = fingerprint(m_region.base(), m_region.bytes(), m_region.kind());
    m_areOthers = saved.areOthers;
    m_version = saved.version;
    give(m_reference);
    for (WorkerProcess *worker : others)
        give(*worker);
}

void TaskWeights::nudge(const Saved &saved, uint64_t seed, double distance,
                        const std::vector<WorkerProcess *> &others) {
    if (m_state.empty())
        return;
    if (!m_first.defined())
        m_first = saved.bytes;
    putBack(saved, {});
    m_reference.call("nudge_state", {{"seed", seed}, {"distance", distance}}, limitSeconds);
    m_reference.call("export_state", {{"state", m_state}}, limitSeconds);
    m_print = fingerprint(m_region.base(), m_region.bytes(), m_region.kind());
    m_areOthers = true;
    ++m_version;
    for (WorkerProcess *worker : others)
        give(*worker);
}

void TaskWeights::putFirstBack() {
    bytesOf(m_region).copy_(m_first);
    idle(m_region.kind());
    give(m_reference);
}

void TaskWeights::mend() {
    m_reference.call("export_state", {{"state", m_state}}, limitSeconds);
}

bool TaskWeights::isWhole() const {
    return fingerprint(m_region.base(), m_region.bytes(), m_region.kind()) == m_print;
}

} // namespace warpwright
