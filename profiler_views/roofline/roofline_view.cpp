// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler_views/roofline/roofline_view.h"

#include "profiler_views/series_paint.h"
#include "toolchain/base/figures.h"
#include "widgets/look/look.h"
#include "widgets/plot/plot.h"

#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace warpwright {
namespace {

constexpr double namePitch = 18;
constexpr double markWidth = 21; // of a row's mark, with what parts it from its label
constexpr double valueGap = 10;
constexpr double keptOffGrid = 4;      // less than what is kept free around a point
constexpr std::size_t mostApart = 200; // iterations that are drawn pixel by pixel
constexpr double leastSpan = 100;      // two decades: with less there are no ticks at powers of ten

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
        connect(axis, qOverload<const QCPRange &>(&QCPAxis::rangeChanged), this, &RooflineView::layOut);
    }
    chart.addDrawing(false, [this](QPainter &painter, const QRectF &area) { drawRoofs(painter, area); });
    chart.addDrawing(true, [this](QPainter &painter, const QRectF &area) {
        drawRoofWords(painter);
        drawPoints(painter);
        drawNumbers(painter, area);
        drawNames(painter, area);
    });
    chart.setStops(
        [this] {
            std::vector<PlotStop> stops;
            const QRectF within = QRectF(plot().axisRect()->rect()).adjusted(-1, -1, 1, 1);
            const std::vector<QPointF> places = m_places.all(frame());
            const double reach = m_look.px(9);
            for (std::size_t i = 0; i < places.size(); ++i)
                if (within.contains(places[i]))
                    stops.push_back({QRectF(places[i] - QPointF(reach, reach), QSizeF(2 * reach, 2 * reach)),
                                     places[i], static_cast<int>(i)});
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
    m_places = RooflinePlaces(m_roofline.points());
    m_names = names();
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
    setHome();
    layOut();
}

QString RooflineView::headline() const {
    for (const RooflinePoint &point : m_roofline.points())
        if (point.kind == RooflinePoint::Kind::Current)
            return m_roofline.sentenceOf(point);
    return {};
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
    const double memory = memoryCeiling(m_roofline.ceilings()) / m_unit;
    const double highest = highestCeiling(m_roofline.ceilings()) / m_unit;
    if (memory > 0 && highest > 0)
        right = std::max(right, highest / memory);
    high = std::max(high, highest) * 3;
    right *= 20; // the roofs' names stand there
    left = std::min(left / 4, right / leastSpan);
    low = std::min(memory > 0 ? std::min(low, memory * left) / 2 : low / 2, high / leastSpan);
    // Both axes change, and who calls lays out.
    const QSignalBlocker quietX(plot().xAxis);
    const QSignalBlocker quietY(plot().yAxis);
    plot().setHome(QCPRange(left, right), QCPRange(low, high), Qt::Horizontal | Qt::Vertical);
}

void RooflineView::resizeEvent(QResizeEvent *event) {
    ChartView::resizeEvent(event);
    layOut();
}

RooflineFrame RooflineView::frame() const {
    return frameOf(plot().axisRect()->rect());
}

RooflineFrame RooflineView::frameOf(const QRect &area) const {
    return {area, plot().xAxis->range(), plot().yAxis->range(), m_unit};
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
    const QRect whole(left, top, std::max(1, width() - left - m_look.px(14)),
                      std::max(1, height() - top - bottom));
    const NameWidths widths = widthsOf(m_names);
    const double besides = m_look.px(markWidth) + widths.labelAndKind + m_look.px(valueGap);
    const auto wordsIn = [this](const RooflineFrame &frame, const std::vector<PlacedPoint> &points) {
        return roofWords(m_roofline.ceilings(), points, frame, m_look);
    };
    const double grid = m_look.px(keptOffGrid);
    const RooflineFrame most = frameOf(whole);
    const std::vector<PlacedPoint> inMost = m_places.inSight(most, grid);
    m_words = wordsIn(most, inMost);
    m_obstacles = obstaclesOf(inMost, roofLines(m_roofline.ceilings(), most), m_words, m_look);
    m_place = placeNames(size(), whole,
                         {m_names.size(), static_cast<double>(m_look.px(namePitch)), besides + widths.value,
                          besides + widths.shortValue},
                         m_obstacles, m_look);
    const QRect &area = m_place.area;
    if (area != whole)
        m_words = wordsIn(frameOf(area), m_places.inSight(frameOf(area), grid));
    chart.axisRect()->setMargins(
        QMargins(left, top, width() - area.right() - 1, height() - area.bottom() - 1));
    chart.axisRect()->setOuterRect(rect()); // its place is asked for before it is drawn
    chart.xAxis->ticker()->setTickCount(std::clamp(area.width() / m_look.px(80), 2, 8));
    chart.replotLater();
}

QPointF RooflineView::placeOf(const RooflinePoint &point) const {
    return QPointF(plot().xAxis->coordToPixel(point.intensity()),
                   plot().yAxis->coordToPixel(point.flopsPerSecond() / m_unit));
}

void RooflineView::drawRoofs(QPainter &painter, const QRectF &area) {
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setClipRect(area);
    for (const RoofLine &roof : roofLines(m_roofline.ceilings(), frame())) {
        QPen pen(m_look.color(roof.isOfTask ? "text.primary" : "text.tertiary"),
                 (roof.isOfTask ? 1.75 : 1.25) * m_look.px(4) / 4.0,
                 roof.isOfTask ? Qt::SolidLine : Qt::CustomDashLine, Qt::FlatCap);
        if (!roof.isOfTask)
            pen.setDashPattern({4, 3});
        painter.setPen(pen);
        painter.drawLine(roof.line);
    }
}

void RooflineView::drawRoofWords(QPainter &painter) {
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(m_look.font(TextRole::Axis));
    for (const RoofWord &word : m_words) {
        painter.save();
        painter.translate(word.origin);
        painter.rotate(word.degrees);
        drawWord(painter, m_look, word.at, word.alignment, word.text,
                 m_look.color(word.isOfTask ? "text.primary" : "text.tertiary"), true);
        painter.restore();
    }
    drawWord(painter, m_look, QPointF(m_look.px(12), m_look.px(8)), Qt::AlignLeft | Qt::AlignTop, m_unitName,
             m_look.color("text.tertiary"), false);
    const int room = plot().width() - m_look.px(12 + 84);
    QString origin = m_roofline.shortOrigin();
    // What the points rest on is said by their names, too.
    if (painter.fontMetrics().horizontalAdvance(origin) > room)
        origin = painter.fontMetrics().elidedText(origin.section(QStringLiteral(" · "), 0, 0), Qt::ElideRight,
                                                  room);
    drawWord(painter, m_look, QPointF(plot().width() - m_look.px(14), m_look.px(8)),
             Qt::AlignRight | Qt::AlignTop, origin, m_look.color("text.tertiary"), false);
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

void RooflineView::drawPoints(QPainter &painter) {
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(m_look.color("series.candidate"), m_look.px(1)));
    const RooflineFrame here = frame();
    if (const std::optional<QLineF> trail = m_places.trail(here))
        painter.drawLine(*trail);
    // Of many iterations one in each half of a mark: nearer ones cover each other.
    const double grid = m_places.earlierCount() > mostApart ? m_look.px(3) : 1;
    for (const PlacedPoint &point : m_places.inSight(here, grid))
        drawPoint(painter, m_roofline.points()[point.point], point.at);
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
    const auto isKernel = [this](std::size_t point) {
        return m_roofline.points()[point].kind == RooflinePoint::Kind::Kernel;
    };
    const std::vector<std::size_t> listed = named();
    // A kernel and the call that it runs in are two points of one thing: each says how it was counted.
    const bool areTwoKinds = std::any_of(listed.begin(), listed.end(), isKernel) &&
                             !std::all_of(listed.begin(), listed.end(), isKernel);
    for (const std::size_t i : listed) {
        const RooflinePoint &point = m_roofline.points()[i];
        const QString share = m_roofline.ofRoofText(point);
        const QString rate = scaledText(point.flopsPerSecond(), QStringLiteral("FLOP/s"));
        const QString brief = share.isEmpty() ? rate : QStringLiteral("%1, %2").arg(rate, share);
        found.push_back({i, point.label,
                         areTwoKinds ? QStringLiteral(", ") + RooflineModel::kindText(point) : QString(),
                         share.isEmpty() ? rate : QStringLiteral("%1 of its roof").arg(brief), brief});
    }
    return found;
}

RooflineView::NameWidths RooflineView::widthsOf(const std::vector<Name> &names) const {
    const QFontMetrics metrics(m_look.font(TextRole::Small, QFont::DemiBold));
    NameWidths widths;
    const auto widen = [&metrics](double &most, const QString &text) {
        most = std::max<double>(most, metrics.horizontalAdvance(text));
    };
    double kind = 0;
    for (const Name &name : names) {
        widen(widths.label, name.label);
        widen(kind, name.kind);
        widen(widths.value, name.value);
        widen(widths.shortValue, name.shortValue);
    }
    widths.label = std::min(widths.label, width() * 0.2);
    widths.labelAndKind = widths.label + kind;
    return widths;
}

void RooflineView::drawNames(QPainter &painter, const QRectF &area) {
    std::vector<Name> rows = m_names;
    const NameWidths widths = widthsOf(rows);
    rows.resize(std::min(rows.size(), m_place.rows));
    if (rows.empty())
        return;
    std::stable_sort(rows.begin(), rows.end(), [this](const Name &a, const Name &b) {
        return m_roofline.points()[a.point].flopsPerSecond() > m_roofline.points()[b.point].flopsPerSecond();
    });
    if (m_place.side == NamesPlace::Side::Inside)
        painter.fillRect(m_place.rect, m_look.color("bg.pane")); // so that the grid does not run through it
    const double valueAt = m_look.px(markWidth) + widths.labelAndKind + m_look.px(valueGap);
    const double column = valueAt + (m_place.isShort ? widths.shortValue : widths.value) + namesGap(m_look);
    const std::size_t inColumn = (rows.size() + m_place.columns - 1) / m_place.columns;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        const RooflinePoint &point = m_roofline.points()[rows[row].point];
        const double left = m_place.rect.left() + static_cast<double>(row / inColumn) * column;
        const double line =
            m_place.rect.top() + (static_cast<double>(row % inColumn) + 0.5) * m_look.px(namePitch);
        const QPointF mark(left + m_look.px(8), line);
        const QPointF at = placeOf(point);
        // Only to a point left of the list: a leader through the words would be none.
        if (m_place.side != NamesPlace::Side::Below && area.contains(at) &&
            at.x() < mark.x() - m_look.px(12)) {
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
        const QString label = painter.fontMetrics().elidedText(rows[row].label, Qt::ElideMiddle,
                                                               static_cast<int>(widths.label) + 1);
        const double kindAt = left + m_look.px(markWidth) + painter.fontMetrics().horizontalAdvance(label);
        const QColor second = m_look.color(isOlder ? "text.tertiary" : "text.secondary");
        drawWord(painter, m_look, QPointF(left + m_look.px(markWidth), line), Qt::AlignVCenter, label,
                 m_look.color(isOlder ? "text.tertiary" : "text.primary"), false);
        painter.setFont(m_look.font(TextRole::Small));
        drawWord(painter, m_look, QPointF(kindAt, line), Qt::AlignVCenter, rows[row].kind, second, false);
        const QString value = painter.fontMetrics().elidedText(
            m_place.isShort ? rows[row].shortValue : rows[row].value, Qt::ElideRight,
            static_cast<int>(m_place.rect.right() - left - valueAt) + 1);
        drawWord(painter, m_look, QPointF(left + valueAt, line), Qt::AlignVCenter, value, second, false);
    }
}

// The numbers of earlier iterations at their points, as long as they are few.
void RooflineView::drawNumbers(QPainter &painter, const QRectF &area) {
    constexpr std::size_t few = 12;
    if (m_places.earlierCount() > few)
        return;
    std::vector<const RooflinePoint *> earlier;
    for (const RooflinePoint &point : m_roofline.points())
        if (point.kind == RooflinePoint::Kind::Iteration && point.iteration > 0)
            earlier.push_back(&point);
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
