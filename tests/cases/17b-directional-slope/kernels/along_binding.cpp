// SPDX-License-Identifier: GPL-3.0-or-later
#include "../binding_registry.h"

using namespace binding;

extern "C" void launchAlong(const float *x, const float *v, const float *gain, float *y, float *dy,
                            std::int64_t rows, int width);

static std::tuple<Tensor, Tensor> along(const Tensor &x, const Tensor &v, const Tensor &gain) {
    Tensor y = emptyLike(x);
    Tensor dy = emptyLike(x);
    launchAlong(x.const_data_ptr<float>(), v.const_data_ptr<float>(), gain.const_data_ptr<float>(),
                y.mutable_data_ptr<float>(), dy.mutable_data_ptr<float>(), x.size(0), int(x.size(1)));
    return {y, dy};
}

REGISTER_FUNCTION(along, along, "along");
