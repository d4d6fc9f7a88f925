// SPDX-License-Identifier: GPL-3.0-or-later
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>
#include <torch/csrc/utils/pybind.h>
#include <torch/types.h>

#include "../binding_registry.h"

extern "C" void launchShifted(const float *x, const float *starts, const float *table, float *y, int count,
                              int width, cudaStream_t stream);

static at::Tensor shifted(const at::Tensor &x, const at::Tensor &starts, const at::Tensor &table) {
    at::Tensor y = at::empty_like(x);
    launchShifted(x.const_data_ptr<float>(), starts.const_data_ptr<float>(), table.const_data_ptr<float>(),
                  y.mutable_data_ptr<float>(), static_cast<int>(x.numel()), static_cast<int>(x.size(1)),
                  c10::cuda::getCurrentCUDAStream());
    C10_CUDA_KERNEL_LAUNCH_CHECK();
    return y;
}

static void bindShifted(pybind11::module_ &m) {
    m.def("shifted", &shifted);
}

REGISTER_BINDING(shifted, bindShifted);
