// SPDX-License-Identifier: GPL-3.0-or-later
#include "../binding_registry.h"

using namespace binding;

extern "C" void launchScaledShift(const float *x, const float *scale, const float *shift, float *y,
                                  std::int64_t count, int width);

static Tensor scaled_shift(const Tensor &x, const Tensor &scale, const Tensor &shift) {
    Tensor y = emptyLike(x);
    launchScaledShift(x.const_data_ptr<float>(), scale.const_data_ptr<float>(), shift.const_data_ptr<float>(),
                      y.mutable_data_ptr<float>(), x.numel(), int(scale.numel()));
    return y;
}

REGISTER_FUNCTION(scaled_shift, scaled_shift, "scaled shift");
