// SPDX-License-Identifier: GPL-3.0-or-later
#include "../binding_registry.h"

using namespace binding;

extern "C" void launchAddInto(float *sum, const float *x, std::int64_t count);

namespace {

void addInto(const Tensor &sum, const Tensor &x) {
    launchAddInto(static_cast<float *>(sum.mutable_data_ptr()), x.const_data_ptr<float>(), x.numel());
}

} // namespace

REGISTER_FUNCTION(add_into, addInto, "sum += x");
