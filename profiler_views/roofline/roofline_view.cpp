// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler_views/roofline/roofline_view.h"

#include "profiler_views/series_paint.h"
#include "toolchain/figures.h"
#include "widgets/look.h"
#include "widgets/plot.h"

#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <utility>

namespace warpwright {
namespace {

/// "0.1", "10", "1,000": powers of ten as people write them.
class PowerTicker : public QCPAxisTickerLog {
protected:
    QString getTickLabel(double tick, const QLocale &, QChar, int) override {
        if (tick >= 1e6 || tick < 1e-4)
            return QStringLiteral("1e%1").arg(std::lround(std::log10(tick)));
        return numberText(tick, tick >= 1 ? 0 : static_cast<int>(std::ceil(-std::log10(tick) - 1e-9)));
    }
};

ArmFigures armNamed(const QString &name) {
    ArmFigures arm;
    arm.name = name;
    return arm;
}

} // namespace

RooflineView::RooflineView(const Look &look, QWidget *parent)
    : ChartView(look, QStringLiteral("Roofline"), parent) {
    auto *column = new QVBoxLayout(content());
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(&plot());
    setModel(m_roofline);
    Plot &chart = plot();
    chart.axisRect()->setAutoMargins(QCP::msNone);
    for (QCPAxis *axis : {chart.xAxis, chart.yAxis}) {
        axis->setScaleType(QCPAxis::stLogarithmic);
        axis->setTicker(QSharedPointer<QCPAxisTickerLog>(new PowerTicker));
    }
    chart.addDrawing(false, [this](QPainter &painter, const QRectF &area) { drawRoofs(painter, area); });
    chart.addDrawing(true, [this](QPainter &painter, const QRectF &area) {
        drawRoofWords(painter, area);
        drawPoints(painter, area);
        drawNames(painter, area);
    });
    chart.setStops(
        [this] {
            std::vector<PlotStop> stops;
            const QRectF area(plot().axisRect()->rect());
            for (std::size_t i = 0; i < m_roofline.points().size(); ++i) {
                const QPointF at = placeOf(m_roofline.points()[i]);
                const double reach = m_look.px(9);
                if (area.adjusted(-1, -1, 1, 1).contains(at))
                    stops.push_back({QRectF(at - QPointF(reach, reach), QSizeF(2 * reach, 2 * reach)), at,
                                     static_cast<int>(i)});
            }
            return stops;
        },
        [this](int point) { return m_roofline.toolTipOf(static_cast<std::size_t>(point)); });
    connect(&chart, &Plot::stopActivated, this, [this](int point) {
        if (const int number = m_roofline.points()[static_cast<std::size_t>(point)].iteration; number > 0)
            emit iterationPicked(number);
    });
    connect(&chart, &Plot::restyled, this, &RooflineView::layOut);
    show(RooflineInput());
}

void RooflineView::show(const RooflineInput &input) {
    m_roofline.setInput(input);
    if (m_roofline.ceilings().empty()) {
        showWhyNotProfiled(input.figures, QStringLiteral("roofline"), QStringLiteral("The roofline"));
        return;
    }
    if (m_roofline.points().empty()) {
        showEmpty(QStringLiteral("roofline"), tr("Nothing has a place on the roofline"),
                  m_roofline.remarks().isEmpty() ? tr("no time was measured")
                                                 : m_roofline.remarks().join(QLatin1Char(' ')));
        return;
    }
    double most = 0;
    for (const RooflineCeiling &ceiling : m_roofline.ceilings())
        if (!ceiling.isMemory)
            most = std::max(most, ceiling.perSecond);
    for (const RooflinePoint &point : m_roofline.points())
        most = std::max(most, point.flopsPerSecond());
    m_unit = most >= 1e12 ? 1e12 : 1e9;
    m_unitName = most >= 1e12 ? QStringLiteral("TFLOP/s") : QStringLiteral("GFLOP/s");
    plot().xAxis->setLabel(tr("arithmetic intensity, FLOP a byte"));
    setHome();
    QStringList origin{m_roofline.origin()};
    origin << m_roofline.remarks();
    showContent(m_roofline.summary(), origin.join(QStringLiteral(". ")));
    layOut();
}

double RooflineView::memoryPerSecond() const {
    for (const RooflineCeiling &ceiling : m_roofline.ceilings())
        if (ceiling.isMemory)
            return ceiling.perSecond / m_unit;
    return 0;
}

double RooflineView::highestCompute() const {
    double most = 0;
    for (const RooflineCeiling &ceiling : m_roofline.ceilings())
        if (!ceiling.isMemory)
            most = std::max(most, ceiling.perSecond / m_unit);
    return most;
}

// All points, and the ridge of the highest roof: where memory ends to be the limit.
void RooflineView::setHome() {
    double left = 1e300;
    double right = 0;
    double low = 1e300;
    double high = 0;
    for (const RooflinePoint &point : m_roofline.points()) {
        left = std::min(left, point.intensity());
        right = std::max(right, point.intensity());
        low = std::min(low, point.flopsPerSecond() / m_unit);
        high = std::max(high, point.flopsPerSecond() / m_unit);
    }
    if (const double memory = memoryPerSecond(); memory > 0 && highestCompute() > 0)
        right = std::max(right, highestCompute() / memory);
    high = std::max(high, highestCompute());
    left /= 4;
    low = memoryPerSecond() > 0 ? std::min(low, memoryPerSecond() * left) / 2 : low / 2;
    plot().setHome(QCPRange(left, right * 6), QCPRange(low, high * 3), Qt::Horizontal | Qt::Vertical);
}

void RooflineView::resizeEvent(QResizeEvent *event) {
    ChartView::resizeEvent(event);
    layOut();
}

void RooflineView::layOut() {
    Plot &chart = plot();
    const QFontMetrics axis(m_look.font(TextRole::Axis));
    for (QCPAxis *one : {chart.xAxis, chart.yAxis}) {
        one->setSubTicks(true);
        one->setSubTickPen(one->basePen());
        one->setSubTickLength(m_look.px(2), 0);
    }
    const int left = m_look.px(12) + axis.horizontalAdvance(QStringLiteral("1,000")) + m_look.px(12);
    const int top = m_look.px(10) + axis.height() + m_look.px(6);
    const int bottom = m_look.px(5) + axis.height() + m_look.px(3) + axis.height() + m_look.px(6);
    chart.axisRect()->setMargins(QMargins(left, top, m_look.px(14), bottom));
    chart.replot(QCustomPlot::rpQueuedReplot);
}

QPointF RooflineView::placeOf(const RooflinePoint &point) const {
    return QPointF(plot().xAxis->coordToPixel(point.intensity()),
                   plot().yAxis->coordToPixel(point.flopsPerSecond() / m_unit));
}

void RooflineView::drawRoofs(QPainter &painter, const QRectF &area) {
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setClipRect(area);
    const QCPAxis *x = plot().xAxis;
    const QCPAxis *y = plot().yAxis;
    const double memory = memoryPerSecond();
    const double left = x->range().lower;
    const double right = x->range().upper;
    const auto line = [&](double x1, double y1, double x2, double y2, bool isOfTask) {
        QPen pen(inkOf(isOfTask ? "text.primary" : "text.tertiary"),
                 (isOfTask ? 1.75 : 1.25) * m_look.px(4) / 4.0, isOfTask ? Qt::SolidLine : Qt::CustomDashLine,
                 Qt::FlatCap);
        if (!isOfTask)
            pen.setDashPattern({4, 3});
        painter.setPen(pen);
        painter.drawLine(QPointF(x->coordToPixel(x1), y->coordToPixel(y1)),
                         QPointF(x->coordToPixel(x2), y->coordToPixel(y2)));
    };
    double taskTop = 0;
    for (const RooflineCeiling &ceiling : m_roofline.ceilings()) {
        if (ceiling.isMemory)
            continue;
        const double rate = ceiling.perSecond / m_unit;
        const double ridge = memory > 0 ? rate / memory : left;
        line(std::max(left, ridge), rate, right, rate, ceiling.isOfTask);
        if (ceiling.isOfTask)
            taskTop = rate;
    }
    if (memory <= 0)
        return;
    const double end = highestCompute() > 0 ? highestCompute() / memory : right;
    const double own = taskTop > 0 ? taskTop / memory : end;
    line(left, memory * left, own, memory * own, true);
    if (end > own)
        line(own, memory * own, end, memory * end, false);
}

void RooflineView::drawRoofWords(QPainter &painter, const QRectF &area) {
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(m_look.font(TextRole::Axis));
    const QCPAxis *x = plot().xAxis;
    const QCPAxis *y = plot().yAxis;
    double lastTop = -1e9;
    std::vector<RooflineCeiling> ceilings = m_roofline.ceilings();
    std::sort(ceilings.begin(), ceilings.end(),
              [](const RooflineCeiling &a, const RooflineCeiling &b) { return a.perSecond > b.perSecond; });
    for (const RooflineCeiling &ceiling : ceilings) {
        const QColor ink = inkOf(ceiling.isOfTask ? "text.primary" : "text.tertiary");
        const QString word = ceiling.name + QLatin1Char(' ') +
                             scaledText(ceiling.perSecond,
                                        ceiling.isMemory ? QStringLiteral("B/s") : QStringLiteral("FLOP/s"));
        if (!ceiling.isMemory) {
            const double at = y->coordToPixel(ceiling.perSecond / m_unit);
            // Above its line; where the one above is too near, below its own.
            const double above = at - m_look.px(2) - painter.fontMetrics().height();
            const bool fits = above >= lastTop + m_look.px(1) && above >= area.top() - m_look.px(14);
            if (at > area.top() - 1 && at < area.bottom())
                drawWord(painter, m_look, QPointF(area.right(), fits ? at - m_look.px(2) : at + m_look.px(2)),
                         Qt::AlignRight | (fits ? Qt::AlignBottom : Qt::AlignTop), word, ink, false);
            lastTop = fits ? at : at + m_look.px(2) + painter.fontMetrics().height();
            continue;
        }
        // Along the slope, in the middle of what is seen of it.
        const double rate = ceiling.perSecond / m_unit;
        const double from = std::max(x->range().lower, y->range().lower / rate);
        const double to = std::min({x->range().upper, y->range().upper / rate,
                                    highestCompute() > 0 ? highestCompute() / rate : x->range().upper});
        if (to <= from)
            continue;
        const QPointF begin(x->coordToPixel(from), y->coordToPixel(rate * from));
        const QPointF end(x->coordToPixel(to), y->coordToPixel(rate * to));
        const QPointF middle = begin + 0.62 * (end - begin);
        painter.save();
        painter.translate(middle);
        painter.rotate(std::atan2(end.y() - begin.y(), end.x() - begin.x()) * 180 / M_PI);
        drawWord(painter, m_look, QPointF(0, -m_look.px(3)), Qt::AlignHCenter | Qt::AlignBottom, word, ink,
                 false);
        painter.restore();
    }
    drawWord(painter, m_look, QPointF(m_look.px(12), m_look.px(8)), Qt::AlignLeft | Qt::AlignTop, m_unitName,
             m_look.color("text.tertiary"), false);
    const QString words = painter.fontMetrics().elidedText(m_roofline.origin(), Qt::ElideRight,
                                                           static_cast<int>(area.width() - m_look.px(70)));
    drawWord(painter, m_look, QPointF(area.right(), m_look.px(8)), Qt::AlignRight | Qt::AlignTop, words,
             m_look.color("text.tertiary"), false);
}

void RooflineView::drawPoint(QPainter &painter, const RooflinePoint &point, const QPointF &at) {
    painter.setRenderHint(QPainter::Antialiasing);
    const bool isKernel = point.kind == RooflinePoint::Kind::Kernel;
    const QString arm = point.arm == QLatin1String("imported") ? QStringLiteral("candidate") : point.arm;
    const SeriesStyle style = seriesStyle(m_look, armNamed(arm));
    const double size = m_look.px(point.kind == RooflinePoint::Kind::Iteration ? 6 : 9);
    drawMark(painter, isKernel ? PlotMark::Triangle : style.mark, at, size,
             isStale() ? m_look.color("text.tertiary") : style.fill, m_look.color("bg.pane"), m_look.px(1));
    if (point.kind == RooflinePoint::Kind::Current) {
        painter.setPen(QPen(m_look.color("text.primary"), 1.5 * m_look.px(4) / 4.0));
        painter.setBrush(Qt::NoBrush);
        painter.drawEllipse(at, m_look.px(8), m_look.px(8));
    }
}

void RooflineView::drawPoints(QPainter &painter, const QRectF &area) {
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF within = area.adjusted(-1, -1, 1, 1);
    // The way from iteration to iteration, oldest first.
    std::vector<const RooflinePoint *> trail;
    for (const RooflinePoint &point : m_roofline.points())
        if (point.iteration > 0)
            trail.push_back(&point);
    std::sort(trail.begin(), trail.end(),
              [](const RooflinePoint *a, const RooflinePoint *b) { return a->iteration < b->iteration; });
    painter.setPen(QPen(inkOf("series.candidate"), m_look.px(1)));
    QPointF last;
    for (std::size_t i = 0; i < trail.size(); ++i) {
        const QPointF at = placeOf(*trail[i]);
        if (i > 0 && within.contains(at) && within.contains(last) && at.toPoint() != last.toPoint())
            painter.drawLine(last, at);
        last = at;
    }
    QPoint drawn;
    for (const RooflinePoint &point : m_roofline.points()) {
        const QPointF at = placeOf(point);
        if (!within.contains(at))
            continue;
        // Of many iterations on one pixel one is drawn.
        if (point.kind == RooflinePoint::Kind::Iteration &&
            std::exchange(drawn, at.toPoint()) == at.toPoint())
            continue;
        drawPoint(painter, point, at);
    }
}

std::vector<std::size_t> RooflineView::named() const {
    std::vector<std::size_t> found;
    for (const RooflinePoint::Kind kind :
         {RooflinePoint::Kind::Current, RooflinePoint::Kind::Baseline, RooflinePoint::Kind::Kernel})
        for (std::size_t i = 0; i < m_roofline.points().size(); ++i)
            if (m_roofline.points()[i].kind == kind)
                found.push_back(i);
    return found;
}

// At the lower right: right of the ridge nothing comes so low but what is far from its roof.
void RooflineView::drawNames(QPainter &painter, const QRectF &area) {
    const double pitch = m_look.px(18);
    const auto fitting = static_cast<std::size_t>(std::max(0.0, (area.height() * 0.55) / pitch));
    std::vector<std::size_t> names = named();
    if (area.width() < m_look.px(330) || fitting == 0)
        return;
    if (names.size() > fitting)
        names.resize(fitting);
    painter.setFont(m_look.font(TextRole::Small));
    const QFontMetrics metrics(m_look.font(TextRole::Small));
    double labelWidth = 0;
    double valueWidth = 0;
    QStringList values;
    const double mostLabel = area.width() * 0.22;
    for (const std::size_t i : names) {
        const RooflinePoint &point = m_roofline.points()[i];
        labelWidth =
            std::max(labelWidth, std::min<double>(mostLabel, metrics.horizontalAdvance(point.label)));
        const std::optional<double> roof = m_roofline.roofAt(point.intensity());
        values
            << scaledText(point.flopsPerSecond(), QStringLiteral("FLOP/s")) +
                   (roof ? QStringLiteral(", %1 of its roof").arg(percentText(point.flopsPerSecond() / *roof))
                         : QString());
        valueWidth = std::max<double>(valueWidth, metrics.horizontalAdvance(values.last()));
    }
    const double right = area.right() - m_look.px(4);
    const double valueLeft = right - valueWidth;
    const double labelLeft = valueLeft - m_look.px(10) - labelWidth;
    double line = area.bottom() - m_look.px(8) - pitch * static_cast<double>(names.size()) + pitch / 2;
    for (std::size_t row = 0; row < names.size(); ++row, line += pitch) {
        const RooflinePoint &point = m_roofline.points()[names[row]];
        const QPointF mark(labelLeft - m_look.px(10), line);
        const QPointF at = placeOf(point);
        // Only to a point left of the list: a leader through the words would be none.
        if (area.contains(at) && at.x() < mark.x() - m_look.px(12)) {
            painter.setRenderHint(QPainter::Antialiasing);
            painter.setPen(QPen(m_look.color("border.strong"), m_look.px(1)));
            const QLineF whole(at, mark - QPointF(m_look.px(8), 0));
            painter.drawLine(whole.pointAt(std::min(0.4, m_look.px(10) / std::max(1.0, whole.length()))),
                             whole.p2());
        }
        drawPoint(painter, point, mark);
        const bool isCurrent = point.kind == RooflinePoint::Kind::Current;
        painter.setFont(m_look.font(TextRole::Small, isCurrent ? QFont::DemiBold : QFont::Normal));
        drawWord(
            painter, m_look, QPointF(labelLeft, line), Qt::AlignVCenter,
            painter.fontMetrics().elidedText(point.label, Qt::ElideRight, static_cast<int>(labelWidth) + 1),
            inkOf("text.primary"), true);
        painter.setFont(m_look.font(TextRole::Small));
        drawWord(painter, m_look, QPointF(valueLeft, line), Qt::AlignVCenter,
                 values[static_cast<qsizetype>(row)], inkOf("text.secondary"), true);
    }
}

} // namespace warpwright
