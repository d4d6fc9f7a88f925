// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstdint>

extern "C" void launchEdgesBelow(const float *edges, const float *x, std::int64_t *places, int count,
                                 int numbers) {
    for (int i = 0; i < numbers; ++i) {
        std::int64_t below = 0;
        for (int e = 0; e < count; ++e)
            below += !(edges[e] >= x[i]);
        places[i] = below;
    }
}
