// SPDX-License-Identifier: GPL-3.0-or-later
// From Python to the launcher: check what the kernel takes for granted, allocate, launch.
#include "../binding_registry.h"

using namespace binding;

#ifdef WARPWRIGHT_CPU
extern "C" void launchDepthwiseConv(const float *x, const float *weight, const float *bias, float *y,
                                    int images, int channels, int height, int width, int config);
#else
extern "C" void launchDepthwiseConv(const float *x, const float *weight, const float *bias, float *y,
                                    int images, int channels, int height, int width, int config,
                                    cudaStream_t stream);
#endif

namespace {

Tensor depthwiseConv(const Tensor &x, const Tensor &weight, const Tensor &bias, int config) {
    STD_TORCH_CHECK(x.dim() == 4 && x.scalar_type() == ScalarType::Float && x.is_contiguous() && x.size(3) % 4 == 0,
                "depthwise_conv takes contiguous float32 images with a width that is a multiple of 4");
    STD_TORCH_CHECK(weight.numel() == x.size(1) * 9 && bias.numel() == x.size(1),
                "one 3x3 filter and bias per channel");
    Tensor y = emptyLike(x);
    const int images = static_cast<int>(x.size(0));
    const int channels = static_cast<int>(x.size(1));
    const int height = static_cast<int>(x.size(2));
    const int width = static_cast<int>(x.size(3));
#ifdef WARPWRIGHT_CPU
    launchDepthwiseConv(x.const_data_ptr<float>(), weight.const_data_ptr<float>(),
                        bias.const_data_ptr<float>(), y.mutable_data_ptr<float>(), images, channels, height,
                        width, config);
#else
    const DeviceGuard guard(x);
    launchDepthwiseConv(x.const_data_ptr<float>(), weight.const_data_ptr<float>(),
                        bias.const_data_ptr<float>(), y.mutable_data_ptr<float>(), images, channels, height,
                        width, config, currentStream(x));
    checkLaunch(); // A refused launch is silent otherwise.
#endif
    return y;
}

} // namespace

REGISTER_FUNCTION(depthwise_conv, depthwiseConv, "3x3 convolution of each channel with its own filter, padding 1");
