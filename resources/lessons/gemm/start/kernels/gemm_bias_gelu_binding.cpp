// SPDX-License-Identifier: GPL-3.0-or-later
// From Python to the launcher: check what the kernel takes for granted, allocate, launch.
#include "../binding_registry.h"

using namespace binding;

#ifdef WARPWRIGHT_CPU
extern "C" void launchGemmBiasGelu(const float *x, const float *weight, const float *bias, float *y, int rows,
                                   int inner, int columns);
#else
extern "C" void launchGemmBiasGelu(const float *x, const float *weight, const float *bias, float *y, int rows,
                                   int inner, int columns, cudaStream_t stream);
#endif

namespace {

Tensor gemmBiasGelu(const Tensor &x, const Tensor &weight, const Tensor &bias) {
    STD_TORCH_CHECK(x.dim() == 2 && x.scalar_type() == ScalarType::Float && x.is_contiguous(),
                    "gemm_bias_gelu takes a contiguous float32 matrix");
    STD_TORCH_CHECK(weight.dim() == 2 && weight.is_contiguous() && weight.size(1) == x.size(1) &&
                        bias.numel() == weight.size(0),
                    "weight must be [columns, inner] and bias [columns]");
    STD_TORCH_CHECK(x.size(1) % 32 == 0 && x.size(1) <= 1024,
                    "gemm_bias_gelu takes an inner size of up to 1024, a multiple of 32");
    Tensor y = newEmpty(x, {x.size(0), weight.size(0)});
    const int rows = static_cast<int>(x.size(0));
    const int inner = static_cast<int>(x.size(1));
    const int columns = static_cast<int>(weight.size(0));
#ifdef WARPWRIGHT_CPU
    launchGemmBiasGelu(x.const_data_ptr<float>(), weight.const_data_ptr<float>(),
                       bias.const_data_ptr<float>(), y.mutable_data_ptr<float>(), rows, inner, columns);
#else
    const DeviceGuard guard(x);
    launchGemmBiasGelu(x.const_data_ptr<float>(), weight.const_data_ptr<float>(),
                       bias.const_data_ptr<float>(), y.mutable_data_ptr<float>(), rows, inner, columns,
                       currentStream(x));
    checkLaunch(); // A refused launch is silent otherwise.
#endif
    return y;
}

} // namespace

REGISTER_FUNCTION(gemm_bias_gelu, gemmBiasGelu, "gelu(x @ weight.T + bias), tanh form");
