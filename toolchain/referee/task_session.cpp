// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/task_session.h"

#include "referee/value_tree.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>
#include <sys/random.h>

namespace warpwright {

namespace {

constexpr double startLimitSeconds = 60.0;
constexpr double loadLimitSeconds = 120.0;
constexpr double inputsLimitSeconds = 120.0;
constexpr double forwardLimitSeconds = 120.0;

std::string required(const Json &parameters, const char *key) {
    const auto found = parameters.find(key);
    if (found == parameters.end() || !found->is_string())
        throw Fault("usage", std::string("`open` needs the text \"") + key + "\".", "It was not given.",
                    "See PROTOCOL.md.");
    return found->get<std::string>();
}

// FNV-1a: names a file's content, guards nothing.
std::string contentKey(const std::string &text) {
    uint64_t hash = 1469598103934665603u;
    for (const char character : text)
        hash = (hash ^ static_cast<unsigned char>(character)) * 1099511628211u;
    char name[20];
    std::snprintf(name, sizeof name, "%016llx", static_cast<unsigned long long>(hash));
    return name;
}

std::string contentOf(const std::string &path) {
    std::ifstream file(path, std::ios::binary);
    std::stringstream text;
    text << file.rdbuf();
    if (!file)
        throw Fault("task-failed", "Cannot read the reference \"" + path + "\".", std::strerror(errno),
                    "Check the path and its rights.");
    return text.str();
}

} // namespace

std::string describe(const WorkerFault &fault) {
    std::string text = fault.type.empty() ? fault.message : fault.type + ": " + fault.message;
    if (fault.kind == WorkerFault::Kind::Died)
        text = "Its process " + fault.message + ".";
    else if (fault.kind == WorkerFault::Kind::TimedOut)
        text = "It " + fault.message + ".";
    std::string tail = fault.detail;
    while (!tail.empty() && (tail.back() == '\n' || tail.back() == ' '))
        tail.pop_back();
    if (tail.size() > 3000)
        tail.erase(0, tail.size() - 3000);
    return tail.empty() ? text : text + "\n" + tail;
}

uint64_t TaskSession::secretSeed() {
    uint64_t seed = 0;
    if (getrandom(&seed, sizeof seed, 0) != static_cast<ssize_t>(sizeof seed))
        throw Fault("environment", "Cannot draw a secret seed.", std::strerror(errno),
                    "The system's random source is not usable.");
    return seed >> 16; // exact in every JSON reader
}

Fault TaskSession::taskFault(const WorkerFault &fault) const {
    if (fault.outOfMemory)
        return Fault(
            "environment",
            "The device has too little memory for the reference \"" + m_model + "\" (" + fault.phase + ").",
            describe(fault), "Close other programs that use the device, or make the task's inputs smaller.");
    return Fault("task-failed",
                 "The reference \"" + m_model + "\" cannot be used: " + fault.phase + " failed.",
                 describe(fault),
                 "Mend the reference; `Model`, `get_inputs()` and `get_init_inputs()` must work in the "
                 "chosen interpreter.");
}

TaskSession::TaskSession(const Json &parameters, ProgressSink progress)
    : m_progress(std::move(progress)),
      m_model(required(parameters, "model")),
      m_shim(required(parameters, "shim")),
      m_baselines(parameters.value("baselines", "")),
      m_allowed(parameters.value("allowedPrecision", std::vector<std::string>{"FP32", "TF32"})) {
    m_progress("open", "device", 1, 5);
    m_device = chooseDevice(required(parameters, "device"));
    const std::string source = contentOf(m_model);
    m_progress("open", "interpreter and torch", 2, 5);
    m_nursery = std::make_unique<Nursery>(
        Nursery::Options{required(parameters, "python"), required(parameters, "workerScript"),
                         required(parameters, "cache"), required(parameters, "scratch")});
    warmDevice(m_device);
    m_taskKey = contentKey(source) + "/" + m_device.uuid + "/" + m_device.driver + "/" +
                m_nursery->greeting().value("torch", "");
    m_initSeed = secretSeed();
    asTask([&] { openReference(); });
}

TaskSession::~TaskSession() = default;

void TaskSession::handOver(WorkerProcess &worker, const std::string &name, const SharedRegion &region) {
    worker.call("map", {{"region", name}, {"bytes", region.bytes()}}, startLimitSeconds,
                {region.descriptor()});
}

std::unique_ptr<WorkerProcess> TaskSession::startWorker(const std::string &role) {
    auto worker = std::make_unique<WorkerProcess>(*m_nursery, role, m_device.memory);
    const bool cuda = m_device.memory == MemoryKind::Cuda;
    const Json reply = worker->call(
        "setup",
        {
            {"device", cuda ? "cuda:0" : "cpu"},
            {"shim", m_shim},
            {"spinNanoseconds", cuda ? 2'000'000'000u : 0u},
            {"arenaBytes", worker->arena().bytes()},
        },
        startLimitSeconds, cuda ? std::vector<int>{} : std::vector<int>{worker->arena().descriptor()});
    m_threads = reply.value("threads", 0);
    return worker;
}

void TaskSession::openReference() {
    m_progress("open", "reference", 3, 5);
    m_reference = startWorker("eager");
    const Json loaded =
        m_reference->call("load_reference", {{"path", m_model}, {"seed", m_initSeed}}, loadLimitSeconds);
    m_state = loaded.value("state", Json::array());
    m_initInputs = loaded.value("initInputs", Json::object());
    m_weights =
        std::make_unique<SharedRegion>(m_device.memory, loaded.value("stateBytes", uint64_t{0}), "weights");
    handOver(*m_reference, "weights", *m_weights);
    m_reference->call("export_state", {{"state", m_state}}, startLimitSeconds);

    m_progress("open", "inputs", 4, 5);
    const Json described = m_reference->call("describe_inputs", {{"seed", secretSeed()}}, inputsLimitSeconds);
    m_inputBytes = described.value("bytes", uint64_t{0});
    m_inputs = std::make_unique<SharedRegion>(m_device.memory, m_inputBytes, "inputs");
    handOver(*m_reference, "inputs", *m_inputs);
    m_inputTree = drawInputs(secretSeed(), 0);

    m_progress("open", "operators and bytes", 5, 5);
    m_facts = m_reference->call("facts", {{"inputs", m_inputTree}}, forwardLimitSeconds);
}

Json TaskSession::drawInputs(uint64_t seed, uint64_t offset) {
    return m_reference->call("draw_inputs", {{"seed", seed}, {"offset", offset}}, inputsLimitSeconds)
        .at("inputs");
}

void TaskSession::resizeInputs(uint64_t bytes, const std::vector<WorkerProcess *> &workers) {
    if (m_inputs->bytes() >= bytes)
        return;
    auto larger = std::make_unique<SharedRegion>(m_device.memory, bytes, "inputs");
    for (WorkerProcess *worker : workers)
        handOver(*worker, "inputs", *larger);
    m_inputs = std::move(larger);
}

std::unique_ptr<WorkerProcess> TaskSession::startArm(const ArmSpec &spec) {
    auto worker = startWorker(spec.name);
    worker->call("precision", {{"mode", spec.mode}}, startLimitSeconds);
    worker->call("load_reference", {{"path", m_model}, {"seed", m_initSeed}, {"double", spec.oracle}},
                 loadLimitSeconds);
    handOver(*worker, "weights", *m_weights);
    worker->call("import_state", {{"state", m_state}}, startLimitSeconds);
    handOver(*worker, "inputs", *m_inputs);
    if (spec.compiled)
        worker->call("compile", Json::object(), startLimitSeconds);
    return worker;
}

std::unique_ptr<WorkerProcess> TaskSession::startCandidate(const std::string &runFolder) {
    auto worker = startWorker("candidate");
    worker->call("load_candidate",
                 {{"folder", runFolder}, {"seed", m_initSeed}, {"initInputs", m_initInputs}},
                 loadLimitSeconds);
    handOver(*worker, "weights", *m_weights);
    worker->call("import_state", {{"state", m_state}}, startLimitSeconds);
    handOver(*worker, "inputs", *m_inputs);
    return worker;
}

const Ceilings &TaskSession::ceilings() {
    if (!m_ceilings)
        m_ceilings = measureCeilings(m_device);
    return *m_ceilings;
}

Json TaskSession::description() const {
    Json device = m_device.toJson();
    device["threads"] = m_threads;
    return {
        {"task",
         {
             {"flops", m_facts.value("flops", uint64_t{0})},
             {"matrixFlops", m_facts.value("matrixFlops", uint64_t{0})},
             {"bytes", m_facts.value("bytes", uint64_t{0})},
             {"method", m_facts.value("method", "")},
             {"operators", m_facts.value("operators", Json::object())},
             {"inputs", summaryOfTensors(m_inputTree, "input")},
             {"outputs", summaryOfTensors(m_facts.value("outputs", Json::object()), "output")},
             {"parameters", m_facts.value("parameters", Json::object())},
         }},
        {"device", device},
        {"environment", m_nursery->greeting()},
    };
}

} // namespace warpwright
