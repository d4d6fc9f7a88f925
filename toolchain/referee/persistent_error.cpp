// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/persistent_error.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace warpwright {

namespace {

// Of the yardsticks' mean square: what may stay of an error although rounding is new in each call (parameters
// that no call moves, rounded once). Half of their size.
constexpr double stayingShare = 0.25;
// And of what stays of the yardsticks' own errors.
constexpr double likeYardsticks = 1.5;
// In the worst case all places have one error (a factor that was rounded): then chance alone makes so many
// deviations of the estimate, once for the whole, and once in many slices.
constexpr double chanceInWhole = 3.0;
constexpr double chanceInSlices = 7.0;
// A truncating unit's errors are new in each call, too: at least such a part of what its yardstick's are.
constexpr double leastNew = 0.25;

// The deviation of energyOf().persistent by chance, of `all`, where `places` errors are independent.
double deviationByChance(size_t draws, double places) {
    const auto count = static_cast<double>(draws);
    return std::sqrt(2.0 / (count * (count - 1.0)) / places);
}

std::vector<uint32_t> allPlaces(const ErrorDraws &errors) {
    std::vector<uint32_t> places(errors.empty() ? 0 : errors.front().size());
    std::iota(places.begin(), places.end(), 0u);
    return places;
}

bool stays(const ErrorDraws &errors, const RoundingPattern &pattern, const std::vector<uint32_t> &places,
           double share) {
    double all = 0.0;
    double persistent = 0.0;
    for (const ErrorDraws &yardstick : pattern.yardsticks) {
        const ErrorEnergy energy = energyOf(yardstick, places);
        all = std::max(all, energy.all);
        persistent = std::max(persistent, energy.persistent);
    }
    // Written so that a NaN stays.
    return !(energyOf(errors, places).persistent <=
             share * all + likeYardsticks * persistent + pattern.floor * pattern.floor);
}

bool isNewEachTime(const ErrorDraws &errors, const RoundingPattern &pattern, double chance) {
    const size_t draws = errors.size();
    const std::vector<uint32_t> places = allPlaces(errors);
    const double independent = std::clamp(static_cast<double>(places.size()) / 64.0, 1.0, 4096.0);
    if (stays(errors, pattern, places,
              stayingShare + chance * chanceInWhole * deviationByChance(draws, independent)))
        return false;
    return std::none_of(pattern.groups.begin(), pattern.groups.end(), [&](const auto &group) {
        return stays(errors, pattern, group, 1.0 + chanceInSlices * deviationByChance(draws, 1.0));
    });
}

// Where the factors of products are cut off, all results shrink: as much as those of the yardstick that does
// so.
bool isTruncated(const ErrorDraws &errors, const RoundingPattern &pattern, double chance) {
    const ErrorEnergy mine = energyOf(errors);
    const ErrorEnergy truncated = energyOf(pattern.truncated);
    if (!(mine.all - mine.persistent >= leastNew * (truncated.all - truncated.persistent)))
        return false;
    ErrorDraws rest = errors;
    for (size_t draw = 0; draw < rest.size(); ++draw) {
        for (size_t place = 0; place < rest[draw].size(); ++place)
            rest[draw][place] -= pattern.truncated[draw][place];
    }
    return isNewEachTime(rest, pattern, chance);
}

} // namespace

ErrorEnergy energyOf(const ErrorDraws &errors, const std::vector<uint32_t> &places) {
    ErrorEnergy energy;
    const auto draws = static_cast<double>(errors.size());
    for (const uint32_t place : places) {
        double sum = 0.0;
        double squares = 0.0;
        for (const std::vector<double> &draw : errors) {
            sum += draw[place];
            squares += draw[place] * draw[place];
        }
        energy.all += squares / draws;
        energy.persistent += (sum * sum - squares) / (draws * (draws - 1.0));
    }
    const auto count = static_cast<double>(std::max<size_t>(places.size(), 1));
    return {energy.all / count, energy.persistent / count};
}

ErrorEnergy energyOf(const ErrorDraws &errors) {
    return energyOf(errors, allPlaces(errors));
}

bool isFromRounding(const ErrorDraws &errors, const RoundingPattern &pattern, double chance) {
    return isNewEachTime(errors, pattern, chance) ||
           (!pattern.truncated.empty() && isTruncated(errors, pattern, chance));
}

} // namespace warpwright
