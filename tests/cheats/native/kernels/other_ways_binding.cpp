// SPDX-License-Identifier: GPL-3.0-or-later
// From Python to other_ways.h.
#include <torch/csrc/utils/pybind.h>
#include <torch/types.h>
#ifndef WARPWRIGHT_CPU
#include <c10/cuda/CUDAStream.h>
#endif

#include "../binding_registry.h"
#include "other_ways.h"

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

at::Tensor softmaxByCpp(const at::Tensor &x) {
    TORCH_CHECK(refusesSizes(x.size(0), x.size(1)) == 0, "takes rows with something in them");
    at::Tensor y = at::empty_like(x);
    check(softmaxOfRows(in(x), y.mutable_data_ptr<float>(), x.size(0), x.size(1), current()));
    return y;
}

at::Tensor winograd(const at::Tensor &x, const at::Tensor &w, const at::Tensor &b) {
    TORCH_CHECK(x.size(2) % 4 == 0 && x.size(3) % 4 == 0, "takes images of whole tiles");
    at::Tensor y = at::empty({x.size(0), w.size(0), x.size(2), x.size(3)}, x.options());
    check(launchWinograd(in(x), in(w), in(b), y.mutable_data_ptr<float>(), x.size(0), x.size(1), w.size(0),
                         x.size(2), x.size(3), current()));
    return y;
}

at::Tensor earlySoftmax(const at::Tensor &x) {
    at::Tensor y = at::empty_like(x);
    check(launchEarlySoftmax(in(x), y.mutable_data_ptr<float>(), x.size(0), x.size(1), current()));
    return y;
}

at::Tensor copied(const at::Tensor &x) {
    at::Tensor y = at::empty_like(x);
    check(launchCopy(in(x), y.mutable_data_ptr<float>(), x.numel(), current()));
    return y;
}

void bindOtherWays(pybind11::module_ &m) {
    m.def("softmax_by_cpp", &softmaxByCpp);
    m.def("winograd", &winograd);
    m.def("early_softmax", &earlySoftmax);
    m.def("copied_by_kernel", &copied);
}

} // namespace

REGISTER_BINDING(otherWays, bindOtherWays);
