// SPDX-License-Identifier: GPL-3.0-or-later
#include "../binding_registry.h"

using namespace binding;

extern "C" void launchNormAndMix(const float *x, const float *gain, float *y, int rows, int columns);

static Tensor norm_and_mix(const Tensor &x, const Tensor &gain) {
    Tensor y = newEmpty(x, {x.size(0), x.size(1)});
    launchNormAndMix(x.const_data_ptr<float>(), gain.const_data_ptr<float>(), y.mutable_data_ptr<float>(),
                     int(x.size(0)), int(x.size(1)));
    return y;
}

REGISTER_FUNCTION(norm_and_mix, norm_and_mix, "norm_and_mix");
