// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/base/statistics.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <random>

namespace warpwright {

namespace {

constexpr int resamples = 4000;
constexpr double normalQuantile = 1.96;

// How many processes what is known beforehand of their spread counts for.
constexpr int expectedProcesses = 4;

// 97.5 % of Student's t by degrees of freedom; beyond the table it is close enough to its last row.
double studentQuantile(int freedom) {
    constexpr double quantiles[] = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
                                    2.201,  2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086};
    return quantiles[std::clamp(freedom, 1, static_cast<int>(std::size(quantiles))) - 1];
}

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

Interval ratioOverProcesses(const std::vector<double> &numerator, const std::vector<double> &denominator,
                            const std::vector<int> &processes, double expectedHalfWidth) {
    std::vector<Interval> single;
    for (size_t begin = 0, end = 0; begin < processes.size(); begin = end) {
        while (end < processes.size() && processes[end] == processes[begin])
            ++end;
        const auto cut = [&](const std::vector<double> &all) {
            return std::vector<double>(all.begin() + static_cast<std::ptrdiff_t>(begin),
                                       all.begin() + static_cast<std::ptrdiff_t>(end));
        };
        single.push_back(ratioWithInterval(cut(numerator), cut(denominator)));
    }
    if (single.size() == 1)
        return widened(single[0], expectedHalfWidth);
    const double count = static_cast<double>(single.size());
    double mean = 0.0;
    double expected = 0.0; // variance of one process, as it was known beforehand
    for (const Interval &process : single) {
        mean += std::log(process.value) / count;
        const double blocks = std::log(process.high / process.low) / 2.0 / normalQuantile;
        const double between = expectedHalfWidth / normalQuantile;
        expected += (blocks * blocks + between * between) / count;
    }
    double squares = 0.0;
    for (const Interval &process : single)
        squares += std::pow(std::log(process.value) - mean, 2.0);
    const int freedom = expectedProcesses + static_cast<int>(single.size()) - 1;
    const double variance = (expectedProcesses * expected + squares) / freedom;
    const double half = studentQuantile(freedom) * std::sqrt(variance / count);
    return {std::exp(mean), std::exp(mean - half), std::exp(mean + half)};
}

double shareOfOthers(const std::vector<double> &samples, const std::vector<double> &waited) {
    std::vector<double> own;
    for (std::size_t i = 0; i < samples.size(); ++i)
        own.push_back(samples[i] * (1.0 - waited[i]));
    std::sort(own.begin(), own.end());
    const std::size_t most = std::min(std::max<std::size_t>((own.size() + 3) / 4, 2), own.size());
    const double least = own[own.size() - most];
    const double middle = median(samples);
    return middle > 0.0 ? std::clamp(1.0 - least / middle, 0.0, 1.0) : 0.0;
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
