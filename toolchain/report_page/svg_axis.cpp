// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/report_page/svg_axis.h"

#include <algorithm>
#include <cmath>

namespace warpwright {

SvgAxis::SvgAxis(double from, double to, double start, double end, bool isLogarithmic)
    : m_from(from),
      m_to(to > from ? to : from + 1),
      m_start(start),
      m_end(end),
      m_isLogarithmic(isLogarithmic) {}

double SvgAxis::at(double value) const {
    const double share =
        m_isLogarithmic ? (std::log10(value) - std::log10(m_from)) / (std::log10(m_to) - std::log10(m_from))
                        : (value - m_from) / (m_to - m_from);
    return m_start + share * (m_end - m_start);
}

double SvgAxis::clampedAt(double value) const {
    return at(std::clamp(value, m_from, m_to));
}

std::vector<double> SvgAxis::ticks(int most) const {
    std::vector<double> places;
    if (m_isLogarithmic) {
        const int first = static_cast<int>(std::ceil(std::log10(m_from) - 1e-9));
        const int last = static_cast<int>(std::floor(std::log10(m_to) + 1e-9));
        const int step = std::max(1, (last - first) / std::max(1, most) + 1);
        for (int power = first; power <= last; power += step)
            places.push_back(std::pow(10.0, power));
        return places;
    }
    const double least = (m_to - m_from) / std::max(1, most);
    const double power = std::pow(10.0, std::floor(std::log10(least)));
    double step = power * 10;
    for (const double factor : {1.0, 2.0, 5.0})
        if (power * factor >= least) {
            step = power * factor;
            break;
        }
    const double first = std::ceil(m_from / step);
    for (int i = 0; i <= most + 1 && (first + i) * step <= m_to * (1 + 1e-12); ++i)
        places.push_back((first + i) * step);
    return places;
}

} // namespace warpwright
