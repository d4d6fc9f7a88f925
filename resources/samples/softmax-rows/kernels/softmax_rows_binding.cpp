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
extern "C" void launchSoftmaxRows(const float *x, const float *bias, float *y, float scale, int rows,
                                  int columns, int config);
#else
extern "C" void launchSoftmaxRows(const float *x, const float *bias, float *y, float scale, int rows,
                                  int columns, int config, cudaStream_t stream);
#endif

namespace {

at::Tensor softmaxRows(const at::Tensor &x, const at::Tensor &bias, float scale, int config) {
    TORCH_CHECK(x.dim() == 2 && x.scalar_type() == at::kFloat && x.is_contiguous(),
                "softmax_rows takes a contiguous float32 matrix");
    TORCH_CHECK(x.size(1) % 4 == 0 && x.size(1) <= 4096,
                "softmax_rows takes up to 4096 columns, a multiple of 4");
    TORCH_CHECK(bias.numel() == x.size(1), "softmax_rows takes one bias per column");
    at::Tensor y = at::empty_like(x);
    const int rows = static_cast<int>(x.size(0));
    const int columns = static_cast<int>(x.size(1));
#ifdef WARPWRIGHT_CPU
    launchSoftmaxRows(x.const_data_ptr<float>(), bias.const_data_ptr<float>(), y.mutable_data_ptr<float>(),
                      scale, rows, columns, config);
#else
    const c10::cuda::CUDAGuard guard(x.device());
    launchSoftmaxRows(x.const_data_ptr<float>(), bias.const_data_ptr<float>(), y.mutable_data_ptr<float>(),
                      scale, rows, columns, config, c10::cuda::getCurrentCUDAStream());
    C10_CUDA_KERNEL_LAUNCH_CHECK(); // A refused launch is silent otherwise.
#endif
    return y;
}

void bindSoftmaxRows(pybind11::module_ &m) {
    m.def("softmax_rows", &softmaxRows, "softmax(x * scale + bias) over each row");
}

} // namespace

REGISTER_BINDING(softmax_rows, bindSoftmaxRows);
