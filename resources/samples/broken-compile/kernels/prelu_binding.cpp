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
extern "C" void launchPrelu(const float *x, const float *slopes, float *y, int rows, int channels,
                            int config);
#else
extern "C" void launchPrelu(const float *x, const float *slopes, float *y, int rows, int channels, int config,
                            cudaStream_t stream);
#endif

namespace {

at::Tensor prelu(const at::Tensor &x, const at::Tensor &slopes, int config) {
    TORCH_CHECK(x.dim() == 2 && x.scalar_type() == at::kFloat && x.is_contiguous(),
                "prelu takes a contiguous float32 matrix");
    TORCH_CHECK(slopes.numel() == x.size(1), "prelu takes one slope per channel");
    at::Tensor y = at::empty_like(x);
    const int rows = static_cast<int>(x.size(0));
    const int channels = static_cast<int>(x.size(1));
#ifdef WARPWRIGHT_CPU
    launchPrelu(x.const_data_ptr<float>(), slopes.const_data_ptr<float>(), y.mutable_data_ptr<float>(), rows,
                channels, config);
#else
    const c10::cuda::CUDAGuard guard(x.device());
    launchPrelu(x.const_data_ptr<float>(), slopes.const_data_ptr<float>(), y.mutable_data_ptr<float>(), rows,
                channels, config, c10::cuda::getCurrentCUDAStream());
    C10_CUDA_KERNEL_LAUNCH_CHECK();
#endif
    return y;
}

void bindPrelu(pybind11::module_ &m) {
    m.def("prelu", &prelu, "x where x > 0, else x * slope of its channel");
}

} // namespace

REGISTER_BINDING(prelu, bindPrelu);
