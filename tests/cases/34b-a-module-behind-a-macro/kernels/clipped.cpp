// SPDX-License-Identifier: GPL-3.0-or-later
// The module is made by a macro of a header, and what it exports goes by addresses.
#include <algorithm>
#include <cstdint>

#include "module.h"

extern "C" void launchClipped(const float *x, const float *slope, float *y, std::int64_t count,
                              std::int64_t width) {
    for (std::int64_t i = 0; i < count; ++i)
        y[i] = std::min(std::max(x[i] * slope[i % width], -1.0f), 2.0f);
}

PYTHON_MODULE(m) {
    m.def("clipped", [](std::uintptr_t x, std::uintptr_t slope, std::uintptr_t y, std::int64_t count,
                        std::int64_t width) {
        launchClipped(reinterpret_cast<const float *>(x), reinterpret_cast<const float *>(slope),
                      reinterpret_cast<float *>(y), count, width);
    });
}
