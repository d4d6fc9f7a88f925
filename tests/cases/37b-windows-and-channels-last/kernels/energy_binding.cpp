// SPDX-License-Identifier: GPL-3.0-or-later
#include "../binding_registry.h"

using namespace binding;

extern "C" void launchEnergy(const float *x, float *y, const std::int64_t *size, const std::int64_t *stride);

static Tensor energy(const Tensor &x) {
    STD_TORCH_CHECK(!x.is_contiguous(), "the image has its channels last");
    Tensor y = newEmpty(x, {x.size(0), x.size(1)});
    const std::int64_t size[] = {x.size(0), x.size(1), x.size(2), x.size(3)};
    const std::int64_t stride[] = {x.stride(0), x.stride(1), x.stride(2), x.stride(3)};
    launchEnergy(x.const_data_ptr<float>(), y.mutable_data_ptr<float>(), size, stride);
    return y;
}

REGISTER_FUNCTION(energy, energy, "energy");
