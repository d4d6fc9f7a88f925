// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/language/place_trail.h"

namespace warpwright {
namespace {

constexpr std::size_t mostPlaces = 100;

std::optional<StoodAt> step(std::vector<StoodAt> &from, std::vector<StoodAt> &to, const StoodAt &here) {
    if (from.empty())
        return std::nullopt;
    const StoodAt place = from.back();
    from.pop_back();
    to.push_back(here);
    return place;
}

} // namespace

void PlaceTrail::leave(const StoodAt &place) {
    m_after.clear();
    if (!m_before.empty() && m_before.back().file == place.file && m_before.back().line == place.line)
        m_before.pop_back();
    m_before.push_back(place);
    if (m_before.size() > mostPlaces)
        m_before.erase(m_before.begin());
}

std::optional<StoodAt> PlaceTrail::back(const StoodAt &here) {
    return step(m_before, m_after, here);
}

std::optional<StoodAt> PlaceTrail::forward(const StoodAt &here) {
    return step(m_after, m_before, here);
}

void PlaceTrail::clear() {
    m_before.clear();
    m_after.clear();
}

} // namespace warpwright
