// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/statistics.h"

#include <algorithm>
#include <cmath>
#include <random>

namespace warpwright {

namespace {

constexpr int resamples = 4000;

} // namespace

double median(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    if (values.size() % 2 == 1)
        return *middle;
    return (*middle + *std::max_element(values.begin(), middle)) / 2.0;
}

Interval medianWithInterval(const std::vector<double> &values) {
    const double center = median(values);
    const auto [smallest, largest] = std::minmax_element(values.begin(), values.end());
    if (values.size() < 3)
        return {center, *smallest, *largest};
    std::mt19937_64 generator(0x5eed);
    std::uniform_int_distribution<size_t> pick(0, values.size() - 1);
    std::vector<double> medians(resamples);
    std::vector<double> drawn(values.size());
    for (double &result : medians) {
        for (double &value : drawn)
            value = values[pick(generator)];
        result = median(drawn);
    }
    std::sort(medians.begin(), medians.end());
    return {center, medians[static_cast<size_t>(0.025 * resamples)],
            medians[static_cast<size_t>(0.975 * resamples)]};
}

Interval ratioWithInterval(const std::vector<double> &numerator, const std::vector<double> &denominator) {
    std::vector<double> logarithms(numerator.size());
    for (size_t i = 0; i < numerator.size(); ++i)
        logarithms[i] = std::log(numerator[i] / denominator[i]);
    const Interval interval = medianWithInterval(logarithms);
    return {std::exp(interval.value), std::exp(interval.low), std::exp(interval.high)};
}

Interval widened(const Interval &interval, double relativeHalfWidth) {
    const auto reach = [&](double bound) {
        const double own = std::log(bound / interval.value);
        return std::sqrt(own * own + relativeHalfWidth * relativeHalfWidth);
    };
    return {interval.value, interval.value * std::exp(-reach(interval.low)),
            interval.value * std::exp(reach(interval.high))};
}

} // namespace warpwright
