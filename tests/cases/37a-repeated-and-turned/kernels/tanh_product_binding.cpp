// SPDX-License-Identifier: GPL-3.0-or-later
#include "../binding_registry.h"

using namespace binding;

extern "C" void launchTanhProduct(const float *a, const float *b, const float *gain, float *y,
                                  std::int64_t count, std::int64_t width, std::int64_t known);

static Tensor tanh_product(const Tensor &a, const Tensor &b, const Tensor &gain) {
    Tensor y = newEmpty(a, {a.size(0), a.size(1)});
    launchTanhProduct(a.const_data_ptr<float>(), b.const_data_ptr<float>(), gain.const_data_ptr<float>(),
                      y.mutable_data_ptr<float>(), a.numel(), a.size(1),
                      a.stride(0) == 0 ? a.size(1) : a.numel());
    return y;
}

REGISTER_FUNCTION(tanh_product, tanh_product, "tanh product");
