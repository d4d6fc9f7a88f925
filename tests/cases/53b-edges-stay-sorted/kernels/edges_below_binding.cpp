// SPDX-License-Identifier: GPL-3.0-or-later
#include "../binding_registry.h"

using namespace binding;

extern "C" void launchEdgesBelow(const float *edges, const float *x, std::int64_t *places, int count,
                                 int numbers);

static Tensor edges_below(const Tensor &edges, const Tensor &x) {
    Tensor places = newEmpty(x, {x.size(0), x.size(1)}, ScalarType::Long);
    launchEdgesBelow(edges.const_data_ptr<float>(), x.const_data_ptr<float>(),
                     places.mutable_data_ptr<std::int64_t>(), int(edges.size(0)), int(x.size(0) * x.size(1)));
    return places;
}

REGISTER_FUNCTION(edges_below, edges_below, "edges below");
