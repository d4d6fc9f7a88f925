// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLineF>
#include <QRect>

#include <cstddef>
#include <vector>

/// Where the list of a chart's names stands, so that it covers nothing of the chart.
namespace warpwright {

class Look;

/// What must not be covered, in pixels of the whole area.
struct ChartObstacles {
    std::vector<QRectF> marks;
    std::vector<QLineF> lines;
};

/// A list of so many rows, one line each.
struct NamesList {
    std::size_t rows = 0;
    double pitch = 0; ///< from row to row
    double width = 0; ///< of a row with its whole words
    double shortWidth = 0;
};

struct NamesPlace {
    enum class Side { Nowhere, Inside, Below, Beside };

    Side side = Side::Nowhere;
    QRect area;           ///< what the chart has between its axes
    QRectF rect;          ///< of the list; in one column it may be less wide than its rows
    std::size_t rows = 0; ///< for which there is room: the first ones
    std::size_t columns = 1;
    bool isShort = false;
};

/// From one column of a list below to the next.
[[nodiscard]] double namesGap(const Look &look);

/// Inside where a corner or the middle of a side is free, the lower right first; else below or beside the
/// chart, whichever leaves more of both; nowhere when that leaves none to speak of. `size`: of all, with
/// axes; `whole`: what lies between the axes as long as no list takes from it. It depends on these alone, and
/// not on where the list stood before: zooming cannot make it flicker.
[[nodiscard]] NamesPlace placeNames(const QSize &size, const QRect &whole, const NamesList &list,
                                    const ChartObstacles &obstacles, const Look &look);

} // namespace warpwright
