// SPDX-License-Identifier: GPL-3.0-or-later
// From Python to left_out.h.
#include <torch/csrc/utils/pybind.h>
#include <torch/types.h>
#ifndef WARPWRIGHT_CPU
#include <c10/cuda/CUDAStream.h>
#endif

#include "../binding_registry.h"
#include "left_out.h"

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

at::Tensor partOfLinear(const at::Tensor &x, const at::Tensor &w, const at::Tensor &b, int bits, int how) {
    at::Tensor y = at::empty({x.size(0), w.size(0)}, x.options());
    check(launchPartOfLinear(in(x), in(w), in(b), y.mutable_data_ptr<float>(), x.size(0), x.size(1),
                             w.size(0), bits, how, current()));
    return y;
}

at::Tensor partOfErrors(const at::Tensor &x, const at::Tensor &target, const at::Tensor &weight, int bits,
                        int step) {
    at::Tensor y = at::empty({x.size(0)}, x.options());
    check(launchPartOfErrors(in(x), in(target), in(weight), y.mutable_data_ptr<float>(), x.size(0), x.size(1),
                             bits, step, current()));
    return y;
}

at::Tensor partOfAttention(const at::Tensor &q, const at::Tensor &k, const at::Tensor &v, int bits,
                           int missing) {
    at::Tensor y = at::empty_like(q);
    check(launchPartOfAttention(in(q), in(k), in(v), y.mutable_data_ptr<float>(), q.size(0), k.size(0),
                                q.size(1), bits, missing, current()));
    return y;
}

at::Tensor partOfSoftmax(const at::Tensor &x, int skipped) {
    at::Tensor y = at::empty_like(x);
    check(launchPartOfSoftmax(in(x), y.mutable_data_ptr<float>(), x.size(0), x.size(1), skipped, current()));
    return y;
}

void bindLeftOut(pybind11::module_ &m) {
    m.def("part_of_linear", &partOfLinear);
    m.def("part_of_errors", &partOfErrors);
    m.def("part_of_attention", &partOfAttention);
    m.def("part_of_softmax", &partOfSoftmax);
}

} // namespace

REGISTER_BINDING(leftOut, bindLeftOut);
