// SPDX-License-Identifier: GPL-3.0-or-later
// From Python to the launcher: check what the kernel takes for granted, allocate, launch.
#include "../binding_registry.h"

using namespace binding;

#ifdef WARPWRIGHT_CPU
extern "C" void launchPointwiseChain(const float *x, const float *scale, const float *shift, float *y,
                                     int rows, int channels, int config);
#else
extern "C" void launchPointwiseChain(const float *x, const float *scale, const float *shift, float *y,
                                     int rows, int channels, int config, cudaStream_t stream);
#endif

namespace {

Tensor pointwiseChain(const Tensor &x, const Tensor &scale, const Tensor &shift, int config) {
    STD_TORCH_CHECK(x.dim() == 2 && x.scalar_type() == ScalarType::Float && x.is_contiguous() && x.size(1) % 4 == 0,
                "pointwise_chain takes a contiguous float32 matrix with a multiple of 4 columns");
    STD_TORCH_CHECK(scale.numel() == x.size(1) && shift.numel() == x.size(1), "one scale and shift per column");
    Tensor y = emptyLike(x);
    const int rows = static_cast<int>(x.size(0));
    const int channels = static_cast<int>(x.size(1));
#ifdef WARPWRIGHT_CPU
    launchPointwiseChain(x.const_data_ptr<float>(), scale.const_data_ptr<float>(),
                         shift.const_data_ptr<float>(), y.mutable_data_ptr<float>(), rows, channels, config);
#else
    const DeviceGuard guard(x);
    launchPointwiseChain(x.const_data_ptr<float>(), scale.const_data_ptr<float>(),
                         shift.const_data_ptr<float>(), y.mutable_data_ptr<float>(), rows, channels, config,
                         currentStream(x));
    checkLaunch(); // A refused launch is silent otherwise.
#endif
    return y;
}

} // namespace

REGISTER_FUNCTION(pointwise_chain, pointwiseChain, "mish(x * scale + shift), scale and shift per column");
