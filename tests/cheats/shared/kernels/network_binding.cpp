// SPDX-License-Identifier: GPL-3.0-or-later
// From Python to the launchers of network.h.
#include <torch/csrc/utils/pybind.h>
#include <torch/types.h>
#ifndef WARPWRIGHT_CPU
#include <c10/cuda/CUDAStream.h>
#endif

#include "../binding_registry.h"
#include "network.h"

namespace {

Stream current() {
#ifdef WARPWRIGHT_CPU
    return {};
#else
    return c10::cuda::getCurrentCUDAStream();
#endif
}

void check(int status) {
    TORCH_CHECK(status == 0, "the launch was refused with status ", status);
}

const float *in(const at::Tensor &tensor) {
    TORCH_CHECK(tensor.scalar_type() == at::kFloat && tensor.is_contiguous(), "takes contiguous float32");
    return tensor.const_data_ptr<float>();
}

const uint16_t *words(const at::Tensor &tensor) {
    TORCH_CHECK(tensor.scalar_type() == at::kBFloat16 && tensor.is_contiguous(), "takes contiguous bfloat16");
    return static_cast<const uint16_t *>(tensor.const_data_ptr());
}

at::Tensor geluExact(const at::Tensor &x) {
    at::Tensor y = at::empty_like(x);
    check(launchGelu(in(x), y.mutable_data_ptr<float>(), x.numel(), current()));
    return y;
}

at::Tensor normOfSum(const at::Tensor &x, const at::Tensor &branch, const at::Tensor &gamma,
                     const at::Tensor &weight, const at::Tensor &bias, double epsilon) {
    at::Tensor y = at::empty_like(x);
    check(launchNormOfSum(in(x), in(branch), in(gamma), in(weight), in(bias), y.mutable_data_ptr<float>(),
                          x.size(0), x.size(1), static_cast<float>(epsilon), current()));
    return y;
}

at::Tensor convolved(const at::Tensor &x, const at::Tensor &w, const at::Tensor &b) {
    at::Tensor y = at::empty({x.size(0), w.size(0), x.size(2), x.size(3)}, x.options());
    check(launchConvolution(in(x), in(w), in(b), y.mutable_data_ptr<float>(), x.size(0), x.size(1), w.size(0),
                            x.size(2), x.size(3), current()));
    return y;
}

at::Tensor bucketOf(const at::Tensor &edges, const at::Tensor &x) {
    at::Tensor y = at::empty(x.sizes(), x.options().dtype(at::kLong));
    check(
        launchBuckets(in(edges), edges.numel(), in(x), y.mutable_data_ptr<int64_t>(), x.numel(), current()));
    return y;
}

at::Tensor tokenProduct(const at::Tensor &x, const at::Tensor &w, int bits) {
    at::Tensor y = at::empty({x.size(0), w.size(0)}, x.options());
    check(launchToken(words(x), words(w), static_cast<uint16_t *>(y.mutable_data_ptr()), x.size(0), x.size(1),
                      w.size(0), bits, current()));
    return y;
}

void bindNetwork(pybind11::module_ &m) {
    m.def("gelu_exact", &geluExact);
    m.def("norm_of_sum", &normOfSum);
    m.def("convolved", &convolved);
    m.def("bucket_of", &bucketOf);
    m.def("token_product", &tokenProduct);
}

} // namespace

REGISTER_BINDING(network, bindNetwork);
