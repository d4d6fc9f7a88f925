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
extern "C" void launchArgReduction(const float *x, long long *index, int rows, int columns, int config);
#else
extern "C" void launchArgReduction(const float *x, long long *index, int rows, int columns, int config,
                                   cudaStream_t stream);
#endif

namespace {

at::Tensor argReduction(const at::Tensor &x, int config) {
    TORCH_CHECK(x.dim() == 2 && x.scalar_type() == at::kFloat && x.is_contiguous(),
                "arg_reduction takes a contiguous float32 matrix");
    TORCH_CHECK(x.size(1) % 4 == 0 && x.size(1) <= 8192,
                "arg_reduction takes up to 8192 columns, a multiple of 4");
    at::Tensor index = at::empty({x.size(0)}, x.options().dtype(at::kLong));
    const int rows = static_cast<int>(x.size(0));
    const int columns = static_cast<int>(x.size(1));
#ifdef WARPWRIGHT_CPU
    launchArgReduction(x.const_data_ptr<float>(),
                       reinterpret_cast<long long *>(index.mutable_data_ptr<std::int64_t>()), rows, columns,
                       config);
#else
    const c10::cuda::CUDAGuard guard(x.device());
    launchArgReduction(x.const_data_ptr<float>(),
                       reinterpret_cast<long long *>(index.mutable_data_ptr<std::int64_t>()), rows, columns,
                       config, c10::cuda::getCurrentCUDAStream());
    C10_CUDA_KERNEL_LAUNCH_CHECK(); // A refused launch is silent otherwise.
#endif
    return index;
}

void bindArgReduction(pybind11::module_ &m) {
    m.def("arg_reduction", &argReduction, "index of the largest element of each row");
}

} // namespace

REGISTER_BINDING(arg_reduction, bindArgReduction);
