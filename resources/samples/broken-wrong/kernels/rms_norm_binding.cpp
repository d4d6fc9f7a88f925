// SPDX-License-Identifier: GPL-3.0-or-later
// From Python to the launcher: check what the kernel takes for granted, allocate, launch.
#include "../binding_registry.h"

using namespace binding;

#ifdef WARPWRIGHT_CPU
extern "C" void launchRmsNorm(const float *x, const float *weight, float *y, int rows, int columns,
                              int config);
#else
extern "C" void launchRmsNorm(const float *x, const float *weight, float *y, int rows, int columns,
                              int config, cudaStream_t stream);
#endif

namespace {

Tensor rmsNorm(const Tensor &x, const Tensor &weight, int config) {
    STD_TORCH_CHECK(x.dim() == 2 && x.scalar_type() == ScalarType::Float && x.is_contiguous() && x.size(1) % 4 == 0,
                "rms_norm takes a contiguous float32 matrix with a multiple of 4 columns");
    STD_TORCH_CHECK(weight.numel() == x.size(1), "rms_norm takes one weight per column");
    Tensor y = emptyLike(x);
    const int rows = static_cast<int>(x.size(0));
    const int columns = static_cast<int>(x.size(1));
#ifdef WARPWRIGHT_CPU
    launchRmsNorm(x.const_data_ptr<float>(), weight.const_data_ptr<float>(), y.mutable_data_ptr<float>(),
                  rows, columns, config);
#else
    const DeviceGuard guard(x);
    launchRmsNorm(x.const_data_ptr<float>(), weight.const_data_ptr<float>(), y.mutable_data_ptr<float>(),
                  rows, columns, config, currentStream(x));
    checkLaunch();
#endif
    return y;
}

} // namespace

REGISTER_FUNCTION(rms_norm, rmsNorm, "x / rms(x) * weight for each row");
