// SPDX-License-Identifier: GPL-3.0-or-later
//
// The part of task_session.h that decides who keeps what in memory.
#include "referee/base/value_tree.h"
#include "referee/comparison/judged_tensor.h"
#include "referee/device/ceilings.h"
#include "referee/task/task_session.h"

#include <algorithm>

// Not c10/cuda: its headers want a whole CUDA toolkit beside torch. Before torch 2.9 there is no other way,
// and what the judge has freed stays its own.
#if WARPWRIGHT_CUDA && __has_include(<torch/headeronly/version.h>)
#include <ATen/core/Tensor.h>
#include <c10/core/CachingDeviceAllocator.h>
#define WARPWRIGHT_CAN_EMPTY 1
#else
#define WARPWRIGHT_CAN_EMPTY 0
#endif

namespace warpwright {

namespace {

constexpr double forwardLimitSeconds = 120.0;
// With less than that a second copy of the inputs disturbs nobody.
constexpr double smallShare = 0.05;
constexpr uint64_t contextBytes = uint64_t{600} << 20; // of a process on a GPU; measured: 480 to 560 MiB

const char *const makeSmaller =
    "Make the inputs that get_inputs() draws smaller, or check on a device with more memory.";

int64_t firstSize(const ValueLeaf &leaf) {
    const Json sizes = leaf.node.value("sizes", Json::array());
    return sizes.empty() ? 0 : sizes[0].get<int64_t>();
}

// The first dimension of all results, where an input has it too; else 0.
int64_t commonRows(const Json &inputs, const Json &outputs) {
    int64_t rows = -1;
    for (const ValueLeaf &leaf : leavesOf(outputs, "output")) {
        if (!leaf.isTensor() || (rows >= 0 && firstSize(leaf) != rows))
            return 0;
        rows = firstSize(leaf);
    }
    for (const ValueLeaf &leaf : leavesOf(inputs, "input")) {
        if (leaf.isTensor() && firstSize(leaf) == rows)
            return rows;
    }
    return 0;
}

// What the judge's own tensors have left behind.
void emptyCache(MemoryKind memory) {
#if WARPWRIGHT_CAN_EMPTY
    if (memory == MemoryKind::Cuda)
        c10::getDeviceAllocator(c10::kCUDA)->emptyCache();
#else
    (void)memory;
#endif
}

const char *nameOf(MemoryPlan::Oracle oracle) {
    switch (oracle) {
    case MemoryPlan::Oracle::Whole:
        return "whole";
    case MemoryPlan::Oracle::Pieces:
        return "pieces";
    case MemoryPlan::Oracle::OnCpu:
        return "on the CPU";
    case MemoryPlan::Oracle::None:
        break;
    }
    return "none";
}

} // namespace

void TaskSession::refuseInputsBeyond(uint64_t bytes) const {
    const uint64_t device = memoryOfDevice(m_device.memoryBytes);
    if (static_cast<double>(bytes) > shareForOneCall * static_cast<double>(device))
        throw Fault("environment", "The task is too large for this device.",
                    "Its inputs alone take " + gibibytes(bytes) + ", more than 45 % of the device's " +
                        gibibytes(device) + "; a candidate's call has to fit beside the reference's results.",
                    makeSmaller);
}

// Two calls (worker/warpwright_reference.py): what the first one takes is what any call takes.
void TaskSession::lookAtReference(const Json &inputTree, bool clone) {
    m_facts = m_reference->call("facts", {{"inputs", inputTree}, {"clone", clone}}, forwardLimitSeconds);
    m_needs.inputs = m_inputBytes;
    m_needs.results = m_facts.value("outputBytes", uint64_t{0});
    m_needs.forward = std::max(m_facts.value("forwardBytes", uint64_t{0}), m_needs.results);
    m_needs.parameters = m_weights->bytes();
    m_needs.rows = commonRows(inputTree, m_facts.value("outputs", Json::object()));
}

void TaskSession::planMemoryOf(const Json &inputTree) {
    const bool cuda = m_device.memory == MemoryKind::Cuda;
    m_supply.device = memoryOfDevice(m_device.memoryBytes);
    m_supply.each = cuda ? contextBytes : 0;
    m_supply.parts = cuda;
    m_supply.host = cuda ? availableMemory(MemoryKind::Cpu) : 0;
    if (static_cast<double>(m_inputBytes) >= smallShare * static_cast<double>(m_supply.device))
        m_reference->trim(); // what drawing left
    const auto refuse = [](const std::string &why) {
        throw Fault("environment", "The task is too large for this device.", why, makeSmaller);
    };
    const auto refuseFull = [&](const WorkerFault &fault) {
        refuse("One eager call of the reference, with inputs of " + gibibytes(m_inputBytes) +
               ", ran out of the device's " + gibibytes(m_supply.device) + ": " +
               fault.message.substr(0, 300) + " The judge can take on what peaks below 45 % of it.");
    };
    try {
        lookAtReference(inputTree, true);
    } catch (const WorkerFault &full) {
        if (!full.outOfMemory)
            throw;
        // Beside a copy of its inputs there is no room for a call. Alone it may tell what it takes.
        try {
            m_reference->trim();
            lookAtReference(inputTree, false);
        } catch (const WorkerFault &fault) {
            if (!fault.outOfMemory)
                throw;
            refuseFull(fault);
        }
        if (whyNone(m_needs, m_supply).empty())
            refuseFull(full);
    }
    m_memoryPlans = planMemory(m_needs, m_supply);
    m_memoryPlan = 0;
    if (m_memoryPlans.empty())
        refuse(whyNone(m_needs, m_supply));
    trim(*m_reference);
}

bool TaskSession::takeSmallerPlan() {
    do {
        if (m_memoryPlan + 1 >= m_memoryPlans.size())
            return false;
        ++m_memoryPlan;
    } while (m_rowCut == RowCut::None && memoryPlan().oracle == MemoryPlan::Oracle::Pieces);
    m_kept.clear();
    m_timedSets.reset();
    m_reference->call("release", Json::object(), forwardLimitSeconds);
    trim(*m_reference);
    return true;
}

// First the one region goes, in all that map it, then the other one comes: nobody has the inputs meanwhile.
void TaskSession::exchangeInputs(uint64_t bytes, const std::vector<WorkerProcess *> &workers) {
    const auto make = [this](uint64_t size) {
        m_inputs = std::make_unique<SharedRegion>(m_device.memory, size, "inputs");
        ++m_inputsVersion;
    };
    for (WorkerProcess *worker : workers)
        worker->call("unmap", {{"region", "inputs"}}, forwardLimitSeconds);
    for (auto kept = m_kept.begin(); kept != m_kept.end();) {
        try {
            if (kept->second.worker->arena().kind() == m_device.memory)
                kept->second.worker->call("unmap", {{"region", "inputs"}}, forwardLimitSeconds);
            ++kept;
        } catch (const WorkerFault &) {
            kept = m_kept.erase(kept); // it died while it waited
        }
    }
    const uint64_t before = m_inputs->bytes();
    m_inputs.reset();
    emptyCache(m_device.memory);
    std::optional<Fault> lacking;
    try {
        make(bytes);
    } catch (const Fault &fault) {
        lacking = fault;
        make(before);
    }
    for (WorkerProcess *worker : workers) {
        if (worker->memoryLimit() != 0 && bytes > before)
            worker->setMemoryLimit(worker->memoryLimit() + bytes - before);
        handOver(*worker, "inputs", *m_inputs);
    }
    if (lacking)
        throw *lacking;
}

void TaskSession::leaveOneInputSet() {
    if (!isRoomy() && m_inputs->bytes() >= 2 * std::max(m_inputBytes, uint64_t{1} << 21))
        exchangeInputs(m_inputBytes, {m_reference.get()});
}

void TaskSession::trim(WorkerProcess &worker) {
    if (isRoomy() || !worker.isAlive())
        return;
    idle(m_device.memory); // whoever still reads there
    emptyCache(m_device.memory);
    worker.trim();
}

void TaskSession::trim(const std::vector<WorkerProcess *> &workers) {
    for (WorkerProcess *worker : workers)
        trim(*worker);
}

const ArmSpec &TaskSession::oracleArm() const {
    return memoryPlan().oracle == MemoryPlan::Oracle::OnCpu ? hostOracleSpec : oracleSpec;
}

void TaskSession::copyInputsToHost() {
    if (!m_hostInputs)
        m_hostInputs = std::make_unique<SharedRegion>(MemoryKind::Cpu, m_inputBytes, "inputs on the CPU");
    const Json all{{"dtype", "uint8"}, {"sizes", {m_inputBytes}}, {"strides", {1}}, {"offset", uint64_t{0}}};
    tensorAt(all, m_hostInputs->base(), m_hostInputs->bytes(), MemoryKind::Cpu)
        .copy_(tensorAt(all, m_inputs->base(), m_inputs->bytes(), m_inputs->kind()));
}

Json TaskSession::memoryJson() const {
    noteMemory(m_device.memory);
    return {{"inputBytes", m_needs.inputs},           {"resultBytes", m_needs.results},
            {"parameterBytes", m_needs.parameters},   {"forwardBytes", m_needs.forward},
            {"deviceBytes", m_supply.device},         {"peakBytes", mostMemoryTaken()},
            {"plan", isRoomy() ? "roomy" : "frugal"}, {"oracle", nameOf(memoryPlan().oracle)},
            {"pieces", memoryPlan().pieces}};
}

} // namespace warpwright
