// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/comparison/persistent_error.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace warpwright {

namespace {

// Of the yardsticks' mean square: what may stay of an error although rounding is new in each call (parameters
// that no call moves, rounded once). Half of their size.
constexpr double stayingShare = 0.25;
// So many times what is new of an error is its yardstick, where that is less: twice as much may stay as is
// new.
constexpr double perNew = 8.0;
// Of what stays of the yardsticks' own errors, so much may stay at the same places.
constexpr double likeYardsticks = 1.5;
constexpr double nearlyCommon = 1.2; ///< a sixth of it may be something else
// In the worst case all places have one error (a factor that was rounded): then chance alone makes so many
// deviations of the estimate, once for the whole, and once in many slices.
constexpr double chanceInWhole = 3.0;
constexpr double chanceInFew = 5.0;
constexpr double fewPlaces = 16.0;
constexpr double chanceInSlices = 7.0;
// Rounding makes at least such a part of what is new in its yardstick.
constexpr double leastNew = 0.25;
// A class allows four times its own error, eight times where places are few; some more by chance. Noise that
// hides what stays is larger.
constexpr double mostTimes = 32.0;
constexpr double mostTimesOfFew = 128.0;
constexpr size_t manyPlaces = 500;
// Truncation is the cause where it takes away at least so much of what stays.
constexpr double mostLeft = 0.5;
// Correlation of what is new with what truncation makes new. Of truncated factors it is 0.2 and more, of
// results truncated after rounded products 0.1, of a factor -0.5 and 0.0.
constexpr double leastAlike = 0.05;
constexpr double deviationsOfAlike = 2.0;
constexpr double unlimited = std::numeric_limits<double>::infinity();

// The deviation of energyOf().persistent by chance, of `all`, where `places` errors are independent.
double deviationByChance(size_t draws, double places) {
    const auto count = static_cast<double>(draws);
    return std::sqrt(2.0 / (count * (count - 1.0)) / places);
}

// Mean product of what stays of both; without bias.
double commonOf(const ErrorDraws &one, const ErrorDraws &other, const std::vector<uint32_t> &places) {
    if (one.empty() || one.size() != other.size())
        return 0.0;
    double all = 0.0;
    for (const uint32_t place : places) {
        double first = 0.0;
        double second = 0.0;
        double products = 0.0;
        for (size_t draw = 0; draw < one.size(); ++draw) {
            first += one[draw][place];
            second += other[draw][place];
            products += one[draw][place] * other[draw][place];
        }
        all += first * second - products;
    }
    const auto draws = static_cast<double>(one.size());
    return all / (draws * (draws - 1.0)) / static_cast<double>(std::max<size_t>(places.size(), 1));
}

std::vector<uint32_t> allPlaces(const ErrorDraws &errors) {
    std::vector<uint32_t> places(errors.empty() ? 0 : errors.front().size());
    std::iota(places.begin(), places.end(), 0u);
    return places;
}

double newIn(const ErrorEnergy &energy) {
    return std::max(energy.all - energy.persistent, 0.0);
}

// Of what stays of `errors`, what stays of `draws` at the same places, where that is more than `noise` of all
// of them.
double explainedBy(const ErrorDraws &draws, const ErrorDraws &errors, const std::vector<uint32_t> &places,
                   double noise) {
    const ErrorEnergy energy = energyOf(draws, places);
    const double common = commonOf(draws, errors, places);
    if (common <= 0.0 || energy.persistent <= noise * energy.all)
        return 0.0;
    return std::min(nearlyCommon * common * common / energy.persistent, likeYardsticks * energy.persistent);
}

/// How much chance is counted with: in the yardsticks' share, and in what stays of others.
struct Chances {
    double share = 0.0;
    double noise = 0.0;
    double times = 0.0; ///< so many times what is new of the error is its yardstick, at most
};

bool stays(const ErrorDraws &errors, const RoundingPattern &pattern, const std::vector<uint32_t> &places,
           const Chances &chances) {
    const ErrorEnergy mine = energyOf(errors, places);
    const ErrorEnergy operands = energyOf(pattern.operands, places);
    double yardstick = operands.all;
    double isNew = newIn(operands);
    double excused = std::max(explainedBy(pattern.operands, errors, places, chances.noise),
                              explainedBy(pattern.stored, errors, places, chances.noise));
    for (const ErrorDraws &draws : pattern.yardsticks) {
        const ErrorEnergy energy = energyOf(draws, places);
        yardstick = std::max(yardstick, energy.all);
        isNew = std::max(isNew, newIn(energy));
    }
    for (const ErrorDraws &draws : pattern.yardsticks) {
        if (newIn(mine) >= leastNew * isNew)
            excused = std::max(excused, explainedBy(draws, errors, places, chances.noise));
    }
    const double own = chances.times == unlimited ? unlimited : chances.times * newIn(mine);
    // Written so that a NaN stays.
    return !(mine.persistent <=
             chances.share * std::min(yardstick, own) + excused + pattern.floor * pattern.floor);
}

bool isNewEachTime(const ErrorDraws &errors, const RoundingPattern &pattern, double chance, double times) {
    const size_t draws = errors.size();
    const std::vector<uint32_t> places = allPlaces(errors);
    const double independent = std::clamp(static_cast<double>(places.size()) / 64.0, 1.0, 4096.0);
    const double inWhole =
        (independent < fewPlaces ? chanceInFew : chanceInWhole) * deviationByChance(draws, independent);
    const double inSlices = chanceInSlices * deviationByChance(draws, 1.0);
    return !stays(errors, pattern, places, {stayingShare + chance * inWhole, inWhole, times}) &&
           std::none_of(pattern.groups.begin(), pattern.groups.end(), [&](const auto &group) {
               return stays(errors, pattern, group,
                            {1.0 + std::max(chance, 1.0) * inSlices, inSlices, unlimited});
           });
}

// What is cut off makes all results smaller: as much as those of the yardstick that does so, or half as much
// where one of two factors is. What is new of both goes the same way: a factor on what was rounded to nearest
// errs elsewhere.
bool isTruncated(const ErrorDraws &errors, const ErrorDraws &truncated, const RoundingPattern &pattern,
                 double chance) {
    const ErrorEnergy mine = energyOf(errors);
    const ErrorEnergy cut = energyOf(truncated);
    if (truncated.empty() || newIn(mine) < leastNew * newIn(cut))
        return false;
    const double alike = std::sqrt(newIn(mine) * newIn(cut));
    const auto seen = static_cast<double>(errors.size() * errors.front().size());
    const double needed = leastAlike - chance * deviationsOfAlike / std::sqrt(seen);
    for (const double part : {1.0, 0.5}) {
        ErrorDraws rest = errors;
        for (size_t draw = 0; draw < rest.size(); ++draw) {
            for (size_t place = 0; place < rest[draw].size(); ++place)
                rest[draw][place] -= part * truncated[draw][place];
        }
        const ErrorEnergy left = energyOf(rest);
        const double common = newIn(mine) + part * part * newIn(cut) - newIn(left);
        if (common > 2.0 * part * needed * alike && left.persistent <= mostLeft * mine.persistent &&
            isNewEachTime(rest, pattern, chance, unlimited))
            return true;
    }
    return false;
}

} // namespace

ErrorEnergy energyOf(const ErrorDraws &errors, const std::vector<uint32_t> &places) {
    ErrorEnergy energy;
    if (errors.empty())
        return energy;
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
    double yardstick = std::max(energyOf(pattern.operands).all, pattern.floor * pattern.floor);
    for (const std::vector<ErrorDraws> *kind : {&pattern.yardsticks, &pattern.truncated}) {
        for (const ErrorDraws &draws : *kind)
            yardstick = std::max(yardstick, energyOf(draws).all);
    }
    const bool areMany = !errors.empty() && errors.front().size() > manyPlaces;
    // Written so that a NaN is none.
    if (!(energyOf(errors).all <= (areMany ? mostTimes : mostTimesOfFew) * yardstick))
        return false;
    return isNewEachTime(errors, pattern, chance, perNew) ||
           std::any_of(pattern.truncated.begin(), pattern.truncated.end(), [&](const ErrorDraws &truncated) {
               return isTruncated(errors, truncated, pattern, chance);
           });
}

} // namespace warpwright
