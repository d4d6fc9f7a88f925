// SPDX-License-Identifier: GPL-3.0-or-later
#include "../binding_registry.h"

using namespace binding;

extern "C" void launchMovedOn(const float *x, float *state, const float *taps, float *y, std::int64_t count,
                              int width, int n);

static Tensor moved_on(const Tensor &x, const Tensor &state, const Tensor &taps) {
    Tensor y = emptyLike(x);
    launchMovedOn(x.const_data_ptr<float>(), static_cast<float *>(state.mutable_data_ptr()),
                  taps.const_data_ptr<float>(), y.mutable_data_ptr<float>(), x.numel(), int(x.size(1)),
                  int(state.size(2)));
    return y;
}

REGISTER_FUNCTION(moved_on, moved_on, "moved on");
