// SPDX-License-Identifier: GPL-3.0-or-later
#include "../binding_registry.h"

using namespace binding;

extern "C" void launchSortedRows(const float *x, const float *levels, float *values, std::int64_t *places,
                                 int rows, int width);

static std::tuple<Tensor, Tensor> sorted_rows(const Tensor &x, const Tensor &levels) {
    Tensor values = emptyLike(x);
    Tensor places = newEmpty(x, {x.size(0), x.size(1)}, ScalarType::Long);
    launchSortedRows(x.const_data_ptr<float>(), levels.const_data_ptr<float>(),
                     values.mutable_data_ptr<float>(), places.mutable_data_ptr<std::int64_t>(),
                     int(x.size(0)), int(x.size(1)));
    return {values, places};
}

REGISTER_FUNCTION(sorted_rows, sorted_rows, "sorted rows");
