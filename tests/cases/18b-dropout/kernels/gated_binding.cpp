// SPDX-License-Identifier: GPL-3.0-or-later
#include "../binding_registry.h"

using namespace binding;

extern "C" void launchGated(const float *x, const float *gate, float *y, std::int64_t count, int width);

static Tensor gated(const Tensor &x, const Tensor &gate) {
    Tensor y = emptyLike(x);
    launchGated(x.const_data_ptr<float>(), gate.const_data_ptr<float>(), y.mutable_data_ptr<float>(),
                x.numel(), int(x.size(1)));
    return y;
}

REGISTER_FUNCTION(gated, gated, "gated");
