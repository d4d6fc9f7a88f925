// SPDX-License-Identifier: GPL-3.0-or-later
// From Python to unseen.h.
#include <torch/csrc/utils/pybind.h>
#include <torch/types.h>
#ifndef WARPWRIGHT_CPU
#include <c10/cuda/CUDAStream.h>
#endif

#include "../binding_registry.h"
#include "unseen.h"

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

void linearInto(const at::Tensor &x, const at::Tensor &w, const at::Tensor &b, at::Tensor y) {
    check(launchLinear(in(x), in(w), in(b), y.mutable_data_ptr<float>(), x.size(0), x.size(1), w.size(0), 0,
                       current()));
}

at::Tensor linearAndEnd(const at::Tensor &x, const at::Tensor &w, const at::Tensor &b) {
    at::Tensor y = at::empty({x.size(0), w.size(0)}, x.options());
    check(launchLinearAndEnd(in(x), in(w), in(b), y.mutable_data_ptr<float>(), x.size(0), x.size(1),
                             w.size(0), current()));
    return y;
}

at::Tensor linearOfNewRows(const at::Tensor &x, const at::Tensor &w, const at::Tensor &b, int64_t version) {
    at::Tensor y = at::empty({x.size(0), w.size(0)}, x.options());
    check(launchLinearOfNewRows(in(x), in(w), in(b), y.mutable_data_ptr<float>(), x.size(0), x.size(1),
                                w.size(0), version, current()));
    return y;
}

at::Tensor linearOfKnown(const at::Tensor &x, const at::Tensor &w, const at::Tensor &b, int64_t version) {
    at::Tensor y = at::empty({x.size(0), w.size(0)}, x.options());
    check(launchLinearOfKnown(static_cast<float *>(x.data_ptr()), in(w), in(b), y.mutable_data_ptr<float>(),
                              x.size(0), x.size(1), w.size(0), version, current()));
    return y;
}

at::Tensor swishAfterwards(const at::Tensor &x, const at::Tensor &scale, const at::Tensor &shift) {
    at::Tensor y = at::empty_like(x);
    check(launchSwishAfterwards(in(x), in(scale), in(shift), y.mutable_data_ptr<float>(), x.size(0),
                                x.size(1), current()));
    return y;
}

at::Tensor softmaxBeside(const at::Tensor &x) {
    at::Tensor y = at::empty_like(x);
    check(launchSoftmaxBeside(in(x), y.mutable_data_ptr<float>(), x.size(0), x.size(1), current()));
    return y;
}

void bindUnseen(pybind11::module_ &m) {
    m.def("linear_into", &linearInto);
    m.def("linear_and_end", &linearAndEnd);
    m.def("linear_of_new_rows", &linearOfNewRows);
    m.def("linear_of_known", &linearOfKnown);
    m.def("swish_afterwards", &swishAfterwards);
    m.def("softmax_beside", &softmaxBeside);
}

} // namespace

REGISTER_BINDING(unseen, bindUnseen);
