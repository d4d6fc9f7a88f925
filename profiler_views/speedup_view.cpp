// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler_views/speedup_view.h"

#include "profiler_views/series_paint.h"
#include "profiler_views/trust_row.h"
#include "toolchain/evaluation/ceiling_doubt.h"
#include "widgets/look/look.h"
#include "widgets/plot/plot.h"

#include <QScrollArea>

#include <algorithm>
#include <set>

namespace warpwright {
namespace {

constexpr int leastPitch = 18;
constexpr int mostPitch = 28;

} // namespace

SpeedupView::SpeedupView(const Look &look, QWidget *parent)
    : ChartView(look, QStringLiteral("Speed-up"), parent),
      m_scroll(new QScrollArea(content())),
      m_trust(new TrustRow(look, content())) {
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->setFocusPolicy(Qt::NoFocus);
    m_scroll->setWidgetResizable(true);
    m_scroll->setWidget(&plot());

    setModel(m_speedups);
    Plot &chart = plot();
    makeBars();
    chart.yAxis->setRangeReversed(true);
    chart.addDrawing(false, [this](QPainter &painter, const QRectF &area) { drawBars(painter, area); });
    chart.addDrawing(true, [this](QPainter &painter, const QRectF &area) { drawWords(painter, area); });
    chart.setStops([this] { return stops(); }, [this](int id) { return toolTipOf(id); });
    connect(&chart, &Plot::restyled, this, &SpeedupView::layOut);
    show(MeasuredFigures());
}

void SpeedupView::show(const MeasuredFigures &figures) {
    m_speedups.setFigures(figures);
    m_trust->setBadge(wholeTrustBadge(figures));
    if (figures.candidate() == nullptr) {
        showWhyNotProfiled(figures, QStringLiteral("chart"), QStringLiteral("Speed-up"));
        return;
    }
    const TimeScale times = figures.times;
    plot().setTickText(
        plot().xAxis,
        [times](double tick, double step) {
            return tickText(tick / times.unitMicroseconds, step / times.unitMicroseconds);
        },
        5);
    plot().setHome(QCPRange(0, m_speedups.axisEnd()), QCPRange(0, static_cast<double>(figures.arms.size())),
                   Qt::Horizontal);
    showContent(m_speedups.summary(), originText(figures));
    layOut();
}

void SpeedupView::staleChanged() {
    m_trust->setStale(isStale());
    ChartView::staleChanged();
}

QStringList SpeedupView::shownColumns() const {
    QStringList heads;
    for (const Column &column : m_columns) {
        if (column.right > 0)
            heads << column.head;
    }
    return heads;
}

void SpeedupView::resizeEvent(QResizeEvent *event) {
    ChartView::resizeEvent(event);
    layOut();
}

void SpeedupView::makeColumns() {
    const MeasuredFigures &figures = m_speedups.figures();
    Column median{QStringLiteral("median"), {}, 0, 0, 0, true};
    Column interval{QStringLiteral("95 % interval"), {}, 0, 0, 2, false};
    Column factor{QStringLiteral("speed-up"), {}, 0, 0, 1, false};
    Column precision{QStringLiteral("class"), {}, 0, 0, 3, false};
    std::set<QString> classes;
    for (std::size_t row = 0; row < figures.arms.size(); ++row) {
        const ArmFigures &arm = figures.arms[row];
        median.cells << figures.times.number(arm.medianMicroseconds);
        interval.cells << figures.times.interval(arm.lowMicroseconds, arm.highMicroseconds);
        factor.cells << m_speedups.factorTextAt(static_cast<int>(row));
        precision.cells << arm.precision;
        classes.insert(arm.precision);
    }
    m_columns = {median, interval, factor};
    if (classes.size() > 1)
        m_columns.push_back(precision);
    const QFontMetricsF head(m_look.font(TextRole::Axis));
    const QFontMetricsF plain(m_look.font(TextRole::Small));
    const QFontMetricsF strong(m_look.font(TextRole::Small, QFont::DemiBold));
    for (Column &column : m_columns) {
        column.width = head.horizontalAdvance(column.head);
        for (const QString &cell : column.cells)
            column.width = std::max(column.width, (column.isStrong ? strong : plain).horizontalAdvance(cell));
    }
}

void SpeedupView::layOut() {
    const MeasuredFigures &figures = m_speedups.figures();
    if (figures.arms.empty())
        return;
    makeColumns();
    const int count = static_cast<int>(figures.arms.size());
    const int head = m_look.px(28);
    const QFontMetrics axis(m_look.font(TextRole::Axis));
    const int title = m_look.px(3) + axis.height();
    int foot = m_look.px(5) + axis.height() + title + m_look.px(6);
    const int trustWidth = this->width() - 2 * m_look.px(12);
    // Two rows of trust at most; one where the bars need the room.
    m_trust->setMostRows(height() < head + m_look.px(mostPitch) * count + foot + m_look.px(60) ? 1 : 2);
    const int trust = m_trust->heightForWidth(trustWidth);
    const int below = trust > 0 ? trust + m_look.px(4 + 8) : 0;
    // Where it is low the axis has no title, which would be cut: its unit stands over the medians.
    const bool isLow = height() < head + m_look.px(leastPitch) * count + foot + below;
    if (isLow) {
        foot -= title;
        Column &median = m_columns.front();
        median.unit = QStringLiteral(", ") + figures.times.unit;
        median.width =
            std::max(median.width,
                     QFontMetricsF(m_look.font(TextRole::Axis)).horizontalAdvance(median.head + median.unit));
    }
    m_pitch =
        std::clamp(static_cast<double>(height() - head - foot - below) / count,
                   static_cast<double>(m_look.px(leastPitch)), static_cast<double>(m_look.px(mostPitch)));
    const int chartHeight = head + static_cast<int>(m_pitch * count) + foot;
    // Where even the least pitch is too much, the bars scroll; the trust stays in sight.
    plot().setMinimumHeight(chartHeight);
    const int scrollHeight = std::min(chartHeight, std::max(m_look.px(60), height() - below));
    m_scroll->setGeometry(0, 0, this->width(), scrollHeight);
    m_trust->setGeometry(m_look.px(12), scrollHeight + m_look.px(4), trustWidth, trust);
    // The scroll bar takes its width from the columns, not over them.
    const double width =
        this->width() - (scrollHeight < chartHeight ? style()->pixelMetric(QStyle::PM_ScrollBarExtent) : 0);

    const double margin = m_look.px(12);
    const QFontMetricsF names(m_look.font(TextRole::Small, QFont::DemiBold));
    double nameWidth = 0;
    for (const ArmFigures &arm : figures.arms)
        nameWidth = std::max(nameWidth, names.horizontalAdvance(arm.label));
    m_namesRight = margin + nameWidth;
    const double left = m_namesRight + m_look.px(8);
    const double gap = m_look.px(12);

    // Columns leave while the bars have too little room.
    const double room = width - margin - left;
    const auto taken = [&](int mostRank) {
        double sum = 0;
        for (const Column &column : m_columns)
            sum += column.rank <= mostRank ? column.width + gap : 0;
        return sum;
    };
    int mostRank = 3;
    while (mostRank > 0 && room - taken(mostRank) < m_look.px(mostRank == 1 ? 96 : 130))
        --mostRank;
    double right = width - margin;
    for (auto column = m_columns.rbegin(); column != m_columns.rend(); ++column) {
        column->right = column->rank <= mostRank ? right : 0;
        if (column->right > 0)
            right -= column->width + gap;
    }

    Plot &chart = plot();
    chart.axisRect()->setMargins(
        QMargins(static_cast<int>(left), head, static_cast<int>(width - right), foot));
    const QString unit = figures.times.unit;
    const QString longLabel = QStringLiteral("time of one call, %1 (less is better)").arg(unit);
    const bool fits =
        axis.horizontalAdvance(longLabel) < right - left + 2 * std::min(left, width - right) - 2 * margin;
    chart.xAxis->setLabel(isLow ? QString() : fits ? longLabel : QStringLiteral("%1 a call").arg(unit));
    chart.xAxis->ticker()->setTickCount(std::clamp(static_cast<int>((right - left) / m_look.px(60)), 2, 6));
    chart.replotLater();
}

double SpeedupView::rowCentre(std::size_t row) const {
    return plot().yAxis->coordToPixel(static_cast<double>(row) + 0.5);
}

void SpeedupView::drawBars(QPainter &painter, const QRectF &area) {
    const MeasuredFigures &figures = m_speedups.figures();
    const QCPAxis *x = plot().xAxis;
    const double thickness = std::round(m_pitch * 18 / 28);
    painter.setFont(m_look.font(TextRole::Axis));
    for (std::size_t row = 0; row < figures.arms.size(); ++row) {
        const ArmFigures &arm = figures.arms[row];
        const double centre = rowCentre(row);
        const double end = x->coordToPixel(arm.medianMicroseconds);
        const bool isCut = end > area.right();
        const QRectF bar(
            QPointF(area.left(), std::round(centre - thickness / 2)),
            QPointF(std::round(std::min(end, area.right())), std::round(centre + thickness / 2)));
        drawBar(painter, m_look, bar, seriesStyle(m_look, arm), !arm.isLive, isStale());
        if (isCut) {
            // Out of the chart: a triangle at the edge, with the value before it.
            const double size = m_look.px(8);
            drawWord(painter, m_look, QPointF(area.right() - 2 * size, centre),
                     Qt::AlignRight | Qt::AlignVCenter, figures.times.text(arm.medianMicroseconds),
                     inkOf("text.primary"), true);
            QPolygonF triangle;
            triangle << QPointF(area.right() + size / 2, centre)
                     << QPointF(area.right() - size / 2, centre - size / 2)
                     << QPointF(area.right() - size / 2, centre + size / 2);
            painter.setRenderHint(QPainter::Antialiasing);
            painter.setPen(Qt::NoPen);
            painter.setBrush(m_look.color("text.primary"));
            painter.drawPolygon(triangle);
            painter.setBrush(Qt::NoBrush);
            continue;
        }
        const double low = std::max(area.left(), x->coordToPixel(arm.lowMicroseconds));
        const double high = std::min(area.right() + m_look.px(6), x->coordToPixel(arm.highMicroseconds));
        drawErrorBar(painter, m_look, QPointF(low, centre), QPointF(high, centre), inkOf("text.primary"));
        if (!arm.isLive) {
            // At the bar's foot, not under the line of light; after the bar where it is too short.
            const QString word = arm.isDerived ? QStringLiteral("derived") : QStringLiteral("stored");
            const double width = painter.fontMetrics().horizontalAdvance(word) + m_look.px(12);
            double at = area.left() + m_look.px(6);
            if (figures.speedOfLightMicroseconds) {
                const double light = x->coordToPixel(*figures.speedOfLightMicroseconds);
                if (light > at - m_look.px(4) && light < at + width)
                    at = light + m_look.px(6);
            }
            if (at + width > low)
                at = high + m_look.px(8);
            // Not over the columns: the bar's open outline and its tip say it as well.
            if (at + width - m_look.px(12) > area.right() + m_look.px(8))
                continue;
            drawWord(painter, m_look, QPointF(at, centre), Qt::AlignLeft | Qt::AlignVCenter, word,
                     m_look.color("text.tertiary"), true);
        }
    }
}

void SpeedupView::drawWords(QPainter &painter, const QRectF &area) {
    const MeasuredFigures &figures = m_speedups.figures();
    const double headLine = area.top() - m_look.px(8);
    // Speed of light: from its word down through all bars.
    if (figures.speedOfLightMicroseconds) {
        const double at = plot().xAxis->coordToPixel(*figures.speedOfLightMicroseconds);
        if (at >= area.left() && at <= area.right()) {
            drawSpeedOfLight(painter, m_look, QPointF(at, area.top() - m_look.px(4)),
                             QPointF(at, area.bottom()), inkOf("series.sol"));
            painter.setFont(m_look.font(TextRole::Axis));
            QString text =
                QStringLiteral("speed of light ") + figures.times.fineText(*figures.speedOfLightMicroseconds);
            double most = area.right();
            for (const Column &column : m_columns) {
                if (column.right > 0) {
                    most = std::max(most, column.right - column.width - m_look.px(8));
                    break;
                }
            }
            const double least = m_look.px(12);
            double width = painter.fontMetrics().horizontalAdvance(text);
            if (width > most - least) {
                text = QStringLiteral("light ") + figures.times.fineText(*figures.speedOfLightMicroseconds);
                width = painter.fontMetrics().horizontalAdvance(text);
            }
            const double x = std::clamp(at - width / 2, least, std::max(least, most - width));
            drawWord(painter, m_look, QPointF(x, headLine), Qt::AlignLeft | Qt::AlignBottom, text,
                     inkOf("text.primary"), false);
        }
    }
    for (std::size_t row = 0; row < figures.arms.size(); ++row) {
        const ArmFigures &arm = figures.arms[row];
        painter.setFont(m_look.font(TextRole::Small, arm.isCandidate() ? QFont::DemiBold : QFont::Normal));
        drawWord(painter, m_look, QPointF(m_namesRight, rowCentre(row)), Qt::AlignRight | Qt::AlignVCenter,
                 arm.label, inkOf("text.primary"), false);
    }
    for (const Column &column : m_columns) {
        if (column.right <= 0)
            continue;
        painter.setFont(m_look.font(TextRole::Axis));
        drawWord(painter, m_look, QPointF(column.right, headLine), Qt::AlignRight | Qt::AlignBottom,
                 column.head + column.unit, m_look.color("text.tertiary"), false);
        painter.setFont(m_look.font(TextRole::Small, column.isStrong ? QFont::DemiBold : QFont::Normal));
        for (qsizetype row = 0; row < column.cells.size(); ++row)
            drawWord(painter, m_look, QPointF(column.right, rowCentre(static_cast<std::size_t>(row))),
                     Qt::AlignRight | Qt::AlignVCenter, column.cells[row],
                     inkOf(column.isStrong ? "text.primary" : "text.secondary"), false);
    }
}

std::vector<PlotStop> SpeedupView::stops() const {
    const MeasuredFigures &figures = m_speedups.figures();
    std::vector<PlotStop> stops;
    const QRectF area(plot().axisRect()->rect());
    for (std::size_t row = 0; row < figures.arms.size(); ++row) {
        const double centre = rowCentre(row);
        const double end = plot().xAxis->coordToPixel(figures.arms[row].medianMicroseconds);
        stops.push_back({QRectF(0, centre - m_pitch / 2, plot().width(), m_pitch),
                         QPointF(std::min(end, area.right()), centre), static_cast<int>(row)});
    }
    if (figures.speedOfLightMicroseconds) {
        const double at = plot().xAxis->coordToPixel(*figures.speedOfLightMicroseconds);
        stops.push_back({QRectF(at - m_look.px(40), area.top() - m_look.px(26), m_look.px(80), m_look.px(26)),
                         QPointF(at, area.top()), static_cast<int>(figures.arms.size())});
    }
    return stops;
}

QString SpeedupView::toolTipOf(int id) const {
    const MeasuredFigures &figures = m_speedups.figures();
    if (static_cast<std::size_t>(id) < figures.arms.size())
        return armToolTip(figures, figures.arms[static_cast<std::size_t>(id)]);
    QString text = QStringLiteral("speed of light %1: the least time this device could take")
                       .arg(figures.times.fineText(*figures.speedOfLightMicroseconds));
    if (const QString doubt = ceilingDoubt(figures); !doubt.isEmpty())
        text += QLatin1Char('\n') + doubt;
    else if (const std::optional<MeasuredFigures::Share> share = figures.shareOfLight())
        text +=
            QStringLiteral("\nthe candidate reaches %1 of it, 95 % interval %2–%3")
                .arg(percentText(share->value), numberText(100 * share->low, 1), percentText(share->high));
    if (!figures.task.limit.isEmpty())
        text += QStringLiteral("\nlimited by ") + figures.task.limit;
    return text;
}

} // namespace warpwright
