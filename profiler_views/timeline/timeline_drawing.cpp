// SPDX-License-Identifier: GPL-3.0-or-later
// What a TimelineView paints; where it lies is found in timeline_view.cpp.
#include "profiler_views/timeline/timeline_view.h"

#include "profiler_views/series_paint.h"
#include "toolchain/base/figures.h"
#include "toolchain/timeline/timeline_summary.h"
#include "widgets/look/look.h"
#include "widgets/plot/plot.h"
#include "widgets/plot/plot_marks.h"

#include <QPainter>

#include <algorithm>

namespace warpwright {
namespace {

constexpr double leastGapWidth = 2; ///< px: below it there is nothing to see

} // namespace

QColor TimelineView::colorOf(const TimelineArm &arm) const {
    const bool isOfTorch =
        arm.name == QLatin1String("compile") || arm.name.startsWith(QLatin1String("eager"));
    if (isStale() && !isOfTorch) // torch's call is no other because the candidate was edited
        return m_look.color("text.tertiary");
    return m_look.color(arm.name == QLatin1String("candidate") ? "series.candidate"
                        : arm.name == QLatin1String("compile") ? "series.compile"
                                                               : "series.eager");
}

void TimelineView::drawGround(QPainter &painter, const QRectF &area) {
    findSpans(area); // the ground is drawn first
    m_gaps.clear();
    painter.setRenderHint(QPainter::Antialiasing, false);
    for (const Part &part : m_parts) {
        drawGaps(painter, area, part);
        painter.setPen(QPen(m_look.color("border.subtle"), m_look.px(1)));
        for (std::size_t lane = part.firstLane; lane < part.firstLane + part.lanes; ++lane) {
            const double bottom = laneTop(lane) + laneHeight(lane);
            painter.drawLine(QPointF(area.left(), bottom), QPointF(area.right(), bottom));
        }
        if (&part != &m_parts.front()) {
            painter.setPen(QPen(m_look.color("border.normal"), m_look.px(1)));
            const double top = area.top() + part.top - m_look.px(gapBelowArm) / 2.0;
            painter.drawLine(QPointF(0, top), QPointF(area.right(), top));
        }
    }
}

/// Behind the lanes of what works, where nothing of it does.
void TimelineView::drawGaps(QPainter &painter, const QRectF &area, const Part &part) {
    const TimelineEvent::Kind worksBy = m_model.analysis(part.arm).worksBy;
    double top = -1;
    double bottom = 0;
    for (std::size_t lane = part.firstLane; lane < part.firstLane + part.lanes; ++lane) {
        const TimelineLane::Kind kind = m_model.lanes()[lane].kind;
        const bool isWork = kind == TimelineLane::Kind::Stream || kind == TimelineLane::Kind::Regions ||
                            worksBy == TimelineEvent::Kind::Operator;
        if (!isWork)
            continue;
        top = top < 0 ? laneTop(lane) : top;
        bottom = laneTop(lane) + laneHeight(lane);
    }
    if (top < 0)
        return;
    painter.setFont(m_look.font(TextRole::Axis));
    const QFontMetricsF metrics = painter.fontMetrics();
    for (const TimelineGap &gap : m_model.analysis(part.arm).gaps) {
        const double left = std::clamp(toX(gap.startUs), area.left(), area.right());
        const double right = std::clamp(toX(gap.endUs), area.left(), area.right());
        if (right - left < leastGapWidth)
            continue;
        const QRectF place(left, top, right - left, bottom - top);
        painter.fillRect(place, m_look.color("bg.hover"));
        m_gaps.push_back({part.arm, gap, place});
        const QString idle = m_model.gapWord(part.arm);
        for (const QString &text : {idle + QLatin1Char(' ') + timeText(gap.microseconds()), idle}) {
            if (metrics.horizontalAdvance(text) > place.width() - m_look.px(8))
                continue;
            painter.setPen(m_look.color("text.tertiary"));
            painter.drawText(QPointF(place.center().x() - metrics.horizontalAdvance(text) / 2,
                                     place.top() + m_look.px(3) + metrics.ascent()),
                             text);
            break;
        }
    }
}

void TimelineView::drawSpan(QPainter &painter, const Drawn &drawn) {
    const TimelineLane &lane = m_model.lanes()[drawn.lane];
    const TimelineArm &arm = m_model.timeline().arms[lane.arm];
    const TimelineEvent &event = arm.events[drawn.span.event];
    SeriesStyle style;
    style.edge = style.fill = colorOf(arm);
    switch (event.kind) {
    case TimelineEvent::Kind::Memcpy:
    case TimelineEvent::Kind::Memset:
        style.isHatched = true;
        break;
    case TimelineEvent::Kind::Sync: // waits: hollow
        style.edge = m_look.color("border.strong");
        style.fill = m_look.color("bg.pane");
        break;
    case TimelineEvent::Kind::Runtime:
        style.edge = m_look.color("border.strong");
        style.fill = m_look.color("bg.card");
        break;
    case TimelineEvent::Kind::Launch:
    case TimelineEvent::Kind::Graph:
        style.edge = style.fill = m_look.color("border.strong");
        break;
    case TimelineEvent::Kind::Operator:
        if (m_model.analysis(lane.arm).worksBy != TimelineEvent::Kind::Operator) {
            style.edge = m_look.color("border.strong");
            style.fill = m_look.color("bg.card");
        }
        break;
    default:
        break;
    }
    if (drawn.area.width() <= m_look.px(3)) {
        painter.fillRect(drawn.area, style.edge);
        return;
    }
    // What follows without a pause is told apart by a line of ground.
    drawBar(painter, m_look, drawn.area.adjusted(0, 0, -m_look.px(1), 0), style, false, isStale());
    if (!lane.hasNames() || drawn.span.count > 1)
        return;
    const double above = drawn.area.top() - m_look.px(3);
    if (drawn.area.width() < m_look.px(24))
        return;
    painter.setFont(m_look.font(TextRole::Axis));
    const QString name = painter.fontMetrics().elidedText(
        shortNameOf(event), Qt::ElideRight, static_cast<int>(drawn.area.width()) - m_look.px(2));
    if (name.size() < 3)
        return; // the ellipsis alone says nothing
    painter.setPen(inkOf("text.primary"));
    painter.drawText(QPointF(drawn.area.left() + m_look.px(1), above), name);
}

void TimelineView::drawSpans(QPainter &painter, const QRectF &) {
    for (const Drawn &drawn : m_drawn)
        drawSpan(painter, drawn);
}

/// The lane that a piece of the path runs along.
std::optional<std::size_t> TimelineView::laneOf(const Part &part, const PathStep &step) const {
    const auto &events = m_model.timeline().arms[part.arm].events;
    std::optional<std::size_t> host;
    for (std::size_t place = part.firstLane; place < part.firstLane + part.lanes; ++place) {
        const TimelineLane &lane = m_model.lanes()[place];
        const bool isHost =
            lane.kind == TimelineLane::Kind::Launches || lane.kind == TimelineLane::Kind::Operators;
        if (isHost)
            host = place; // the calls of CUDA stand below the operators
        if (!step.event || step.kind == PathStep::Kind::Host || step.kind == PathStep::Kind::Between)
            continue;
        const TimelineEvent &event = events[*step.event];
        if ((lane.kind == TimelineLane::Kind::Stream && event.isOnDevice() &&
             event.stream.value_or(0) == lane.stream) ||
            (lane.kind == TimelineLane::Kind::Regions && event.kind == TimelineEvent::Kind::Region))
            return place;
    }
    return host;
}

/// A line below the bars: along what runs, and from a launch down to where it begins.
void TimelineView::drawPath(QPainter &painter, const QRectF &area, const Part &part) {
    const auto &path = m_model.analysis(part.arm).path;
    if (path.empty() || part.lanes == 0)
        return;
    QPolygonF line;
    // Where no piece is long enough to be seen it runs where most of it does.
    const auto longest =
        std::max_element(path.begin(), path.end(), [](const PathStep &one, const PathStep &other) {
            return std::pair(one.kind == PathStep::Kind::Device, one.microseconds()) <
                   std::pair(other.kind == PathStep::Kind::Device, other.microseconds());
        });
    std::size_t lane = laneOf(part, *longest).value_or(part.firstLane);
    const double below = m_look.px(barHeight) + m_look.px(3);
    const double least = m_look.px(2);
    double reached = area.left();
    for (const PathStep &step : path) {
        const double from = std::clamp(toX(step.startUs), area.left(), area.right());
        const double to = std::clamp(toX(step.endUs), area.left(), area.right());
        // What is too short to be seen stays on the line as it goes: else thousands of them were a block.
        const bool isSeen = to - from >= least;
        if (!isSeen && to - reached < least)
            continue;
        // What goes on to the next in its stream stays there.
        if (isSeen && step.kind != PathStep::Kind::Between)
            lane = laneOf(part, step).value_or(lane);
        const double y = std::round(barTop(lane) + below);
        line << QPointF(isSeen ? from : reached, y) << QPointF(to, y);
        reached = to;
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(inkOf("text.primary"), m_look.px(2), Qt::SolidLine, Qt::FlatCap, Qt::MiterJoin));
    painter.drawPolyline(line);
}

void TimelineView::drawWords(QPainter &painter, const QRectF &area) {
    const double margin = m_look.px(12);
    for (const Part &part : m_parts) {
        const TimelineArm &arm = m_model.timeline().arms[part.arm];
        const double middle = area.top() + part.top + m_look.px(13);
        const PlotMark mark = arm.name == QLatin1String("candidate") ? PlotMark::Circle
                              : arm.name == QLatin1String("compile") ? PlotMark::Square
                                                                     : PlotMark::Diamond;
        drawMark(painter, mark, QPointF(margin + m_look.px(4), middle), m_look.px(8), colorOf(arm),
                 colorOf(arm), m_look.px(1));
        const auto write = [&](double from, QFont::Weight weight, const QString &text, const char *ink) {
            painter.setFont(m_look.font(TextRole::Small, weight));
            const QString shown =
                painter.fontMetrics().elidedText(text, Qt::ElideRight, static_cast<int>(area.right() - from));
            drawWord(painter, m_look, QPointF(from, middle), Qt::AlignLeft | Qt::AlignVCenter, shown,
                     inkOf(ink), false);
            return from + painter.fontMetrics().horizontalAdvance(shown) + m_look.px(10);
        };
        const double next = write(margin + m_look.px(14), QFont::DemiBold, arm.name, "text.primary");
        write(std::max(next, area.left() + m_look.px(6)), QFont::Normal, m_model.titleOf(part.arm),
              "text.secondary");
        painter.setFont(m_look.font(TextRole::Axis));
        for (std::size_t lane = part.firstLane; lane < part.firstLane + part.lanes; ++lane) {
            const QString label =
                painter.fontMetrics().elidedText(m_model.lanes()[lane].label, Qt::ElideRight,
                                                 static_cast<int>(area.left() - margin) - m_look.px(4));
            drawWord(painter, m_look, QPointF(margin, barTop(lane) + m_look.px(barHeight) / 2.0),
                     Qt::AlignLeft | Qt::AlignVCenter, label, m_look.color("text.tertiary"), false);
        }
    }
    drawLegend(painter, area);
}

/// On the axis's right end: what the line means, and how much is drawn together.
void TimelineView::drawLegend(QPainter &painter, const QRectF &area) {
    painter.setFont(m_look.font(TextRole::Axis));
    const QFontMetricsF metrics = painter.fontMetrics();
    const double y = plot().height() - m_look.px(6) - metrics.height() / 2;
    const QString line = QStringLiteral("what the end waits for");
    double x = m_look.px(12);
    const double sample = m_look.px(18);
    painter.setPen(QPen(inkOf("text.primary"), m_look.px(2), Qt::SolidLine, Qt::FlatCap));
    const double label = metrics.horizontalAdvance(plot().xAxis->label());
    const double room = area.center().x() - label / 2 - m_look.px(12);
    if (x + sample + m_look.px(6) + metrics.horizontalAdvance(line) < room) {
        painter.drawLine(QPointF(x, y), QPointF(x + sample, y));
        drawWord(painter, m_look, QPointF(x + sample + m_look.px(6), y), Qt::AlignLeft | Qt::AlignVCenter,
                 line, m_look.color("text.tertiary"), false);
    }
    // At the right end, as much as finds room: how much is drawn together, and what a grey block is.
    const double free = area.center().x() + label / 2 + m_look.px(12);
    double right = area.right();
    const QString together =
        QStringLiteral("%1 drawn together").arg(numberText(static_cast<double>(m_together)));
    if (m_together > 0 && right - metrics.horizontalAdvance(together) > free) {
        drawWord(painter, m_look, QPointF(right, y), Qt::AlignRight | Qt::AlignVCenter, together,
                 m_look.color("text.tertiary"), false);
        right -= metrics.horizontalAdvance(together) + m_look.px(14);
    }
    const QString gap = QStringLiteral("nothing of it runs");
    x = right - metrics.horizontalAdvance(gap) - sample - m_look.px(6);
    if (m_gaps.empty() || x < free)
        return;
    const QRectF block(x, y - m_look.px(5), sample, m_look.px(10));
    painter.fillRect(block, m_look.color("bg.hover"));
    painter.setPen(QPen(m_look.color("border.normal"), m_look.px(1)));
    painter.drawRect(block);
    drawWord(painter, m_look, QPointF(right, y), Qt::AlignRight | Qt::AlignVCenter, gap,
             m_look.color("text.tertiary"), false);
}

} // namespace warpwright
