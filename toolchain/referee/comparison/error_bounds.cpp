// SPDX-License-Identifier: GPL-3.0-or-later
//
// The part of comparison.h that says what an error may be.
#include "referee/comparison/comparison.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace warpwright {

namespace {

constexpr double inGroups = 8.0; ///< times what the yardstick errs by in a group

} // namespace

void ErrorSize::widen(const ErrorSize &other) {
    rms = std::max(rms, other.rms);
    largest = std::max(largest, other.largest);
    for (size_t i = 0; i < std::min(groups.size(), other.groups.size()); ++i)
        groups[i] = std::max(groups[i], other.groups[i]);
}

namespace {

// Types of 16 bits are stored, and rounding to them is all of an error that is always there.
bool isStored(const Comparison &comparison) {
    return comparison.epsilon > 0x1p-20;
}

// An error that is none in a group: in the whole it is `4 epsilon` of the RMS value. Where numbers are
// smaller it falls with the root of their size: who approximates in proportion to what lies beside them loses
// some bits there and is right, who leaves out what is 4e-11 as large is not.
double floorOf(const Comparison &comparison, const ErrorGroup &group) {
    const double computed = 4.0 * std::min(comparison.epsilon, 0x1p-23) *
                            std::sqrt(group.size * std::max(comparison.oracleRms, group.size));
    const double smallest = comparison.epsilon == 0x1p-10   ? 0x1p-24
                            : comparison.epsilon == 0x1p-52 ? std::numeric_limits<double>::min()
                                                            : double{std::numeric_limits<float>::min()};
    return computed + smallest + (isStored(comparison) ? 0.25 * comparison.epsilon * group.size : 0.0);
}

double boundIn(const Comparison &comparison, const ErrorSize &yardstick, size_t group) {
    const double yard = group < yardstick.groups.size() ? yardstick.groups[group] : 0.0;
    return inGroups * std::max(yard, floorOf(comparison, comparison.groups[group]));
}

} // namespace

ErrorSize boundsFor(const Comparison &comparison, const ErrorSize &yardstick) {
    const double factor = comparison.elements <= 10 ? 10.0 : comparison.elements <= 500 ? 8.0 : 4.0;
    const bool isOfStorage = isStored(comparison);
    return {factor * std::max(yardstick.rms, (isOfStorage ? 0.25 : 4.0) * comparison.epsilon),
            4.0 * std::max(yardstick.largest, (isOfStorage ? 1.0 : 16.0) * comparison.epsilon),
            {}};
}

WorstGroup worstGroupOf(const Comparison &comparison, const ErrorSize &yardstick) {
    WorstGroup worst;
    size_t place = comparison.groups.size();
    for (size_t i = 0; i < comparison.groups.size(); ++i) {
        const double bound = boundIn(comparison, yardstick, i);
        const double size = comparison.groups[i].size;
        const double excess = comparison.candidate.groups[i] / bound;
        if (excess > worst.excess) {
            worst = {{}, comparison.candidate.groups[i] / size, bound / size, excess, bound, i};
            place = i;
        }
    }
    if (place < comparison.groups.size())
        worst.words = comparison.parts->describe(place);
    return worst;
}

double excessOf(const Comparison &comparison, const ErrorSize &yardstick) {
    const ErrorSize bounds = boundsFor(comparison, yardstick);
    return std::max({comparison.candidate.rms / bounds.rms, comparison.candidate.largest / bounds.largest,
                     worstGroupOf(comparison, yardstick).excess});
}

bool isWithin(const Comparison &comparison, const ErrorSize &yardstick) {
    if (comparison.wrongSpecials > 0)
        return false;
    if (comparison.isInteger)
        return comparison.candidate.rms == 0.0;
    const ErrorSize bounds = boundsFor(comparison, yardstick);
    // Written so that a NaN fails.
    return comparison.candidate.rms <= bounds.rms && comparison.candidate.largest <= bounds.largest &&
           worstGroupOf(comparison, yardstick).words.empty();
}

} // namespace warpwright
