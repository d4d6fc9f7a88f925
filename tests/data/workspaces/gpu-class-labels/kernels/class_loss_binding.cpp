// SPDX-License-Identifier: GPL-3.0-or-later
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>
#include <torch/csrc/utils/pybind.h>
#include <torch/types.h>

#include "../binding_registry.h"

extern "C" void launchClassLoss(const float *logits, const std::int64_t *labels, float *loss, int rows,
                                int classes, cudaStream_t stream);

static at::Tensor class_loss(const at::Tensor &logits, const at::Tensor &labels) {
    at::Tensor y = at::empty({logits.size(0)}, logits.options());
    launchClassLoss(logits.const_data_ptr<float>(), labels.const_data_ptr<std::int64_t>(),
                    y.mutable_data_ptr<float>(), static_cast<int>(logits.size(0)),
                    static_cast<int>(logits.size(1)), c10::cuda::getCurrentCUDAStream());
    C10_CUDA_KERNEL_LAUNCH_CHECK();
    return y;
}

static void bindClassLoss(pybind11::module_ &m) {
    m.def("class_loss", &class_loss);
}

REGISTER_BINDING(class_loss, bindClassLoss);
