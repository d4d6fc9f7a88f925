// SPDX-License-Identifier: GPL-3.0-or-later
#include "../binding_registry.h"

using namespace binding;

extern "C" void launchBatchNorm(const float *x, const float *weight, const float *bias, float *y, float eps,
                                int rows, int width);

static Tensor batch_norm(const Tensor &x, const Tensor &weight, const Tensor &bias, float eps) {
    Tensor y = emptyLike(x);
    launchBatchNorm(x.const_data_ptr<float>(), weight.const_data_ptr<float>(), bias.const_data_ptr<float>(),
                    y.mutable_data_ptr<float>(), eps, int(x.size(0)), int(x.size(1)));
    return y;
}

REGISTER_FUNCTION(batch_norm, batch_norm, "batch norm");
