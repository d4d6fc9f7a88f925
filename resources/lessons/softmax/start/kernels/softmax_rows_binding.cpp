// SPDX-License-Identifier: GPL-3.0-or-later
// From Python to the launcher: check what the kernel takes for granted, allocate, launch.
#include "../binding_registry.h"

using namespace binding;

#ifdef WARPWRIGHT_CPU
extern "C" void launchSoftmaxRows(const float *x, const float *bias, float *y, float scale, int rows,
                                  int columns);
#else
extern "C" void launchSoftmaxRows(const float *x, const float *bias, float *y, float scale, int rows,
                                  int columns, cudaStream_t stream);
#endif

namespace {

Tensor softmaxRows(const Tensor &x, const Tensor &bias, float scale) {
    STD_TORCH_CHECK(x.dim() == 2 && x.scalar_type() == ScalarType::Float && x.is_contiguous(),
                    "softmax_rows takes a contiguous float32 matrix");
    STD_TORCH_CHECK(x.size(1) % 4 == 0 && x.size(1) <= 4096,
                    "softmax_rows takes up to 4096 columns, a multiple of 4");
    STD_TORCH_CHECK(bias.numel() == x.size(1), "softmax_rows takes one bias per column");
    Tensor y = emptyLike(x);
    const int rows = static_cast<int>(x.size(0));
    const int columns = static_cast<int>(x.size(1));
#ifdef WARPWRIGHT_CPU
    launchSoftmaxRows(x.const_data_ptr<float>(), bias.const_data_ptr<float>(), y.mutable_data_ptr<float>(),
                      scale, rows, columns);
#else
    const DeviceGuard guard(x);
    launchSoftmaxRows(x.const_data_ptr<float>(), bias.const_data_ptr<float>(), y.mutable_data_ptr<float>(),
                      scale, rows, columns, currentStream(x));
    checkLaunch(); // A refused launch is silent otherwise.
#endif
    return y;
}

} // namespace

REGISTER_FUNCTION(softmax_rows, softmaxRows, "softmax(x * scale + bias) over each row");
