// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/task/task_session.h"

#include "referee/base/remove_folder.h"
#include "referee/base/secret_seed.h"
#include "referee/base/value_tree.h"
#include "referee/process/sandbox_plan.h"
#include "referee/process/sandbox_witness.h"
#include "referee/process/worker_faults.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace warpwright {

namespace {

constexpr const char *referenceRole = "reference";
constexpr double startLimitSeconds = 60.0;
constexpr double loadLimitSeconds = 120.0;
constexpr double inputsLimitSeconds = 120.0;

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

// The sandbox's library lies beside this program.
std::string sandboxLibrary() {
    return std::filesystem::read_symlink("/proc/self/exe").parent_path() / "libwarpwright_sandbox.so";
}

// A fresh folder for one candidate where there is no private /tmp.
void makeScratch(const std::string &folder, uint32_t user) {
    removeFolder(folder);
    if (mkdir(folder.c_str(), 0700) != 0 || (user != 0 && chown(folder.c_str(), user, user) != 0))
        throw SandboxFault("cannot make \"" + folder + "\": " + std::strerror(errno));
}

// Most of what is free now, beside what the judge hands over.
void boundMemory(WorkerProcess &worker, const DeviceFacts &device, uint64_t wish, uint64_t handedOver) {
    const uint64_t most =
        wish != 0 ? wish : std::max(availableMemory(MemoryKind::Cpu) / 5 * 4, uint64_t{2} << 30);
    worker.setMemoryLimit(most + handedOver);
    // Device memory takes addresses twice: where it lies, and where the judge's is mapped.
    const uint64_t elsewhere =
        device.memory == MemoryKind::Cuda ? 2 * device.memoryBytes : device.memoryBytes;
    worker.call("limit_addresses", {{"more", most + elsewhere}}, startLimitSeconds);
}

Amputation amputationFor(const Json &parameters) {
    const Json made = parameters.value("amputated", Json());
    const char *device = required(parameters, "device") == "cpu" ? "cpu" : "cuda";
    if (!made.is_object() || made.value("status", "") != "made")
        return Amputation(made);
    const Json devices = made.value("devices", Json::array());
    if (std::find(devices.begin(), devices.end(), device) == devices.end())
        return Amputation(
            Json{{"reason", made.value("notOnCuda", "What moves data on a GPU was not rehearsed.")}});
    return Amputation(made);
}

} // namespace

Fault TaskSession::taskFault(const WorkerFault &fault) const {
    return fault.type == "ShapesChange" ? shapesFault(m_model, fault.message)
                                        : faultOfReference(m_model, fault);
}

TaskSession::ForkServers TaskSession::startForkServers(const Json &parameters) {
    showDevice(required(parameters, "device"), parameters.value("deviceUuid", ""));
    ForkServer::Options options{required(parameters, "python"), required(parameters, "workerScript"),
                                required(parameters, "cache"), required(parameters, "scratch")};
    ForkServers started;
    started.whole = std::make_unique<ForkServer>(options);
    const Amputation amputation = amputationFor(parameters);
    if (amputation.isMade()) {
        options.amputated = &amputation;
        started.amputated = std::make_unique<ForkServer>(options); // imports beside the other one
    }
    started.whole->awaitStart();
    return started;
}

TaskSession::TaskSession(const Json &parameters, ProgressSink progress, ForkServers forkServers)
    : m_progress(std::move(progress)),
      m_model(required(parameters, "model")),
      m_shim(required(parameters, "shim")),
      m_baselines(parameters.value("baselines", "")),
      m_allowed(parameters.value("allowedPrecision", std::vector<std::string>{"FP32", "TF32"})),
      m_amputation(amputationFor(parameters)),
      m_triedOnCuda(parameters.value("amputated", Json::object()).contains("notOnCuda")),
      m_sandboxWish(parameters.value("wall", "auto")),
      m_sandboxMemory(parameters.value("wallMemoryBytes", uint64_t{0})),
      m_scratch(required(parameters, "scratch")),
      m_check(m_model, parameters.value("mode", "eval") == "train"),
      m_asksForIeee(parameters.value("ieee", false)) {
    m_progress("open", "device", 1, 5);
    m_device = chooseDevice(required(parameters, "device"), parameters.value("deviceUuid", ""));
    const std::string source = contentOf(m_model);
    m_progress("open", "interpreter and torch", 2, 5);
    if (!forkServers.whole)
        forkServers = startForkServers(parameters);
    m_forkServer = std::move(forkServers.whole);
    m_amputated = std::move(forkServers.amputated);
    warmDevice(m_device);
    m_quiet = std::make_unique<QuietDevice>(m_device);
    m_taskKey = contentKey(source) + "/" + m_device.uuid + "/" + m_device.driver + "/" +
                m_forkServer->greeting().value("torch", "") + (m_check.trains() ? "/train" : "");
    m_initSeed = secretSeed();
    asTask([&] { openReference(); });
}

TaskSession::~TaskSession() = default;

void TaskSession::handOver(WorkerProcess &worker, const std::string &name, const SharedRegion &region) {
    worker.call("map", {{"region", name}, {"bytes", region.bytes()}, {"readOnly", worker.isReader()}},
                startLimitSeconds, {worker.isReader() ? region.readOnlyDescriptor() : region.descriptor()});
}

std::unique_ptr<WorkerProcess> TaskSession::startWorker(ForkServer &forkServer, const std::string &role,
                                                        const Json &sandbox, bool onHost) {
    const MemoryKind memory = onHost ? MemoryKind::Cpu : m_device.memory;
    auto worker = std::make_unique<WorkerProcess>(forkServer, role, memory, sandbox);
    const bool cuda = memory == MemoryKind::Cuda;
    const Json reply = worker->call(
        "setup",
        {
            {"device", onHost ? "cpu" : torchDevice()},
            {"shim", m_shim},
            {"spinNanoseconds", cuda ? 2'000'000'000u : 0u},
            {"arenaBytes", worker->arena().bytes()},
            {"keepsMemory", !cuda && (role == referenceRole || role == oracleSpec.name)},
            {"amputated", &forkServer == m_amputated.get()},
        },
        startLimitSeconds, cuda ? std::vector<int>{} : std::vector<int>{worker->arena().descriptor()});
    m_threads = reply.value("threads", 0);
    return worker;
}

void TaskSession::openReference() {
    m_progress("open", "reference", 3, 5);
    m_supply.free = availableMemory(m_device.memory);
    m_reference = startWorker(*m_forkServer, referenceRole);
    const Json loaded = m_reference->call("load_reference", loading({{"path", m_model}}), loadLimitSeconds);
    m_initInputs = loaded.value("initInputs", Json::object());
    m_weights = std::make_unique<TaskWeights>(m_device.memory, loaded, *m_reference);

    m_progress("open", "inputs", 4, 5);
    const Json described = m_reference->call("describe_inputs", {{"seed", secretSeed()}}, inputsLimitSeconds);
    m_inputBytes = described.value("bytes", uint64_t{0});
    refuseInputsBeyond(m_inputBytes);
    m_inputs = std::make_unique<SharedRegion>(m_device.memory, m_inputBytes, "inputs");
    handOver(*m_reference, "inputs", *m_inputs);
    drawFirstInputs();

    m_progress("open", "operators and bytes", 5, 5);
    planMemoryOf(m_inputTree);
    m_check.judge(m_facts);
    if (m_amputated && !m_facts.value("/effects/state"_json_pointer, Json::array()).empty()) {
        m_amputation = Amputation(Json{
            {"status", "not-run"},
            {"reason",
             "The reference's forward changes the model's own tensors, and a candidate may move them with "
             "torch's operators, which are recorded."}});
        m_amputated.reset();
    }
}

// The seed is every constructor's. Before `facts` nobody knows what the reference writes.
Json TaskSession::loading(Json request) const {
    request["seed"] = m_initSeed;
    request["train"] = m_check.trains();
    if (m_facts.contains("effects"))
        request["effects"] = m_facts["effects"];
    return request;
}

std::unique_ptr<WorkerProcess> TaskSession::startArm(const ArmSpec &spec) {
    auto worker = startWorker(*m_forkServer, spec.name, Json(), spec.onHost);
    worker->call("precision", {{"mode", spec.mode}}, startLimitSeconds);
    worker->call("load_reference", loading({{"path", m_model}, {"double", spec.oracle}}), loadLimitSeconds);
    m_weights->hand(*worker);
    if (spec.onHost)
        copyInputsToHost();
    handOver(*worker, "inputs", spec.onHost ? *m_hostInputs : *m_inputs);
    if (spec.compiled)
        worker->call("compile", Json::object(), startLimitSeconds);
    return worker;
}

std::unique_ptr<WorkerProcess> TaskSession::takeArm(const ArmSpec &spec) {
    const auto kept = m_kept.find(spec.name);
    if (kept == m_kept.end())
        return startArm(spec);
    KeptArm arm = std::move(kept->second);
    m_kept.erase(kept);
    try {
        if (!spec.onHost && arm.inputsVersion != m_inputsVersion)
            handOver(*arm.worker, "inputs", *m_inputs);
        m_weights->give(*arm.worker);
        return std::move(arm.worker);
    } catch (const WorkerFault &) {
        return startArm(spec); // it died while it waited
    }
}

void TaskSession::dismiss(std::unique_ptr<WorkerProcess> worker) {
    if (!worker)
        return;
    worker->beginEnd();
    m_dismissed.push_back(std::move(worker));
}

void TaskSession::keepArm(const ArmSpec &spec, std::unique_ptr<WorkerProcess> worker) {
    if (!worker || !worker->isAlive())
        return;
    try {
        worker->call("drop_graph", Json::object(), startLimitSeconds);
        trim(*worker);
        m_kept[spec.name] = {std::move(worker), m_inputsVersion};
    } catch (const WorkerFault &) {
        // The next one starts anew.
    }
}

void TaskSession::expectCandidate() {
    if (m_expected.isReady())
        return;
    m_expected.clear();
    try {
        m_expected = ExpectedCandidate(m_scratch + "/expected-" + std::to_string(++m_expectedCount));
        m_expected.setWorker(startSandboxed(m_expected.folder(), firstPlace));
    } catch (const std::filesystem::filesystem_error &) {
    } catch (const Fault &) {
    } catch (const WorkerFault &) {
    }
}

std::unique_ptr<WorkerProcess> TaskSession::startCandidate(const std::string &runFolder,
                                                           const std::string &place) {
    std::unique_ptr<WorkerProcess> worker;
    std::string folder = runFolder;
    if (place == firstPlace && m_expected.isReady()) {
        worker = m_expected.take(runFolder);
        folder = m_expected.folder();
    }
    if (!worker) {
        worker = startSandboxed(runFolder, place);
        folder = runFolder;
    }
    prepared(*worker, [&] {
        loadCandidate(*worker, folder);
        handOver(*worker, "inputs", *m_inputs);
    });
    const bool isProtected = m_inputs->readOnlyDescriptor() != m_inputs->descriptor();
    if (m_inputs->kind() == MemoryKind::Cpu && !isProtected)
        m_sandbox["lacks"].push_back("This system opens no memory anew: the candidate can write its inputs.");
    return worker;
}

void TaskSession::loadCandidate(WorkerProcess &worker, const std::string &folder) {
    if (!ranWithoutSandbox())
        boundMemory(worker, m_device, m_sandboxMemory, m_inputs->bytes() + m_weights->bytes());
    const bool hasProducts = m_facts.value("hasProduct", true) || m_facts.value("hasConvolution", true);
    const Json loaded =
        worker.call("load_candidate",
                    loading({{"folder", folder}, {"initInputs", m_initInputs}, {"products", hasProducts}}),
                    loadLimitSeconds);
    m_couldMakeCode = m_couldMakeCode || loaded.value("newCode", "") == "possible";
    m_weights->handCopy(worker);
}

std::string TaskSession::codeDoubt() const {
    if (!m_couldMakeCode)
        return {};
    return "This kernel filters no system calls: the candidate's process could make executable memory, and "
           "what it "
           "computed there was not counted.";
}

std::string TaskSession::arithmeticDoubt() const {
    const bool wasTried = m_device.memory == MemoryKind::Cpu || m_triedOnCuda;
    if (!wasTried || (m_amputation.isMade() && m_amputation.notNumpy().empty()))
        return {};
    if (m_amputation.isMade())
        return "The candidate's process had numpy's arithmetic in it: " + m_amputation.notNumpy();
    return "The candidate's process had torch's arithmetic in it: " +
           m_amputation.toJson().value("reason", "");
}

std::unique_ptr<WorkerProcess> TaskSession::startSandboxed(const std::string &runFolder,
                                                           const std::string &place) {
    std::unique_ptr<WorkerProcess> worker;
    Json weaker = Json::array();
    for (const SandboxKind kind : {SandboxKind::Namespaces, SandboxKind::Landlock, SandboxKind::None}) {
        if (worker || (m_sandboxWish != "auto" && m_sandboxWish != nameOf(kind)))
            continue;
        try {
            worker = startInSandbox(kind, runFolder, place);
        } catch (const SandboxFault &fault) {
            weaker.push_back(std::string("No sandbox of ") + nameOf(kind) + ": " + fault.why + ".");
        } catch (const WorkerFault &fault) {
            // Only our own code has run: what fails is the device or torch in this sandbox.
            if (kind == SandboxKind::None)
                throw;
            weaker.push_back(std::string("In a sandbox of ") + nameOf(kind) +
                             " the worker does not start: " + describe(fault).substr(0, 500));
        }
    }
    if (!worker)
        throw Fault(
            "environment", "Cannot build the sandbox \"" + m_sandboxWish + "\" around the candidate.",
            weaker.empty() ? "There is no sandbox of that name." : weaker[0].get<std::string>(),
            "Let the judge choose (WARPWRIGHT_WALL=auto); `wright doctor` says what this system offers.");
    for (const Json &why : m_sandbox["lacks"])
        weaker.push_back(why);
    m_sandbox["lacks"] = weaker;
    worker->makeReader();
    return worker;
}

SandboxNeeds TaskSession::needsFor(ForkServer &server, const std::string &runFolder,
                                   const std::string &place) const {
    server.awaitStart();
    SandboxNeeds needs{server.greeting().value("paths", std::vector<std::string>()),
                       m_shim,
                       runFolder,
                       m_scratch + "/" + place,
                       m_model,
                       m_device.memory};
    // A folder of links before the originals leaves those where they are.
    if (std::find(needs.interpreter.begin(), needs.interpreter.end(), m_amputation.farm()) !=
        needs.interpreter.end())
        for (const auto &[copy, original] : m_amputation.covers())
            needs.hidden.push_back(original);
    return needs;
}

SandboxKind TaskSession::sandboxKind() const {
    const std::string kind = m_sandbox.is_object() ? m_sandbox.value("kind", "") : "";
    for (const SandboxKind known : {SandboxKind::Landlock, SandboxKind::None}) {
        if (kind == nameOf(known))
            return known;
    }
    return SandboxKind::Namespaces;
}

std::string TaskSession::sandboxWordsFor(const std::string &runFolder) const {
    return sandboxWords(planSandbox(sandboxKind(), needsFor(serverOfCandidates(), runFolder, "candidate")));
}

Json TaskSession::workerSandbox(SandboxKind kind, const SandboxNeeds &needs, const SandboxSpec &spec) {
    if (kind == SandboxKind::Landlock)
        makeScratch(needs.scratch, spec.user);
    if (kind == SandboxKind::None)
        return {};
    return {{"library", sandboxLibrary()},
            {"kind", nameOf(kind)},
            {"words", sandboxWords(spec)},
            {"user", spec.user},
            {"folder", spec.folder}};
}

std::unique_ptr<WorkerProcess> TaskSession::startInSandbox(SandboxKind kind, const std::string &runFolder,
                                                           const std::string &place) {
    const SandboxNeeds needs = needsFor(serverOfCandidates(), runFolder, place);
    const SandboxSpec spec = planSandbox(kind, needs);
    auto worker = startWorker(serverOfCandidates(), "candidate", workerSandbox(kind, needs, spec));
    const Phases::Span span(m_phases, "wall");
    m_sandbox = witnessSandbox(*worker, spec, m_model, m_scratch);
    m_sandbox["arithmetic"] = m_amputation.toJson();
    return worker;
}

void TaskSession::compileAhead(const std::vector<std::string> &modes, bool always) {
    constexpr uint64_t contextBytes = uint64_t{1} << 30;
    const uint64_t each = contextBytes + m_inputBytes + m_weights->bytes();
    const bool isPossible = m_device.memory == MemoryKind::Cuda && isRoomy() &&
                            BaselineCompilers::arePossible(modes.size() * each);
    if (!isPossible && !always)
        return;
    m_compilers.start(
        *m_forkServer,
        {m_model, m_initSeed, torchDevice(), m_inputTree, m_check.trains(), compileLimitSeconds(m_facts)},
        modes);
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
             {"halfMatrixFlops", m_facts.value("halfMatrixFlops", uint64_t{0})},
             {"bytes", m_facts.value("bytes", uint64_t{0})},
             {"method", m_facts.value("method", "")},
             {"operators", m_facts.value("operators", Json::object())},
             {"mode", m_check.trains() ? "train" : "eval"},
             {"inputs", summaryOfTensors(m_inputTree, "input")},
             {"outputs", summaryOfTensors(m_facts.value("outputs", Json::object()), "output")},
             {"parameters", m_facts.value("parameters", Json::object())},
         }},
        {"device", device},
        {"environment", m_forkServer->greeting()},
    };
}

} // namespace warpwright
