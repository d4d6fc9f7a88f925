// SPDX-License-Identifier: GPL-3.0-or-later
#include "../binding_registry.h"

using namespace binding;

extern "C" void launchShifted(const float *x, const float *gain, float *y, int rows, int width);

static Tensor shifted(const Tensor &x, const Tensor &gain) {
    Tensor y = emptyLike(x);
    launchShifted(x.const_data_ptr<float>(), gain.const_data_ptr<float>(), y.mutable_data_ptr<float>(),
                  int(x.size(0)), int(x.size(1)));
    return y;
}

REGISTER_FUNCTION(shifted, shifted, "shifted");
