// SPDX-License-Identifier: GPL-3.0-or-later
#include "../binding_registry.h"

using namespace binding;

extern "C" void launchHalve(const float *x, const float *gain, float *y, std::int64_t count, int width
#ifndef WARPWRIGHT_CPU
                            ,
                            cudaStream_t stream
#endif
);

static Tensor halve(const Tensor &x, const Tensor &gain) {
    Tensor y = emptyLike(x);
    launchHalve(x.const_data_ptr<float>(), gain.const_data_ptr<float>(), y.mutable_data_ptr<float>(),
                x.numel(), int(x.size(1))
#ifndef WARPWRIGHT_CPU
                               ,
                currentStream(x)
#endif
    );
    return y;
}

REGISTER_FUNCTION(halve, halve, "halve");
