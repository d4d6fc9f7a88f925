// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/comparison/error_groups.h"

#include "referee/base/report_text.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/frexp.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/where.h>

#include <algorithm>
#include <bit>
#include <cmath>

namespace warpwright {

namespace {

constexpr int64_t mostSlices = 1 << 17;
constexpr int64_t leastInSlice = 16;
constexpr int64_t seenElements = 1 << 16; ///< whose magnitudes are looked at
constexpr int64_t mostMagnitudes = 16;
constexpr int64_t leastOfMagnitude = 16;  // else their errors are chance
constexpr int64_t mostPortions = 1 << 13; ///< of a chunk that does not begin where slices do

size_t exponentOf(double value) {
    return std::bit_cast<uint64_t>(value) >> 52 & 2047;
}

void addTo(ErrorGroups::Sum &sum, const ErrorGroups::Sum &more) {
    for (size_t i = 0; i < sum.size(); ++i)
        sum[i] += more[i];
}

} // namespace

ErrorGroups::ErrorGroups(const at::Tensor &result, const FlatValues &oracle) {
    std::vector<int64_t> sizes = result.sizes().vec();
    if (result.is_complex())
        sizes.push_back(2);
    int64_t inner = 1;
    for (size_t place = sizes.size(); place-- > 0;) {
        const int64_t size = sizes[place];
        const int64_t slices = std::min({size, mostSlices, oracle.numel() / leastInSlice});
        if (size > 1 && slices > 1) {
            m_dimensions.push_back({static_cast<int>(place), inner, size, slices, m_size});
            m_size += static_cast<size_t>(slices);
        }
        inner *= size;
    }
    m_firstMagnitude = m_size;
    sortMagnitudes(oracle);
}

// Whole powers of two, each group a sixteenth of what is looked at where that is possible, the smallest
// numbers less: they may be few, and cost all of the work. Zeros are with the smallest numbers: alone (behind
// a ReLU) they have no size that an error could be held against.
void ErrorGroups::sortMagnitudes(const FlatValues &oracle) {
    std::array<int64_t, exponents> found{};
    int64_t seen = 0;
    const auto look = [&](const at::Tensor &values) {
        const at::Tensor here = values.to(at::kDouble).cpu().contiguous();
        const double *value = here.const_data_ptr<double>();
        for (int64_t i = 0; i < here.numel(); ++i)
            ++found[exponentOf(value[i])];
        seen += here.numel();
    };
    // Of one that is made when it is asked for, the beginning: what comes after need not be there yet.
    if (oracle.isMadeInParts())
        look(oracle.slice(0, std::min(seenElements, oracle.numel())));
    else
        look(oracle.slice(0, oracle.numel())
                 .slice(0, 0, oracle.numel(), std::max<int64_t>(1, oracle.numel() / seenElements)));
    seen -= found[0];
    found[0] = 0;
    int64_t here = 0;
    uint8_t magnitude = 0;
    for (size_t exponent = 0; exponent < exponents; ++exponent) {
        m_magnitudeOf[exponent] = magnitude;
        here += found[exponent];
        const int64_t parts = magnitude == 0   ? 16 * mostMagnitudes
                              : magnitude == 1 ? 4 * mostMagnitudes
                                               : mostMagnitudes;
        if (here >= leastOfMagnitude && here * parts >= seen) {
            ++magnitude;
            here = 0;
        }
    }
    m_size += size_t{magnitude} + 1;
}

void ErrorGroups::add(Sums &sums, int64_t start, const double *candidate, const double *reference,
                      const double *oracle, int64_t count) const {
    const int64_t length = m_dimensions.empty() || m_dimensions.front().inner > 1
                               ? std::max<int64_t>(count, 1)
                               : m_dimensions.front().size;
    const auto portion = [&](int64_t from, int64_t to, Sum *columns) {
        Sum all{};
        for (int64_t i = from; i < to; ++i) {
            const double y = oracle[i];
            if (std::isnan(y))
                continue;
            const double error = candidate[i] - y;
            const double referenceError = reference[i] - y;
            const Sum one{error * error, referenceError * referenceError, y * y, 1.0};
            addTo(sums[m_firstMagnitude + m_magnitudeOf[exponentOf(y)]], one);
            if (columns)
                addTo(columns[i - from], one);
            addTo(all, one);
        }
        return all;
    };
    for (int64_t at = 0; at < count;) {
        const int64_t place = start + at;
        const int64_t column = place % length;
        int64_t end = std::min(count, at + length - column);
        Sum *columns = nullptr;
        bool isSlice = false; // of the last dimension, as a whole
        if (!m_dimensions.empty() && m_dimensions.front().inner == 1) {
            const Dimension &last = m_dimensions.front();
            if (last.slices == last.size) {
                columns = &sums[last.groupOf(column)];
            } else {
                const auto slice = static_cast<int64_t>(last.groupOf(column) - last.first);
                end = std::min(end, at + last.beginOf(slice + 1) - column);
                isSlice = true;
            }
        }
        const Sum all = portion(at, end, columns);
        for (const Dimension &dimension : m_dimensions) {
            if (dimension.inner > 1 || isSlice)
                addTo(sums[dimension.groupOf(place / dimension.inner % dimension.size)], all);
        }
        at = end;
    }
}

void ErrorGroups::add(Sums &sums, int64_t start, const at::Tensor &candidate, const at::Tensor &reference,
                      const at::Tensor &oracle) const {
    const at::Tensor isLeftOut = oracle.isnan();
    const at::Tensor exponent =
        at::where(oracle.eq(0.0), 0, std::get<1>(at::frexp(oracle)) + 1022).clamp(0, 2047).to(at::kLong);
    const at::Tensor magnitude = at::from_blob(const_cast<uint8_t *>(m_magnitudeOf.data()),
                                               {static_cast<int64_t>(exponents)}, at::kByte)
                                     .to(oracle.device())
                                     .index_select(0, exponent);
    for (size_t what = 0; what < std::tuple_size_v<Sum>; ++what) {
        const at::Tensor values = what == 0   ? (candidate - oracle).square_()
                                  : what == 1 ? (reference - oracle).square_()
                                  : what == 2 ? oracle.square()
                                              : at::ones_like(oracle);
        values.masked_fill_(isLeftOut, 0.0);
        for (const Dimension &dimension : m_dimensions)
            addAlong(sums, dimension, start, values, what);
        std::vector<at::Tensor> parts;
        for (size_t i = 0; i < m_size - m_firstMagnitude; ++i)
            parts.push_back((values * magnitude.eq(static_cast<int64_t>(i))).sum());
        const at::Tensor found = at::stack(parts).cpu();
        for (size_t i = 0; i < parts.size(); ++i)
            sums[m_firstMagnitude + i][what] += found.const_data_ptr<double>()[i];
    }
}

void ErrorGroups::addAlong(Sums &sums, const Dimension &dimension, int64_t start, const at::Tensor &values,
                           size_t what) {
    const int64_t count = values.numel();
    const auto &[place, inner, size, slices, first] = dimension;
    const auto isWhole = [&](int64_t block) {
        return start % block == 0 && count % block == 0;
    };
    if (isWhole(inner)) {
        at::Tensor found = values.view({-1, inner}).sum(1);
        if (isWhole(inner * size))
            found = found.view({-1, size}).sum(0);
        found = found.cpu();
        for (int64_t i = 0; i < found.numel(); ++i)
            sums[dimension.groupOf((start / inner + i) % size)][what] += found.const_data_ptr<double>()[i];
        return;
    }
    std::vector<at::Tensor> parts;
    std::vector<size_t> groups;
    for (int64_t at = 0; at < count && groups.size() < static_cast<size_t>(mostPortions);) {
        const int64_t index = (start + at) / inner % size;
        groups.push_back(dimension.groupOf(index));
        const int64_t next = dimension.beginOf(static_cast<int64_t>(groups.back() - first) + 1) - index;
        const int64_t end = std::min(count, at + next * inner - (start + at) % inner);
        parts.push_back(values.slice(0, at, end).sum());
        at = end;
    }
    const at::Tensor found = at::stack(parts).cpu();
    for (size_t i = 0; i < groups.size(); ++i)
        sums[groups[i]][what] += found.const_data_ptr<double>()[i];
}

int64_t ErrorGroups::stepWithin(int64_t most) const {
    int64_t block = 1;
    for (const Dimension &dimension : m_dimensions) {
        if (dimension.inner * dimension.size <= most)
            block = dimension.inner * dimension.size;
    }
    return most / block * block;
}

ErrorPart ErrorGroups::partOf(size_t group) const {
    for (const Dimension &dimension : m_dimensions) {
        const auto slice = static_cast<int64_t>(group - dimension.first);
        if (group >= dimension.first && slice < dimension.slices)
            return {dimension.inner, dimension.size, dimension.beginOf(slice), dimension.beginOf(slice + 1)};
    }
    const auto magnitude = static_cast<uint8_t>(group - m_firstMagnitude);
    const auto begin = static_cast<size_t>(std::find(m_magnitudeOf.begin(), m_magnitudeOf.end(), magnitude) -
                                           m_magnitudeOf.begin());
    const auto end = static_cast<size_t>(
        std::upper_bound(m_magnitudeOf.begin(), m_magnitudeOf.end(), magnitude) - m_magnitudeOf.begin());
    ErrorPart part;
    part.least = begin > 0 ? std::ldexp(1.0, static_cast<int>(begin) - 1023) : 0.0;
    if (end < exponents)
        part.most = std::ldexp(1.0, static_cast<int>(end) - 1023);
    return part;
}

std::string ErrorGroups::describe(size_t group) const {
    const ErrorPart part = partOf(group);
    if (part.inner == 0)
        return std::isfinite(part.most) ? "the elements smaller than " + scientific(part.most) +
                                              ", and not than " + scientific(part.least)
                                        : "the elements of at least " + scientific(part.least);
    int64_t place = 0;
    for (const Dimension &dimension : m_dimensions) {
        if (dimension.inner == part.inner && dimension.size == part.size)
            place = dimension.place;
    }
    return "the elements with index " + std::to_string(part.begin) +
           (part.end - 1 > part.begin ? " to " + std::to_string(part.end - 1) : "") + " in dimension " +
           std::to_string(place);
}

ErrorGroups::Sums GroupSums::take() {
    const std::lock_guard<std::mutex> hold(m_lock);
    if (m_idle.empty())
        return m_groups ? m_groups->none() : ErrorGroups::Sums();
    ErrorGroups::Sums sums = std::move(m_idle.back());
    m_idle.pop_back();
    return sums;
}

void GroupSums::giveBack(ErrorGroups::Sums sums) {
    const std::lock_guard<std::mutex> hold(m_lock);
    m_idle.push_back(std::move(sums));
}

ErrorGroups::Sums GroupSums::all() const {
    ErrorGroups::Sums all = m_groups ? m_groups->none() : ErrorGroups::Sums();
    for (const ErrorGroups::Sums &sums : m_idle) {
        for (size_t group = 0; group < sums.size(); ++group)
            addTo(all[group], sums[group]);
    }
    return all;
}

} // namespace warpwright
