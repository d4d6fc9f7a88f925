// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/torch/kept_launches.h"

#include "agent/playbook/codegen/anchor_text.h"
#include "agent/playbook/recurrence/recurrence_sharing.h"

namespace warpwright {
namespace {

constexpr std::int64_t leastLaunches = 32;

const QString headers = QStringLiteral(R"(
#ifndef WARPWRIGHT_CPU
@include@ <cuda_runtime_api.h>

@include@ <map>
@include@ <vector>
#endif
)");

const QString kept = QStringLiteral(R"(#ifndef WARPWRIGHT_CPU
// A launch takes the host some microseconds, and a library's call more: longer than the device takes for what is
// launched here. So all launches are captured once and then launched as one CUDA graph. Such a graph has addresses in
// it: it works on memory that stays where it is, inputs are copied there, and results from there.
struct Kept {
    Memory memory;
    std::vector<std::uintptr_t> of = {}; // weights and configs that it was captured with
    cudaEvent_t done = nullptr;     // the call before, on whichever stream that was
    cudaStream_t own = nullptr;     // the caller's may be one that nothing is captured on
@besideMember@    cudaGraphExec_t graph = nullptr;
    int calls = 0;
    bool isRefused = false; // somebody cannot be captured: launched one by one as ever
};

bool isCaptured(cudaStream_t stream) {
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    return cudaStreamIsCapturing(stream, &status) == cudaSuccess && status != cudaStreamCaptureStatusNone;
}

@branches@// Captures what `launches` launches on the stream that it is given.
template <typename Launches> void capture(Kept &kept, Launches launches) {
    cudaGraph_t graph = nullptr;
    bool isFine = cudaStreamBeginCapture(kept.own, cudaStreamCaptureModeRelaxed) == cudaSuccess;
    if (isFine) {
        try {
@captured@        } catch (...) {
            isFine = false;
        }
        isFine = cudaStreamEndCapture(kept.own, &graph) == cudaSuccess && isFine;
    }
    kept.isRefused = !isFine || cudaGraphInstantiate(&kept.graph, graph, 0) != cudaSuccess;
    if (graph != nullptr)
        cudaGraphDestroy(graph);
    if (kept.isRefused)
        cudaGetLastError(); // it is not the caller's
}

// The calls of one stream or of several, one after the other, as they come.
template <typename Launches>
void launchKept(Kept &kept, std::vector<std::uintptr_t> of, cudaStream_t stream, Launches launches) {
    if (kept.of != of) {
        if (kept.graph != nullptr)
            cudaGraphExecDestroy(kept.graph);
        kept.graph = nullptr;
        kept.isRefused = false;
        kept.calls = 0;
        kept.of = std::move(of);
    }
    // At their first call libraries set things up that no graph may hold.
    if (kept.calls++ > 0 && kept.graph == nullptr && !kept.isRefused)
        capture(kept, launches);
    if (kept.graph == nullptr)
        launches(@plain@);
    else
        cudaGraphLaunch(kept.graph, stream);
}

void copy(const Tensor &from, const Tensor &to, std::size_t bytes, cudaStream_t stream) {
    cudaMemcpyAsync(to.mutable_data_ptr(), from.const_data_ptr(), bytes, cudaMemcpyDeviceToDevice, stream);
}
#endif

)");

const QString branchTexts = QStringLiteral(
    R"(// What does not need each other goes on side by side in a graph: each branch is captured from a stream of its own.
// Launched one by one, all are one stream, and the order of the text is one that fits.
struct Branches {
    cudaStream_t of[@count@];
    const cudaEvent_t *events = nullptr; // an end of each stretch, then of each branch; none: nothing is captured

    // The stream of that branch, which goes on once these stretches of others are over.
    cudaStream_t begin(int branch, std::initializer_list<int> after) const {
        if (events != nullptr)
            for (const int stretch : after)
                cudaStreamWaitEvent(of[branch], events[stretch], 0);
        return of[branch];
    }
    void end(int branch, int stretch) const {
        if (events != nullptr)
            cudaEventRecord(events[stretch], of[branch]);
    }
    // Around all launches: a capture goes from its stream to the others, and comes back.
    void fork() const {
        end(0, @stretches@);
        for (int branch = 1; branch < @count@; ++branch)
            begin(branch, {@stretches@});
    }
    void join() const {
        for (int branch = 1; branch < @count@; ++branch) {
            end(branch, @stretches@ + branch);
            begin(0, {@stretches@ + branch});
        }
    }
};

)");

} // namespace

bool keepsLaunches(const KernelPlan &plan) {
    std::int64_t launches = 0;
    for (std::size_t i = 0; i < plan.kernels.size(); ++i)
        launches += turnsInside(plan, i) > 1 ? 1 : plan.turnsOf(i);
    return launches >= leastLaunches;
}

QString keptLaunchesHeaders() {
    return filled(headers, {{"include", QStringLiteral("#include")}});
}

QString keptLaunchesText(int branches, int stretches) {
    if (branches < 2)
        return filled(kept, {{"besideMember", {}},
                             {"branches", {}},
                             {"captured", QStringLiteral("            launches(kept.own);\n")},
                             {"plain", QStringLiteral("stream")}});
    QStringList own = {QStringLiteral("kept.own")};
    for (int branch = 1; branch < branches; ++branch)
        own << QStringLiteral("kept.beside[%1]").arg(branch - 1);
    return filled(
        kept, {{"besideMember", QStringLiteral("    cudaStream_t beside[%1] = {}; // of the other branches\n"
                                               "    cudaEvent_t events[%2] = {};\n")
                                    .arg(branches - 1)
                                    .arg(stretches + branches)},
               {"branches", filled(branchTexts, {{"count", QString::number(branches)},
                                                 {"stretches", QString::number(stretches)}})},
               {"captured", QStringLiteral("            const Branches branches{{%1}, kept.events};\n"
                                           "            branches.fork();\n            launches(branches);\n"
                                           "            branches.join();\n")
                                .arg(own.join(QLatin1String(", ")))},
               {"plain", onOneStream(branches)}});
}

QString onOneStream(int branches) {
    QStringList streams;
    for (int branch = 0; branch < branches; ++branch)
        streams << QStringLiteral("stream");
    return branches < 2 ? streams[0]
                        : QStringLiteral("Branches{{%1}}").arg(streams.join(QLatin1String(", ")));
}

} // namespace warpwright
