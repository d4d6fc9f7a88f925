// SPDX-License-Identifier: GPL-3.0-or-later
#include "../binding_registry.h"

using namespace binding;

extern "C" void launchLogLikelihood(const float *x, const float *mean, const float *spread, float *y,
                                    int rows, int width);

static Tensor log_likelihood(const Tensor &x, const Tensor &mean, const Tensor &spread) {
    Tensor y = newEmpty(x, {x.size(0)});
    launchLogLikelihood(x.const_data_ptr<float>(), mean.const_data_ptr<float>(),
                        spread.const_data_ptr<float>(), y.mutable_data_ptr<float>(), int(x.size(0)),
                        int(x.size(1)));
    return y;
}

REGISTER_FUNCTION(log_likelihood, log_likelihood, "log likelihood");
