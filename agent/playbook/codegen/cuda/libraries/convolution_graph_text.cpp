// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/cuda/libraries/convolution_graph_text.h"

namespace warpwright {

QString convolutionGraphText() {
    return QStringLiteral(R"(@head@#include <cuda_runtime.h>
#include <cudnn.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <map>
#include <utility>
#include <vector>

namespace {

constexpr std::int64_t kDimensions = @dimensions@; // images, channels and space@flat@
constexpr std::int64_t kSpace = kDimensions - 2;
constexpr std::int64_t kInput[] = {@input@};
constexpr std::int64_t kInputSteps[] = {@inputSteps@};
constexpr std::int64_t kFilters[] = {@filters@}; // @filterWords@, taps
constexpr std::int64_t kFilterSteps[] = {@filterSteps@};
constexpr std::int64_t kResult[] = {@result@};
constexpr std::int64_t kResultSteps[] = {@resultSteps@};
@biasSizes@@graphNumbers@constexpr std::int64_t kPadding[] = {@padding@};
constexpr std::int64_t kStride[] = {@stride@};
constexpr std::int64_t kDilation[] = {@dilation@};
constexpr cudnnDataType_t kType = @type@;
constexpr cudnnDataType_t kSumType = @computeType@;
constexpr bool kAllowsMatrixUnits = @units@
constexpr std::int64_t kMostWorkspace = std::int64_t(1) << 30;

using Descriptor = cudnnBackendDescriptor_t;

// Leaves the function with the library's status when a call fails.
#define TRY(call)                                                            \
    if (const cudnnStatus_t status = (call); status != CUDNN_STATUS_SUCCESS) \
    return status

struct Plan {
    cudnnHandle_t handle = nullptr;
    Descriptor engine = nullptr; // and all that it was told
    void *workspace = nullptr;
};

// What the tensors are called in the library's graph.
enum : std::int64_t { kInputName = 1, kFiltersName, kResultName@moreNames@ };
constexpr std::int64_t kNames[] = {kInputName, kFiltersName, kResultName@outerNames@};
using Alignments = std::array<std::int64_t, @inMemory@>;

cudnnStatus_t setNumbers(Descriptor part, cudnnBackendAttributeName_t name, const std::int64_t *values,
                         std::int64_t count = 1) {
    return cudnnBackendSetAttribute(part, name, CUDNN_TYPE_INT64, count, values);
}

cudnnStatus_t setPart(Descriptor part, cudnnBackendAttributeName_t name, Descriptor other) {
    return cudnnBackendSetAttribute(part, name, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &other);
}

cudnnStatus_t describeTensor(Descriptor &tensor, std::int64_t name, const std::int64_t *sizes,
                             const std::int64_t *steps, std::int64_t alignment@virtualParameter@) {
    TRY(cudnnBackendCreateDescriptor(CUDNN_BACKEND_TENSOR_DESCRIPTOR, &tensor));
@tensorType@    TRY(setNumbers(tensor, CUDNN_ATTR_TENSOR_DIMENSIONS, sizes, kDimensions));
    TRY(setNumbers(tensor, CUDNN_ATTR_TENSOR_STRIDES, steps, kDimensions));
    TRY(setNumbers(tensor, CUDNN_ATTR_TENSOR_UNIQUE_ID, &name));
    TRY(setNumbers(tensor, CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, &alignment));
@setVirtual@    return cudnnBackendFinalize(tensor);
}

cudnnStatus_t describeConvolution(Descriptor &convolution) {
    constexpr cudnnConvolutionMode_t kMode = CUDNN_CROSS_CORRELATION;
    TRY(cudnnBackendCreateDescriptor(CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR, &convolution));
    TRY(cudnnBackendSetAttribute(convolution, CUDNN_ATTR_CONVOLUTION_COMP_TYPE, CUDNN_TYPE_DATA_TYPE, 1, &kSumType));
    TRY(cudnnBackendSetAttribute(convolution, CUDNN_ATTR_CONVOLUTION_CONV_MODE, CUDNN_TYPE_CONVOLUTION_MODE, 1, &kMode));
    TRY(setNumbers(convolution, CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS, &kSpace));
    TRY(setNumbers(convolution, CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, kPadding, kSpace));
    TRY(setNumbers(convolution, CUDNN_ATTR_CONVOLUTION_POST_PADDINGS, kPadding, kSpace));
    TRY(setNumbers(convolution, CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES, kStride, kSpace));
    TRY(setNumbers(convolution, CUDNN_ATTR_CONVOLUTION_DILATIONS, kDilation, kSpace));
    return cudnnBackendFinalize(convolution);
}

@stepFunction@// A graph of @operations@. Groups are what the channels of the filters leave of the input's.
cudnnStatus_t describeGraph(Descriptor &graph, cudnnHandle_t handle, const Alignments &alignments) {
    Descriptor input, filters, result, convolution, operation;
    TRY(describeTensor(input, kInputName, kInput, kInputSteps, alignments[0]));
    TRY(describeTensor(filters, kFiltersName, kFilters, kFilterSteps, alignments[1]));
    TRY(describeTensor(result, kResultName, kResult, kResultSteps, alignments[2]));
@moreTensors@    TRY(describeConvolution(convolution));
    constexpr @scale@ kOne = 1;
    constexpr @scale@ kZero = 0;
    TRY(cudnnBackendCreateDescriptor(CUDNN_BACKEND_OPERATION_CONVOLUTION_@operation@_DESCRIPTOR, &operation));
    TRY(setPart(operation, CUDNN_ATTR_OPERATION_CONVOLUTION_@words@_CONV_DESC, convolution));
    TRY(setPart(operation, CUDNN_ATTR_OPERATION_CONVOLUTION_@words@_W, filters));
    TRY(setPart(operation, CUDNN_ATTR_OPERATION_CONVOLUTION_@words@_@x@, input));
    TRY(setPart(operation, CUDNN_ATTR_OPERATION_CONVOLUTION_@words@_@y@, @sums@));
    TRY(cudnnBackendSetAttribute(operation, CUDNN_ATTR_OPERATION_CONVOLUTION_@words@_ALPHA, CUDNN_TYPE_@scaleType@, 1, &kOne));
    TRY(cudnnBackendSetAttribute(operation, CUDNN_ATTR_OPERATION_CONVOLUTION_@words@_BETA, CUDNN_TYPE_@scaleType@, 1, &kZero));
    TRY(cudnnBackendFinalize(operation));
@steps@    TRY(cudnnBackendCreateDescriptor(CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR, &graph));
    TRY(cudnnBackendSetAttribute(graph, CUDNN_ATTR_OPERATIONGRAPH_HANDLE, CUDNN_TYPE_HANDLE, 1, &handle));
@setOperations@    return cudnnBackendFinalize(graph);
}

// Whether a proposal keeps to the precision: none rounds its inputs to a smaller type, and matrix units, which
// round floats to TF32, are a choice.
bool isAllowed(Descriptor proposal) {
    Descriptor engine = nullptr;
    std::int64_t count = 0;
    std::array<cudnnBackendNumericalNote_t, CUDNN_NUMERICAL_NOTE_TYPE_COUNT> notes;
    if (cudnnBackendCreateDescriptor(CUDNN_BACKEND_ENGINE_DESCRIPTOR, &engine) != CUDNN_STATUS_SUCCESS ||
        cudnnBackendGetAttribute(proposal, CUDNN_ATTR_ENGINECFG_ENGINE, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &count,
                                 &engine) != CUDNN_STATUS_SUCCESS ||
        cudnnBackendGetAttribute(engine, CUDNN_ATTR_ENGINE_NUMERICAL_NOTE, CUDNN_TYPE_NUMERICAL_NOTE,
                                 std::int64_t(notes.size()), &count, notes.data()) != CUDNN_STATUS_SUCCESS)
        return false;
    return std::none_of(notes.begin(), notes.begin() + count, [](cudnnBackendNumericalNote_t note) {
        return note == CUDNN_NUMERICAL_NOTE_DOWN_CONVERT_INPUTS ||
               (!kAllowsMatrixUnits && note == CUDNN_NUMERICAL_NOTE_TENSOR_CORE);
    });
}

// Nothing where the library cannot do it so after all, or wants too much memory.
bool makeEngine(Plan &plan, Descriptor proposal, std::int64_t &workspaceBytes) {
    std::int64_t count = 0;
    return cudnnBackendCreateDescriptor(CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR, &plan.engine) == CUDNN_STATUS_SUCCESS &&
           cudnnBackendSetAttribute(plan.engine, CUDNN_ATTR_EXECUTION_PLAN_HANDLE, CUDNN_TYPE_HANDLE, 1,
                                    &plan.handle) == CUDNN_STATUS_SUCCESS &&
           setPart(plan.engine, CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG, proposal) == CUDNN_STATUS_SUCCESS &&
           cudnnBackendFinalize(plan.engine) == CUDNN_STATUS_SUCCESS &&
           cudnnBackendGetAttribute(plan.engine, CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE, CUDNN_TYPE_INT64, 1, &count,
                                    &workspaceBytes) == CUDNN_STATUS_SUCCESS &&
           workspaceBytes <= kMostWorkspace;
}

// Adds what the library would do, where it keeps to the precision.
cudnnStatus_t propose(std::vector<Descriptor> &proposals, Descriptor graph, cudnnBackendHeurMode_t mode) {
    Descriptor heuristics;
    TRY(cudnnBackendCreateDescriptor(CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR, &heuristics));
    TRY(setPart(heuristics, CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, graph));
    TRY(cudnnBackendSetAttribute(heuristics, CUDNN_ATTR_ENGINEHEUR_MODE, CUDNN_TYPE_HEUR_MODE, 1, &mode));
    TRY(cudnnBackendFinalize(heuristics));
    std::array<Descriptor, 64> all;
    for (Descriptor &proposal : all)
        TRY(cudnnBackendCreateDescriptor(CUDNN_BACKEND_ENGINECFG_DESCRIPTOR, &proposal));
    std::int64_t count = 0;
    TRY(cudnnBackendGetAttribute(heuristics, CUDNN_ATTR_ENGINEHEUR_RESULTS, CUDNN_TYPE_BACKEND_DESCRIPTOR,
                                 std::int64_t(all.size()), &count, all.data()));
    std::copy_if(all.begin(), all.begin() + std::min(count, std::int64_t(all.size())),
                 std::back_inserter(proposals), isAllowed);
    return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t makePlan(Plan &plan, const Alignments &alignments, int config) {
    TRY(cudnnCreate(&plan.handle));
    Descriptor graph;
    TRY(describeGraph(graph, plan.handle, alignments));
    // Proposals come best first, by the library's own estimate. It is only an estimate: try the others.
    std::vector<Descriptor> proposals;
    for (const cudnnBackendHeurMode_t mode : {CUDNN_HEUR_MODE_A, CUDNN_HEUR_MODE_FALLBACK})
        TRY(propose(proposals, graph, mode));
    if (std::size_t(config) < proposals.size())
        std::rotate(proposals.begin(), proposals.begin() + config, proposals.end());
    std::int64_t workspaceBytes = 0;
    if (std::none_of(proposals.begin(), proposals.end(),
                     [&](Descriptor proposal) { return makeEngine(plan, proposal, workspaceBytes); }))
        return CUDNN_STATUS_NOT_SUPPORTED;
    if (workspaceBytes > 0 && cudaMalloc(&plan.workspace, std::size_t(workspaceBytes)) != cudaSuccess)
        return CUDNN_STATUS_ALLOC_FAILED;
    return CUDNN_STATUS_SUCCESS;
}

// Bytes that the address is a multiple of, 16 at most: what the library may load at once.
std::int64_t alignmentOf(const void *address) {
    const auto bits = reinterpret_cast<std::uintptr_t>(address) | 16;
    return std::int64_t(bits & (~bits + 1));
}

cudnnStatus_t execute(const Plan &plan, const std::array<const void *, @tensors@> &addresses) {
    Descriptor pack;
    TRY(cudnnBackendCreateDescriptor(CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR, &pack));
    TRY(setNumbers(pack, CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, kNames, @tensors@));
    TRY(cudnnBackendSetAttribute(pack, CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, CUDNN_TYPE_VOID_PTR, @tensors@, addresses.data()));
    TRY(cudnnBackendSetAttribute(pack, CUDNN_ATTR_VARIANT_PACK_WORKSPACE, CUDNN_TYPE_VOID_PTR, 1, &plan.workspace));
    TRY(cudnnBackendFinalize(pack));
    const cudnnStatus_t status = cudnnBackendExecute(plan.handle, plan.engine, pack);
    cudnnBackendDestroyDescriptor(pack);
    return status;
}

} // namespace

// config = which of the library's proposals, 0 to 3. Returns 0, or a cudnnStatus_t.
// Not for several host threads at once; a call from Python holds the interpreter lock.
@launcher@
    int device = 0;
    cudaGetDevice(&device);
    const Alignments alignments = {@alignments@};
    // The stream is part of the key because the workspace is: two streams must not share one.
    using Key = std::pair<std::array<std::int64_t, 3>, Alignments>;
    static std::map<Key, Plan> plans;
    const Key key{{device, reinterpret_cast<std::intptr_t>(stream), config}, alignments};
    auto found = plans.find(key);
    if (found == plans.end()) {
        Plan plan;
        TRY(makePlan(plan, alignments, config));
        TRY(cudnnSetStream(plan.handle, stream));
        found = plans.emplace(key, plan).first;
    }
    return execute(found->second, {@arguments@});
}
)");
}

QString convolutionStepText() {
    return QStringLiteral(
        R"(// An operation on each element of `from`; `other`: its second operand, if it has one.
cudnnStatus_t describeStep(Descriptor &operation, cudnnPointwiseMode_t mode, Descriptor from, Descriptor other,
                           Descriptor to) {
    Descriptor step;
    TRY(cudnnBackendCreateDescriptor(CUDNN_BACKEND_POINTWISE_DESCRIPTOR, &step));
    TRY(cudnnBackendSetAttribute(step, CUDNN_ATTR_POINTWISE_MODE, CUDNN_TYPE_POINTWISE_MODE, 1, &mode));
    TRY(cudnnBackendSetAttribute(step, CUDNN_ATTR_POINTWISE_MATH_PREC, CUDNN_TYPE_DATA_TYPE, 1, &kSumType));
@slope@    TRY(cudnnBackendFinalize(step));
    TRY(cudnnBackendCreateDescriptor(CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR, &operation));
    TRY(setPart(operation, CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR, step));
    TRY(setPart(operation, CUDNN_ATTR_OPERATION_POINTWISE_XDESC, from));
    if (other != nullptr)
        TRY(setPart(operation, CUDNN_ATTR_OPERATION_POINTWISE_BDESC, other));
    TRY(setPart(operation, CUDNN_ATTR_OPERATION_POINTWISE_YDESC, to));
    return cudnnBackendFinalize(operation);
}

)");
}

QString convolutionNumberText() {
    return QStringLiteral(R"(// A number that is handed over by value: its address is the host's.
cudnnStatus_t describeNumber(Descriptor &number, std::int64_t name) {
    constexpr cudnnDataType_t kFloat = CUDNN_DATA_FLOAT;
    constexpr bool kIsByValue = true;
    constexpr std::int64_t kAlignment = sizeof(float);
    std::array<std::int64_t, kDimensions> ones;
    ones.fill(1);
    TRY(cudnnBackendCreateDescriptor(CUDNN_BACKEND_TENSOR_DESCRIPTOR, &number));
    TRY(cudnnBackendSetAttribute(number, CUDNN_ATTR_TENSOR_DATA_TYPE, CUDNN_TYPE_DATA_TYPE, 1, &kFloat));
    TRY(setNumbers(number, CUDNN_ATTR_TENSOR_DIMENSIONS, ones.data(), kDimensions));
    TRY(setNumbers(number, CUDNN_ATTR_TENSOR_STRIDES, ones.data(), kDimensions));
    TRY(setNumbers(number, CUDNN_ATTR_TENSOR_UNIQUE_ID, &name));
    TRY(setNumbers(number, CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, &kAlignment));
    TRY(cudnnBackendSetAttribute(number, CUDNN_ATTR_TENSOR_IS_BY_VALUE, CUDNN_TYPE_BOOLEAN, 1, &kIsByValue));
    return cudnnBackendFinalize(number);
}

)");
}

} // namespace warpwright
