// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler_views/roofline/roofline_frame.h"

#include "toolchain/base/figures.h"
#include "widgets/look/look.h"

#include <QFontMetricsF>
#include <QTransform>

#include <algorithm>
#include <cmath>

namespace warpwright {
namespace {

/// In the word's own axes: from its origin, along and across its line.
QRectF boxOf(const RoofWord &word, const QSizeF &size) {
    const double left = word.alignment.testFlag(Qt::AlignRight)     ? word.at.x() - size.width()
                        : word.alignment.testFlag(Qt::AlignHCenter) ? word.at.x() - size.width() / 2
                                                                    : word.at.x();
    const double top = word.alignment.testFlag(Qt::AlignBottom) ? word.at.y() - size.height() : word.at.y();
    return QRectF(QPointF(left, top), size);
}

QPolygonF outlineOf(const RoofWord &word, const QSizeF &size) {
    QTransform turned;
    turned.translate(word.origin.x(), word.origin.y());
    turned.rotate(word.degrees);
    const QRectF box = boxOf(word, size);
    return turned.map(QPolygonF({box.topLeft(), box.topRight(), box.bottomRight(), box.bottomLeft()}));
}

/// No point is within `reach` of the word. Asked of every place that a word may have, at each turn of the
/// wheel: points are turned into the word's axes, where it is a rectangle.
bool keepsOff(const std::vector<PlacedPoint> &points, const RoofWord &word, const QSizeF &size,
              double reach) {
    const QRectF box = boxOf(word, size).adjusted(-reach, -reach, reach, reach);
    const double angle = word.degrees * M_PI / 180;
    const double cosine = std::cos(angle);
    const double sine = std::sin(angle);
    return std::none_of(points.begin(), points.end(), [&](const PlacedPoint &point) {
        const QPointF from = point.at - word.origin;
        return box.contains(
            QPointF(from.x() * cosine + from.y() * sine, from.y() * cosine - from.x() * sine));
    });
}

} // namespace

QPointF RooflineFrame::at(double intensity, double flopsPerSecond) const {
    return {area.left() + std::log(intensity / x.lower) / std::log(x.upper / x.lower) * area.width(),
            area.bottom() -
                std::log(flopsPerSecond / unit / y.lower) / std::log(y.upper / y.lower) * area.height()};
}

double memoryCeiling(const std::vector<RooflineCeiling> &ceilings) {
    for (const RooflineCeiling &ceiling : ceilings)
        if (ceiling.isMemory)
            return ceiling.perSecond;
    return 0;
}

double highestCeiling(const std::vector<RooflineCeiling> &ceilings) {
    double most = 0;
    for (const RooflineCeiling &ceiling : ceilings)
        if (!ceiling.isMemory)
            most = std::max(most, ceiling.perSecond);
    return most;
}

std::vector<RoofLine> roofLines(const std::vector<RooflineCeiling> &ceilings, const RooflineFrame &frame) {
    std::vector<RoofLine> lines;
    const double memory = memoryCeiling(ceilings);
    const double left = frame.x.lower;
    const double right = frame.x.upper;
    const auto add = [&](double x1, double y1, double x2, double y2, bool isOfTask) {
        lines.push_back({QLineF(frame.at(x1, y1), frame.at(x2, y2)), isOfTask});
    };
    double taskTop = 0;
    for (const RooflineCeiling &ceiling : ceilings) {
        if (ceiling.isMemory)
            continue;
        const double rate = ceiling.perSecond;
        const double ridge = memory > 0 ? rate / memory : left;
        add(std::max(left, ridge), rate, right, rate, ceiling.isOfTask);
        if (ceiling.isOfTask)
            taskTop = rate;
    }
    if (memory <= 0)
        return lines;
    const double highest = highestCeiling(ceilings);
    const double end = highest > 0 ? highest / memory : right;
    const double own = taskTop > 0 ? taskTop / memory : end;
    add(left, memory * left, own, memory * own, true);
    if (end > own)
        add(own, memory * own, end, memory * end, false);
    for (const RooflineCeiling &ceiling : ceilings)
        if (ceiling.isMemory && ceiling.perSecond > memory) {
            const double to = highest > 0 ? highest / ceiling.perSecond : right;
            add(left, ceiling.perSecond * left, to, ceiling.perSecond * to, false);
            if (highest > 0) // up to where memory's own slope gets there
                add(to, highest, highest / memory, highest, false);
        }
    return lines;
}

std::vector<RoofWord> roofWords(std::vector<RooflineCeiling> ceilings, const std::vector<PlacedPoint> &points,
                                const RooflineFrame &frame, const Look &look) {
    const double reach = look.px(8);
    std::vector<RoofWord> words;
    const QFontMetricsF metrics(look.font(TextRole::Axis));
    const QRectF area(frame.area);
    const double highest = highestCeiling(ceilings);
    double lastTop = -1e9;
    std::sort(ceilings.begin(), ceilings.end(),
              [](const RooflineCeiling &a, const RooflineCeiling &b) { return a.perSecond > b.perSecond; });
    for (const RooflineCeiling &ceiling : ceilings) {
        RoofWord word;
        word.isOfTask = ceiling.isOfTask;
        word.text = ceiling.name + QLatin1Char(' ') +
                    scaledText(ceiling.perSecond,
                               ceiling.isMemory ? QStringLiteral("B/s") : QStringLiteral("FLOP/s"));
        const QSizeF size(metrics.horizontalAdvance(word.text), metrics.height());
        const double rate = ceiling.perSecond;
        if (!ceiling.isMemory) {
            const double at = frame.at(frame.x.upper, rate).y();
            // Above its line; where the one above is too near, below its own.
            const double above = at - look.px(2) - metrics.height();
            const bool fits = above >= lastTop + look.px(1) && above >= area.top() - look.px(14);
            lastTop = fits ? at : at + look.px(2) + metrics.height();
            if (at <= area.top() - 1 || at >= area.bottom())
                continue;
            word.at = QPointF(area.right(), fits ? at - look.px(2) : at + look.px(2));
            word.alignment = Qt::AlignRight | (fits ? Qt::AlignBottom : Qt::AlignTop);
        } else {
            // Along the slope, in the middle of what is seen of it.
            const double bottom = frame.y.lower * frame.unit;
            const double top = frame.y.upper * frame.unit;
            const double from = std::max(frame.x.lower, bottom / rate);
            const double to =
                std::min({frame.x.upper, top / rate, highest > 0 ? highest / rate : frame.x.upper});
            if (to <= from)
                continue;
            const QPointF begin = frame.at(from, rate * from);
            const QPointF end = frame.at(to, rate * to);
            word.degrees = std::atan2(end.y() - begin.y(), end.x() - begin.x()) * 180 / M_PI;
            // A cache's slope is close above that of its memory: the name there is on the other side.
            const bool isBelow =
                std::any_of(ceilings.begin(), ceilings.end(), [&](const RooflineCeiling &other) {
                    return other.isMemory && other.perSecond > rate;
                });
            word.at = QPointF(0, look.px(isBelow ? 3 : -3));
            word.alignment = Qt::AlignHCenter | (isBelow ? Qt::AlignTop : Qt::AlignBottom);
            // Points lie under their slope: the middle of it, or where there is none.
            for (const double along : {0.42, 0.24, 0.6, 0.74, 0.12, 0.42}) {
                word.origin = begin + along * (end - begin);
                if (keepsOff(points, word, size, reach))
                    break;
            }
        }
        word.outline = outlineOf(word, size);
        words.push_back(word);
    }
    return words;
}

} // namespace warpwright
