// SPDX-License-Identifier: GPL-3.0-or-later
// y = gelu(x * weight^T + bias): one cuBLASLt call with a fused epilogue.
//
// A matrix product of this size is bound by arithmetic, and NVIDIA's library is hard to beat at it. What
// is left to win is around it:
//   1. TF32. The tensor cores multiply floats rounded to 10 bits of mantissa and add in float: many times
//      the speed of plain float. It is a change of precision, so the report compares with TF32 baselines.
//   2. The epilogue. Bias and GELU are applied to the product while it is still in registers. As a kernel
//      of its own GELU would read and write all of y again.
//   3. Everything that can be decided once is decided once. Choosing an algorithm takes longer than the
//      product itself, so the choice is kept per device, stream and shape.
#include <cublasLt.h>
#include <cuda_runtime.h>

#include <array>
#include <cstdint>
#include <map>

namespace {

// Leaves the function with the library's status when a call fails.
#define TRY(call)                                                              \
    if (const cublasStatus_t status = (call); status != CUBLAS_STATUS_SUCCESS) \
    return status

struct Plan {
    cublasLtHandle_t handle = nullptr;
    cublasLtMatmulDesc_t operation = nullptr;
    cublasLtMatrixLayout_t weight = nullptr;
    cublasLtMatrixLayout_t x = nullptr;
    cublasLtMatrixLayout_t y = nullptr;
    cublasLtMatmulAlgo_t algorithm{};
    void *workspace = nullptr;
};

constexpr std::size_t kWorkspaceBytes = 32u << 20; // What NVIDIA advises for Hopper.

// cuBLASLt thinks in columns: our row-major y [rows, columns] is its column-major [columns, rows]. So it
// is asked for y^T = weight * x^T, and needs weight, stored by rows, transposed. Nothing is moved for that.
// The bias then has one entry per row of the result, which is just what its epilogue adds.
cublasStatus_t makePlan(Plan &plan, int rows, int inner, int columns, int config) {
    TRY(cublasLtCreate(&plan.handle));
    TRY(cublasLtMatmulDescCreate(&plan.operation, CUBLAS_COMPUTE_32F_FAST_TF32, CUDA_R_32F));
    const cublasOperation_t transposed = CUBLAS_OP_T;
    TRY(cublasLtMatmulDescSetAttribute(plan.operation, CUBLASLT_MATMUL_DESC_TRANSA, &transposed,
                                       sizeof transposed));
    const cublasLtEpilogue_t epilogue = CUBLASLT_EPILOGUE_GELU_BIAS; // GELU in its tanh form.
    TRY(cublasLtMatmulDescSetAttribute(plan.operation, CUBLASLT_MATMUL_DESC_EPILOGUE, &epilogue,
                                       sizeof epilogue));
    TRY(cublasLtMatrixLayoutCreate(&plan.weight, CUDA_R_32F, inner, columns, inner));
    TRY(cublasLtMatrixLayoutCreate(&plan.x, CUDA_R_32F, inner, rows, inner));
    TRY(cublasLtMatrixLayoutCreate(&plan.y, CUDA_R_32F, columns, rows, columns));

    cublasLtMatmulPreference_t preference = nullptr;
    TRY(cublasLtMatmulPreferenceCreate(&preference));
    TRY(cublasLtMatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
                                             &kWorkspaceBytes, sizeof kWorkspaceBytes));
    // The library takes 256 bytes for granted unless told otherwise. A tensor may start at any 16.
    const std::uint32_t alignment = 16;
    for (const auto attribute :
         {CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES,
          CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES})
        TRY(cublasLtMatmulPreferenceSetAttribute(preference, attribute, &alignment, sizeof alignment));

    // Proposals come best first, by the library's own estimate. It is only an estimate: try the others.
    std::array<cublasLtMatmulHeuristicResult_t, 8> proposals;
    int count = 0;
    TRY(cublasLtMatmulAlgoGetHeuristic(plan.handle, plan.operation, plan.weight, plan.x, plan.y, plan.y,
                                       preference, proposals.size(), proposals.data(), &count));
    cublasLtMatmulPreferenceDestroy(preference);
    if (count == 0)
        return CUBLAS_STATUS_NOT_SUPPORTED;
    plan.algorithm = proposals[config < count ? config : count - 1].algo;
    return cudaMalloc(&plan.workspace, kWorkspaceBytes) == cudaSuccess ? CUBLAS_STATUS_SUCCESS
                                                                       : CUBLAS_STATUS_ALLOC_FAILED;
}

} // namespace

// x: [rows, inner], weight: [columns, inner], bias: [columns], y: [rows, columns], pointers of 16 bytes.
// config = which of the library's proposals, 0 to 7. Returns 0, or a cublasStatus_t.
// Not for several host threads at once; a call from Python holds the interpreter lock.
extern "C" int launchGemmBiasGelu(const float *x, const float *weight, const float *bias, float *y, int rows,
                                  int inner, int columns, int config, cudaStream_t stream) {
    int device = 0;
    cudaGetDevice(&device);
    // The stream is part of the key because the workspace is: two streams must not share one.
    using Key = std::array<std::intptr_t, 6>;
    static std::map<Key, Plan> plans;
    const Key key{device, reinterpret_cast<std::intptr_t>(stream), rows, inner, columns, config};
    auto found = plans.find(key);
    if (found == plans.end()) {
        Plan plan;
        TRY(makePlan(plan, rows, inner, columns, config));
        found = plans.emplace(key, plan).first;
    }

    const Plan &plan = found->second;
    TRY(cublasLtMatmulDescSetAttribute(plan.operation, CUBLASLT_MATMUL_DESC_BIAS_POINTER, &bias,
                                       sizeof bias));
    const float one = 1.0f;
    const float zero = 0.0f;
    return cublasLtMatmul(plan.handle, plan.operation, &one, weight, plan.weight, x, plan.x, &zero, y, plan.y,
                          y, plan.y, &plan.algorithm, plan.workspace, kWorkspaceBytes, stream);
}
