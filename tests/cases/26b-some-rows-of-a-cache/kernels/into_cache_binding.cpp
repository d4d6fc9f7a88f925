// SPDX-License-Identifier: GPL-3.0-or-later
#include "../binding_registry.h"

using namespace binding;

extern "C" void launchIntoCache(float *cache, const std::int64_t *rows, const float *keys, const float *scale,
                                int slots, int taken, int width);

static void into_cache(const Tensor &cache, const Tensor &rows, const Tensor &keys, const Tensor &scale) {
    launchIntoCache(static_cast<float *>(cache.mutable_data_ptr()), rows.const_data_ptr<std::int64_t>(),
                    keys.const_data_ptr<float>(), scale.const_data_ptr<float>(), int(cache.size(0)),
                    int(keys.size(0)), int(keys.size(1)));
}

REGISTER_FUNCTION(into_cache, into_cache, "into cache");
