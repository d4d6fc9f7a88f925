// SPDX-License-Identifier: GPL-3.0-or-later
// From Python to the launcher: check what the kernel takes for granted, allocate, launch.
#include <torch/csrc/utils/pybind.h>
#include <torch/types.h>
#ifndef WARPWRIGHT_CPU
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#endif

#include "../binding_registry.h"

#ifdef WARPWRIGHT_CPU
extern "C" void launchRmsnormResidual(const float *x, const float *residual, const float *weight, float *y,
                                      float epsilon, int rows, int columns, int config);
#else
extern "C" void launchRmsnormResidual(const float *x, const float *residual, const float *weight, float *y,
                                      float epsilon, int rows, int columns, int config, cudaStream_t stream);
#endif

namespace {

at::Tensor rmsnormResidual(const at::Tensor &x, const at::Tensor &residual, const at::Tensor &weight,
                           float epsilon, int config) {
    TORCH_CHECK(x.dim() == 2 && x.scalar_type() == at::kFloat && x.is_contiguous(),
                "rmsnorm_residual takes a contiguous float32 matrix");
    TORCH_CHECK(residual.sizes() == x.sizes() && residual.is_contiguous(),
                "x and residual must have the same shape");
    TORCH_CHECK(x.size(1) % 4 == 0 && x.size(1) <= 4096,
                "rmsnorm_residual takes up to 4096 columns, a multiple of 4");
    TORCH_CHECK(weight.numel() == x.size(1), "rmsnorm_residual takes one weight per column");
    at::Tensor y = at::empty_like(x);
    const int rows = static_cast<int>(x.size(0));
    const int columns = static_cast<int>(x.size(1));
#ifdef WARPWRIGHT_CPU
    launchRmsnormResidual(x.const_data_ptr<float>(), residual.const_data_ptr<float>(),
                          weight.const_data_ptr<float>(), y.mutable_data_ptr<float>(), epsilon, rows, columns,
                          config);
#else
    const c10::cuda::CUDAGuard guard(x.device());
    launchRmsnormResidual(x.const_data_ptr<float>(), residual.const_data_ptr<float>(),
                          weight.const_data_ptr<float>(), y.mutable_data_ptr<float>(), epsilon, rows, columns,
                          config, c10::cuda::getCurrentCUDAStream());
    C10_CUDA_KERNEL_LAUNCH_CHECK(); // A refused launch is silent otherwise.
#endif
    return y;
}

void bindRmsnormResidual(pybind11::module_ &m) {
    m.def("rmsnorm_residual", &rmsnormResidual, "rmsnorm(x + residual) * weight over each row");
}

} // namespace

REGISTER_BINDING(rmsnorm_residual, bindRmsnormResidual);
