// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/kept_launches.h"

#include "agent/playbook/anchor_text.h"
#include "agent/playbook/turns_inside.h"

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
    cudaGraphExec_t graph = nullptr;
    int calls = 0;
    bool isRefused = false; // somebody cannot be captured: launched one by one as ever
};

bool isCaptured(cudaStream_t stream) {
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    return cudaStreamIsCapturing(stream, &status) == cudaSuccess && status != cudaStreamCaptureStatusNone;
}

// Captures what `launches` launches on the stream that it is given.
template <typename Launches> void capture(Kept &kept, Launches launches) {
    cudaGraph_t graph = nullptr;
    bool isFine = cudaStreamBeginCapture(kept.own, cudaStreamCaptureModeRelaxed) == cudaSuccess;
    if (isFine) {
        try {
            launches(kept.own);
        } catch (...) {
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
        launches(stream);
    else
        cudaGraphLaunch(kept.graph, stream);
}

void copy(const Tensor &from, const Tensor &to, std::size_t bytes, cudaStream_t stream) {
    cudaMemcpyAsync(to.mutable_data_ptr(), from.const_data_ptr(), bytes, cudaMemcpyDeviceToDevice, stream);
}
#endif

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

QString keptLaunchesText() {
    return kept;
}

} // namespace warpwright
