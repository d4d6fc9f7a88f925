// SPDX-License-Identifier: GPL-3.0-or-later
#include "../binding_registry.h"

using namespace binding;

extern "C" void launchStandardise(const float *x, float *y, float eps, int rows, int columns);
extern "C" std::int64_t launchFingerprint(const float *x, std::int64_t count);
extern "C" void launchCopy(const float *x, float *y, std::int64_t count);

namespace {

Tensor standardise(const Tensor &x, float eps) {
    Tensor y = emptyLike(x);
    launchStandardise(x.const_data_ptr<float>(), y.mutable_data_ptr<float>(), eps, int(x.size(0)),
                      int(x.size(1)));
    return y;
}

std::int64_t fingerprint(const Tensor &x) {
    return launchFingerprint(x.const_data_ptr<float>(), x.numel());
}

Tensor copied(const Tensor &x) {
    Tensor y = emptyLike(x);
    launchCopy(x.const_data_ptr<float>(), y.mutable_data_ptr<float>(), x.numel());
    return y;
}

} // namespace

REGISTER_FUNCTION(standardise, standardise, "rows with mean 0 and variance 1");
REGISTER_FUNCTION(fingerprint, fingerprint, "a number that tells inputs apart");
REGISTER_FUNCTION(copied, copied, "new memory with the same values");
