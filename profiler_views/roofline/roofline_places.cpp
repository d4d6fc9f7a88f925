// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler_views/roofline/roofline_places.h"

#include "widgets/look/look.h"

#include <algorithm>
#include <cmath>

namespace warpwright {
namespace {

/// From logarithms to pixels: the same as RooflineFrame::at(), with a frame's part of it taken once.
struct LogScale {
    QPointF origin;
    double x = 1;
    double y = 1;

    explicit LogScale(const RooflineFrame &frame)
        : x(frame.area.width() / std::log(frame.x.upper / frame.x.lower)),
          y(-frame.area.height() / std::log(frame.y.upper / frame.y.lower)) {
        origin = QPointF(frame.area.left() - x * std::log(frame.x.lower),
                         frame.area.bottom() - y * std::log(frame.y.lower * frame.unit));
    }
    [[nodiscard]] QPointF at(const QPointF &logs) const {
        return QPointF(origin.x() + x * logs.x(), origin.y() + y * logs.y());
    }
};

} // namespace

RooflinePlaces::RooflinePlaces(const std::vector<RooflinePoint> &points) {
    using Kind = RooflinePoint::Kind;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const RooflinePoint &point = points[i];
        const QPointF at(std::log(point.intensity()), std::log(point.flopsPerSecond()));
        m_logs.push_back(at);
        m_marks.push_back({i, point.kind == Kind::Iteration, at});
        m_earlierCount += point.kind == Kind::Iteration ? 1 : 0;
        if (point.iteration <= 0)
            continue;
        if (!m_trail)
            m_trail = QLineF(at, at);
        if (at.y() < m_trail->y1())
            m_trail->setP1(at);
        if (at.y() > m_trail->y2())
            m_trail->setP2(at);
    }
    // Earlier iterations by speed: neighbours on the screen follow each other.
    std::stable_sort(m_marks.begin(), m_marks.end(), [&points](const Mark &a, const Mark &b) {
        const Kind kind = points[a.point].kind;
        const Kind other = points[b.point].kind;
        return kind != other ? kind < other : kind == Kind::Iteration && a.at.y() < b.at.y();
    });
}

std::vector<QPointF> RooflinePlaces::all(const RooflineFrame &frame) const {
    const LogScale scale(frame);
    std::vector<QPointF> found;
    found.reserve(m_logs.size());
    for (const QPointF &logs : m_logs)
        found.push_back(scale.at(logs));
    return found;
}

std::vector<PlacedPoint> RooflinePlaces::inSight(const RooflineFrame &frame, double grid) const {
    const LogScale scale(frame);
    const QRectF within = QRectF(frame.area).adjusted(-1, -1, 1, 1);
    std::vector<PlacedPoint> found;
    QPointF square;
    for (const Mark &mark : m_marks) {
        const QPointF at = scale.at(mark.at);
        if (!within.contains(at))
            continue;
        if (mark.isEarlier) {
            const QPointF here(std::floor(at.x() / grid), std::floor(at.y() / grid));
            if (!found.empty() && found.back().isEarlier && here == square) {
                found.back().last = at;
                continue;
            }
            square = here;
        }
        found.push_back({mark.point, mark.isEarlier, at, at});
    }
    return found;
}

std::optional<QLineF> RooflinePlaces::trail(const RooflineFrame &frame) const {
    if (!m_trail || m_trail->p1() == m_trail->p2())
        return std::nullopt;
    const LogScale scale(frame);
    const QRectF area(frame.area);
    const QPointF slowest = scale.at(m_trail->p1());
    const QPointF fastest = scale.at(m_trail->p2());
    const double x = slowest.x();
    const double from = std::min(slowest.y(), area.bottom());
    const double to = std::max(fastest.y(), area.top());
    if (x < area.left() || x > area.right() || from <= to)
        return std::nullopt;
    return QLineF(x, from, x, to);
}

ChartObstacles obstaclesOf(const std::vector<PlacedPoint> &points, const std::vector<RoofLine> &roofs,
                           const std::vector<RoofWord> &words, const Look &look) {
    ChartObstacles found;
    const double reach = look.px(9);
    for (const PlacedPoint &point : points) {
        // An earlier iteration has its number on its left.
        const double left = point.isEarlier ? look.px(28) : reach;
        found.marks.push_back(
            QRectF(point.at, point.last).normalized().adjusted(-left, -reach, reach, reach));
    }
    for (const RoofLine &roof : roofs)
        found.lines.push_back(roof.line);
    for (const RoofWord &word : words)
        for (qsizetype i = 0; i < word.outline.size(); ++i)
            found.lines.push_back(QLineF(word.outline[i], word.outline[(i + 1) % word.outline.size()]));
    return found;
}

} // namespace warpwright
