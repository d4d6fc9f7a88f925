// SPDX-License-Identifier: GPL-3.0-or-later
//
// wright-referee: the judge. It loads no Python and none of the code it judges; PROTOCOL.md is its interface.

#include "referee/base/cancel_flag.h"
#include "referee/base/fault.h"
#include "referee/process/client_link.h"
#include "referee/process/worker_faults.h"
#include "referee/task/input_export.h"
#include "referee/task/task_session.h"
#include "referee/timing/baseline_arms.h"
#include "referee/timing/profiling.h"
#include "referee/timing/stand_in.h"
#include "referee/verification/verification.h"

#include <c10/util/Exception.h>
#include <torch/version.h>

#include <csignal>
#include <malloc.h>
#include <map>
#include <memory>
#include <sys/prctl.h>
#include <utility>

namespace {

using namespace warpwright;

constexpr int protocolVersion = 1;
constexpr int keptBytes = 1 << 29;
constexpr int errorCode = -32000;
constexpr int unknownMethod = -32601;
constexpr int badParameters = -32602;
constexpr int parseError = -32700;

/// The state of one judge: a session, and a verification once there is one.
class Judge {
public:
    explicit Judge(ClientLink &client) : m_client(client) {}

    Json call(const std::string &method, const Json &parameters) {
        m_started = monotonicNanoseconds();
        if (method == "hello")
            return hello(parameters);
        if (method == "open") {
            return open(parameters);
        }
        if (method == "import") {
            closeAll();
            report("open", "interpreter and torch", 2, 5);
            m_forkServers = TaskSession::startForkServers(parameters);
            return m_forkServers.whole->greeting();
        }
        if (method == "baselines") {
            session().awaitCompilers();
            return Json::object();
        }
        if (method == "expect") {
            session().expectCandidate();
            return Json::object();
        }
        if (method == "verify") {
            session().leavePreparation();
            Json answer = inPlanThatFits([&] {
                Json tried = verify(parameters);
                if (m_verification->cameToTrap() && session().prepareParameters())
                    tried = verify(parameters); // it may have been at work on its parameters alone
                return std::pair(std::move(tried), m_verification->ranOutOfMemory());
            });
            if (parameters.value("isLast", false))
                m_verification.reset(); // with the candidate's process
            session().nameRunFolderIn(answer);
            return answer;
        }
        if (method == "profile") {
            if (!m_verification || !m_verification->hasPassed())
                throw Fault("usage", "`profile` needs a candidate that passed `verify`.", "There is none.",
                            "Call `verify` first.");
            Json answer = inPlanThatFits([&] { return profile(m_verification->handOn(), parameters); });
            m_verification.reset();
            session().nameRunFolderIn(answer);
            return answer;
        }
        if (method == "clock")
            return inPlanThatFits([&] {
                return profile(standIn(session(), parameters.value("arm", "eager"),
                                       parameters.value("extraMicroseconds", 0.0)),
                               parameters);
            });
        if (method == "export")
            return exportInputs(session(), parameters.at("folder").get<std::string>(),
                                parameters.at("runFolder").get<std::string>());
        throw std::out_of_range(method);
    }

    /// What an answer need not wait for.
    void tidy() {
        if (m_session)
            m_session->awaitDismissed();
    }

    void closeAll() {
        m_verification.reset();
        m_session.reset();
        m_forkServers = {};
    }

private:
    Json open(const Json &parameters) {
        TaskSession::ForkServers forkServers = std::move(m_forkServers);
        closeAll();
        m_session = std::make_unique<TaskSession>(
            parameters, [this](const auto &...step) { report(step...); }, std::move(forkServers));
        const Json ahead = parameters.value("compilesAhead", Json());
        if (ahead == true || ahead == "always")
            m_session->compileAhead(BaselineArms::modesToCompile(*m_session), ahead == "always");
        Json answer = m_session->description();
        answer["compilesAhead"] = m_session->areCompilersAtWork();
        return answer;
    }

    static Json hello(const Json &parameters) {
        if (parameters.value("protocol", protocolVersion) != protocolVersion)
            throw Fault("environment",
                        "The judge speaks protocol " + std::to_string(protocolVersion) + " only.",
                        "The client asked for " + parameters["protocol"].dump() + ".",
                        "Build the judge again: remove its folder and run `wright doctor`.");
        return {{"protocol", protocolVersion},
                {"torch", TORCH_VERSION},
                {"cuda", WARPWRIGHT_CUDA != 0},
                {"canExpect", true},
                {"canImport", true}};
    }

    /// What `work` answers ({answer, whether the candidate ran out of memory}) in the first plan in which
    /// memory lasts, or in the smallest one.
    template <typename Work>
    Json inPlanThatFits(Work work) {
        for (;;) {
            try {
                auto [answer, ranOut] = work();
                if (!ranOut || !session().takeSmallerPlan())
                    return answer;
            } catch (const Fault &fault) {
                if (!fault.outOfMemory || !session().takeSmallerPlan())
                    throw;
            } catch (const c10::OutOfMemoryError &) {
                if (!session().takeSmallerPlan())
                    throw;
            }
        }
    }

    Json verify(const Json &parameters) {
        m_verification = std::make_unique<Verification>(session());
        return m_verification->run(parameters.at("runFolder").get<std::string>(),
                                   parameters.value("rounds", 5));
    }

    std::pair<Json, bool> profile(TimedCandidate candidate, const Json &parameters) {
        Profiling profiling(session(), std::move(candidate),
                            {parameters.value("tier", "quick"), parameters.value("limitSeconds", 0.0),
                             parameters.value("before", ""), parameters.value("longerSeconds", 0.0),
                             parameters.value("sweep", false), [this](const Json &process) {
                                 m_client.notify("progress", {{"stage", "profile"}, {"measured", process}});
                             }});
        Json answer = profiling.run();
        return {std::move(answer), profiling.ranOutOfMemory()};
    }

    TaskSession &session() {
        if (!m_session)
            throw Fault("usage", "No task is open.", "`open` was not called, or failed.",
                        "Call `open` first.");
        return *m_session;
    }

    void report(const std::string &stage, const std::string &step, int index, int count) {
        m_client.notify("progress",
                        {{"stage", stage},
                         {"step", step},
                         {"index", index},
                         {"count", count},
                         {"elapsedSeconds", static_cast<double>(monotonicNanoseconds() - m_started) * 1e-9},
                         {"lastSeconds", nullptr}});
    }

    ClientLink &m_client;
    TaskSession::ForkServers m_forkServers; ///< imported, and not yet a session's
    std::unique_ptr<TaskSession> m_session;
    std::unique_ptr<Verification> m_verification;
    uint64_t m_started = 0;
};

Json faultData(const Fault &fault) {
    return {
        {"verdict", fault.verdict}, {"what", fault.whatFailed}, {"why", fault.why}, {"advice", fault.advice}};
}

void answer(ClientLink &client, Judge &judge, const Json &request) {
    if (!request.is_object() || !request.contains("method") || !request["method"].is_string()) {
        client.refuse(nullptr, parseError, "not a JSON-RPC request");
        return;
    }
    const Json id = request.value("id", Json());
    const std::string method = request["method"].get<std::string>();
    try {
        client.reply(id, judge.call(method, request.value("params", Json::object())));
        judge.tidy();
    } catch (const Cancelled &) {
        judge.closeAll(); // everything that ran is gone before the client hears of it
        cancelFlag() = false;
        client.refuse(id, errorCode, "cancelled",
                      {{"verdict", "cancelled"}, {"what", "Cancelled."}, {"why", ""}, {"advice", ""}});
    } catch (const Fault &fault) {
        client.refuse(id, errorCode, fault.whatFailed, faultData(fault));
    } catch (const WorkerFault &fault) {
        client.refuse(id, errorCode, fault.message,
                      faultData(Fault("environment", "A worker failed: " + fault.phase + ".", describe(fault),
                                      "Run `wright doctor`.")));
    } catch (const std::out_of_range &unknown) {
        client.refuse(id, unknownMethod, std::string("unknown method ") + unknown.what());
    } catch (const nlohmann::json::exception &problem) {
        client.refuse(id, badParameters, problem.what());
    } catch (const std::exception &problem) {
        // LibTorch's own errors, out of memory in the judge above all.
        client.refuse(id, errorCode, "the judge failed",
                      faultData(Fault("environment", "The judge could not finish `" + method + "`.",
                                      std::string(problem.what()).substr(0, 2000),
                                      "If memory was short, close other programs; else report this.")));
    }
}

} // namespace

int main() {
    std::signal(SIGPIPE, SIG_IGN);
#ifdef __GLIBC__
    // What a comparison has freed is what the next one takes: a page that is new costs a fault.
    if (mallopt(M_MMAP_THRESHOLD, keptBytes) == 1)
        mallopt(M_TRIM_THRESHOLD, keptBytes);
#endif
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    ClientLink client;
    Judge judge(client);
    while (const auto request = client.next()) {
        if (request->is_object() && request->value("method", "") == "shutdown") {
            judge.closeAll();
            client.reply(request->value("id", Json()), Json::object());
            break;
        }
        answer(client, judge, *request);
    }
    judge.closeAll();
    // Not through static destructors: LibTorch's and the reading thread's order is nobody's.
    std::_Exit(0);
}
