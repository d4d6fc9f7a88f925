// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <c10/core/ScalarType.h>

#include <limits>

namespace warpwright {

/// From one to the next number.
inline double epsilonOf(c10::ScalarType type) {
    switch (type) {
    case c10::ScalarType::Half:
        return 0x1p-10;
    case c10::ScalarType::BFloat16:
        return 0x1p-7;
    case c10::ScalarType::Double:
    case c10::ScalarType::ComplexDouble:
        return 0x1p-52;
    default:
        return 0x1p-23;
    }
}

/// What is beyond this becomes an infinity in the type.
inline double limitOf(c10::ScalarType type) {
    switch (c10::toRealValueType(type)) {
    case c10::ScalarType::Half:
        return 65520.0;
    case c10::ScalarType::BFloat16:
        return 0x1.ffp127;
    case c10::ScalarType::Double:
        return std::numeric_limits<double>::infinity();
    default:
        return 0x1.ffffffp127;
    }
}

} // namespace warpwright
