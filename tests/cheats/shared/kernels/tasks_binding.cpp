// SPDX-License-Identifier: GPL-3.0-or-later
// From Python to the launchers of tasks.h.
#include <torch/csrc/utils/pybind.h>
#include <torch/types.h>
#ifndef WARPWRIGHT_CPU
#include <c10/cuda/CUDAStream.h>
#endif

#include "../binding_registry.h"
#include "tasks.h"

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

at::Tensor swish(const at::Tensor &x, const at::Tensor &scale, const at::Tensor &shift) {
    at::Tensor y = at::empty_like(x);
    check(launchSwish(in(x), in(scale), in(shift), y.mutable_data_ptr<float>(), x.size(0), x.size(1),
                      current()));
    return y;
}

void swishInto(const at::Tensor &x, const at::Tensor &scale, const at::Tensor &shift, at::Tensor y) {
    check(launchSwish(in(x), in(scale), in(shift), y.mutable_data_ptr<float>(), x.size(0), x.size(1),
                      current()));
}

at::Tensor softmax(const at::Tensor &x, int variant) {
    at::Tensor y = at::empty_like(x);
    check(launchSoftmax(in(x), y.mutable_data_ptr<float>(), x.size(0), x.size(1), variant, current()));
    return y;
}

at::Tensor linear(const at::Tensor &x, const at::Tensor &w, const at::Tensor &b, int variant) {
    at::Tensor y = at::empty({x.size(0), w.size(0)}, x.options());
    check(launchLinear(in(x), in(w), in(b), y.mutable_data_ptr<float>(), x.size(0), x.size(1), w.size(0),
                       variant, current()));
    return y;
}

at::Tensor norm(const at::Tensor &x, const at::Tensor &mean, const at::Tensor &variance,
                const at::Tensor &weight, const at::Tensor &bias, double epsilon) {
    at::Tensor y = at::empty_like(x);
    check(launchNorm(in(x), in(mean), in(variance), in(weight), in(bias), y.mutable_data_ptr<float>(),
                     x.size(0), x.size(1), x.size(2) * x.size(3), static_cast<float>(epsilon), current()));
    return y;
}

at::Tensor columns(const at::Tensor &x) {
    at::Tensor y = at::empty({x.size(1)}, x.options());
    check(launchColumns(in(x), y.mutable_data_ptr<float>(), x.size(0), x.size(1), current()));
    return y;
}

std::tuple<at::Tensor, at::Tensor, at::Tensor, at::Tensor> rows(const at::Tensor &x) {
    at::Tensor sum = at::empty({x.size(0)}, x.options());
    at::Tensor largest = at::empty({x.size(0)}, x.options());
    at::Tensor place = at::empty({x.size(0)}, x.options().dtype(at::kLong));
    at::Tensor count = at::empty({}, x.options().dtype(at::kLong));
    check(launchRows(in(x), sum.mutable_data_ptr<float>(), largest.mutable_data_ptr<float>(),
                     place.mutable_data_ptr<int64_t>(), count.mutable_data_ptr<int64_t>(), x.size(0),
                     x.size(1), current()));
    return {sum, largest, place, count};
}

at::Tensor scaleInPlace(at::Tensor x, const at::Tensor &scale, const at::Tensor &shift) {
    check(launchScaleInPlace(x.mutable_data_ptr<float>(), in(scale), in(shift), x.size(0), x.size(1),
                             current()));
    return x;
}

at::Tensor transposed(const at::Tensor &x) {
    at::Tensor y = at::empty({x.size(1), x.size(0)}, x.options());
    check(launchTranspose(in(x), y.mutable_data_ptr<float>(), x.size(0), x.size(1), current()));
    return y;
}

at::Tensor meanOfSoftmax(const at::Tensor &x) {
    at::Tensor y = at::empty({x.size(0)}, x.options());
    check(launchMeanOfSoftmax(in(x), y.mutable_data_ptr<float>(), x.size(0), x.size(1), current()));
    return y;
}

void bindTasks(pybind11::module_ &m) {
    m.def("swish", &swish);
    m.def("swish_into", &swishInto);
    m.def("softmax", &softmax);
    m.def("linear", &linear);
    m.def("norm", &norm);
    m.def("columns", &columns);
    m.def("rows", &rows);
    m.def("scale_in_place", &scaleInPlace);
    m.def("transposed", &transposed);
    m.def("mean_of_softmax", &meanOfSoftmax);
}

} // namespace

REGISTER_BINDING(tasks, bindTasks);
