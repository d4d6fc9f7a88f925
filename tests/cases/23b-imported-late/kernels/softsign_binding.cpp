// SPDX-License-Identifier: GPL-3.0-or-later
#include "../binding_registry.h"

using namespace binding;

extern "C" void launchSoftsign(const float *x, const float *scale, float *y, std::int64_t count, int width);

static Tensor softsign(const Tensor &x, const Tensor &scale) {
    Tensor y = emptyLike(x);
    launchSoftsign(x.const_data_ptr<float>(), scale.const_data_ptr<float>(), y.mutable_data_ptr<float>(),
                   x.numel(), int(x.size(1)));
    return y;
}

REGISTER_FUNCTION(softsign, softsign, "softsign");
