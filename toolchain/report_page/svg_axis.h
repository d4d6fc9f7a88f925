// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

namespace warpwright {

/// Where values stand on a drawing, along one direction.
class SvgAxis {
public:
    /// `from` and `to`: values at the places `start` and `end`. Of a logarithmic one both are above zero.
    SvgAxis(double from, double to, double start, double end, bool isLogarithmic = false);

    [[nodiscard]] double at(double value) const;
    /// At most the nearer end.
    [[nodiscard]] double clampedAt(double value) const;
    /// Round values within it: 1, 2 or 5 times a power of ten, at most about `most`; of a logarithmic one the
    /// powers.
    [[nodiscard]] std::vector<double> ticks(int most) const;
    [[nodiscard]] double from() const { return m_from; }
    [[nodiscard]] double to() const { return m_to; }

private:
    double m_from;
    double m_to;
    double m_start;
    double m_end;
    bool m_isLogarithmic;
};

} // namespace warpwright
