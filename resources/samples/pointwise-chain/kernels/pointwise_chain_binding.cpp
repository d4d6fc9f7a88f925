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
extern "C" void launchPointwiseChain(const float *x, const float *scale, const float *shift, float *y,
                                     int rows, int channels, int config);
#else
extern "C" void launchPointwiseChain(const float *x, const float *scale, const float *shift, float *y,
                                     int rows, int channels, int config, cudaStream_t stream);
#endif

namespace {

at::Tensor pointwiseChain(const at::Tensor &x, const at::Tensor &scale, const at::Tensor &shift, int config) {
    TORCH_CHECK(x.dim() == 2 && x.scalar_type() == at::kFloat && x.is_contiguous() && x.size(1) % 4 == 0,
                "pointwise_chain takes a contiguous float32 matrix with a multiple of 4 columns");
    TORCH_CHECK(scale.numel() == x.size(1) && shift.numel() == x.size(1), "one scale and shift per column");
    at::Tensor y = at::empty_like(x);
    const int rows = static_cast<int>(x.size(0));
    const int channels = static_cast<int>(x.size(1));
#ifdef WARPWRIGHT_CPU
    launchPointwiseChain(x.const_data_ptr<float>(), scale.const_data_ptr<float>(),
                         shift.const_data_ptr<float>(), y.mutable_data_ptr<float>(), rows, channels, config);
#else
    const c10::cuda::CUDAGuard guard(x.device());
    launchPointwiseChain(x.const_data_ptr<float>(), scale.const_data_ptr<float>(),
                         shift.const_data_ptr<float>(), y.mutable_data_ptr<float>(), rows, channels, config,
                         c10::cuda::getCurrentCUDAStream());
    C10_CUDA_KERNEL_LAUNCH_CHECK(); // A refused launch is silent otherwise.
#endif
    return y;
}

void bindPointwiseChain(pybind11::module_ &m) {
    m.def("pointwise_chain", &pointwiseChain, "mish(x * scale + shift), scale and shift per column");
}

} // namespace

REGISTER_BINDING(pointwise_chain, bindPointwiseChain);
