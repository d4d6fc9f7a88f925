// SPDX-License-Identifier: GPL-3.0-or-later
#include "../binding_registry.h"

using namespace binding;

extern "C" void launchEchoes(const float *x, float decay, float *y, float *echo, std::int64_t count,
                             int steps);

static std::tuple<Tensor, Tensor> echoes(const Tensor &x, const Tensor &decay, int steps) {
    Tensor y = emptyLike(x);
    Tensor echo = emptyLike(x);
    launchEchoes(x.const_data_ptr<float>(), *decay.const_data_ptr<float>(), y.mutable_data_ptr<float>(),
                 echo.mutable_data_ptr<float>(), x.numel(), steps);
    return {y, echo};
}

REGISTER_FUNCTION(echoes, echoes, "x and its echoes, and the last of them");
