// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler_views/series_paint.h"

#include "toolchain/evaluation/stored_baseline.h"
#include "widgets/look/look.h"

#include <QLineF>
#include <QPainter>

#include <cmath>

namespace warpwright {

SeriesStyle seriesStyle(const Look &look, const ArmFigures &arm) {
    if (arm.isCandidate())
        return {look.color("series.candidate"), look.color("series.candidate"), false, PlotMark::Circle,
                false};
    const bool isTf32 = arm.isTf32() || arm.precision == QLatin1String("TF32");
    if (arm.isCompiled())
        return {look.color(isTf32 ? "series.compileTf32" : "series.compile"), look.color("series.compile"),
                isTf32, PlotMark::Square, isTf32};
    return {look.color(isTf32 ? "series.eagerTf32" : "series.eager"), look.color("series.eager"), isTf32,
            PlotMark::Diamond, isTf32};
}

void drawBar(QPainter &painter, const Look &look, const QRectF &rect, const SeriesStyle &style, bool isStored,
             bool isStale) {
    painter.setRenderHint(QPainter::Antialiasing, false);
    if (isStored || isStale)
        painter.fillRect(rect, look.color("bg.pane"));
    else if (style.isHatched)
        drawHatched(painter, rect, look.color("bg.pane"), style.fill, look.px(6));
    else
        painter.fillRect(rect, style.fill);
    const int width = look.px(1);
    QPen pen(style.edge, width);
    pen.setJoinStyle(Qt::MiterJoin);
    if (isStale)
        pen.setStyle(Qt::DashLine);
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    const double half = width / 2.0;
    painter.setRenderHint(QPainter::Antialiasing, width > 1);
    painter.drawRect(width > 1 ? rect.adjusted(half, half, -half, -half) : rect.adjusted(0, 0, -1, -1));
}

void drawErrorBar(QPainter &painter, const Look &look, QPointF low, QPointF high, const QColor &color,
                  Qt::Orientation along) {
    const double thickness = 1.25 * look.px(4) / 4.0;
    const QLineF line(low, high);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(color, thickness, Qt::SolidLine, Qt::FlatCap));
    const QPointF whisker = (along == Qt::Vertical ? QPointF(1, 0) : QPointF(0, 1)) * look.px(8) / 2.0;
    // Two whiskers would be wider than the interval itself.
    if (line.length() <= 2 * thickness) {
        painter.drawLine(line.center() - whisker, line.center() + whisker);
        return;
    }
    // Their outer edges are its ends.
    const QPointF inwards = (line.unitVector().p2() - line.p1()) * thickness / 2;
    painter.drawLine(line);
    painter.drawLine(line.p1() + inwards - whisker, line.p1() + inwards + whisker);
    painter.drawLine(line.p2() - inwards - whisker, line.p2() - inwards + whisker);
}

void drawSpeedOfLight(QPainter &painter, const Look &look, const QPointF &from, const QPointF &to,
                      const QColor &color) {
    const double width = 1.5 * look.px(4) / 4.0;
    QPen pen(color, width, Qt::CustomDashLine, Qt::FlatCap);
    pen.setDashPattern({5 / 1.5, 3 / 1.5});
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(pen);
    painter.drawLine(from, to);
}

void drawWord(QPainter &painter, const Look &look, const QPointF &at, Qt::Alignment alignment,
              const QString &text, const QColor &color, bool hasGround) {
    const QFontMetricsF metrics = painter.fontMetrics();
    const double width = metrics.horizontalAdvance(text);
    const double height = metrics.height();
    double x = at.x();
    double y = at.y();
    if (alignment.testFlag(Qt::AlignRight))
        x -= width;
    else if (alignment.testFlag(Qt::AlignHCenter))
        x -= width / 2;
    if (alignment.testFlag(Qt::AlignBottom))
        y -= height;
    else if (alignment.testFlag(Qt::AlignVCenter))
        y -= height / 2;
    const QRectF box(x, y, width, height);
    if (hasGround)
        painter.fillRect(box.adjusted(-look.px(3), 0, look.px(3), 0), look.color("bg.pane"));
    painter.setPen(color);
    painter.drawText(QPointF(x, y + metrics.ascent()), text);
}

QString tickText(double value, double step) {
    int decimals = 0;
    double scaled = std::fabs(step);
    while (decimals < 6 && scaled > 0 &&
           std::fabs(scaled - std::round(scaled)) > 1e-6 * std::max(1.0, scaled)) {
        scaled *= 10;
        ++decimals;
    }
    return numberText(value, decimals);
}

QString armToolTip(const MeasuredFigures &figures, const ArmFigures &arm) {
    const TimeScale &times = figures.times;
    QStringList lines;
    lines << (arm.precision.isEmpty() ? arm.label : arm.label + QStringLiteral(", ") + arm.precision);
    lines << QStringLiteral("median %1, 95 % interval %2 %3")
                 .arg(times.text(arm.medianMicroseconds),
                      times.interval(arm.lowMicroseconds, arm.highMicroseconds), times.unit);
    if (arm.samples) {
        QString samples = countText(*arm.samples, QStringLiteral("timed round"));
        if (arm.callsPerSample)
            samples += QStringLiteral(" × ") + countText(*arm.callsPerSample, QStringLiteral("call"));
        lines << samples;
    }
    if (const std::optional<SpeedUp> speedUp = figures.speedUpOver(arm.name)) {
        lines << QStringLiteral("the candidate is %1 as fast")
                     .arg(factorText(speedUp->value, speedUp->low, speedUp->high).both());
        if (arm.isLive)
            lines << QStringLiteral("of rounds timed in turn: it need not be the ratio of the two medians");
        else if (const QString why = whyNotComparableToday(figures, arm.name); !why.isEmpty())
            lines << why;
    }
    if (figures.sameClass && figures.sameClass->arm == arm.name)
        lines << QStringLiteral("the fastest baseline of the candidate's precision or higher");
    if (!arm.isLive)
        lines << arm.storedText();
    for (const QString &flag : arm.flags) {
        if (flag == QLatin1String("slowed"))
            lines << QStringLiteral("the device lowered its clock meanwhile");
        else if (flag == QLatin1String("launch-bound"))
            lines << QStringLiteral("launch-bound: the host could not launch faster");
        else if (flag == QLatin1String("warm-inputs"))
            lines << QStringLiteral("inputs stayed in the cache");
    }
    return lines.join(QLatin1Char('\n'));
}

} // namespace warpwright
