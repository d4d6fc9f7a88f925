// SPDX-License-Identifier: GPL-3.0-or-later
#include "../binding_registry.h"

using namespace binding;

extern "C" void launchDeviation(const float *x, float *y, int rows, int width);

static Tensor deviation(const Tensor &x) {
    Tensor y = newEmpty(x, {x.size(0)});
    launchDeviation(x.const_data_ptr<float>(), y.mutable_data_ptr<float>(), int(x.size(0)), int(x.size(1)));
    return y;
}

REGISTER_FUNCTION(deviation, deviation, "deviation");
