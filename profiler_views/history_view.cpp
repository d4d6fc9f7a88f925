// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler_views/history_view.h"

#include "profiler_views/series_paint.h"
#include "profiler_views/verdict_look.h"
#include "widgets/look/look.h"
#include "widgets/plot/log_ticker.h"
#include "widgets/plot/plot.h"

#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <utility>

namespace warpwright {
namespace {

PlotMark markOf(const QString &author) {
    if (author == QLatin1String("you"))
        return PlotMark::Square;
    if (author == QLatin1String("model"))
        return PlotMark::Triangle;
    if (author == QLatin1String("acp") || author == QLatin1String("mcp"))
        return PlotMark::Pentagon;
    if (author == QLatin1String("replay"))
        return PlotMark::Diamond;
    return PlotMark::Circle;
}

} // namespace

HistoryView::HistoryView(const Look &look, QWidget *parent)
    : ChartView(look, QStringLiteral("History"), parent) {
    auto *column = new QVBoxLayout(content());
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(&plot());
    setModel(m_history);
    Plot &chart = plot();
    chart.axisRect()->setAutoMargins(QCP::msNone);
    chart.setWholeTicks(chart.xAxis);
    chart.xAxis->grid()->setVisible(false);
    chart.xAxis->setLabel(QStringLiteral("iteration"));
    chart.addDrawing(false, [this](QPainter &painter, const QRectF &area) { drawLines(painter, area); });
    chart.addDrawing(true, [this](QPainter &painter, const QRectF &area) {
        drawPoints(painter, area);
        drawAround(painter, area);
    });
    chart.setStops([this] { return stops(); },
                   [this](int row) { return m_history.index(row, 0).data(Qt::ToolTipRole).toString(); });
    connect(&chart, &Plot::stopActivated, this, [this](int row) {
        emit iterationPicked(m_history.points()[static_cast<std::size_t>(row)].number);
    });
    connect(&chart, &Plot::restyled, this, &HistoryView::layOut);
    show({}, {});
}

void HistoryView::show(const std::vector<HistoryPoint> &points, const HistoryLines &lines) {
    m_history.setPoints(points, lines);
    if (points.empty()) {
        showEmpty(QStringLiteral("history"), QStringLiteral("History appears here"),
                  QStringLiteral("each check of changed text adds an iteration"));
        return;
    }
    const TimeScale times = m_history.times();
    const auto [low, high] = extent();
    m_isLog = needsLogAxis(low, high);
    plot().setTimeAxis(plot().yAxis, m_isLog, [times](double tick, double step) {
        return tickText(tick / times.unitMicroseconds, step / times.unitMicroseconds);
    });
    setHome(low, high);
    showContent(m_history.summary(), QString());
    layOut();
}

void HistoryView::setCurrent(int number) {
    m_current = number;
    plot().replot();
}

void HistoryView::resizeEvent(QResizeEvent *event) {
    ChartView::resizeEvent(event);
    layOut();
}

std::vector<HistoryView::Line> HistoryView::lines() const {
    const HistoryLines &baselines = m_history.lines();
    const TimeScale &times = m_history.times();
    std::vector<Line> lines;
    if (baselines.eager)
        lines.push_back({*baselines.eager, QStringLiteral("eager ") + times.number(*baselines.eager),
                         "series.eager", false, false});
    if (baselines.compile)
        lines.push_back({*baselines.compile, QStringLiteral("compile ") + times.number(*baselines.compile),
                         "series.compile", false, false});
    // More than 5 % faster than both: what the best reward asks for.
    if (baselines.compile && baselines.eager) {
        const double target = 0.95 * std::min(*baselines.compile, *baselines.eager);
        lines.push_back(
            {target, QStringLiteral("reward 3 < ") + times.number(target), "text.tertiary", false, true});
    }
    if (baselines.speedOfLight)
        lines.push_back({*baselines.speedOfLight,
                         QStringLiteral("speed of light ") + times.number(*baselines.speedOfLight),
                         "series.sol", true, false});
    return lines;
}

bool HistoryView::hasRail() const {
    return std::any_of(m_history.points().begin(), m_history.points().end(),
                       [](const HistoryPoint &point) { return !point.isTimed(); });
}

bool HistoryView::hasLegend() const {
    return !m_history.points().empty() && width() >= m_look.px(240);
}

bool HistoryView::hasWordsAtRight() const {
    return width() >= m_look.px(400);
}

std::pair<double, double> HistoryView::extent() const {
    double low = 0;
    double high = 0;
    const auto take = [&](double from, double to) {
        low = low == 0 ? from : std::min(low, from);
        high = std::max(high, to);
    };
    for (const HistoryPoint &point : m_history.points()) {
        if (point.isTimed())
            take(point.lowMicroseconds.value_or(*point.medianMicroseconds),
                 point.highMicroseconds.value_or(*point.medianMicroseconds));
    }
    const double mostPoint = high;
    for (const Line &line : lines()) {
        // A line far above all points would press them flat: it stands at the edge with its value.
        if (mostPoint == 0 || line.microseconds <= 1.6 * mostPoint)
            take(line.microseconds, line.microseconds);
    }
    return {low, high == 0 ? 1 : high};
}

void HistoryView::setHome(double low, double high) {
    const std::vector<HistoryPoint> &points = m_history.points();
    const double margin = std::max(0.08 * (high - low), 0.01 * high);
    const double factor = std::pow(high / std::max(low, 1e-9), 0.08);
    const QCPRange times = m_isLog ? QCPRange(low / factor, high * factor)
                                   : QCPRange(std::max(0.0, low - margin), high + margin);
    plot().setHome(QCPRange(points.front().number - 0.6, points.back().number + 0.6), times,
                   Qt::Horizontal | Qt::Vertical);
}

void HistoryView::layOut() {
    if (m_history.points().empty())
        return;
    const QFontMetrics axis(m_look.font(TextRole::Axis));
    Plot &chart = plot();
    const double most = chart.yAxis->range().upper / m_history.times().unitMicroseconds;
    const int left = m_look.px(12) +
                     axis.horizontalAdvance(numberText(most, most < 10    ? 2
                                                             : most < 100 ? 1
                                                                          : 0)) +
                     m_look.px(14);
    int right = m_look.px(12);
    if (hasWordsAtRight()) {
        for (const Line &line : lines())
            right = std::max(right, axis.horizontalAdvance(line.word) + m_look.px(8 + 12));
    }
    const int top = m_look.px(10) + axis.height() + m_look.px(4) + (hasRail() ? m_look.px(22) : 0);
    int bottom = m_look.px(5) + axis.height() + m_look.px(3) + axis.height() + m_look.px(6);
    // In a low pane the points need the room that the words of the axes take.
    const bool isLow = height() - top - bottom < m_look.px(56);
    if (isLow)
        bottom -= axis.height() + m_look.px(3);
    chart.xAxis->setLabel(isLow ? QString() : QStringLiteral("iteration"));
    chart.yAxis->setTickLabels(height() - top - bottom >= 3 * axis.height());
    chart.axisRect()->setMargins(QMargins(left, top, right, bottom));
    const int room = std::max(40, width() - left - right);
    chart.xAxis->ticker()->setTickCount(std::clamp(room / m_look.px(28), 2, 12));
    chart.yAxis->ticker()->setTickCount(std::clamp((height() - top - bottom) / m_look.px(40), 2, 6));
    chart.replotLater();
}

double HistoryView::railY() const {
    return plot().axisRect()->top() - m_look.px(12);
}

QPointF HistoryView::placeOf(const HistoryPoint &point) const {
    const double x = plot().xAxis->coordToPixel(point.number);
    return QPointF(x, point.isTimed() ? plot().yAxis->coordToPixel(*point.medianMicroseconds) : railY());
}

void HistoryView::drawLines(QPainter &painter, const QRectF &area) {
    const QCPAxis *y = plot().yAxis;
    for (const Line &line : lines()) {
        const double at = y->coordToPixel(line.microseconds);
        if (at < area.top() || at > area.bottom())
            continue;
        if (line.isSpeedOfLight) {
            drawSpeedOfLight(painter, m_look, QPointF(area.left(), at), QPointF(area.right(), at),
                             inkOf("series.sol"));
            continue;
        }
        QPen pen(m_look.color(line.token), (line.isTarget ? 1.0 : 1.5) * m_look.px(4) / 4.0);
        if (line.isTarget)
            pen.setDashPattern({1, 3});
        painter.setPen(pen);
        painter.drawLine(QPointF(area.left(), at), QPointF(area.right(), at));
    }
    // Failures: a dotted line from the rail to the axis, so that the gap in the times is explained.
    double lastGap = -1e9;
    for (const HistoryPoint &point : m_history.points()) {
        const QPointF place = placeOf(point);
        if (point.isTimed() || place.x() < area.left() || place.x() > area.right() ||
            place.x() - lastGap < m_look.px(15))
            continue;
        lastGap = place.x();
        QPen pen(m_look.color(point.look().ink), m_look.px(1), Qt::CustomDashLine);
        pen.setDashPattern({1, 3});
        painter.setPen(pen);
        painter.drawLine(QPointF(place.x(), area.top()), QPointF(place.x(), area.bottom()));
    }
    // The best so far: level until a better one.
    painter.setPen(QPen(inkOf("series.candidate"), 1.5 * m_look.px(4) / 4.0));
    const auto clampX = [&area](double x) {
        return std::clamp(x, area.left(), area.right());
    };
    const auto clampY = [&area](double at) {
        return std::clamp(at, area.top(), area.bottom());
    };
    std::optional<QPointF> last;
    for (std::size_t row = 0; row < m_history.points().size(); ++row) {
        const std::optional<double> best = m_history.bestUpTo(static_cast<int>(row));
        if (!best)
            continue;
        const QPointF next(clampX(plot().xAxis->coordToPixel(m_history.points()[row].number)),
                           clampY(y->coordToPixel(*best)));
        if (last) {
            painter.drawLine(*last, QPointF(next.x(), last->y()));
            painter.drawLine(QPointF(next.x(), last->y()), next);
        }
        last = next;
    }
    if (last)
        painter.drawLine(*last, QPointF(area.right(), last->y()));
}

void HistoryView::drawPoints(QPainter &painter, const QRectF &area) {
    const QCPAxis *y = plot().yAxis;
    // Hundreds of iterations: smaller marks, and an icon only where the one before leaves room.
    const double pitch = area.width() / std::max(1.0, plot().xAxis->range().size());
    const double markSize = std::clamp(0.9 * pitch, m_look.px(3) * 1.0, m_look.px(9) * 1.0);
    double lastIcon = -1e9;
    QPoint lastPixel;
    for (const HistoryPoint &point : m_history.points()) {
        const QPointF place = placeOf(point);
        if (place.x() < area.left() - 1 || place.x() > area.right() + 1)
            continue;
        // Of many on one pixel one is drawn.
        if (std::exchange(lastPixel, place.toPoint()) == place.toPoint() && point.number != m_current)
            continue;
        if (!point.isTimed()) {
            const VerdictLook sign = point.look();
            const int size = m_look.px(14);
            if (place.x() - lastIcon < size + 1) {
                painter.setPen(QPen(m_look.color(sign.ink), m_look.px(1)));
                painter.drawLine(place - QPointF(0, m_look.px(3)), place + QPointF(0, m_look.px(3)));
                continue;
            }
            lastIcon = place.x();
            m_look.icon(QLatin1String(sign.icon), m_look.color(sign.ink))
                .paint(&painter, QRect(static_cast<int>(place.x()) - size / 2,
                                       static_cast<int>(place.y()) - size / 2, size, size));
        } else if (place.y() < area.top() || place.y() > area.bottom()) {
            // Zoomed out of sight: a triangle at the edge, with the value.
            const bool isAbove = place.y() < area.top();
            const double edge = isAbove ? area.top() + m_look.px(5) : area.bottom() - m_look.px(5);
            const double reach = isAbove ? -m_look.px(4) : m_look.px(4);
            QPolygonF triangle;
            triangle << QPointF(place.x(), edge + reach) << QPointF(place.x() - m_look.px(4), edge - reach)
                     << QPointF(place.x() + m_look.px(4), edge - reach);
            painter.setPen(Qt::NoPen);
            painter.setBrush(inkOf("series.candidate"));
            painter.drawPolygon(triangle);
            painter.setFont(m_look.font(TextRole::Axis));
            drawWord(painter, m_look, QPointF(place.x() + m_look.px(7), edge),
                     Qt::AlignLeft | Qt::AlignVCenter, m_history.times().number(*point.medianMicroseconds),
                     inkOf("text.secondary"), true);
        } else {
            if (point.lowMicroseconds && point.highMicroseconds && pitch >= m_look.px(8))
                drawErrorBar(
                    painter, m_look,
                    QPointF(place.x(), std::min(area.bottom(), y->coordToPixel(*point.lowMicroseconds))),
                    QPointF(place.x(), std::max(area.top(), y->coordToPixel(*point.highMicroseconds))),
                    inkOf("text.primary"), Qt::Vertical);
            drawMark(painter, markOf(point.author), place, markSize, inkOf("series.candidate"),
                     m_look.color("bg.pane"), markSize < m_look.px(6) ? 0.5 : m_look.px(1));
        }
        if (point.number == m_current) {
            painter.setRenderHint(QPainter::Antialiasing);
            painter.setPen(QPen(m_look.color("text.primary"), 1.5 * m_look.px(4) / 4.0));
            painter.setBrush(Qt::NoBrush);
            painter.drawEllipse(place, m_look.px(9), m_look.px(9));
        }
    }
}

void HistoryView::drawAround(QPainter &painter, const QRectF &area) {
    painter.setFont(m_look.font(TextRole::Axis));
    const double headLine = m_look.px(10);
    drawWord(painter, m_look, QPointF(m_look.px(12), headLine), Qt::AlignLeft | Qt::AlignTop,
             m_history.times().unit +
                 (m_isLog ? QStringLiteral(" a call, logarithmic") : QStringLiteral(" a call")),
             m_look.color("text.tertiary"), false);

    if (hasLegend()) {
        struct Author {
            const char *name;
            const char *word;
        };
        double x = width() - m_look.px(12);
        for (const Author author :
             {Author{"replay", "replay"}, Author{"mcp", "MCP"}, Author{"acp", "ACP"},
              Author{"model", "model"}, Author{"you", "you"}, Author{"playbook", "playbook"}}) {
            const bool isThere =
                std::any_of(m_history.points().begin(), m_history.points().end(),
                            [&](const auto &point) { return point.author == QLatin1String(author.name); });
            if (!isThere)
                continue;
            const QString word = QLatin1String(author.word);
            drawWord(painter, m_look, QPointF(x, headLine), Qt::AlignRight | Qt::AlignTop, word,
                     m_look.color("text.secondary"), false);
            x -= painter.fontMetrics().horizontalAdvance(word) + m_look.px(9);
            drawMark(painter, markOf(QLatin1String(author.name)),
                     QPointF(x, headLine + painter.fontMetrics().height() / 2.0), m_look.px(8),
                     m_look.color("series.candidate"), m_look.color("bg.pane"), 0.5);
            x -= m_look.px(16);
        }
    }

    drawLineWords(painter, area);
}

void HistoryView::drawLineWords(QPainter &painter, const QRectF &area) {
    const double pitch = painter.fontMetrics().height();
    std::vector<Line> all = lines();
    std::sort(all.begin(), all.end(),
              [](const Line &a, const Line &b) { return a.microseconds > b.microseconds; });
    double above = -1e9;
    std::vector<QRectF> taken = pointRects(area);
    std::size_t below = all.size();
    for (const Line &line : all) {
        --below;
        const double at = plot().yAxis->coordToPixel(line.microseconds);
        if (at > area.bottom() + 1)
            continue;
        const QString text = at < area.top() ? line.word + QStringLiteral(" ↑") : line.word;
        const QColor ink = inkOf(line.isSpeedOfLight ? "text.primary"
                                 : line.isTarget     ? "text.tertiary"
                                                     : "text.secondary");
        if (hasWordsAtRight()) {
            // Beside the plot, moved apart where they would overlap.
            const double lowest = area.bottom() - pitch / 2 - static_cast<double>(below) * pitch;
            above = std::max({std::min(at, lowest), area.top() + pitch / 2, above + pitch});
            drawWord(painter, m_look, QPointF(area.right() + m_look.px(8), above),
                     Qt::AlignLeft | Qt::AlignVCenter, text, ink, false);
            continue;
        }
        if (line.isTarget)
            continue; // the least needed, where room is short
        // Inside: where it hides the least, at either end, above or below its line.
        const double width = painter.fontMetrics().horizontalAdvance(text) + m_look.px(6);
        QRectF best;
        double leastHidden = 1e18;
        for (const double x : {area.right() - width - m_look.px(2), area.left() + m_look.px(4)}) {
            for (const double y : {at - pitch - m_look.px(2), at + m_look.px(2)}) {
                const QRectF box(x, std::clamp(y, area.top(), area.bottom() - pitch), width, pitch);
                double hidden = std::fabs(box.top() - y);
                for (const QRectF &other : taken) {
                    const QRectF common = box.intersected(other);
                    hidden += common.width() * common.height();
                }
                if (hidden < leastHidden) {
                    leastHidden = hidden;
                    best = box;
                }
            }
        }
        taken.push_back(best);
        drawWord(painter, m_look, best.topLeft() + QPointF(m_look.px(3), 0), Qt::AlignLeft | Qt::AlignTop,
                 text, ink, true);
    }
}

std::vector<QRectF> HistoryView::pointRects(const QRectF &area) const {
    std::vector<QRectF> rects;
    const double reach = m_look.px(9);
    std::optional<QPointF> last;
    for (std::size_t row = 0; row < m_history.points().size(); ++row) {
        const QPointF place = placeOf(m_history.points()[row]);
        if (m_history.points()[row].isTimed())
            rects.emplace_back(place.x() - reach, place.y() - reach, 2 * reach, 2 * reach);
        // The step line, thick enough to count.
        if (const std::optional<double> best = m_history.bestUpTo(static_cast<int>(row))) {
            const QPointF next(place.x(), plot().yAxis->coordToPixel(*best));
            if (last) {
                rects.emplace_back(last->x(), last->y() - 2, next.x() - last->x(), 4);
                rects.emplace_back(next.x() - 2, last->y(), 4, next.y() - last->y());
            }
            last = next;
        }
    }
    if (last)
        rects.emplace_back(last->x(), last->y() - 2, area.right() - last->x(), 4);
    for (const Line &line : lines())
        rects.emplace_back(area.left(), plot().yAxis->coordToPixel(line.microseconds) - 1, area.width(), 2);
    return rects;
}

std::vector<PlotStop> HistoryView::stops() const {
    std::vector<PlotStop> stops;
    const double reach = m_look.px(12);
    for (std::size_t row = 0; row < m_history.points().size(); ++row) {
        const QPointF place = placeOf(m_history.points()[row]);
        stops.push_back({QRectF(place.x() - reach, place.y() - reach, 2 * reach, 2 * reach), place,
                         static_cast<int>(row)});
    }
    return stops;
}

} // namespace warpwright
