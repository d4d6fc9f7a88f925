// SPDX-License-Identifier: GPL-3.0-or-later
// The binding. It has the kernel's name, as in many projects; it is no CPU version of the kernel.
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>
#include <torch/csrc/utils/pybind.h>
#include <torch/types.h>

#include "../binding_registry.h"
#include "bias_act.h"

static torch::Tensor bias_act(const torch::Tensor &x, const torch::Tensor &bias, double slope, double gain,
                              double limit) {
    TORCH_CHECK(x.is_cuda() && x.is_contiguous() && x.dim() == 4 && x.scalar_type() == torch::kFloat,
                "float32 images on the GPU");
    torch::Tensor y = torch::empty_like(x);
    BiasActParameters p{x.const_data_ptr<float>(),
                        bias.const_data_ptr<float>(),
                        y.mutable_data_ptr<float>(),
                        float(slope),
                        float(gain),
                        float(limit),
                        int(x.size(1)),
                        int(x.size(2) * x.size(3)),
                        x.numel()};
    run_bias_act(p, c10::cuda::getCurrentCUDAStream());
    C10_CUDA_KERNEL_LAUNCH_CHECK();
    return y;
}

static void register_bias_act(pybind11::module_ &m) {
    m.def("bias_act", &bias_act);
}

REGISTER_BINDING(bias_act, register_bias_act);
