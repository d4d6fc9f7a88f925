// SPDX-License-Identifier: GPL-3.0-or-later
// From Python to the launcher: check what the kernel takes for granted, allocate, launch.
// These two headers, not torch/extension.h: the same for our purpose, and much quicker to compile.
#include <torch/csrc/utils/pybind.h>
#include <torch/types.h>
#ifndef WARPWRIGHT_CPU
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#endif

#include "../binding_registry.h"

#ifdef WARPWRIGHT_CPU
extern "C" void launchExample(const float *x, float *y, float factor, long long count, int config);
#else
extern "C" void launchExample(const float *x, float *y, float factor, long long count, int config,
                              cudaStream_t stream);
#endif

namespace {

at::Tensor example(const at::Tensor &x, float factor, int config) {
    TORCH_CHECK(x.scalar_type() == at::kFloat && x.is_contiguous(),
                "example takes a contiguous float32 tensor");
    at::Tensor y = at::empty_like(x); // Allocation is all that PyTorch does for us here.
#ifdef WARPWRIGHT_CPU
    launchExample(x.const_data_ptr<float>(), y.mutable_data_ptr<float>(), factor, x.numel(), config);
#else
    const c10::cuda::CUDAGuard guard(x.device());
    launchExample(x.const_data_ptr<float>(), y.mutable_data_ptr<float>(), factor, x.numel(), config,
                  c10::cuda::getCurrentCUDAStream());
    C10_CUDA_KERNEL_LAUNCH_CHECK(); // A refused launch is silent otherwise.
#endif
    return y;
}

void bindExample(pybind11::module_ &m) {
    m.def("example", &example, "factor * x");
}

} // namespace

REGISTER_BINDING(example, bindExample);
