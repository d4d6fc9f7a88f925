// SPDX-License-Identifier: GPL-3.0-or-later
// From Python to the launcher: check what the kernel takes for granted, allocate, launch.
#include "../binding_registry.h"

using namespace binding;

#ifdef WARPWRIGHT_CPU
extern "C" void launchRmsnormResidual(const float *x, const float *residual, const float *weight, float *y,
                                      float epsilon, int rows, int columns, int config);
#else
extern "C" void launchRmsnormResidual(const float *x, const float *residual, const float *weight, float *y,
                                      float epsilon, int rows, int columns, int config, cudaStream_t stream);
#endif

namespace {

Tensor rmsnormResidual(const Tensor &x, const Tensor &residual, const Tensor &weight,
                           float epsilon, int config) {
    STD_TORCH_CHECK(x.dim() == 2 && x.scalar_type() == ScalarType::Float && x.is_contiguous(),
                "rmsnorm_residual takes a contiguous float32 matrix");
    STD_TORCH_CHECK(residual.dim() == 2 && residual.size(0) == x.size(0) && residual.size(1) == x.size(1) &&
                    residual.is_contiguous(),
                "x and residual must have the same shape");
    STD_TORCH_CHECK(x.size(1) % 4 == 0 && x.size(1) <= 4096,
                "rmsnorm_residual takes up to 4096 columns, a multiple of 4");
    STD_TORCH_CHECK(weight.numel() == x.size(1), "rmsnorm_residual takes one weight per column");
    Tensor y = emptyLike(x);
    const int rows = static_cast<int>(x.size(0));
    const int columns = static_cast<int>(x.size(1));
#ifdef WARPWRIGHT_CPU
    launchRmsnormResidual(x.const_data_ptr<float>(), residual.const_data_ptr<float>(),
                          weight.const_data_ptr<float>(), y.mutable_data_ptr<float>(), epsilon, rows, columns,
                          config);
#else
    const DeviceGuard guard(x);
    launchRmsnormResidual(x.const_data_ptr<float>(), residual.const_data_ptr<float>(),
                          weight.const_data_ptr<float>(), y.mutable_data_ptr<float>(), epsilon, rows, columns,
                          config, currentStream(x));
    checkLaunch(); // A refused launch is silent otherwise.
#endif
    return y;
}

} // namespace

REGISTER_FUNCTION(rmsnorm_residual, rmsnormResidual, "rmsnorm(x + residual) * weight over each row");
