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
extern "C" void launchNormalize(const float *x, float *y, int count, int config);
#else
extern "C" void launchNormalize(const float *x, float *y, int count, int config, cudaStream_t stream);
#endif

namespace {

at::Tensor normalize(const at::Tensor &x, int config) {
    TORCH_CHECK(x.scalar_type() == at::kFloat && x.is_contiguous() && x.numel() <= 1048576,
                "normalize takes up to 1,048,576 contiguous float32 elements");
    at::Tensor y = at::empty_like(x);
    const int count = static_cast<int>(x.numel());
#ifdef WARPWRIGHT_CPU
    launchNormalize(x.const_data_ptr<float>(), y.mutable_data_ptr<float>(), count, config);
#else
    const c10::cuda::CUDAGuard guard(x.device());
    launchNormalize(x.const_data_ptr<float>(), y.mutable_data_ptr<float>(), count, config,
                    c10::cuda::getCurrentCUDAStream());
    C10_CUDA_KERNEL_LAUNCH_CHECK();
#endif
    return y;
}

void bindNormalize(pybind11::module_ &m) {
    m.def("normalize", &normalize, "x / length(x)");
}

} // namespace

REGISTER_BINDING(normalize, bindNormalize);
