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
extern "C" void launchDepthwiseConv(const float *x, const float *weight, const float *bias, float *y,
                                    int images, int channels, int height, int width, int config);
#else
extern "C" void launchDepthwiseConv(const float *x, const float *weight, const float *bias, float *y,
                                    int images, int channels, int height, int width, int config,
                                    cudaStream_t stream);
#endif

namespace {

at::Tensor depthwiseConv(const at::Tensor &x, const at::Tensor &weight, const at::Tensor &bias, int config) {
    TORCH_CHECK(x.dim() == 4 && x.scalar_type() == at::kFloat && x.is_contiguous() && x.size(3) % 4 == 0,
                "depthwise_conv takes contiguous float32 images with a width that is a multiple of 4");
    TORCH_CHECK(weight.numel() == x.size(1) * 9 && bias.numel() == x.size(1),
                "one 3x3 filter and bias per channel");
    at::Tensor y = at::empty_like(x);
    const int images = static_cast<int>(x.size(0));
    const int channels = static_cast<int>(x.size(1));
    const int height = static_cast<int>(x.size(2));
    const int width = static_cast<int>(x.size(3));
#ifdef WARPWRIGHT_CPU
    launchDepthwiseConv(x.const_data_ptr<float>(), weight.const_data_ptr<float>(),
                        bias.const_data_ptr<float>(), y.mutable_data_ptr<float>(), images, channels, height,
                        width, config);
#else
    const c10::cuda::CUDAGuard guard(x.device());
    launchDepthwiseConv(x.const_data_ptr<float>(), weight.const_data_ptr<float>(),
                        bias.const_data_ptr<float>(), y.mutable_data_ptr<float>(), images, channels, height,
                        width, config, c10::cuda::getCurrentCUDAStream());
    C10_CUDA_KERNEL_LAUNCH_CHECK(); // A refused launch is silent otherwise.
#endif
    return y;
}

void bindDepthwiseConv(pybind11::module_ &m) {
    m.def("depthwise_conv", &depthwiseConv, "3x3 convolution of each channel with its own filter, padding 1");
}

} // namespace

REGISTER_BINDING(depthwise_conv, bindDepthwiseConv);
