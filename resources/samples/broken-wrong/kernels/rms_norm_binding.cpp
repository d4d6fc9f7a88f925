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
extern "C" void launchRmsNorm(const float *x, const float *weight, float *y, int rows, int columns,
                              int config);
#else
extern "C" void launchRmsNorm(const float *x, const float *weight, float *y, int rows, int columns,
                              int config, cudaStream_t stream);
#endif

namespace {

at::Tensor rmsNorm(const at::Tensor &x, const at::Tensor &weight, int config) {
    TORCH_CHECK(x.dim() == 2 && x.scalar_type() == at::kFloat && x.is_contiguous() && x.size(1) % 4 == 0,
                "rms_norm takes a contiguous float32 matrix with a multiple of 4 columns");
    TORCH_CHECK(weight.numel() == x.size(1), "rms_norm takes one weight per column");
    at::Tensor y = at::empty_like(x);
    const int rows = static_cast<int>(x.size(0));
    const int columns = static_cast<int>(x.size(1));
#ifdef WARPWRIGHT_CPU
    launchRmsNorm(x.const_data_ptr<float>(), weight.const_data_ptr<float>(), y.mutable_data_ptr<float>(),
                  rows, columns, config);
#else
    const c10::cuda::CUDAGuard guard(x.device());
    launchRmsNorm(x.const_data_ptr<float>(), weight.const_data_ptr<float>(), y.mutable_data_ptr<float>(),
                  rows, columns, config, c10::cuda::getCurrentCUDAStream());
    C10_CUDA_KERNEL_LAUNCH_CHECK();
#endif
    return y;
}

void bindRmsNorm(pybind11::module_ &m) {
    m.def("rms_norm", &rmsNorm, "x / rms(x) * weight for each row");
}

} // namespace

REGISTER_BINDING(rms_norm, bindRmsNorm);
