// SPDX-License-Identifier: GPL-3.0-or-later
#include "../binding_registry.h"

using namespace binding;

extern "C" void launchAgain(const float *x, float *y, std::int64_t count);

static Tensor again(const Tensor &x) {
    Tensor y = emptyLike(x);
    launchAgain(x.const_data_ptr<float>(), y.mutable_data_ptr<float>(), x.numel());
    return y;
}

REGISTER_FUNCTION(again, again, "again");
