// SPDX-License-Identifier: GPL-3.0-or-later
//
// The part of task_session.h that lets a candidate's parameters be prepared: what it computes of them by
// torch, which its own process cannot, a calculator does, and is ended before any input is shown that counts.
#include "referee/base/secret_seed.h"
#include "referee/comparison/judged_tensor.h"
#include "referee/process/sandbox_plan.h"
#include "referee/task/task_session.h"

#include <ATen/core/Tensor.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <sys/socket.h>
#include <utility>

namespace warpwright {

namespace {

constexpr double answerLimitSeconds = 60.0;
constexpr double prepareLimitSeconds = 120.0;
constexpr double lastWordSeconds = 5.0;
constexpr const char *calculatorRole = "calculator";

at::Tensor bytesOf(const SharedRegion &region, uint64_t bytes) {
    return tensorAt({{"dtype", "uint8"}, {"sizes", {bytes}}, {"strides", {1}}, {"offset", 0u}}, region.base(),
                    region.bytes(), region.kind());
}

/// While it lives, what lies where inputs do is a draw that nobody uses.
class Decoys {
public:
    Decoys(const SharedRegion &inputs, const at::Tensor &decoy)
        : m_inputs(inputs), m_saved(bytesOf(inputs, inputs.bytes()).clone()) {
        at::Tensor all = bytesOf(inputs, inputs.bytes());
        all.zero_();
        all.slice(0, 0, decoy.size(0)).copy_(decoy);
        idle(inputs.kind());
    }
    ~Decoys() {
        bytesOf(m_inputs, m_inputs.bytes()).copy_(m_saved);
        idle(m_inputs.kind());
    }
    Decoys(const Decoys &) = delete;
    Decoys &operator=(const Decoys &) = delete;

private:
    const SharedRegion &m_inputs;
    at::Tensor m_saved;
};

} // namespace

bool TaskSession::prepareParameters() {
    if (m_prepares || !m_amputated)
        return false;
    m_prepares = true;
    m_prepared = Json::object();
    if (m_decoy.defined())
        return true;
    asTask([&] {
        const at::Tensor saved = bytesOf(*m_inputs, m_inputs->bytes()).clone();
        m_decoyTree = drawInputs(secretSeed());
        m_decoy = bytesOf(*m_inputs, m_inputBytes).clone();
        bytesOf(*m_inputs, m_inputs->bytes()).copy_(saved);
        idle(m_inputs->kind());
    });
    return true;
}

void TaskSession::handWeights(WorkerProcess &candidate) {
    prepared(candidate, [&] { m_weights->handCopy(candidate); });
}

void TaskSession::prepared(WorkerProcess &candidate, const std::function<void()> &load) {
    if (!m_prepares)
        return load();
    candidate.pause();
    const Decoys decoys(*m_inputs, m_decoy);
    std::unique_ptr<WorkerProcess> calculator = startCalculator();
    {
        int ends[2];
        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
            throw Fault("environment", "Cannot connect a candidate with what computes for it.",
                        std::strerror(errno), "Check the limit of open files.");
        const Descriptor lent(ends[0]);
        const Descriptor borrowed(ends[1]);
        calculator->ask("calculate", Json::object(), {lent.value()});
        candidate.call("borrow", Json::object(), answerLimitSeconds, {borrowed.value()});
    }
    load();
    candidate.call("prepare", {{"inputs", m_decoyTree}}, prepareLimitSeconds);
    candidate.call("give_back", Json::object(), answerLimitSeconds);
    candidate.pause(); // until it is called next: it sees no inputs that come back here
    try {
        const Json said = calculator->answer("calculate", lastWordSeconds);
        for (const auto &[name, count] : said.at("operators").items())
            m_prepared[name] = m_prepared.value(name, uint64_t{0}) + count.get<uint64_t>();
    } catch (const WorkerFault &) {
        // Whoever broke it has what he got, and its end is what counts.
    } catch (const Json::exception &) {
    }
    m_sandbox["arithmetic"]["prepared"] = m_prepared;
}

// It listens to a candidate, so it is shut in as one.
std::unique_ptr<WorkerProcess> TaskSession::startCalculator() {
    const std::string folder = m_scratch + "/calculates";
    std::filesystem::create_directories(folder);
    const SandboxNeeds needs = needsFor(*m_forkServer, folder, calculatorRole);
    try {
        const SandboxSpec spec = planSandbox(sandboxKind(), needs);
        return startWorker(*m_forkServer, calculatorRole, workerSandbox(spec.kind, needs, spec), true);
    } catch (const SandboxFault &fault) {
        throw Fault("environment", "Cannot start what computes on a candidate's parameters.", fault.why,
                    "`wright doctor` says what this system offers.");
    } catch (const WorkerFault &fault) {
        throw Fault("environment", "Cannot start what computes on a candidate's parameters.", fault.message,
                    "`wright doctor` says what this system offers.");
    }
}

} // namespace warpwright
