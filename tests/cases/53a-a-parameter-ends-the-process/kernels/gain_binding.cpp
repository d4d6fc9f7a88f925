// SPDX-License-Identifier: GPL-3.0-or-later
#include "../binding_registry.h"

using namespace binding;

extern "C" void launchGain(const float *x, const float *rates, float *y, int rows, int width);

static Tensor gain(const Tensor &x, const Tensor &rates) {
    Tensor y = emptyLike(x);
    launchGain(x.const_data_ptr<float>(), rates.const_data_ptr<float>(), y.mutable_data_ptr<float>(),
               int(x.size(0)), int(x.size(1)));
    return y;
}

REGISTER_FUNCTION(gain, gain, "gain");
