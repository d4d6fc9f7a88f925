// SPDX-License-Identifier: GPL-3.0-or-later
// From Python to the launcher: check what the kernel takes for granted, allocate, launch.
#include "../binding_registry.h"

using namespace binding;

#ifdef WARPWRIGHT_CPU
extern "C" void launchPrelu(const float *x, const float *slopes, float *y, int rows, int channels,
                            int config);
#else
extern "C" void launchPrelu(const float *x, const float *slopes, float *y, int rows, int channels, int config,
                            cudaStream_t stream);
#endif

namespace {

Tensor prelu(const Tensor &x, const Tensor &slopes, int config) {
    STD_TORCH_CHECK(x.dim() == 2 && x.scalar_type() == ScalarType::Float && x.is_contiguous(),
                "prelu takes a contiguous float32 matrix");
    STD_TORCH_CHECK(slopes.numel() == x.size(1), "prelu takes one slope per channel");
    Tensor y = emptyLike(x);
    const int rows = static_cast<int>(x.size(0));
    const int channels = static_cast<int>(x.size(1));
#ifdef WARPWRIGHT_CPU
    launchPrelu(x.const_data_ptr<float>(), slopes.const_data_ptr<float>(), y.mutable_data_ptr<float>(), rows,
                channels, config);
#else
    const DeviceGuard guard(x);
    launchPrelu(x.const_data_ptr<float>(), slopes.const_data_ptr<float>(), y.mutable_data_ptr<float>(), rows,
                channels, config, currentStream(x));
    checkLaunch();
#endif
    return y;
}

} // namespace

REGISTER_FUNCTION(prelu, prelu, "x where x > 0, else x * slope of its channel");
