// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/comparison/moved_results.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace warpwright {

namespace {

constexpr size_t leastElements = 32; ///< of fewer, some agree by chance
constexpr size_t mostDimensions = 6;
constexpr double leastShare = 0.5;
constexpr double closeEnough = 0.02; ///< of the change itself: what is wrong by a factor is rounded, too
constexpr double alike = 0.5; ///< of the change itself: factors that are no one factor, and of one cause

std::vector<int64_t> unravelled(int64_t place, const std::vector<int64_t> &sizes) {
    std::vector<int64_t> index(sizes.size());
    for (size_t i = sizes.size(); i-- > 0;) {
        index[i] = place % sizes[i];
        place /= sizes[i];
    }
    return index;
}

int64_t ravelled(const std::vector<int64_t> &index, const std::vector<int64_t> &sizes) {
    int64_t place = 0;
    for (size_t i = 0; i < sizes.size(); ++i)
        place = place * sizes[i] + index[i];
    return place;
}

/// Where the value of a wrong element may come from; nothing: from nowhere.
using Source = std::function<std::optional<int64_t>(int64_t place)>;

struct Match {
    size_t right = 0;
    size_t of = 0;
    [[nodiscard]] bool isTold() const {
        return of >= leastElements && static_cast<double>(right) >= leastShare * static_cast<double>(of);
    }
};

Match match(const WrongElements &wrong, const std::vector<double> &got, const Source &source) {
    std::vector<int64_t> sources;
    std::vector<size_t> elements;
    for (size_t i = 0; i < wrong.places.size(); ++i) {
        if (const std::optional<int64_t> from = source(wrong.places[i])) {
            sources.push_back(*from);
            elements.push_back(i);
        }
    }
    if (sources.size() < leastElements)
        return {};
    const std::vector<double> expected = wrong.expected(sources);
    const std::vector<double> reference = wrong.reference(sources);
    Match found{0, sources.size()};
    // The part that is judged by itself is one of places: here any number may stand anywhere.
    ElementRule rule = wrong.rule;
    rule.part.reset();
    for (size_t i = 0; i < sources.size(); ++i) {
        if (!rule.isWrong(rule.ratioOf(got[elements[i]], reference[i], expected[i], sources[i])))
            ++found.right;
    }
    return found;
}

Json told(const char *kind, const Match &found) {
    return {{"kind", kind}, {"right", found.right}, {"of", found.of}};
}

double quantileOf(std::vector<double> values, double share) {
    const auto at =
        values.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
    std::nth_element(values.begin(), at, values.end());
    return *at;
}

// One factor on all, or one addend, and where it is neither a factor that differs a little from element to
// element (a part of each row's sum is missing), with the range of most. None where they are 0: that has a
// name of its own.
void addChanged(const WrongElements &wrong, const std::vector<double> &got, Json &list) {
    const std::vector<double> expected = wrong.expected(wrong.places);
    std::vector<double> factors, addends;
    for (size_t i = 0; i < got.size(); ++i) {
        if (!std::isfinite(got[i]) || !std::isfinite(expected[i]))
            continue;
        addends.push_back(got[i] - expected[i]);
        if (expected[i] != 0.0)
            factors.push_back(got[i] / expected[i]);
    }
    const auto add = [&](const char *kind, double number, double tolerance, const auto &changed) {
        Match found{0, got.size()};
        for (size_t i = 0; i < got.size(); ++i) {
            const double wanted = changed(expected[i]);
            found.right += std::abs(got[i] - wanted) <= tolerance * std::abs(wanted - expected[i]) ? 1U : 0U;
        }
        if (!found.isTold())
            return false;
        list.push_back(told(kind, found));
        list.back()["number"] = number;
        return true;
    };
    bool isChanged = false;
    const double factor = factors.size() >= leastElements ? quantileOf(factors, 0.5) : 0;
    const auto scaled = [factor](double value) {
        return value * factor;
    };
    if (factor != 0.0 && factor != 1.0)
        isChanged = add("scaled", factor, closeEnough, scaled);
    if (addends.size() >= leastElements) {
        if (const double addend = quantileOf(addends, 0.5); addend != 0.0)
            isChanged =
                add("offset", addend, closeEnough, [addend](double value) { return value + addend; }) ||
                isChanged;
    }
    if (!isChanged && factor != 0.0 && factor != 1.0 && add("scaled", factor, alike, scaled)) {
        list.back()["low"] = quantileOf(factors, 0.05);
        list.back()["high"] = quantileOf(factors, 0.95);
    }
}

} // namespace

Json movedResults(const WrongElements &wrong) {
    Json list = Json::array();
    if (wrong.places.size() < leastElements || wrong.sizes.size() > mostDimensions)
        return list;
    const std::vector<double> got = wrong.got(wrong.places);
    if (wrong.before) {
        const std::vector<double> before = wrong.before(wrong.places);
        Match found{0, got.size()};
        for (size_t i = 0; i < got.size(); ++i)
            found.right += got[i] == before[i] ? 1U : 0U; // NaN is nothing that was kept
        if (found.isTold())
            list.push_back(told("before", found));
    }
    const std::vector<int64_t> &sizes = wrong.sizes;
    for (size_t one = 0; one < sizes.size(); ++one) {
        for (size_t other = one + 1; other < sizes.size(); ++other) {
            std::vector<int64_t> written = sizes;
            std::swap(written[one], written[other]);
            const Match found = match(wrong, got, [&](int64_t place) -> std::optional<int64_t> {
                std::vector<int64_t> index = unravelled(place, written);
                std::swap(index[one], index[other]);
                return ravelled(index, sizes);
            });
            if (!found.isTold())
                continue;
            list.push_back(told("transposed", found));
            list.back()["dimensions"] = {one, other};
        }
    }
    int64_t elements = 1;
    for (const int64_t size : sizes)
        elements *= size;
    const auto shifted = [&](int64_t inner, int64_t size, int dimension) {
        for (const int64_t by : {int64_t{-1}, int64_t{1}}) {
            const Match found = match(wrong, got, [&](int64_t place) -> std::optional<int64_t> {
                const int64_t index = place / inner % size + by;
                return index < 0 || index >= size ? std::nullopt : std::optional(place + by * inner);
            });
            if (!found.isTold())
                continue;
            list.push_back(told("shifted", found));
            list.back()["dimension"] = dimension;
            list.back()["by"] = by;
        }
    };
    int64_t inner = 1;
    for (size_t dimension = sizes.size(); dimension-- > 0;) {
        shifted(inner, sizes[dimension], static_cast<int>(dimension));
        inner *= sizes[dimension];
    }
    if (sizes.size() > 1)
        shifted(1, elements, -1);
    addChanged(wrong, got, list);
    return list;
}

} // namespace warpwright
