// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/comparison/error_map.h"

#include "referee/base/report_text.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <numeric>

namespace warpwright {

namespace {

constexpr size_t mostAxes = 6;
constexpr int64_t mostAlong = 4096;  ///< counts along one dimension
constexpr int64_t mostAcross = 64;   ///< blocks of a picture's side
constexpr int64_t mostCoarse = 4096; ///< cells of all dimensions together
constexpr int64_t residuePeriod = 1024;
constexpr size_t mostWorst = 8;
constexpr size_t mostSampled = size_t{1} << 14;
constexpr size_t numbersInText = 64;
constexpr double levels[] = {10.0, 1e3, 1e5};

// Blocks whose size is a power of two begin where tiles of kernels do.
int64_t blockFor(int64_t size, int64_t mostBlocks) {
    const auto least = static_cast<uint64_t>((size + mostBlocks - 1) / mostBlocks);
    return static_cast<int64_t>(std::bit_ceil(least));
}

int64_t countOf(int64_t size, int64_t block) {
    return (size + block - 1) / block;
}

// JSON that is written for people has a line for each number: so many of them are texts of some together.
template <typename Number, typename Write>
Json texts(const std::vector<Number> &numbers, const Write &write) {
    Json list = Json::array();
    for (size_t begin = 0; begin < numbers.size(); begin += numbersInText) {
        std::string text;
        for (size_t i = begin; i < std::min(numbers.size(), begin + numbersInText); ++i)
            text += (text.empty() ? "" : " ") + write(numbers[i]);
        list.push_back(std::move(text));
    }
    return list;
}

Json wholeTexts(const std::vector<int64_t> &numbers) {
    return texts(numbers, [](int64_t number) { return std::to_string(number); });
}

// Each second one.
void thin(std::vector<int64_t> &places) {
    for (size_t i = 0; 2 * i < places.size(); ++i)
        places[i] = places[2 * i];
    places.resize((places.size() + 1) / 2);
}

std::string valueText(double value, int digits) {
    if (std::isnan(value))
        return "nan";
    if (std::isinf(value))
        return value > 0 ? "inf" : "-inf";
    char text[32];
    std::snprintf(text, sizeof text, "%.*g", digits, value);
    return text;
}

} // namespace

ErrorMap::ErrorMap(const std::vector<int64_t> &sizes, const ElementRule &rule)
    : m_rule(rule), m_shape(sizes), m_levels(std::size(levels) + 1) {
    for (size_t dimension = 0; dimension < sizes.size(); ++dimension) {
        if (sizes[dimension] == 1)
            continue;
        m_sizes.push_back(sizes[dimension]);
        m_axes.push_back({});
        m_axes.back().dimensions = {static_cast<int>(dimension)};
        m_axes.back().size = sizes[dimension];
    }
    while (m_axes.size() > mostAxes) {
        Axis &second = m_axes[1];
        second.size *= m_axes[0].size;
        second.dimensions.insert(second.dimensions.begin(), m_axes[0].dimensions.begin(),
                                 m_axes[0].dimensions.end());
        m_axes.erase(m_axes.begin());
    }
    if (m_axes.empty())
        m_axes.push_back({});
    for (Axis &axis : m_axes) {
        axis.block = blockFor(axis.size, mostAlong);
        axis.wrong.resize(static_cast<size_t>(countOf(axis.size, axis.block)));
        axis.nan.resize(axis.wrong.size());
        axis.residues.resize(axis.block > 1 ? residuePeriod : 0);
        axis.first = axis.nanFirst = axis.size;
    }
    if (m_axes.size() > 1)
        m_residues.resize(residuePeriod);
    const size_t last = m_axes.size() - 1;
    if (last == 0) {
        makeGrid({0}, {blockFor(m_axes[0].size, mostAcross)});
        return;
    }
    makeGrid({last - 1, last},
             {blockFor(m_axes[last - 1].size, mostAcross), blockFor(m_axes[last].size, mostAcross)});
    if (m_axes.size() == 2)
        return;
    // The largest is halved until all fit.
    std::vector<size_t> all(m_axes.size());
    std::iota(all.begin(), all.end(), size_t{0});
    std::vector<int64_t> blocks(all.size(), 1);
    const auto counts = [&](size_t axis) {
        return countOf(m_axes[axis].size, blocks[axis]);
    };
    const auto cells = [&] {
        double product = 1.0;
        for (const size_t axis : all)
            product *= static_cast<double>(counts(axis));
        return product;
    };
    while (cells() > static_cast<double>(mostCoarse))
        blocks[*std::max_element(all.begin(), all.end(),
                                 [&](size_t one, size_t other) { return counts(one) < counts(other); })] *= 2;
    makeGrid(std::move(all), std::move(blocks));
}

void ErrorMap::makeGrid(std::vector<size_t> axes, std::vector<int64_t> blocks) {
    Grid grid{std::move(axes), std::move(blocks), {}, {}};
    size_t cells = 1;
    for (size_t i = 0; i < grid.axes.size(); ++i) {
        grid.counts.push_back(countOf(m_axes[grid.axes[i]].size, grid.blocks[i]));
        cells *= static_cast<size_t>(grid.counts.back());
    }
    grid.cells.resize(cells);
    m_grids.push_back(std::move(grid));
}

// To the next element: its index along each axis.
void ErrorMap::step() {
    ++m_place;
    for (size_t axis = m_axes.size(); axis-- > 0;) {
        if (++m_axes[axis].at < m_axes[axis].size)
            return;
        m_axes[axis].at = 0;
    }
}

void ErrorMap::goTo(int64_t place) {
    m_place = place;
    for (size_t axis = m_axes.size(); axis-- > 0;) {
        m_axes[axis].at = place % m_axes[axis].size;
        place /= m_axes[axis].size;
    }
}

void ErrorMap::add(int64_t start, const double *got, const double *reference, const double *expected,
                   const uint8_t *isUntouched, int64_t count) {
    goTo(start);
    m_elements += count;
    for (int64_t i = 0; i < count; ++i) {
        m_zeros += got[i] == 0.0 ? 1 : 0;
        m_zerosExpected += expected[i] == 0.0 ? 1 : 0;
        const double ratio = m_rule.ratioOf(got[i], reference[i], expected[i], m_place);
        if (m_rule.isWrong(ratio))
            note({m_place, ratio, expected[i], got[i]}, isUntouched != nullptr && isUntouched[i] != 0);
        step();
    }
}

void ErrorMap::add(const ErrorMap &other) {
    const auto addUp = [](std::vector<int64_t> &sums, const std::vector<int64_t> &more) {
        for (size_t i = 0; i < sums.size(); ++i)
            sums[i] += more[i];
    };
    m_elements += other.m_elements;
    m_wrong += other.m_wrong;
    m_nan += other.m_nan;
    m_zero += other.m_zero;
    m_untouched += other.m_untouched;
    m_zeros += other.m_zeros;
    m_zerosExpected += other.m_zerosExpected;
    addUp(m_levels, other.m_levels);
    addUp(m_residues, other.m_residues);
    for (size_t i = 0; i < m_axes.size(); ++i) {
        Axis &axis = m_axes[i];
        const Axis &more = other.m_axes[i];
        addUp(axis.wrong, more.wrong);
        addUp(axis.nan, more.nan);
        addUp(axis.residues, more.residues);
        axis.first = std::min(axis.first, more.first);
        axis.last = std::max(axis.last, more.last);
        axis.nanFirst = std::min(axis.nanFirst, more.nanFirst);
        axis.nanLast = std::max(axis.nanLast, more.nanLast);
    }
    for (size_t grid = 0; grid < m_grids.size(); ++grid) {
        for (size_t i = 0; i < m_grids[grid].cells.size(); ++i) {
            Cell &cell = m_grids[grid].cells[i];
            const Cell &more = other.m_grids[grid].cells[i];
            cell.wrong += more.wrong;
            cell.nan += more.nan;
            if (more.worst.isWorseThan(cell.worst))
                cell.worst = more.worst;
        }
    }
    for (const std::vector<Element> *list : {&other.m_first, &other.m_worst}) {
        for (const Element &element : *list)
            keepWorst(element);
    }
    std::vector<int64_t> sample = other.m_sample;
    for (int64_t step = other.m_sampleStep; step < m_sampleStep; step *= 2)
        thin(sample);
    while (m_sampleStep < other.m_sampleStep)
        thinSample();
    m_sample.insert(m_sample.end(), sample.begin(), sample.end());
    while (m_sample.size() > mostSampled)
        thinSample();
}

void ErrorMap::note(const Element &element, bool isUntouched) {
    const bool isNan = std::isnan(element.got);
    ++m_wrong;
    m_nan += isNan ? 1 : 0;
    m_zero += element.got == 0.0 ? 1 : 0;
    m_untouched += isUntouched ? 1 : 0;
    if (!isNan)
        ++m_levels[static_cast<size_t>(std::lower_bound(std::begin(levels), std::end(levels), element.ratio) -
                                       std::begin(levels))];
    for (Axis &axis : m_axes) {
        const auto block = static_cast<size_t>(axis.at / axis.block);
        ++axis.wrong[block];
        axis.first = std::min(axis.first, axis.at);
        axis.last = std::max(axis.last, axis.at);
        if (!axis.residues.empty())
            ++axis.residues[static_cast<size_t>(axis.at % residuePeriod)];
        if (!isNan)
            continue;
        ++axis.nan[block];
        axis.nanFirst = std::min(axis.nanFirst, axis.at);
        axis.nanLast = std::max(axis.nanLast, axis.at);
    }
    if (!m_residues.empty())
        ++m_residues[static_cast<size_t>(m_place % residuePeriod)];
    for (Grid &grid : m_grids) {
        int64_t place = 0;
        for (size_t i = 0; i < grid.axes.size(); ++i)
            place = place * grid.counts[i] + m_axes[grid.axes[i]].at / grid.blocks[i];
        Cell &cell = grid.cells[static_cast<size_t>(place)];
        ++cell.wrong;
        cell.nan += isNan ? 1 : 0;
        if (element.isWorseThan(cell.worst))
            cell.worst = element;
    }
    keepWorst(element);
    keepInSample(element.place);
}

// What is no number has no size: the first ones.
void ErrorMap::keepWorst(const Element &element) {
    std::vector<Element> &list = std::isfinite(element.ratio) ? m_worst : m_first;
    if (list.size() == mostWorst && !element.isWorseThan(list.back()))
        return;
    list.insert(
        std::upper_bound(list.begin(), list.end(), element,
                         [](const Element &one, const Element &other) { return one.isWorseThan(other); }),
        element);
    list.resize(std::min(list.size(), mostWorst));
}

// Each so-many-th of all wrong ones, whose number is known only at the end.
void ErrorMap::keepInSample(int64_t place) {
    if ((m_wrong - 1) % m_sampleStep != 0)
        return;
    if (m_sample.size() == mostSampled) {
        thinSample();
        if ((m_wrong - 1) % m_sampleStep != 0)
            return;
    }
    m_sample.push_back(place);
}

void ErrorMap::thinSample() {
    thin(m_sample);
    m_sampleStep *= 2;
}

Json ErrorMap::axisJson(const Axis &axis) const {
    Json json{{"dimensions", axis.dimensions},
              {"size", axis.size},
              {"block", axis.block},
              {"wrong", wholeTexts(axis.wrong)}};
    if (axis.last >= axis.first)
        json["range"] = {axis.first, axis.last};
    if (axis.nanLast >= axis.nanFirst) {
        json["nanRange"] = {axis.nanFirst, axis.nanLast};
        json["nan"] = wholeTexts(axis.nan);
    }
    if (!axis.residues.empty())
        json["residues"] = wholeTexts(axis.residues);
    return json;
}

// Of the cells in which something is wrong.
Json ErrorMap::gridJson(const Grid &grid) const {
    std::vector<int64_t> cells, wrong, nan, places;
    std::vector<double> ratios, expected, got;
    for (size_t i = 0; i < grid.cells.size(); ++i) {
        const Cell &cell = grid.cells[i];
        if (cell.wrong == 0)
            continue;
        cells.push_back(static_cast<int64_t>(i));
        wrong.push_back(cell.wrong);
        nan.push_back(cell.nan);
        places.push_back(cell.worst.place);
        ratios.push_back(cell.worst.ratio);
        expected.push_back(cell.worst.expected);
        got.push_back(cell.worst.got);
    }
    const auto six = [](double value) {
        return valueText(value, 6);
    };
    return {{"axes", grid.axes},
            {"blocks", grid.blocks},
            {"counts", grid.counts},
            {"cells", wholeTexts(cells)},
            {"wrong", wholeTexts(wrong)},
            {"nan", wholeTexts(nan)},
            {"ratio", texts(ratios, [](double value) { return valueText(value, 3); })},
            {"place", wholeTexts(places)},
            {"expected", texts(expected, six)},
            {"got", texts(got, six)}};
}

Json ErrorMap::elementJson(const Element &element) const {
    std::vector<int64_t> index(m_shape.size());
    int64_t rest = element.place;
    for (size_t i = m_shape.size(); i-- > 0;) {
        index[i] = rest % m_shape[i];
        rest /= m_shape[i];
    }
    return {{"index", index},
            {"expected", numberOrWord(element.expected)},
            {"actual", numberOrWord(element.got)},
            {"ratio", numberOrWord(element.ratio)}};
}

Json ErrorMap::toJson() const {
    Json json{{"sizes", m_shape},
              {"elements", m_elements},
              {"wrong", m_wrong},
              {"nan", m_nan},
              {"zero", m_zero},
              {"untouched", m_untouched},
              {"zeros", m_zeros},
              {"zerosExpected", m_zerosExpected},
              {"bound", m_rule.name()},
              {"allowed", m_rule.bound == ElementRule::Bound::Whole ? Json() : numberOrWord(m_rule.allowed)},
              {"levels", m_levels},
              {"axes", Json::array()},
              {"grids", Json::array()},
              {"worst", Json::array()}};
    for (const Axis &axis : m_axes)
        json["axes"].push_back(axisJson(axis));
    if (!m_residues.empty())
        json["residues"] = wholeTexts(m_residues);
    for (const Grid &grid : m_grids)
        json["grids"].push_back(gridJson(grid));
    for (const std::vector<Element> *list : {&m_first, &m_worst}) {
        for (const Element &element : *list)
            json["worst"].push_back(elementJson(element));
    }
    return json;
}

} // namespace warpwright
