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

constexpr double namePitch = 18;
constexpr double mostNamesShare = 0.42; // of the height; a longer list stands beside the chart
constexpr double leastSpan = 100;       // two decades: with less there are no ticks at powers of ten

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
        drawNumbers(painter, area);
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
    QStringList origin{m_roofline.origin()};
    origin << m_roofline.remarks();
    showContent(m_roofline.summary(), origin.join(QStringLiteral(". ")));
    layOut();
    setHome();
}

QString RooflineView::headline() const {
    for (const RooflinePoint &point : m_roofline.points())
        if (point.kind == RooflinePoint::Kind::Current)
            return m_roofline.sentenceOf(point);
    return {};
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
    high = std::max(high, highestCompute()) * 3;
    right *= 20; // the roofs' names stand there
    left = std::min(left / 4, right / leastSpan);
    low = std::min(memoryPerSecond() > 0 ? std::min(low, memoryPerSecond() * left) / 2 : low / 2,
                   high / leastSpan);
    // Below what lies in the right half there is room for the list of names.
    double lowest = 1e300;
    for (const RooflineCeiling &ceiling : m_roofline.ceilings())
        if (!ceiling.isMemory)
            lowest = std::min(lowest, ceiling.perSecond / m_unit);
    for (const RooflinePoint &point : m_roofline.points())
        if (point.intensity() > std::sqrt(left * right))
            lowest = std::min(lowest, point.flopsPerSecond() / m_unit);
    const double height = plot().axisRect()->height();
    const double share =
        height > 0 ? (m_look.px(namePitch) * static_cast<double>(named().size()) + m_look.px(16)) / height
                   : 1;
    if (!m_namesStandBeside && share < mostNamesShare && lowest < high)
        low = std::min(low, std::exp((std::log(lowest) - share * std::log(high)) / (1 - share)));
    plot().setHome(QCPRange(left, right), QCPRange(low, high), Qt::Horizontal | Qt::Vertical);
}

void RooflineView::resizeEvent(QResizeEvent *event) {
    ChartView::resizeEvent(event);
    const bool isZoomed = plot().isZoomed();
    layOut();
    if (!isZoomed && !m_roofline.points().empty())
        setHome();
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
    const double room = std::max(1, height() - top - bottom);
    m_namesStandBeside =
        m_look.px(namePitch) * static_cast<double>(named().size()) + m_look.px(16) > mostNamesShare * room;
    int right = m_look.px(14);
    if (m_namesStandBeside) {
        const std::vector<Name> list = names();
        const double wide = labelWidth(list) + valueWidth(list) + m_look.px(10 + 13 + 8 + 20);
        m_namesStandBeside = width() - wide - left > m_look.px(160);
        right = m_namesStandBeside ? static_cast<int>(wide) : right;
    }
    chart.axisRect()->setMargins(QMargins(left, top, right, bottom));
    chart.axisRect()->setOuterRect(chart.rect()); // its height is asked for before it is drawn
    chart.xAxis->ticker()->setTickCount(std::clamp(width() / m_look.px(80), 2, 8));
    chart.replotLater();
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
        QPen pen(m_look.color(isOfTask ? "text.primary" : "text.tertiary"),
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
        const QColor ink = m_look.color(ceiling.isOfTask ? "text.primary" : "text.tertiary");
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
        const QPointF middle = begin + 0.42 * (end - begin);
        painter.save();
        painter.translate(middle);
        painter.rotate(std::atan2(end.y() - begin.y(), end.x() - begin.x()) * 180 / M_PI);
        drawWord(painter, m_look, QPointF(0, -m_look.px(3)), Qt::AlignHCenter | Qt::AlignBottom, word, ink,
                 false);
        painter.restore();
    }
    drawWord(painter, m_look, QPointF(m_look.px(12), m_look.px(8)), Qt::AlignLeft | Qt::AlignTop, m_unitName,
             m_look.color("text.tertiary"), false);
    const QString words = painter.fontMetrics().elidedText(
        m_roofline.shortOrigin(), Qt::ElideRight, static_cast<int>(plot().width() - m_look.px(12 + 84)));
    drawWord(painter, m_look, QPointF(plot().width() - m_look.px(14), m_look.px(8)),
             Qt::AlignRight | Qt::AlignTop, words, m_look.color("text.tertiary"), false);
}

// Torch's times and those of earlier iterations are no others because this text was edited.
bool RooflineView::isOfEditedText(const RooflinePoint &point) const {
    const bool isOfTorch =
        point.arm.startsWith(QLatin1String("eager")) || point.arm.startsWith(QLatin1String("compile"));
    return isStale() && !isOfTorch &&
           (point.kind == RooflinePoint::Kind::Current || point.kind == RooflinePoint::Kind::Kernel);
}

void RooflineView::drawPoint(QPainter &painter, const RooflinePoint &point, const QPointF &at) {
    painter.setRenderHint(QPainter::Antialiasing);
    const bool isKernel = point.kind == RooflinePoint::Kind::Kernel;
    const QString arm = point.arm == QLatin1String("imported") ? QStringLiteral("candidate") : point.arm;
    const SeriesStyle style = seriesStyle(m_look, armNamed(arm));
    const double size = m_look.px(point.kind == RooflinePoint::Kind::Iteration ? 6 : 9);
    drawMark(painter, isKernel ? PlotMark::Triangle : style.mark, at, size,
             isOfEditedText(point) ? m_look.color("text.tertiary") : style.fill, m_look.color("bg.pane"),
             m_look.px(1));
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
    painter.setPen(QPen(m_look.color("series.candidate"), m_look.px(1)));
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

// Torch's kernels have long names, and nobody mends them here: their points say it under the pointer.
bool RooflineView::isListed(const RooflinePoint &point) {
    return point.kind != RooflinePoint::Kind::Kernel || point.arm.isEmpty() ||
           point.arm == QLatin1String("candidate") || point.arm == QLatin1String("imported");
}

std::vector<std::size_t> RooflineView::named() const {
    std::vector<std::size_t> found;
    for (const RooflinePoint::Kind kind :
         {RooflinePoint::Kind::Current, RooflinePoint::Kind::Baseline, RooflinePoint::Kind::Kernel})
        for (std::size_t i = 0; i < m_roofline.points().size(); ++i)
            if (m_roofline.points()[i].kind == kind && isListed(m_roofline.points()[i]))
                found.push_back(i);
    return found;
}

std::vector<RooflineView::Name> RooflineView::names() const {
    std::vector<Name> found;
    for (const std::size_t i : named()) {
        const RooflinePoint &point = m_roofline.points()[i];
        const QString share = m_roofline.ofRoofText(point);
        QString value = scaledText(point.flopsPerSecond(), QStringLiteral("FLOP/s"));
        if (!share.isEmpty())
            value += m_namesStandBeside ? QStringLiteral(", %1").arg(share)
                                        : QStringLiteral(", %1 of its roof").arg(share);
        found.push_back({i, point.label, value});
    }
    return found;
}

double RooflineView::labelWidth(const std::vector<Name> &names) const {
    const QFontMetrics metrics(m_look.font(TextRole::Small, QFont::DemiBold));
    double most = 0;
    for (const Name &name : names)
        most = std::max<double>(most, metrics.horizontalAdvance(name.label));
    return std::min(most, width() * 0.2);
}

double RooflineView::valueWidth(const std::vector<Name> &names) const {
    const QFontMetrics metrics(m_look.font(TextRole::Small, QFont::DemiBold));
    double most = 0;
    for (const Name &name : names)
        most = std::max<double>(most, metrics.horizontalAdvance(name.value));
    return most;
}

// At the lower right: right of the ridge nothing comes so low but what is far from its roof. In a low chart
// something would: there the list stands beside it.
void RooflineView::drawNames(QPainter &painter, const QRectF &area) {
    const double pitch = m_look.px(namePitch);
    const double room = m_namesStandBeside ? area.height() : area.height() * mostNamesShare;
    const auto fitting = static_cast<std::size_t>(std::max(0.0, room / pitch));
    std::vector<Name> rows = names();
    if ((area.width() < m_look.px(330) && !m_namesStandBeside) || fitting == 0)
        return;
    if (rows.size() > fitting)
        rows.resize(fitting); // the shown one and torch's first
    std::stable_sort(rows.begin(), rows.end(), [this](const Name &a, const Name &b) {
        return m_roofline.points()[a.point].flopsPerSecond() > m_roofline.points()[b.point].flopsPerSecond();
    });
    const double labels = labelWidth(rows);
    const double right = m_namesStandBeside ? plot().width() - m_look.px(10) : area.right() - m_look.px(4);
    const double valueLeft = right - valueWidth(rows);
    const double labelLeft = valueLeft - m_look.px(10) - labels;
    double line = m_namesStandBeside
                      ? area.top() + pitch / 2
                      : area.bottom() - m_look.px(8) - pitch * static_cast<double>(rows.size()) + pitch / 2;
    for (std::size_t row = 0; row < rows.size(); ++row, line += pitch) {
        const RooflinePoint &point = m_roofline.points()[rows[row].point];
        const QPointF mark(labelLeft - m_look.px(13), line);
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
        const bool isOlder = isOfEditedText(point);
        painter.setFont(m_look.font(TextRole::Small, isCurrent ? QFont::DemiBold : QFont::Normal));
        drawWord(
            painter, m_look, QPointF(labelLeft, line), Qt::AlignVCenter,
            painter.fontMetrics().elidedText(rows[row].label, Qt::ElideMiddle, static_cast<int>(labels) + 1),
            m_look.color(isOlder ? "text.tertiary" : "text.primary"), !m_namesStandBeside);
        painter.setFont(m_look.font(TextRole::Small));
        drawWord(painter, m_look, QPointF(valueLeft, line), Qt::AlignVCenter, rows[row].value,
                 m_look.color(isOlder ? "text.tertiary" : "text.secondary"), !m_namesStandBeside);
    }
}

// The numbers of earlier iterations at their points, as long as they are few.
void RooflineView::drawNumbers(QPainter &painter, const QRectF &area) {
    constexpr std::size_t few = 12;
    std::vector<const RooflinePoint *> earlier;
    for (const RooflinePoint &point : m_roofline.points())
        if (point.kind == RooflinePoint::Kind::Iteration && point.iteration > 0)
            earlier.push_back(&point);
    if (earlier.size() > few)
        return;
    painter.setFont(m_look.font(TextRole::Axis));
    std::vector<QRectF> taken;
    for (const RooflinePoint &point : m_roofline.points())
        if (point.kind != RooflinePoint::Kind::Iteration)
            taken.push_back(QRectF(placeOf(point) - QPointF(m_look.px(9), m_look.px(9)),
                                   QSizeF(m_look.px(18), m_look.px(18))));
    for (const RooflinePoint *point : earlier) {
        const QPointF at = placeOf(*point);
        const QString number = QString::number(point->iteration);
        const QSizeF size(painter.fontMetrics().horizontalAdvance(number), painter.fontMetrics().height());
        const QRectF place(QPointF(at.x() - m_look.px(7) - size.width(), at.y() - size.height() / 2), size);
        const bool isFree = std::none_of(taken.begin(), taken.end(),
                                         [&place](const QRectF &other) { return other.intersects(place); });
        if (!isFree || !area.contains(place))
            continue;
        taken.push_back(place);
        drawWord(painter, m_look, QPointF(place.left(), at.y()), Qt::AlignVCenter, number,
                 m_look.color("text.secondary"), true);
    }
}

} // namespace warpwright
