// SPDX-License-Identifier: GPL-3.0-or-later
#include "../binding_registry.h"

using namespace binding;

extern "C" void launchShifted(const float *x, const float *gain, float *y, std::int64_t count, int width);

static Tensor shifted(const Tensor &x, const Tensor &gain) {
    Tensor y = emptyLike(x);
    launchShifted(x.const_data_ptr<float>(), gain.const_data_ptr<float>(), y.mutable_data_ptr<float>(),
                  x.numel(), int(gain.numel()));
    return y;
}

REGISTER_FUNCTION(shifted, shifted, "shifted");
