// SPDX-License-Identifier: GPL-3.0-or-later
#include "../binding_registry.h"

using namespace binding;

extern "C" void launchSines(const float *x, const float *phases, const float *gain, float *y, float scale,
                            std::int64_t count, int rows, int width);

static Tensor sines(const Tensor &x, const Tensor &phases, const Tensor &gain, float scale) {
    Tensor y = emptyLike(x);
    launchSines(x.const_data_ptr<float>(), phases.const_data_ptr<float>(), gain.const_data_ptr<float>(),
                y.mutable_data_ptr<float>(), scale, x.numel(), int(x.size(1)), int(x.size(2)));
    return y;
}

REGISTER_FUNCTION(sines, sines, "sines");
