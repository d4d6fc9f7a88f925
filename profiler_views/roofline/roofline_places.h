// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "profiler_views/roofline/names_place.h"
#include "profiler_views/roofline/roofline_frame.h"

#include <optional>

/// Where a roofline's points stand in a frame. Thousands of iterations are drawn and kept off as the few that
/// can be told apart, and all that a frame does not change is found once: the wheel asks for new places at
/// each turn.
namespace warpwright {

class RooflinePlaces {
public:
    RooflinePlaces() = default;
    explicit RooflinePlaces(const std::vector<RooflinePoint> &points);

    /// Of all points, in their order.
    [[nodiscard]] std::vector<QPointF> all(const RooflineFrame &frame) const;
    /// Those in the area, or a pixel beside it, in the order of drawing: what is more is later. Of earlier
    /// iterations in one square of a grid of so many pixels there is one.
    [[nodiscard]] std::vector<PlacedPoint> inSight(const RooflineFrame &frame, double grid) const;
    /// From the slowest to the fastest iteration, as far as it is in the area. The task's work is the same
    /// for all of them: their way is one upright line. None: fewer than two, or out of sight.
    [[nodiscard]] std::optional<QLineF> trail(const RooflineFrame &frame) const;
    [[nodiscard]] std::size_t earlierCount() const { return m_earlierCount; }

private:
    struct Mark {
        std::size_t point = 0;
        bool isEarlier = false;
        QPointF at; ///< logarithms of FLOP a byte and of FLOP/s
    };
    std::vector<Mark> m_marks;   ///< in the order of drawing
    std::vector<QPointF> m_logs; ///< in the order of the points
    std::optional<QLineF> m_trail;
    std::size_t m_earlierCount = 0;
};

/// What a list of names keeps off.
[[nodiscard]] ChartObstacles obstaclesOf(const std::vector<PlacedPoint> &points,
                                         const std::vector<RoofLine> &roofs,
                                         const std::vector<RoofWord> &words, const Look &look);

} // namespace warpwright
