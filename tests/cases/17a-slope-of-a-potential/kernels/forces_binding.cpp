// SPDX-License-Identifier: GPL-3.0-or-later
#include "../binding_registry.h"

using namespace binding;

extern "C" void launchForces(const float *x, const float *w, const float *out, float *energy, float *y,
                             int rows, int width, int hidden);

static std::tuple<Tensor, Tensor> forces(const Tensor &x, const Tensor &w, const Tensor &out) {
    Tensor y = emptyLike(x);
    Tensor energy = newEmpty(x, {});
    launchForces(x.const_data_ptr<float>(), w.const_data_ptr<float>(), out.const_data_ptr<float>(),
                 energy.mutable_data_ptr<float>(), y.mutable_data_ptr<float>(), int(x.size(0)),
                 int(x.size(1)), int(w.size(0)));
    return {energy, y};
}

REGISTER_FUNCTION(forces, forces, "forces");
