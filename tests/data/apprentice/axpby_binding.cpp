// SPDX-License-Identifier: GPL-3.0-or-later
#include <torch/csrc/utils/pybind.h>
#include <torch/types.h>
#ifdef WARPWRIGHT_CPU
extern "C" void axpby_launcher(float *out, const float *a, const float *b, float alpha, int size);
#else
#include <c10/cuda/CUDAStream.h>
#include <cuda_runtime.h>
extern "C" void axpby_launcher(float *out, const float *a, const float *b, float alpha, int size, int config,
                               cudaStream_t stream);
#endif
#include "../binding_registry.h"

static torch::Tensor axpby_forward(torch::Tensor a, torch::Tensor b, double alpha, int config) {
    for (const torch::Tensor &one : {a, b})
        TORCH_CHECK(one.is_contiguous() && one.scalar_type() == torch::kFloat32,
                    "axpby takes contiguous float32");
    TORCH_CHECK(a.sizes() == b.sizes(), "axpby takes two tensors of one shape");
    torch::Tensor out = torch::empty_like(a);
    const int size = static_cast<int>(a.numel());
#ifdef WARPWRIGHT_CPU
    (void)config;
    axpby_launcher(out.data_ptr<float>(), a.data_ptr<float>(), b.data_ptr<float>(), static_cast<float>(alpha),
                   size);
#else
    axpby_launcher(out.data_ptr<float>(), a.data_ptr<float>(), b.data_ptr<float>(), static_cast<float>(alpha),
                   size, config, c10::cuda::getCurrentCUDAStream().stream());
#endif
    return out;
}

static void register_axpby(pybind11::module &m) {
    m.def("axpby_forward", &axpby_forward, py::arg("a"), py::arg("b"), py::arg("alpha"),
          py::arg("config") = 0);
}

REGISTER_BINDING(axpby, register_axpby);
