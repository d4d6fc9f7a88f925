// SPDX-License-Identifier: GPL-3.0-or-later
// From Python to the launcher: check what the kernel takes for granted, allocate, launch.
#include "../binding_registry.h"

using namespace binding;

#ifdef WARPWRIGHT_CPU
extern "C" int launchGemmBiasGelu(const float *x, const float *weight, const float *bias, float *y, int rows,
                                  int inner, int columns, int config);
#else
extern "C" int launchGemmBiasGelu(const float *x, const float *weight, const float *bias, float *y, int rows,
                                  int inner, int columns, int config, cudaStream_t stream);
#endif

namespace {

Tensor gemmBiasGelu(const Tensor &x, const Tensor &weight, const Tensor &bias, int config) {
    STD_TORCH_CHECK(x.dim() == 2 && x.scalar_type() == ScalarType::Float && x.is_contiguous(),
                "gemm_bias_gelu takes a contiguous float32 matrix");
    STD_TORCH_CHECK(weight.dim() == 2 && weight.is_contiguous() && weight.size(1) == x.size(1) &&
                    bias.numel() == weight.size(0),
                "weight must be [columns, inner] and bias [columns]");
    Tensor y = newEmpty(x, {x.size(0), weight.size(0)});
    const int rows = static_cast<int>(x.size(0));
    const int inner = static_cast<int>(x.size(1));
    const int columns = static_cast<int>(weight.size(0));
#ifdef WARPWRIGHT_CPU
    const int status = launchGemmBiasGelu(x.const_data_ptr<float>(), weight.const_data_ptr<float>(),
                                          bias.const_data_ptr<float>(), y.mutable_data_ptr<float>(), rows,
                                          inner, columns, config);
#else
    const DeviceGuard guard(x);
    const int status = launchGemmBiasGelu(x.const_data_ptr<float>(), weight.const_data_ptr<float>(),
                                          bias.const_data_ptr<float>(), y.mutable_data_ptr<float>(), rows,
                                          inner, columns, config, currentStream(x));
#endif
    STD_TORCH_CHECK(status == 0, "gemm_bias_gelu: the library refused with status ", status);
    return y;
}

} // namespace

REGISTER_FUNCTION(gemm_bias_gelu, gemmBiasGelu, "gelu(x @ weight.T + bias), tanh form");
