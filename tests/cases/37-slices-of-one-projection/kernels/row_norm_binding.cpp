// SPDX-License-Identifier: GPL-3.0-or-later
#include "../binding_registry.h"

using namespace binding;

extern "C" void launchRowNorm(const float *x, const float *weight, float *y, float eps, int rows,
                              int columns);

static Tensor rowNorm(const Tensor &x, const Tensor &weight, float eps) {
    Tensor y = newEmpty(x, {x.size(0), x.size(1)});
    launchRowNorm(x.const_data_ptr<float>(), weight.const_data_ptr<float>(), y.mutable_data_ptr<float>(), eps,
                  int(x.size(0)), int(x.size(1)));
    return y;
}

REGISTER_FUNCTION(row_norm, rowNorm, "each row over its root mean square");
