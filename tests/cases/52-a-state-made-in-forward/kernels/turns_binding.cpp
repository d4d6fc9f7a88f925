// SPDX-License-Identifier: GPL-3.0-or-later
#include "../binding_registry.h"

using namespace binding;

extern "C" void launchTurns(const float *x, const float *w, const float *u, float *y, int batch, int steps,
                            int width, int hidden);

static Tensor turns(const Tensor &x, const Tensor &w, const Tensor &u) {
    Tensor y = newEmpty(x, {x.size(0), u.size(0)});
    launchTurns(x.const_data_ptr<float>(), w.const_data_ptr<float>(), u.const_data_ptr<float>(),
                y.mutable_data_ptr<float>(), int(x.size(0)), int(x.size(1)), int(x.size(2)), int(u.size(0)));
    return y;
}

REGISTER_FUNCTION(turns, turns, "turns");
