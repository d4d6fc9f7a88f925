// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/process/fork_server.h"

#include "referee/base/cancel_flag.h"
#include "referee/base/control_page.h"
#include "referee/base/fault.h"
#include "referee/process/amputation.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace warpwright {

namespace {

constexpr double importLimitSeconds = 180.0;

std::vector<std::string> cleanEnvironment(const ForkServer::Options &options) {
    std::vector<std::string> environment{
        "LANG=C.UTF-8",
        "TMPDIR=" + options.scratch,
        "TORCHINDUCTOR_CACHE_DIR=" + options.cache + "/inductor",
        "TRITON_CACHE_DIR=" + options.cache + "/triton",
        // One process compiles: a pool of compilers would outlive its worker.
        "TORCHINDUCTOR_COMPILE_THREADS=1",
        "PYTHONDONTWRITEBYTECODE=1",
        "PYTHONSAFEPATH=1",
        "PYTHONHASHSEED=0",
        "PYTHONUNBUFFERED=1",
        "CUDA_DEVICE_ORDER=PCI_BUS_ID",
        // Whoever asks whether there is a GPU must not start the driver: forks could not use it then.
        "PYTORCH_NVML_BASED_CUDA_CHECK=1",
    };
    // What the user's own torch may need to be found at all, and what names this judge's device.
    for (const char *name :
         {"HOME", "USER", "PATH", "LD_LIBRARY_PATH", "CUDA_HOME", "CUDA_VISIBLE_DEVICES"}) {
        if (const char *value = std::getenv(name))
            environment.push_back(std::string(name) + "=" + value);
    }
    return environment;
}

// Copies in the place of torch's libraries; where the system does not let us, a folder of links before them.
std::vector<std::string> coveringArguments(const Amputation &amputated) {
    const std::string folder = std::filesystem::read_symlink("/proc/self/exe").parent_path();
    std::vector<std::string> arguments{folder + "/warpwright-sandbox"};
    for (const auto &[copy, original] : amputated.covers())
        arguments.insert(arguments.end(), {"--over", copy, original});
    arguments.insert(arguments.end(), {"--or-set", "PYTHONPATH=" + amputated.farm(), "--"});
    return arguments;
}

std::vector<char *> pointers(std::vector<std::string> &texts) {
    std::vector<char *> result;
    for (std::string &text : texts)
        result.push_back(text.data());
    result.push_back(nullptr);
    return result;
}

} // namespace

ForkServer::ForkServer(const Options &options) : m_python(options.python) {
    auto [here, there] = socketPair();
    int pipeEnds[2];
    if (pipe2(pipeEnds, O_CLOEXEC) != 0)
        failStart(std::strerror(errno));
    m_errors.reset(pipeEnds[0]);
    Descriptor errorsThere(pipeEnds[1]);
    fcntl(m_errors.value(), F_SETFL, O_NONBLOCK);

    std::vector<std::string> environment = cleanEnvironment(options);
    std::vector<std::string> arguments;
    if (options.amputated != nullptr)
        arguments = coveringArguments(*options.amputated);
    arguments.insert(arguments.end(), {options.python, options.script});
    if (options.amputated != nullptr) {
        for (const auto &[copy, original] : options.amputated->later())
            arguments.insert(arguments.end(), {copy, original});
    }
    std::vector<char *> environmentPointers = pointers(environment);
    std::vector<char *> argumentPointers = pointers(arguments);
    const pid_t judge = getpid();
    m_pid = ::fork();
    if (m_pid == 0) {
        // Only async-signal-safe calls from here on: the judge has a second thread.
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != judge)
            _exit(127);
        setsid();
        dup2(there.value(), 3);
        dup2(errorsThere.value(), 1);
        dup2(errorsThere.value(), 2);
        const int nothing = open("/dev/null", O_RDONLY);
        dup2(nothing, 0);
        fcntl(3, F_SETFD, 0);
        if (chdir(options.scratch.c_str()) == 0)
            execve(argumentPointers[0], argumentPointers.data(), environmentPointers.data());
        const char *reason = std::strerror(errno);
        (void)!write(2, reason, std::strlen(reason));
        _exit(127);
    }
    if (m_pid < 0)
        failStart(std::strerror(errno));
    m_channel = std::make_unique<Channel>(std::move(here));
    there.reset();
    errorsThere.reset();
}

void ForkServer::awaitStart() {
    if (!m_greeting.is_null())
        return;
    m_greeting = exchange(Json(), {}, importLimitSeconds);
    if (!m_greeting.contains("ready"))
        failStart("It answered something that is not this program's worker.");
}

ForkServer::~ForkServer() {
    if (m_pid <= 0)
        return;
    ::kill(-m_pid, SIGKILL);
    waitpid(m_pid, nullptr, 0);
    // Workers whose parent was the fork server are ours now (the judge is a subreaper): leave no zombie
    // behind.
    while (waitpid(-1, nullptr, WNOHANG) > 0) {
    }
}

std::string ForkServer::wordsSoFar() {
    std::string words;
    char chunk[4096];
    for (ssize_t count = read(m_errors.value(), chunk, sizeof chunk); count > 0;
         count = read(m_errors.value(), chunk, sizeof chunk))
        words.append(chunk, static_cast<size_t>(count));
    if (words.size() > 4000)
        words.erase(0, words.size() - 4000);
    return words;
}

void ForkServer::failStart(const std::string &why) {
    throw Fault("environment", "Cannot start the interpreter \"" + m_python + "\" with torch.", why,
                "Run `wright doctor`; choose another interpreter with --python.");
}

Json ForkServer::exchange(const Json &request, const std::vector<int> &descriptors, double limitSeconds) {
    if (!request.is_null() && !m_channel->send(request, descriptors))
        failStart("It is gone. " + wordsSoFar());
    const uint64_t start = monotonicNanoseconds();
    for (;;) {
        // A worker that took its time to end is told of after awaitExit() has given up: no answer to this.
        if (auto message = m_channel->receive(); message && !message->contains("exited"))
            return *std::move(message);
        if (m_channel->isBroken())
            failStart("It ended. " + wordsSoFar());
        if (cancelRequested())
            throw Cancelled();
        if (static_cast<double>(monotonicNanoseconds() - start) * 1e-9 > limitSeconds)
            failStart("It did not answer within " + std::to_string(static_cast<int>(limitSeconds)) + " s. " +
                      wordsSoFar());
        pollfd watched{m_channel->descriptor(), POLLIN, 0};
        poll(&watched, 1, 20);
    }
}

pid_t ForkServer::fork(const std::vector<int> &descriptors, const Json &sandbox) {
    awaitStart();
    Json request{{"op", "fork"}};
    if (!sandbox.is_null())
        request["sandbox"] = sandbox;
    const Json reply = exchange(request, descriptors, 30.0);
    if (const std::string problem = reply.value("problem", ""); !problem.empty())
        throw SandboxFault{problem};
    const pid_t worker = reply.value("pid", -1);
    if (worker <= 0)
        failStart("It could not fork a worker.");
    return worker;
}

void ForkServer::importCompiler() {
    // Its answer is no matter of ours: an arm that cannot compile says so itself.
    if (!std::exchange(m_hasCompiler, true))
        (void)m_channel->send({{"op", "import_compiler"}});
}

ExitStatus ForkServer::awaitExit(pid_t worker) {
    // Not through exchange(): a cancel must not leave the worker unreaped.
    ExitStatus status;
    if (!m_channel || !m_channel->send({{"op", "status"}, {"pid", worker}}))
        return status;
    // It may be importing the compiler, which takes seconds, and many on a busy machine.
    constexpr uint64_t limitNanoseconds = 60'000'000'000u;
    const uint64_t start = monotonicNanoseconds();
    while (monotonicNanoseconds() - start < limitNanoseconds) {
        if (const auto reply = m_channel->receive(); reply && reply->value("exited", -1) == worker) {
            if (reply->contains("signal") && (*reply)["signal"].is_number_integer())
                status.signal = (*reply)["signal"].get<int>();
            if (reply->contains("code") && (*reply)["code"].is_number_integer())
                status.code = (*reply)["code"].get<int>();
            break;
        }
        if (m_channel->isBroken())
            break;
        pollfd watched{m_channel->descriptor(), POLLIN, 0};
        poll(&watched, 1, 20);
    }
    return status;
}

} // namespace warpwright
