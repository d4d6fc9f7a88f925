// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/comparison/difference_causes.h"

#include "referee/base/report_text.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/isinf.h>
#include <ATen/ops/isnan.h>
#include <ATen/ops/logical_and.h>
#include <ATen/ops/logical_or.h>
#include <ATen/ops/view_as_real.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros_like.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace warpwright {

namespace {

constexpr int64_t mostElements = int64_t{1} << 26;
constexpr int64_t leastElements = 8; ///< fewer show no pattern
constexpr double nearlyAll = 0.99;
constexpr double leastFactor = 1e-6;
constexpr double leastAlike = 0.8; ///< of all elements: those near 0 may be hidden by rounding
constexpr double alike = 0.5;      ///< of the error: factors that are no one factor, and of one cause
constexpr double same = 0.02;      ///< of the error: one factor, rounded
constexpr size_t mostNamed = 4;
constexpr double mostTerms = 4096.0; ///< of a sum, that vanish

double sumOf(const at::Tensor &values) {
    return values.sum().item<double>();
}

double smallestNormal(at::ScalarType type) {
    switch (type) {
    case at::kHalf:
        return 0x1p-14;
    case at::kDouble:
    case at::kComplexDouble:
        return std::numeric_limits<double>::min();
    default:
        return std::numeric_limits<float>::min();
    }
}

at::Tensor realOf(const at::Tensor &tensor) {
    return (tensor.is_complex() ? at::view_as_real(tensor) : tensor).to(at::kDouble);
}

// "3, 7, 12", "0 to 16", "3, 7, … 127 (every 4th)"; empty: they are many and have no form.
std::string describePlaces(const std::vector<int64_t> &places) {
    const int64_t step = places.size() > 1 ? places[1] - places[0] : 0;
    bool isEven = places.size() > 2;
    for (size_t i = 1; i < places.size(); ++i)
        isEven = isEven && places[i] - places[i - 1] == step;
    if (isEven && step == 1)
        return std::to_string(places.front()) + " to " + std::to_string(places.back());
    if (isEven)
        return std::to_string(places[0]) + ", " + std::to_string(places[1]) + ", … " +
               std::to_string(places.back()) + " (every " + std::to_string(step) + "th)";
    if (places.size() > mostNamed)
        return {};
    std::string text;
    for (const int64_t place : places)
        text += (text.empty() ? "" : ", ") + std::to_string(place);
    return text;
}

// Where along one dimension nearly all of the error lies, if that is few of its indices.
std::string fewIndices(const at::Tensor &squares) {
    for (int64_t dimension = 0; dimension < squares.dim(); ++dimension) {
        const int64_t size = squares.size(dimension);
        if (size < 4)
            continue;
        std::vector<int64_t> others;
        for (int64_t i = 0; i < squares.dim(); ++i) {
            if (i != dimension)
                others.push_back(i);
        }
        const at::Tensor energy = (others.empty() ? squares : squares.sum(others)).cpu().contiguous();
        const double *values = energy.const_data_ptr<double>();
        std::vector<int64_t> order(static_cast<size_t>(size));
        for (size_t i = 0; i < order.size(); ++i)
            order[i] = static_cast<int64_t>(i);
        std::sort(order.begin(), order.end(), [&](int64_t a, int64_t b) { return values[a] > values[b]; });
        const double whole = sumOf(energy);
        double sum = 0.0;
        size_t count = 0;
        while (count < order.size() && sum < nearlyAll * whole)
            sum += values[order[count++]];
        if (count > order.size() / 3)
            continue;
        order.resize(count);
        std::sort(order.begin(), order.end());
        const std::string where = describePlaces(order);
        if (where.empty())
            continue;
        return " Nearly all of the error lies at index " + where + " of dimension " +
               std::to_string(dimension) + ", whose indices are 0 to " + std::to_string(size - 1) + ".";
    }
    return {};
}

// Whether the error is this part of nearly every element. A few large ones outweigh all others in a sum of
// squares: that has to be asked of each.
bool isFactorOfAll(const at::Tensor &error, const at::Tensor &y, double factor, double tolerance) {
    const at::Tensor part = y * factor;
    return at::logical_or((error - part).abs().lt(part.abs() * tolerance), y.eq(0.0))
               .to(at::kDouble)
               .mean()
               .item<double>() > leastAlike;
}

std::string describeSpecials(const at::Tensor &z, const at::Tensor &r) {
    const auto count = [](const at::Tensor &mask) {
        return mask.sum().item<int64_t>();
    };
    const int64_t opposite = count(at::logical_and(at::isinf(z), z.eq(r.neg())));
    if (opposite > 0)
        return " " + std::to_string(opposite) + (opposite == 1 ? " infinity has" : " infinities have") +
               " the other sign: a zero that was divided by may have lost its sign.";
    const int64_t lost = count(at::logical_and(at::isnan(r), at::isnan(z).logical_not()));
    const int64_t made = count(at::logical_and(at::isnan(z), at::isnan(r).logical_not()));
    if (lost > 0 && made == 0)
        return " NaN is lost in " + std::to_string(lost) +
               " of them: fmax, fmin and comparisons pass it over.";
    return {};
}

// Whether the two are within their bounds once numbers below the smallest normal one of the result's type are
// zeros in all.
bool differsByDenormals(const at::Tensor &candidate, const at::Tensor &reference, const at::Tensor &oracle) {
    if (!candidate.is_floating_point() || candidate.numel() > mostElements)
        return false;
    const double least = smallestNormal(candidate.scalar_type());
    const auto flushed = [least](const at::Tensor &tensor) {
        const at::Tensor values = tensor.to(at::kDouble);
        return at::where(values.abs().lt(least), at::zeros_like(values), values);
    };
    const at::Tensor r = flushed(reference);
    Comparison comparison = compareOutputs(flushed(candidate), r, r, flushed(oracle));
    comparison.epsilon = 0.0;
    const ErrorSize bounds = boundsFor(comparison, comparison.reference);
    return comparison.wrongSpecials == 0 && comparison.candidate.rms <= bounds.rms &&
           comparison.candidate.largest <= bounds.largest;
}

} // namespace

bool mayBeDenormals(const at::Tensor &candidate, const Comparison &comparison) {
    return candidate.is_floating_point() && comparison.wrongSpecials == 0 &&
           candidate.numel() <= mostElements &&
           std::abs(comparison.worstActual - comparison.worstExpected) <=
               mostTerms * smallestNormal(candidate.scalar_type());
}

std::string causeByDenormals(const at::Tensor &candidate, const at::Tensor &flushed,
                             const Comparison &comparison) {
    const Comparison between = compareOutputs(candidate, flushed, flushed, flushed);
    return isWithin(between, comparison.reference)
               ? " The reference gives the same where it takes denormal numbers (below " +
                     scientific(smallestNormal(candidate.scalar_type())) +
                     ", the smallest normal one of their type) for zeros in each of its steps: so does the "
                     "candidate."
               : std::string();
}

std::string causeOf(const at::Tensor &candidate, const at::Tensor &reference, const at::Tensor &oracle,
                    const Comparison &comparison) {
    if (comparison.isInteger || candidate.numel() > mostElements)
        return {};
    const at::Tensor z = realOf(candidate);
    if (comparison.wrongSpecials > 0)
        return describeSpecials(z, realOf(reference));
    if (differsByDenormals(candidate, reference, oracle))
        return " Only denormal numbers differ (below " + scientific(smallestNormal(candidate.scalar_type())) +
               ", the smallest normal one of their type): the candidate takes them for zeros.";
    if (candidate.numel() < leastElements)
        return {};
    const at::Tensor y = realOf(oracle).nan_to_num(0.0, 0.0, 0.0);
    const at::Tensor error = (z - y).nan_to_num(0.0, 0.0, 0.0);
    const at::Tensor squares = error * error;
    const double all = sumOf(squares);
    const double signal = sumOf(y * y);
    const double factor = signal > 0.0 ? sumOf(error * y) / signal : 0.0;
    const bool isFactor =
        factor * factor * signal > nearlyAll * all && isFactorOfAll(error, y, factor, alike);
    if (isFactor && std::abs(1.0 + factor) < leastFactor)
        return " All elements are zero, or nearly: nothing was written there.";
    if (isFactor && isFactorOfAll(error, y, factor, same))
        return " All elements are " + std::to_string(1.0 + factor) +
               " times what they should be: a factor, or the same part of each sum.";
    if (isFactor)
        // How much, the map of the result says: two ways to sum it up give two numbers.
        return std::string(" Nearly all elements are too ") + (factor > 0.0 ? "large" : "small") +
               " by about one factor, not by the very same: a part of each sum is missing, or counts twice.";
    if (const double mean = sumOf(error) / static_cast<double>(error.numel());
        mean * mean * static_cast<double>(error.numel()) > nearlyAll * all)
        return " All elements are off by the same " + scientific(mean) + ": a term or a bias.";
    return fewIndices(squares);
}

} // namespace warpwright
