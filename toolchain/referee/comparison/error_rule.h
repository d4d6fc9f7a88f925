// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <limits>
#include <optional>

namespace warpwright {

/// Elements of a result that are judged by themselves: those with certain indices along one dimension, or
/// those of certain magnitudes.
struct ErrorPart {
    int64_t inner = 0; ///< elements from one index to the next; 0: of magnitudes
    int64_t size = 1;  ///< of the dimension
    int64_t begin = 0; ///< first index, and the one after the last
    int64_t end = 0;
    double least = 0.0; ///< magnitudes: at least, and smaller than
    double most = std::numeric_limits<double>::infinity();

    [[nodiscard]] bool holds(int64_t place, double expected) const;
};

/// How wrong one element of a wrong result is: its error over what is allowed, by that bound which the result
/// breaks. Whole numbers have no such bound: theirs is the difference itself.
struct ElementRule {
    enum class Bound { Largest, Rms, Part, Whole };
    Bound bound = Bound::Largest;
    double allowed = 0.0; ///< of the error over (scale + |expected|), for Rms and Part over the scale alone
    double scale = 1.0;   ///< RMS of what is expected, above zero
    double limit = std::numeric_limits<double>::infinity(); ///< what is larger is an infinity in the type
    std::optional<ErrorPart> part;                          ///< whose bound it is

    /// At most 1: right. Infinite: NaN or infinite where neither of both is, or the other way round.
    /// `place`: of the element, from 0 in the order of the dimensions.
    [[nodiscard]] double ratioOf(double got, double reference, double expected, int64_t place) const;
    [[nodiscard]] bool isWrong(double ratio) const {
        return bound == Bound::Whole ? ratio > 0 : !(ratio <= 1);
    }
    /// "largest", "rms", "part", "whole"
    [[nodiscard]] const char *name() const;
};

} // namespace warpwright
