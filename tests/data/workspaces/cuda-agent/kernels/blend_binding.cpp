// SPDX-License-Identifier: GPL-3.0-or-later
#include <torch/types.h>
#include <torch/csrc/utils/pybind.h>
#include <cuda_runtime.h>
#include <c10/cuda/CUDAStream.h>
#include "../binding_registry.h"

extern "C" void blend_launcher(const float* a, const float* b, float* y, float alpha, float beta, long long n, int config,
                               cudaStream_t stream);

static torch::Tensor blend_forward(torch::Tensor a, torch::Tensor b, double alpha, double beta, int config) {
    auto y = torch::empty_like(a);
    blend_launcher(a.data_ptr<float>(), b.data_ptr<float>(), y.data_ptr<float>(), (float)alpha, (float)beta, a.numel(), config,
                   c10::cuda::getCurrentCUDAStream().stream());
    return y;
}

static void register_blend(pybind11::module& m) {
    m.def("blend_forward", &blend_forward, pybind11::arg("a"), pybind11::arg("b"), pybind11::arg("alpha"), pybind11::arg("beta"),
          pybind11::arg("config") = 0);
}

REGISTER_BINDING(blend, register_blend);
