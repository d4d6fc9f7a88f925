// SPDX-License-Identifier: GPL-3.0-or-later
// From Python to the launcher: check what the kernel takes for granted, allocate, launch.
#include <torch/csrc/utils/pybind.h>
#include <torch/types.h>
#ifndef WARPWRIGHT_CPU
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#endif

#include "../binding_registry.h"

#ifdef WARPWRIGHT_CPU
extern "C" int launchGemmBiasGelu(const float *x, const float *weight, const float *bias, float *y, int rows,
                                  int inner, int columns, int config);
#else
extern "C" int launchGemmBiasGelu(const float *x, const float *weight, const float *bias, float *y, int rows,
                                  int inner, int columns, int config, cudaStream_t stream);
#endif

namespace {

at::Tensor gemmBiasGelu(const at::Tensor &x, const at::Tensor &weight, const at::Tensor &bias, int config) {
    TORCH_CHECK(x.dim() == 2 && x.scalar_type() == at::kFloat && x.is_contiguous(),
                "gemm_bias_gelu takes a contiguous float32 matrix");
    TORCH_CHECK(weight.dim() == 2 && weight.is_contiguous() && weight.size(1) == x.size(1) &&
                    bias.numel() == weight.size(0),
                "weight must be [columns, inner] and bias [columns]");
    at::Tensor y = at::empty({x.size(0), weight.size(0)}, x.options());
    const int rows = static_cast<int>(x.size(0));
    const int inner = static_cast<int>(x.size(1));
    const int columns = static_cast<int>(weight.size(0));
#ifdef WARPWRIGHT_CPU
    const int status = launchGemmBiasGelu(x.const_data_ptr<float>(), weight.const_data_ptr<float>(),
                                          bias.const_data_ptr<float>(), y.mutable_data_ptr<float>(), rows,
                                          inner, columns, config);
#else
    const c10::cuda::CUDAGuard guard(x.device());
    const int status = launchGemmBiasGelu(x.const_data_ptr<float>(), weight.const_data_ptr<float>(),
                                          bias.const_data_ptr<float>(), y.mutable_data_ptr<float>(), rows,
                                          inner, columns, config, c10::cuda::getCurrentCUDAStream());
#endif
    TORCH_CHECK(status == 0, "gemm_bias_gelu: the library refused with status ", status);
    return y;
}

void bindGemmBiasGelu(pybind11::module_ &m) {
    m.def("gemm_bias_gelu", &gemmBiasGelu, "gelu(x @ weight.T + bias), tanh form");
}

} // namespace

REGISTER_BINDING(gemm_bias_gelu, bindGemmBiasGelu);
