// SPDX-License-Identifier: GPL-3.0-or-later
#include "../binding_registry.h"

using namespace binding;

extern "C" void launchGatherScaled(const float *table, const std::int64_t *places, const float *scale,
                                   float *y, int rows, int columns, int picked);

static Tensor gatherScaled(const Tensor &table, const Tensor &places, const Tensor &scale) {
    Tensor y = newEmpty(table, {places.size(0), table.size(1)});
    launchGatherScaled(table.const_data_ptr<float>(), places.const_data_ptr<std::int64_t>(),
                       scale.const_data_ptr<float>(), y.mutable_data_ptr<float>(), int(table.size(0)),
                       int(table.size(1)), int(places.size(0)));
    return y;
}

REGISTER_FUNCTION(gather_scaled, gatherScaled, "rows of a table, scaled");
