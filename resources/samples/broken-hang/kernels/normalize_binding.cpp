// SPDX-License-Identifier: GPL-3.0-or-later
// From Python to the launcher: check what the kernel takes for granted, allocate, launch.
#include "../binding_registry.h"

using namespace binding;

#ifdef WARPWRIGHT_CPU
extern "C" void launchNormalize(const float *x, float *y, int count, int config);
#else
extern "C" void launchNormalize(const float *x, float *y, int count, int config, cudaStream_t stream);
#endif

namespace {

Tensor normalize(const Tensor &x, int config) {
    STD_TORCH_CHECK(x.scalar_type() == ScalarType::Float && x.is_contiguous() && x.numel() <= 1048576,
                "normalize takes up to 1,048,576 contiguous float32 elements");
    Tensor y = emptyLike(x);
    const int count = static_cast<int>(x.numel());
#ifdef WARPWRIGHT_CPU
    launchNormalize(x.const_data_ptr<float>(), y.mutable_data_ptr<float>(), count, config);
#else
    const DeviceGuard guard(x);
    launchNormalize(x.const_data_ptr<float>(), y.mutable_data_ptr<float>(), count, config,
                    currentStream(x));
    checkLaunch();
#endif
    return y;
}

} // namespace

REGISTER_FUNCTION(normalize, normalize, "x / length(x)");
