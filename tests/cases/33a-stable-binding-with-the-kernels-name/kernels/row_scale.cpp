// SPDX-License-Identifier: GPL-3.0-or-later
#include "../binding_registry.h"

using namespace binding;

void launchRowScale(const float *x, const float *scale, float *y, int rows, int width, cudaStream_t stream);

static Tensor rowScale(const Tensor &x, const Tensor &scale) {
    Tensor y = emptyLike(x);
    launchRowScale(x.const_data_ptr<float>(), scale.const_data_ptr<float>(), y.mutable_data_ptr<float>(),
                   int(x.size(0)), int(x.size(1)), currentStream(x));
    return y;
}

REGISTER_FUNCTION(row_scale, rowScale, "each row by its own number");
