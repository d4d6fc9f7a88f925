// SPDX-License-Identifier: GPL-3.0-or-later
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>
#include <torch/csrc/utils/pybind.h>
#include <torch/types.h>

#include "../binding_registry.h"

extern "C" void launchBinaryLoss(const float *p, const float *targets, float *loss, int count,
                                 cudaStream_t stream);

static at::Tensor binary_loss(const at::Tensor &p, const at::Tensor &targets) {
    at::Tensor y = at::empty_like(p);
    launchBinaryLoss(p.const_data_ptr<float>(), targets.const_data_ptr<float>(), y.mutable_data_ptr<float>(),
                     static_cast<int>(p.numel()), c10::cuda::getCurrentCUDAStream());
    C10_CUDA_KERNEL_LAUNCH_CHECK();
    return y;
}

static void bindBinaryLoss(pybind11::module_ &m) {
    m.def("binary_loss", &binary_loss);
}

REGISTER_BINDING(binary_loss, bindBinaryLoss);
