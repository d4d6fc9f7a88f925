// SPDX-License-Identifier: GPL-3.0-or-later
// The header for pybind11 bindings: what the template's registry provides itself.
#include "agent/playbook/codegen/template_fill.h"
#include "agent/playbook/codegen/torch/candidate_files.h"

namespace warpwright {
namespace {

const QString tensors = QStringLiteral(
    R"(// Tensor helpers of the binding, for workspaces whose registry only has bindings of pybind11.
#pragma once

@include@ <torch/csrc/utils/pybind.h>
@include@ <torch/types.h>

#ifndef WARPWRIGHT_CPU
@include@ <c10/cuda/CUDAException.h>
@include@ <c10/cuda/CUDAGuard.h>
@include@ <c10/cuda/CUDAStream.h>
#endif

@include@ "../binding_registry.h"

@include@ <cstdint>
@include@ <initializer_list>
@include@ <tuple>

namespace binding {

using at::ScalarType;
using at::Tensor;

// An uninitialized tensor on the device of `x`.
inline Tensor newEmpty(const Tensor &x, std::initializer_list<std::int64_t> sizes, ScalarType type) {
    return at::empty(at::IntArrayRef(sizes.begin(), sizes.size()), x.options().dtype(type));
}

#ifndef WARPWRIGHT_CPU
// Makes the device of `x` the current one as long as it lives.
class DeviceGuard {
public:
    explicit DeviceGuard(const Tensor &x) : m_guard(x.device()) {}

private:
    c10::cuda::CUDAGuard m_guard;
};

inline cudaStream_t currentStream(const Tensor &x) {
    return c10::cuda::getCurrentCUDAStream(x.get_device());
}

// Throws if the kernel that was launched last was refused: that is silent otherwise.
inline void checkLaunch() {
    C10_CUDA_KERNEL_LAUNCH_CHECK();
}
#endif

} // namespace binding

#ifndef STD_TORCH_CHECK
#define STD_TORCH_CHECK TORCH_CHECK
#endif

#define REGISTER_FUNCTION(name, function, help)                                     \
    static void bind_##name(pybind11::module_ &m) { m.def(#name, &function, help); } \
    REGISTER_BINDING(name, bind_##name)
)");

} // namespace

QString tensorsHeader() {
    return fillTemplate(tensors, {{"include", QStringLiteral("#include")}});
}

} // namespace warpwright
