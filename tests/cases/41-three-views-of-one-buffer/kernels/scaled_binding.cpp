// SPDX-License-Identifier: GPL-3.0-or-later
#include "../binding_registry.h"

using namespace binding;

extern "C" void launchScaled(const float *x, const float *scale, float *y, std::int64_t rows,
                             std::int64_t columns);

static Tensor scaled(const Tensor &x, const Tensor &scale) {
    STD_TORCH_CHECK(x.is_contiguous(), "a contiguous matrix");
    Tensor y = emptyLike(x);
    launchScaled(x.const_data_ptr<float>(), scale.const_data_ptr<float>(), y.mutable_data_ptr<float>(),
                 x.size(0), x.size(1));
    return y;
}

REGISTER_FUNCTION(scaled, scaled, "columns times their scales");
