// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/comparison/movement.h"

#include <algorithm>
#include <limits>

namespace warpwright {

namespace {

constexpr double enough = 3.0; ///< times the allowed error; twice is what whoever stands still must fail by
constexpr double clear = 20.0; ///< a layer that is left out moves less than all inputs do
constexpr double rounding = 1e-11;      ///< of fp64, in long sums
constexpr double roundingBeside = 1e-6; ///< of the reference's own error in fp32

} // namespace

bool Movement::isRounding() const {
    return by <= std::max(rounding, roundingBeside * error.own);
}

double Movement::margin() const {
    if (error.allowed > 0.0)
        return by / error.allowed;
    return by > 0.0 ? std::numeric_limits<double>::infinity() : 0.0;
}

bool Movement::isTold() const {
    return margin() >= enough || (by >= widest && by >= 10.0 * error.own);
}

bool Movement::isPlain() const {
    return by >= std::max(1e-3, 10.0 * error.own);
}

bool Movement::isFaint() const {
    return isCompared() && !isSame && (by < plain || !isTold()) && margin() < clear;
}

void Movement::add(const Movement &other) {
    if (!other.isCompared())
        return;
    const bool wasSame = isSame && other.isSame;
    if (!isCompared() || other.margin() > margin())
        *this = other;
    isSame = wasSame;
}

} // namespace warpwright
