// SPDX-License-Identifier: GPL-3.0-or-later
#include "../binding_registry.h"

using namespace binding;

extern "C" void launchWindowed(const float *x, const float *gain, const float *tail, float *y, int rows,
                               int width, std::int64_t sr, std::int64_t sc, std::int64_t st);

static Tensor windowed(const Tensor &x, const Tensor &gain, const Tensor &tail) {
    Tensor y = newEmpty(x, {x.size(0), x.size(1)});
    launchWindowed(x.const_data_ptr<float>(), gain.const_data_ptr<float>(), tail.const_data_ptr<float>(),
                   y.mutable_data_ptr<float>(), int(x.size(0)), int(x.size(1)), x.stride(0), x.stride(1),
                   tail.stride(0));
    return y;
}

REGISTER_FUNCTION(windowed, windowed, "windowed");
