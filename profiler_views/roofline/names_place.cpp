// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler_views/roofline/names_place.h"

#include "widgets/look/look.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace warpwright {
namespace {

constexpr double mostShare = 0.42; // of the chart's height, that a list inside or below may have
constexpr double leastWidth = 160; // of what it leaves
constexpr double leastHeight = 110;
constexpr double leastRow = 0.7; // of a row below, whose value is cut then

bool crosses(const QRectF &rect, const QLineF &line) {
    if (rect.contains(line.p1()) || rect.contains(line.p2()))
        return true;
    const std::array edges{
        QLineF(rect.topLeft(), rect.topRight()), QLineF(rect.topRight(), rect.bottomRight()),
        QLineF(rect.bottomRight(), rect.bottomLeft()), QLineF(rect.bottomLeft(), rect.topLeft())};
    return std::any_of(edges.begin(), edges.end(), [&line](const QLineF &edge) {
        return edge.intersects(line, nullptr) == QLineF::BoundedIntersection;
    });
}

bool coversNothing(const QRectF &rect, const ChartObstacles &obstacles) {
    return std::none_of(obstacles.marks.begin(), obstacles.marks.end(),
                        [&rect](const QRectF &mark) { return mark.intersects(rect); }) &&
           std::none_of(obstacles.lines.begin(), obstacles.lines.end(),
                        [&rect](const QLineF &line) { return crosses(rect, line); });
}

std::optional<QRectF> freePlace(const QRectF &area, const QSizeF &size, const ChartObstacles &obstacles) {
    if (size.width() > area.width() || size.height() > area.height())
        return std::nullopt;
    for (const auto &[x, y] :
         {std::pair{1.0, 1.0}, std::pair{0.0, 0.0}, std::pair{1.0, 0.0}, std::pair{0.0, 1.0},
          std::pair{1.0, 0.5}, std::pair{0.0, 0.5}, std::pair{0.5, 1.0}, std::pair{0.5, 0.0}}) {
        const QRectF rect(QPointF(area.left() + x * (area.width() - size.width()),
                                  area.top() + y * (area.height() - size.height())),
                          size);
        if (coversNothing(rect, obstacles))
            return rect;
    }
    return std::nullopt;
}

std::size_t wholeTimes(double length, double part) {
    return length <= 0 || part <= 0 ? 0 : static_cast<std::size_t>(length / part);
}

NamesPlace below(const QSize &size, const QRect &whole, const NamesList &list, const Look &look) {
    NamesPlace place{NamesPlace::Side::Below, whole, {}, 0, 0, false};
    const double margin = look.px(12);
    const double width = size.width() - 2 * margin;
    const auto columns = [&](double row) {
        return std::min(list.rows, wholeTimes(width + namesGap(look), row + namesGap(look)));
    };
    const auto lines = [&](std::size_t of) {
        return of == 0 ? list.rows + 1 : (list.rows + of - 1) / of;
    };
    place.columns = columns(list.width);
    if (lines(columns(list.shortWidth)) < lines(place.columns)) {
        place.columns = columns(list.shortWidth);
        place.isShort = true;
    }
    if (place.columns == 0 && width >= leastRow * list.shortWidth) {
        place.columns = 1;
        place.isShort = true;
    }
    const double room =
        std::min(mostShare * whole.height(), static_cast<double>(whole.height() - look.px(leastHeight)));
    const std::size_t shown = std::min(lines(place.columns), wholeTimes(room - margin, list.pitch));
    if (place.columns == 0 || shown == 0)
        return {NamesPlace::Side::Nowhere, whole, {}, 0, 1, false};
    place.rows = std::min(list.rows, shown * place.columns);
    const double height = static_cast<double>(shown) * list.pitch;
    const double row = place.isShort ? list.shortWidth : list.width;
    const auto count = static_cast<double>(place.columns);
    place.rect = QRectF(margin, size.height() - margin / 2 - height,
                        std::min(width, count * row + (count - 1) * namesGap(look)), height);
    place.area.setBottom(whole.bottom() - static_cast<int>(std::ceil(height + margin / 2)));
    return place;
}

NamesPlace beside(const QSize &size, const QRect &whole, const NamesList &list, const Look &look) {
    NamesPlace place{NamesPlace::Side::Beside, whole, {}, 0, 1, true};
    place.rows = std::min(list.rows, wholeTimes(whole.height(), list.pitch));
    place.rect = QRectF(size.width() - look.px(10) - list.shortWidth, whole.top(), list.shortWidth,
                        static_cast<double>(place.rows) * list.pitch);
    place.area.setRight(static_cast<int>(std::floor(place.rect.left())) - look.px(10));
    if (place.rows == 0 || place.area.width() < look.px(leastWidth))
        return {NamesPlace::Side::Nowhere, whole, {}, 0, 1, false};
    return place;
}

} // namespace

double namesGap(const Look &look) {
    return look.px(24);
}

NamesPlace placeNames(const QSize &size, const QRect &whole, const NamesList &list,
                      const ChartObstacles &obstacles, const Look &look) {
    const double height = static_cast<double>(list.rows) * list.pitch;
    const double margin = look.px(8);
    if (list.rows > 0 && height + 2 * margin <= mostShare * whole.height())
        for (const bool isShort : {false, true})
            if (const std::optional<QRectF> rect =
                    freePlace(QRectF(whole).adjusted(margin, margin, -margin, -margin),
                              QSizeF(isShort ? list.shortWidth : list.width, height), obstacles))
                return {NamesPlace::Side::Inside, whole, *rect, list.rows, 1, isShort};
    const auto worth = [](const NamesPlace &place) {
        return static_cast<double>(place.area.width()) * place.area.height() *
               static_cast<double>(place.rows);
    };
    const NamesPlace lower = below(size, whole, list, look);
    const NamesPlace right = beside(size, whole, list, look);
    return worth(right) > worth(lower) ? right : lower;
}

} // namespace warpwright
