// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "referee/base/channel.h"
#include "referee/comparison/error_rule.h"

#include <cstdint>
#include <string>
#include <vector>

namespace warpwright {

/// Where in one wrong result the errors are, bounded in size whatever the result's is: counts along each
/// dimension, in blocks of the last two (64 by 64 at most) and coarsely of all of them (4096 cells at most,
/// of which any two are a sum), in each cell the worst element, and the worst of all. It says where, not why.
///
/// Each element comes once, in any order of pieces; who counts pieces side by side adds the maps up.
/// Dimensions of size 1 are left out; of more than six that are left the first ones are taken for one.
class ErrorMap {
public:
    ErrorMap(const std::vector<int64_t> &sizes, const ElementRule &rule);

    /// `count` elements from `start` on. `isUntouched`: by element, whether it still holds the bytes that the
    /// memory was filled with before the call; null: not known.
    void add(int64_t start, const double *got, const double *reference, const double *expected,
             const uint8_t *isUntouched, int64_t count);

    /// What another one of the same result has counted.
    void add(const ErrorMap &other);

    [[nodiscard]] int64_t wrong() const { return m_wrong; }
    /// Places of wrong elements, some thousands at equal steps among all of them.
    [[nodiscard]] const std::vector<int64_t> &sample() const { return m_sample; }
    /// The sizes of the dimensions that are not 1, first to last.
    [[nodiscard]] const std::vector<int64_t> &sizes() const { return m_sizes; }
    /// Of the elements that came: as the evaluation's schema has it.
    [[nodiscard]] Json toJson() const;

private:
    struct Axis {
        std::vector<int> dimensions; ///< of the result; several: taken for one
        int64_t size = 1;
        int64_t block = 1;               ///< indices that are counted together
        std::vector<int64_t> wrong, nan; ///< by block
        std::vector<int64_t> residues;   ///< by index modulo 1024; empty: blocks are single indices
        int64_t first = 0, last = -1;    ///< of the wrong ones
        int64_t nanFirst = 0, nanLast = -1;
        int64_t at = 0; ///< the next element's index
    };
    struct Element {
        int64_t place = -1;
        double ratio = -1.0; ///< infinite: no number
        double expected = 0.0;
        double got = 0.0;

        /// Of equal ones the first, so that the order of pieces changes nothing.
        [[nodiscard]] bool isWorseThan(const Element &other) const {
            return ratio > other.ratio || (ratio == other.ratio && place < other.place);
        }
    };
    struct Cell {
        int64_t wrong = 0;
        int64_t nan = 0;
        Element worst;
    };
    struct Grid {
        std::vector<size_t> axes;
        std::vector<int64_t> blocks; ///< indices in one, by axis
        std::vector<int64_t> counts; ///< of blocks, by axis
        std::vector<Cell> cells;
    };

    void makeGrid(std::vector<size_t> axes, std::vector<int64_t> blocks);
    void goTo(int64_t place);
    void step();
    void keepWorst(const Element &element);
    void thinSample();
    void note(const Element &element, bool isUntouched);
    void keepInSample(int64_t place);
    [[nodiscard]] Json axisJson(const Axis &axis) const;
    [[nodiscard]] Json gridJson(const Grid &grid) const;
    [[nodiscard]] Json elementJson(const Element &element) const;

    ElementRule m_rule;
    std::vector<int64_t> m_shape; ///< of the result
    std::vector<int64_t> m_sizes;
    std::vector<Axis> m_axes;
    std::vector<Grid> m_grids;
    int64_t m_place = 0; ///< of the next element
    int64_t m_elements = 0;
    int64_t m_wrong = 0;
    int64_t m_nan = 0;
    int64_t m_zero = 0;      ///< wrong, and 0
    int64_t m_untouched = 0; ///< wrong, and as the memory was
    int64_t m_zeros = 0;     ///< of all that came
    int64_t m_zerosExpected = 0;
    std::vector<int64_t> m_levels;   ///< wrong ones by error over what is allowed: to 10, 10³, 10⁵, above
    std::vector<int64_t> m_residues; ///< wrong ones by place modulo 1024
    std::vector<Element> m_first;    ///< of those that are no number
    std::vector<Element> m_worst;    ///< of those that are one, the worst first
    std::vector<int64_t> m_sample;
    int64_t m_sampleStep = 1;
};

} // namespace warpwright
