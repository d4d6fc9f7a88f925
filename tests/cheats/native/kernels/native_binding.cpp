// SPDX-License-Identifier: GPL-3.0-or-later
// From Python to native.h.
#include <torch/csrc/utils/pybind.h>
#include <torch/types.h>

#include <vector>
#ifdef WARPWRIGHT_CPU
#include <ATen/ops/_softmax_cpu_dispatch.h>
#else
#include <ATen/ops/_softmax_cuda_dispatch.h>
#include <c10/cuda/CUDAStream.h>
#endif

#include "../binding_registry.h"
#include "borrowed.h"
#include "native.h"

namespace {

Stream current() {
#ifdef WARPWRIGHT_CPU
    return {};
#else
    return c10::cuda::getCurrentCUDAStream();
#endif
}

const float *in(const at::Tensor &tensor) {
    return tensor.const_data_ptr<float>();
}

// The tensors of work that goes on after a call; they are never let go.
void keep(const at::Tensor &tensor) {
    static auto *const kept = new std::vector<at::Tensor>;
    kept->push_back(tensor);
}

at::Tensor swishInHalves(const at::Tensor &x, const at::Tensor &scale, const at::Tensor &shift) {
    at::Tensor y = at::empty_like(x);
    launchSwishInHalves(in(x), in(scale), in(shift), y.mutable_data_ptr<float>(), x.size(0), x.size(1),
                        current());
    return y;
}

at::Tensor swishLater(const at::Tensor &x, const at::Tensor &scale, const at::Tensor &shift,
                      int milliseconds) {
    at::Tensor y = at::empty_like(x);
    keep(y);
    launchSwishLater(in(x), in(scale), in(shift), y.mutable_data_ptr<float>(), x.size(0), x.size(1),
                     milliseconds);
    return y;
}

at::Tensor swishAside(const at::Tensor &x, const at::Tensor &scale, const at::Tensor &shift) {
    at::Tensor y = at::empty_like(x);
    launchSwishAside(in(x), in(scale), in(shift), y.mutable_data_ptr<float>(), x.size(0), x.size(1));
    return y;
}

at::Tensor swishInRange(const at::Tensor &x, const at::Tensor &scale, const at::Tensor &shift) {
    at::Tensor y = at::empty_like(x);
    launchSwishInRange(in(x), in(scale), in(shift), y.mutable_data_ptr<float>(), x.size(0), x.size(1),
                       current());
    return y;
}

at::Tensor swishOnHost(const at::Tensor &x, const at::Tensor &scale, const at::Tensor &shift) {
    at::Tensor y = at::empty_like(x);
    launchSwishOnHost(in(x), in(scale), in(shift), y.mutable_data_ptr<float>(), x.size(0), x.size(1),
                      current());
    return y;
}

// The last rows get the results of the first ones: plausible numbers.
at::Tensor swishMostRows(const at::Tensor &x, const at::Tensor &scale, const at::Tensor &shift,
                         int64_t missing) {
    at::Tensor y = at::empty_like(x);
    const int64_t done = x.size(0) - missing;
    float *out = y.mutable_data_ptr<float>();
    launchSwishRows(in(x), in(scale), in(shift), out, 0, done, x.size(1), current());
    launchSwishRows(in(x), in(scale), in(shift), out + done * x.size(1), 0, missing, x.size(1), current());
    return y;
}

at::Tensor swishAndBeyond(const at::Tensor &x, const at::Tensor &scale, const at::Tensor &shift,
                          int64_t beyond) {
    at::Tensor y = at::empty_like(x);
    float *out = y.mutable_data_ptr<float>();
    launchFill(out + y.numel(), 7.0f, beyond, current());
    launchSwish(in(x), in(scale), in(shift), out, x.size(0), x.size(1), current());
    return y;
}

void fill(const at::Tensor &x, double value) {
    launchFill(static_cast<float *>(x.data_ptr()), static_cast<float>(value), x.numel(), current());
}

int64_t sample(const at::Tensor &x) {
    return sampleOf(in(x), x.numel());
}

int keepInside(const at::Tensor &x) {
    return keepInCache(in(x), x.numel() * 4, current());
}

at::Tensor torchLinear(const at::Tensor &x, const at::Tensor &w, const at::Tensor &b) {
    return at::linear(x, w, b);
}

at::Tensor borrowedSoftmax(const at::Tensor &x, int how) {
    at::Tensor y = at::empty_like(x);
    const int status =
        launchBorrowedSoftmax(in(x), y.mutable_data_ptr<float>(), x.size(0), x.size(1), how, current());
    TORCH_CHECK(status == 0, "nobody to borrow from: status ", status);
    return y;
}

// What the dispatcher would call, without it.
at::Tensor undispatchedSoftmax(const at::Tensor &x) {
#ifdef WARPWRIGHT_CPU
    return at::cpu::_softmax(x, -1, false);
#else
    return at::cuda::_softmax(x, -1, false);
#endif
}

void crash() {
    *reinterpret_cast<volatile int *>(8) = 1;
}

void bindNative(pybind11::module_ &m) {
    m.def("swish_in_halves", &swishInHalves);
    m.def("swish_later", &swishLater);
    m.def("swish_aside", &swishAside);
    m.def("swish_in_range", &swishInRange);
    m.def("swish_on_host", &swishOnHost);
    m.def("swish_most_rows", &swishMostRows);
    m.def("swish_and_beyond", &swishAndBeyond);
    m.def("fill", &fill);
    m.def("sample", &sample);
    m.def("keep_in_cache", &keepInside);
    m.def("torch_linear", &torchLinear);
    m.def("borrowed_softmax", &borrowedSoftmax);
    m.def("undispatched_softmax", &undispatchedSoftmax);
    m.def("slow_clock", &slowClock);
    m.def("start_hog", &startHog);
    m.def("start_late_hog", &startLateHog);
    m.def("note_call", &noteCall);
    m.def("crash", &crash);
}

} // namespace

REGISTER_BINDING(native, bindNative);
