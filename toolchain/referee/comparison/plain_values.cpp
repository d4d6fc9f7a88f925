// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/comparison/plain_values.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>

namespace warpwright {

namespace {

constexpr double timesReference = 4.0;
constexpr double rounding = 16.0 * 0x1p-23; ///< of a float32, in which it may have been computed

// Python's float.hex(), which says "inf" and "nan", too.
std::optional<double> floatOf(const Json &leaf) {
    if (leaf.value("kind", "") != "float" || !leaf.value("value", Json()).is_string())
        return std::nullopt;
    return std::strtod(leaf["value"].get_ref<const std::string &>().c_str(), nullptr);
}

} // namespace

bool arePlainEqual(const Json &candidate, const Json &reference, const Json &exact) {
    if (candidate.value("kind", "") != reference.value("kind", ""))
        return false;
    const std::optional<double> mine = floatOf(candidate);
    const std::optional<double> theirs = floatOf(reference);
    if (!mine || !theirs)
        return candidate.value("value", Json()) == reference.value("value", Json());
    const double wanted = floatOf(exact).value_or(*theirs);
    if (!std::isfinite(*mine) || !std::isfinite(*theirs) || !std::isfinite(wanted))
        return (std::isnan(*mine) && std::isnan(*theirs)) || *mine == *theirs;
    return std::abs(*mine - wanted) <= timesReference * std::abs(*theirs - wanted) +
                                           rounding * std::max(std::abs(wanted), std::abs(*theirs));
}

std::string describePlain(const Json &leaf) {
    if (const std::optional<double> number = floatOf(leaf))
        return Json(*number).dump() == "null" ? leaf["value"].get<std::string>() : Json(*number).dump();
    if (leaf.contains("value"))
        return leaf["value"].dump();
    return leaf.value("kind", "") == "none" ? "None"
                                            : "of type " + leaf.value("type", leaf.value("kind", "?"));
}

} // namespace warpwright
