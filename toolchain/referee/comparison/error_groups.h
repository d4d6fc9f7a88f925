// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "referee/comparison/error_rule.h"
#include "referee/comparison/flat_values.h"

#include <ATen/core/Tensor.h>

#include <array>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

namespace warpwright {

/// Parts of one result that have to be right each by itself, for in the whole a small one vanishes: slices
/// along each dimension (rows, columns, channels), and numbers of like magnitude.
class ErrorGroups {
public:
    /// `oracle` is read at some places, to tell magnitudes apart.
    ErrorGroups(const at::Tensor &result, const FlatValues &oracle);

    /// Of one group: squares of the candidate's and the reference's errors and of what is exact; how many.
    using Sum = std::array<double, 4>;
    using Sums = std::vector<Sum>;
    [[nodiscard]] Sums none() const { return Sums(m_size); }

    /// Of the elements from `start` on, one after the other. Those whose oracle is NaN are left out.
    void add(Sums &sums, int64_t start, const double *candidate, const double *reference,
             const double *oracle, int64_t count) const;
    /// The same of double tensors of one dimension, on any device.
    void add(Sums &sums, int64_t start, const at::Tensor &candidate, const at::Tensor &reference,
             const at::Tensor &oracle) const;
    /// At most so many elements that are quickly added at one time.
    [[nodiscard]] int64_t stepWithin(int64_t most) const;

    /// "elements 8 to 15 of dimension 0", "the elements of magnitude 1e-6 to 3e-5".
    [[nodiscard]] std::string describe(size_t group) const;
    [[nodiscard]] ErrorPart partOf(size_t group) const;

private:
    struct Dimension {
        int place;     ///< of the result
        int64_t inner; ///< elements from one of its slices to the next
        int64_t size;
        int64_t slices; ///< groups of neighbouring ones
        size_t first;   ///< group
        [[nodiscard]] size_t groupOf(int64_t index) const {
            return first + static_cast<size_t>(index * slices / size);
        }
        [[nodiscard]] int64_t beginOf(int64_t slice) const { return (slice * size + slices - 1) / slices; }
    };
    static constexpr size_t exponents = 2048; ///< of a double

    void sortMagnitudes(const FlatValues &oracle);
    static void addAlong(Sums &sums, const Dimension &dimension, int64_t start, const at::Tensor &values,
                         size_t what);

    std::vector<Dimension> m_dimensions; ///< the last one of the result first
    std::array<uint8_t, exponents> m_magnitudeOf{};
    size_t m_firstMagnitude = 0;
    size_t m_size = 0;
};

/// Sums by group, as many as there are threads: each has those of whoever works no more.
class GroupSums {
public:
    /// Null: there are no groups.
    explicit GroupSums(const ErrorGroups *groups) : m_groups(groups) {}

    [[nodiscard]] ErrorGroups::Sums take();
    void giveBack(ErrorGroups::Sums sums);
    [[nodiscard]] ErrorGroups::Sums all() const; ///< once nobody works

private:
    const ErrorGroups *m_groups;
    std::mutex m_lock;
    std::vector<ErrorGroups::Sums> m_idle;
};

} // namespace warpwright
