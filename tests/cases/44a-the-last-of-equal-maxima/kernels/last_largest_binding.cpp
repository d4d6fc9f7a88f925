// SPDX-License-Identifier: GPL-3.0-or-later
#include "../binding_registry.h"

using namespace binding;

extern "C" void launchLastLargest(const float *x, const float *shift, std::int64_t *place, float *largest,
                                  int rows, int width);

static std::tuple<Tensor, Tensor> last_largest(const Tensor &x, const Tensor &shift) {
    Tensor place = newEmpty(x, {x.size(0)}, ScalarType::Long);
    Tensor largest = newEmpty(x, {x.size(0)});
    launchLastLargest(x.const_data_ptr<float>(), shift.const_data_ptr<float>(),
                      place.mutable_data_ptr<std::int64_t>(), largest.mutable_data_ptr<float>(),
                      int(x.size(0)), int(x.size(1)));
    return {place, largest};
}

REGISTER_FUNCTION(last_largest, last_largest, "last largest");
