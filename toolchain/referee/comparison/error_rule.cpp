// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/comparison/error_rule.h"

#include <cmath>

namespace warpwright {

namespace {

// As comparison.cpp has it: beside an infinity or NaN of one of both a number is right that is as near as
// this to the other's.
constexpr double nearby = 0.05;
constexpr double infinity = std::numeric_limits<double>::infinity();

bool isSame(double a, double b) {
    return std::isnan(a) ? std::isnan(b) : a == b;
}

} // namespace

bool ErrorPart::holds(int64_t place, double expected) const {
    if (inner > 0) {
        const int64_t index = place / inner % size;
        return index >= begin && index < end;
    }
    return std::abs(expected) >= least && std::abs(expected) < most;
}

double ElementRule::ratioOf(double got, double reference, double expected, int64_t place) const {
    if (bound == Bound::Whole)
        return isSame(got, expected) || isSame(got, reference) ? 0.0 : std::abs(got - expected);
    if (std::abs(expected) > limit)
        expected = std::copysign(infinity, expected);
    if (!std::isfinite(got) || !std::isfinite(reference) || !std::isfinite(expected)) {
        const auto isRight = [&](double wanted) {
            return std::isfinite(wanted) ? std::abs(got - wanted) <= nearby * (std::abs(wanted) + scale)
                                         : isSame(got, wanted);
        };
        const bool isPlain = std::isfinite(reference) && std::isfinite(expected);
        return !isPlain && (isRight(reference) || isRight(expected)) ? 0.0 : infinity;
    }
    if (part && !part->holds(place, expected))
        return 0.0;
    const double over = bound == Bound::Largest ? scale + std::abs(expected) : scale;
    return std::abs(got - expected) / over / allowed;
}

const char *ElementRule::name() const {
    switch (bound) {
    case Bound::Largest:
        return "largest";
    case Bound::Rms:
        return "rms";
    case Bound::Part:
        return "part";
    default:
        return "whole";
    }
}

} // namespace warpwright
