// From Python to the launcher: check what the kernel takes for granted, allocate, launch.
#include "../binding_registry.h"

using namespace binding;

#ifdef WARPWRIGHT_CPU // has no streams
#define STREAM_PARAMETER
#define ON_STREAM
#else
#define STREAM_PARAMETER , cudaStream_t stream
#define ON_STREAM , stream
#endif

extern "C" void launchFusedPointwise(const float *x, const float *scaleValues, const float *shift, float *y,
                                     int config STREAM_PARAMETER);

namespace {

// Written for one shape, and reads where this says.
bool is(const Tensor &x, ScalarType type, std::initializer_list<std::int64_t> sizes,
        std::initializer_list<std::int64_t> strides) {
    bool isSo = x.scalar_type() == type && x.dim() == static_cast<std::int64_t>(sizes.size());
    for (std::int64_t d = 0; isSo && d < x.dim(); ++d)
        isSo = x.size(d) == sizes.begin()[d] && (x.size(d) == 1 || x.stride(d) == strides.begin()[d]);
    return isSo;
}

Tensor fusedPointwise(const Tensor &x, const Tensor &scaleValues, const Tensor &shiftValues, int config) {
    STD_TORCH_CHECK(is(x, ScalarType::Float, {3840, 2048}, {2048, 1}),
                    "fused_pointwise: x is not the float32 tensor of [3840, 2048] that it was written for");
    STD_TORCH_CHECK(is(scaleValues, ScalarType::Float, {2048}, {1}),
                    "fused_pointwise: scaleValues is not the float32 tensor of [2048] that it was written for");
    STD_TORCH_CHECK(is(shiftValues, ScalarType::Float, {2048}, {1}),
                    "fused_pointwise: shiftValues is not the float32 tensor of [2048] that it was written for");
    Tensor result1 = newEmpty(x, {3840, 2048}, ScalarType::Float);
#ifndef WARPWRIGHT_CPU
    const DeviceGuard guard(x);
    const cudaStream_t stream = currentStream(x);
#endif
    launchFusedPointwise(x.const_data_ptr<float>(), scaleValues.const_data_ptr<float>(),
                         shiftValues.const_data_ptr<float>(), result1.mutable_data_ptr<float>(),
                         config ON_STREAM);
#ifndef WARPWRIGHT_CPU
    checkLaunch(); // A refused launch is silent otherwise.
#endif
    return result1;
}

} // namespace

REGISTER_FUNCTION(fused_pointwise, fusedPointwise, "a pointwise chain in one pass");
