// SPDX-License-Identifier: GPL-3.0-or-later
#include "../binding_registry.h"

using namespace binding;

extern "C" void launchPlaces(const float *x, const float *gain, std::int64_t *y, std::int64_t *found,
                             int rows, int width);

static Tensor places(const Tensor &x, const Tensor &gain) {
    std::int64_t found = 0, again = 0;
    launchPlaces(x.const_data_ptr<float>(), gain.const_data_ptr<float>(), nullptr, &found, int(x.size(0)),
                 int(x.size(1)));
    Tensor y = newEmpty(x, {found, 2}, ScalarType::Long);
    launchPlaces(x.const_data_ptr<float>(), gain.const_data_ptr<float>(), y.mutable_data_ptr<std::int64_t>(),
                 &again, int(x.size(0)), int(x.size(1)));
    return y;
}

REGISTER_FUNCTION(places, places, "places");
