// SPDX-License-Identifier: GPL-3.0-or-later
// From Python to the launcher: check what the kernel takes for granted, allocate, launch.
#include "../binding_registry.h"

using namespace binding;

#ifdef WARPWRIGHT_CPU
extern "C" void launchExample(const float *x, float *y, float factor, long long count, int config);
#else
extern "C" void launchExample(const float *x, float *y, float factor, long long count, int config,
                              cudaStream_t stream);
#endif

namespace {

Tensor example(const Tensor &x, float factor, int config) {
    STD_TORCH_CHECK(x.scalar_type() == ScalarType::Float && x.is_contiguous(),
                "example takes a contiguous float32 tensor");
    Tensor y = emptyLike(x); // Allocation is all that PyTorch does for us here.
#ifdef WARPWRIGHT_CPU
    launchExample(x.const_data_ptr<float>(), y.mutable_data_ptr<float>(), factor, x.numel(), config);
#else
    const DeviceGuard guard(x);
    launchExample(x.const_data_ptr<float>(), y.mutable_data_ptr<float>(), factor, x.numel(), config,
                  currentStream(x));
    checkLaunch(); // A refused launch is silent otherwise.
#endif
    return y;
}

} // namespace

REGISTER_FUNCTION(example, example, "factor * x");
