// SPDX-License-Identifier: GPL-3.0-or-later
#include <torch/csrc/utils/pybind.h>
#include <torch/types.h>
#ifndef WARPWRIGHT_CPU
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>
#endif

#include "../binding_registry.h"

#ifdef WARPWRIGHT_CPU
extern "C" void launchGate(const float *x, const float *scale, float *y, int rows, int channels);
#else
extern "C" void launchGate(const float *x, const float *scale, float *y, int rows, int channels, cudaStream_t stream);
#endif

static at::Tensor gate(const at::Tensor &x, const at::Tensor &scale) {
    TORCH_CHECK(x.dim() == 2 && x.scalar_type() == at::kFloat && x.is_contiguous(), "gate takes a float32 matrix");
    at::Tensor y = at::empty_like(x);
    const int rows = static_cast<int>(x.size(0));
    const int channels = static_cast<int>(x.size(1));
#ifdef WARPWRIGHT_CPU
    launchGate(x.const_data_ptr<float>(), scale.const_data_ptr<float>(), y.mutable_data_ptr<float>(), rows, channels);
#else
    launchGate(x.const_data_ptr<float>(), scale.const_data_ptr<float>(), y.mutable_data_ptr<float>(), rows, channels,
               c10::cuda::getCurrentCUDAStream());
    C10_CUDA_KERNEL_LAUNCH_CHECK();
#endif
    return y;
}

static void bindGate(pybind11::module_ &m) {
    m.def("gate", &gate);
}

REGISTER_BINDING(gate, bindGate);
