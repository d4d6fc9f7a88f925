// SPDX-License-Identifier: GPL-3.0-or-later
#include "../binding_registry.h"

using namespace binding;

extern "C" void launchMeanAndShift(const float *x, const float *gain, float *mean, float *y, int rows,
                                   int width);

static Tensor mean_and_shift(const Tensor &x, const Tensor &gain, const Tensor &mean) {
    Tensor y = emptyLike(x);
    launchMeanAndShift(x.const_data_ptr<float>(), gain.const_data_ptr<float>(),
                       mean.mutable_data_ptr<float>(), y.mutable_data_ptr<float>(), int(x.size(0)),
                       int(x.size(1)));
    return y;
}

REGISTER_FUNCTION(mean_and_shift, mean_and_shift, "mean and shift");
