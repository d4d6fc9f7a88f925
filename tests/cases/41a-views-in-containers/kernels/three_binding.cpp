// SPDX-License-Identifier: GPL-3.0-or-later
#include "../binding_registry.h"

using namespace binding;

extern "C" void launchThree(const float *x, const float *gain, float *q, float *k, float *v, int tokens,
                            int width);

static std::tuple<Tensor, Tensor, Tensor> three(const Tensor &x, const Tensor &gain) {
    const std::int64_t tokens = x.size(0), width = x.size(1) / 3;
    Tensor q = newEmpty(x, {tokens, width});
    Tensor k = newEmpty(x, {width, tokens});
    Tensor v = newEmpty(x, {tokens, width});
    launchThree(x.const_data_ptr<float>(), gain.const_data_ptr<float>(), q.mutable_data_ptr<float>(),
                k.mutable_data_ptr<float>(), v.mutable_data_ptr<float>(), int(tokens), int(width));
    return {q, k, v};
}

REGISTER_FUNCTION(three, three, "three");
