// SPDX-License-Identifier: GPL-3.0-or-later
// The CPU twin. It is no binding: REGISTER_FUNCTION(halve, ...) and PYBIND11_MODULE stand in
// halve_binding.cpp and binding.cpp.
#include <cstdint>

extern "C" void launchHalve(const float *x, const float *gain, float *y, std::int64_t count, int width) {
    for (std::int64_t i = 0; i < count; ++i)
        y[i] = 0.5f * x[i] * gain[i % width];
}
