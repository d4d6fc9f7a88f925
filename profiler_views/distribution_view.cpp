// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler_views/distribution_view.h"

#include "profiler_views/series_paint.h"
#include "toolchain/evaluation/trust_badge.h"
#include "widgets/frame/action_button.h"
#include "widgets/look/look.h"
#include "widgets/plot/plot.h"

#include <QMenu>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace warpwright {

DistributionView::DistributionView(const Look &look, QWidget *parent)
    : ChartView(look, QStringLiteral("Distribution"), parent),
      m_choice(new ActionButton(look, ActionButton::Kind::Flat, this)) {
    auto *column = new QVBoxLayout(content());
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(&plot());
    m_choice->setSmall(true);
    m_choice->setHasMenu(true);
    m_choice->setToolTip(QStringLiteral("Which arm to show beside the candidate"));
    connect(m_choice, &QAbstractButton::clicked, this, &DistributionView::chooseOther);
    setModel(m_samples);
    Plot &chart = plot();
    chart.axisRect()->setAutoMargins(QCP::msNone);
    chart.xAxis->setLabel(QStringLiteral("timed round"));
    chart.xAxis->grid()->setVisible(false);
    chart.addDrawing(false, [this](QPainter &painter, const QRectF &area) {
        drawSamples(painter, area);
        drawHistogram(painter, area);
    });
    chart.addDrawing(true, [this](QPainter &painter, const QRectF &area) {
        drawClock(painter, area);
        drawHead(painter, area);
    });
    chart.setWholeTicks(chart.xAxis);
    chart.setStops([this] { return stops(); },
                   [this](int row) { return m_samples.index(row, 0).data(Qt::ToolTipRole).toString(); });
    connect(&chart, &Plot::restyled, this, &DistributionView::layOut);
    show(MeasuredFigures());
}

void DistributionView::show(const MeasuredFigures &figures) {
    m_samples.setFigures(figures);
    if (m_samples.blocksOf(QStringLiteral("candidate")).empty()) {
        m_choice->hide();
        if (figures.candidate() != nullptr)
            showEmpty(QStringLiteral("samples"), QStringLiteral("No samples in this evaluation"),
                      QStringLiteral("its document keeps medians and intervals only"));
        else
            showWhyNotProfiled(figures, QStringLiteral("distribution"), QStringLiteral("Distribution"));
        return;
    }
    const TimeScale times = figures.times;
    plot().setTickText(
        plot().yAxis,
        [times](double tick, double step) {
            return tickText(tick / times.unitMicroseconds, step / times.unitMicroseconds);
        },
        4);
    setOtherArm(m_samples.firstOtherArm());
    showContent(m_samples.summary(), originText(figures));
    layOut();
}

void DistributionView::setOtherArm(const QString &name) {
    m_other = m_samples.otherArms().contains(name) ? name : QString();
    m_choice->setText(m_other.isEmpty() ? QStringLiteral("candidate only")
                                        : QStringLiteral("beside ") + armLabel(m_other));
    m_choice->setAccessibleName(QStringLiteral("Arm beside the candidate: ") +
                                (m_other.isEmpty() ? QStringLiteral("none") : armLabel(m_other)));
    setHome();
    layOut();
}

void DistributionView::chooseOther() {
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const auto add = [&](const QString &name, const QString &word) {
        QAction *action = menu->addAction(word, this, [this, name] { setOtherArm(name); });
        action->setCheckable(true);
        action->setChecked(name == m_other);
    };
    add({}, QStringLiteral("candidate only"));
    for (const QString &name : m_samples.otherArms())
        add(name, QStringLiteral("beside ") + armLabel(name));
    menu->popup(m_choice->mapToGlobal(m_choice->rect().bottomLeft()));
}

QStringList DistributionView::shownArms() const {
    QStringList arms{QStringLiteral("candidate")};
    if (!m_other.isEmpty())
        arms.prepend(m_other);
    return arms;
}

void DistributionView::setHome() {
    const DistributionModel::Range range = m_samples.range(shownArms());
    plot().setHome(QCPRange(0.4, m_samples.lastBlock() + 1.6), QCPRange(range.low, range.high), Qt::Vertical);
}

void DistributionView::resizeEvent(QResizeEvent *event) {
    ChartView::resizeEvent(event);
    layOut();
}

double DistributionView::histogramWidth() const {
    return width() >= m_look.px(400) ? std::min(m_look.px(140), width() / 5) : 0;
}

void DistributionView::layOut() {
    if (isEmpty())
        return;
    const QFontMetrics axis(m_look.font(TextRole::Axis));
    Plot &chart = plot();
    const int left = m_look.px(12) + axis.horizontalAdvance(QStringLiteral("00,000")) + m_look.px(8);
    const int right =
        m_look.px(12) + (histogramWidth() > 0 ? static_cast<int>(histogramWidth()) + m_look.px(12) : 0);
    const int top = m_look.px(8 + 24 + 6);
    // The clock stands between the samples and the axis that both share; where it is too low, it goes.
    const int clock = m_samples.figures().clock.empty() ? m_look.px(26) : m_look.px(52);
    const bool hasClock = height() >= m_look.px(190);
    const int foot = m_look.px(5) + axis.height() + m_look.px(3) + axis.height() + m_look.px(6);
    chart.xAxis->setOffset(hasClock ? clock : 0);
    chart.axisRect()->setMargins(QMargins(left, top, right, foot + (hasClock ? clock : 0)));
    chart.yAxis->ticker()->setTickCount(std::clamp((height() - top - foot - clock) / m_look.px(36), 2, 6));
    chart.xAxis->ticker()->setTickCount(std::clamp((width() - left - right) / m_look.px(50), 2, 8));
    m_choice->setVisible(!m_samples.otherArms().isEmpty());
    m_choice->resize(m_choice->sizeHint());
    m_choice->move(width() - m_look.px(8) - m_choice->width(), m_look.px(6));
    m_choice->raise();
    chart.replotLater();
}

QRectF DistributionView::clockArea() const {
    const QRectF area(plot().axisRect()->rect());
    const double offset = plot().xAxis->offset();
    return QRectF(area.left(), area.bottom() + m_look.px(10), area.width(),
                  std::max(0.0, offset - m_look.px(14)));
}

void DistributionView::drawSamples(QPainter &painter, const QRectF &area) {
    const MeasuredFigures &figures = m_samples.figures();
    const QCPAxis *x = plot().xAxis;
    const QCPAxis *y = plot().yAxis;
    const auto clampY = [&area](double at) {
        return std::clamp(at, area.top(), area.bottom());
    };
    std::vector<Straggler> stragglers;
    for (const QString &name : shownArms()) {
        const ArmFigures *arm = figures.arm(name);
        if (arm == nullptr)
            continue;
        const SeriesStyle style = seriesStyle(m_look, *arm);
        const QColor ink = isStale() ? m_look.color("text.tertiary") : style.edge;
        // The interval as a band, the median as a line through all blocks.
        QColor band = ink;
        band.setAlphaF(0.14F);
        const double top = clampY(y->coordToPixel(arm->highMicroseconds));
        const double bottom = clampY(y->coordToPixel(arm->lowMicroseconds));
        const double reach = std::max(0.0, m_look.px(3) - (bottom - top)) / 2;
        painter.fillRect(QRectF(QPointF(area.left(), top - reach), QPointF(area.right(), bottom + reach)),
                         band);
        const double median = y->coordToPixel(arm->medianMicroseconds);
        if (median >= area.top() && median <= area.bottom()) {
            painter.setPen(QPen(ink, m_look.px(1), isStale() ? Qt::DashLine : Qt::SolidLine));
            painter.drawLine(QPointF(area.left(), median), QPointF(area.right(), median));
        }
        const double size = std::clamp(area.width() / (m_samples.lastBlock() + 2) * 0.6, m_look.px(5) * 1.0,
                                       m_look.px(8) * 1.0);
        for (const BlockFigures &block : m_samples.blocksOf(name)) {
            const QPointF at(x->coordToPixel(block.block + 1), y->coordToPixel(block.microseconds));
            if (at.y() >= area.top() && at.y() <= area.bottom()) {
                drawMark(painter, style.mark, at, size,
                         style.isOpen || isStale() ? m_look.color("bg.pane") : style.fill,
                         style.isOpen || isStale() ? ink : m_look.color("bg.pane"), m_look.px(1));
                continue;
            }
            stragglers.push_back({at, block.microseconds, ink, arm->isCandidate()});
        }
    }
    drawStragglers(painter, area, std::move(stragglers));
}

void DistributionView::drawStragglers(QPainter &painter, const QRectF &area,
                                      std::vector<Straggler> stragglers) {
    // The candidate's first: where two stand side by side, one says its value, the tooltip says both.
    std::stable_sort(stragglers.begin(), stragglers.end(),
                     [](const Straggler &a, const Straggler &b) { return a.isCandidate > b.isCandidate; });
    std::vector<QRectF> taken;
    const double half = m_look.px(4);
    const auto edgeOf = [&](const Straggler &straggler) {
        return straggler.at.y() < area.top() ? area.top() + m_look.px(5) : area.bottom() - m_look.px(5);
    };
    for (auto entry = stragglers.rbegin(); entry != stragglers.rend(); ++entry) {
        const Straggler &straggler = *entry;
        const double x = straggler.at.x();
        const double edge = edgeOf(straggler);
        const double tip = straggler.at.y() < area.top() ? -half : half;
        QPolygonF triangle;
        triangle << QPointF(x, edge + tip) << QPointF(x - half, edge - tip) << QPointF(x + half, edge - tip);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(straggler.ink);
        painter.drawPolygon(triangle);
        painter.setBrush(Qt::NoBrush);
        taken.emplace_back(x - half, edge - half, 2 * half, 2 * half);
    }
    painter.setFont(m_look.font(TextRole::Axis));
    const double height = painter.fontMetrics().height();
    for (const Straggler &straggler : stragglers) {
        const QString word = m_samples.figures().times.number(straggler.microseconds);
        const double width = painter.fontMetrics().horizontalAdvance(word);
        const double top = edgeOf(straggler) - height / 2;
        for (const double x :
             {straggler.at.x() + half + m_look.px(3), straggler.at.x() - half - m_look.px(3) - width}) {
            const QRectF box(x, top, width, height);
            const bool isFree = x >= area.left() && x + width <= area.right() &&
                                std::none_of(taken.begin(), taken.end(),
                                             [&box](const QRectF &other) { return other.intersects(box); });
            if (!isFree)
                continue;
            taken.push_back(box);
            drawWord(painter, m_look, box.topLeft(), Qt::AlignLeft | Qt::AlignTop, word,
                     inkOf("text.secondary"), false);
            break;
        }
    }
}

void DistributionView::drawHistogram(QPainter &painter, const QRectF &area) {
    const double width = histogramWidth();
    if (width <= 0)
        return;
    const QCPRange shown = plot().yAxis->range();
    const int count =
        std::clamp(static_cast<int>(area.height() / m_look.px(m_other.isEmpty() ? 9 : 12)), 6, 40);
    const double left = area.right() + m_look.px(12);
    int most = 1;
    for (const QString &name : shownArms()) {
        for (const int bin :
             DistributionModel::histogram(m_samples.blocksOf(name), shown.lower, shown.upper, count))
            most = std::max(most, bin);
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(QPen(m_look.color("border.strong"), m_look.px(1)));
    painter.drawLine(QPointF(left, area.top()), QPointF(left, area.bottom()));
    // The arms share a bin's height, so that neither hides the other.
    const QStringList arms = shownArms();
    const double height = area.height() / count;
    const double barHeight = (height - 1) / static_cast<double>(arms.size());
    for (const QString &name : arms) {
        const ArmFigures *arm = m_samples.figures().arm(name);
        if (arm == nullptr)
            continue;
        const SeriesStyle style = seriesStyle(m_look, *arm);
        const std::vector<int> bins =
            DistributionModel::histogram(m_samples.blocksOf(name), shown.lower, shown.upper, count);
        for (int bin = 0; bin < count; ++bin) {
            const int blocks = bins[static_cast<std::size_t>(bin)];
            if (blocks == 0)
                continue;
            const double bottom =
                area.bottom() - bin * height - barHeight * static_cast<double>(arms.indexOf(name));
            drawBar(painter, m_look,
                    QRectF(QPointF(left, std::round(bottom - barHeight)),
                           QPointF(std::round(left + (width - m_look.px(4)) * blocks / most),
                                   std::round(bottom))),
                    style, false, isStale());
        }
    }
    painter.setFont(m_look.font(TextRole::Axis));
    const QString word = QStringLiteral("%1 rounds").arg(most);
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(QPen(m_look.color("border.strong"), m_look.px(1)));
    painter.drawLine(QPointF(left + width - m_look.px(4), area.bottom()),
                     QPointF(left + width - m_look.px(4), area.bottom() - m_look.px(3)));
    painter.drawLine(QPointF(left, area.bottom()), QPointF(left + width - m_look.px(4), area.bottom()));
    drawWord(painter, m_look, QPointF(left + width - m_look.px(4), area.bottom() + m_look.px(5)),
             Qt::AlignRight | Qt::AlignTop, most == 1 ? QStringLiteral("1 round") : word,
             m_look.color("text.tertiary"), false);
}

void DistributionView::drawClock(QPainter &painter, const QRectF &) {
    const QRectF strip = clockArea();
    if (strip.height() < 4)
        return;
    const MeasuredFigures &figures = m_samples.figures();
    painter.setFont(m_look.font(TextRole::Axis));
    if (figures.clock.empty()) {
        drawWord(painter, m_look, QPointF(strip.left() + m_look.px(6), strip.top() - m_look.px(6)),
                 Qt::AlignLeft | Qt::AlignTop, QStringLiteral("clock not readable on this device"),
                 m_look.color("text.tertiary"), false);
        return;
    }
    double low = figures.clock.front().megahertz;
    double high = low;
    for (const ClockReading &reading : figures.clock) {
        low = std::min(low, reading.megahertz);
        high = std::max(high, reading.megahertz);
    }
    const bool isFlat = high - low < 1;
    const double span = isFlat ? 1 : high - low;
    const QRectF inner = strip.adjusted(0, m_look.px(6), 0, -m_look.px(4));
    const auto yOf = [&](double megahertz) {
        return isFlat ? inner.center().y() : inner.bottom() - (megahertz - low) / span * inner.height();
    };
    // The ends of its own scale at the left, the unit with the upper one.
    const double labelRight = strip.left() - m_look.px(5);
    drawWord(painter, m_look, QPointF(labelRight, yOf(high)), Qt::AlignRight | Qt::AlignVCenter,
             numberText(high), m_look.color("text.tertiary"), false);
    if (!isFlat)
        drawWord(painter, m_look, QPointF(labelRight, yOf(low)), Qt::AlignRight | Qt::AlignVCenter,
                 numberText(low), m_look.color("text.tertiary"), false);
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(QPen(m_look.color("border.subtle"), m_look.px(1)));
    painter.drawLine(strip.topLeft(), strip.topRight());
    painter.setPen(QPen(m_look.color("border.strong"), m_look.px(1)));
    painter.drawLine(strip.topLeft(), QPointF(strip.left(), strip.bottom() + m_look.px(4)));

    // Readings follow each other in time: arms of one block share its place evenly.
    std::vector<std::size_t> inBlock(static_cast<std::size_t>(m_samples.lastBlock()) + 1, 0);
    for (const ClockReading &reading : figures.clock) {
        if (reading.block >= 0 && static_cast<std::size_t>(reading.block) < inBlock.size())
            ++inBlock[static_cast<std::size_t>(reading.block)];
    }
    std::vector<std::size_t> seen(inBlock.size(), 0);
    std::optional<QPointF> last;
    for (const ClockReading &reading : figures.clock) {
        if (reading.block < 0 || static_cast<std::size_t>(reading.block) >= inBlock.size())
            continue;
        const auto block = static_cast<std::size_t>(reading.block);
        const double share = (static_cast<double>(seen[block]++) + 0.5) / static_cast<double>(inBlock[block]);
        const QPointF at(plot().xAxis->coordToPixel(reading.block + 0.5 + share), yOf(reading.megahertz));
        painter.setPen(QPen(inkOf("text.secondary"), 1.25 * m_look.px(4) / 4.0));
        if (last) {
            painter.drawLine(*last, QPointF(at.x(), last->y()));
            painter.drawLine(QPointF(at.x(), last->y()), at);
        }
        last = at;
        if (!reading.slowedBy.isEmpty()) {
            painter.setPen(QPen(inkOf("verdict.inconclusive"), m_look.px(2)));
            painter.drawLine(QPointF(at.x(), strip.bottom() + m_look.px(1)),
                             QPointF(at.x(), strip.bottom() + m_look.px(4)));
        }
    }
    const bool isSlowed =
        std::any_of(figures.clock.begin(), figures.clock.end(),
                    [](const ClockReading &reading) { return !reading.slowedBy.isEmpty(); });
    if (histogramWidth() > 0)
        drawWord(painter, m_look, QPointF(strip.right() + m_look.px(12), strip.center().y()),
                 Qt::AlignLeft | Qt::AlignVCenter,
                 isSlowed ? QStringLiteral("MHz, throttled") : QStringLiteral("MHz, steady"),
                 m_look.color(isSlowed && !isStale() ? "verdict.inconclusive" : "text.tertiary"), false);
}

void DistributionView::drawHead(QPainter &painter, const QRectF &area) {
    painter.setFont(m_look.font(TextRole::Axis));
    const MeasuredFigures &figures = m_samples.figures();
    QString text = figures.times.unit + QStringLiteral(" a call");
    const ArmFigures *candidate = figures.candidate();
    if (candidate != nullptr && candidate->callsPerSample)
        text += QStringLiteral("; a point is the mean of one batch of ") +
                countText(*candidate->callsPerSample, QStringLiteral("call"));
    const double room = !m_choice->isHidden() ? m_choice->x() - m_look.px(20) : width() - m_look.px(24);
    if (painter.fontMetrics().horizontalAdvance(text) > room)
        text = figures.times.unit + QStringLiteral(" a call, batch means");
    if (painter.fontMetrics().horizontalAdvance(text) > room)
        text = figures.times.unit;
    drawWord(painter, m_look, QPointF(m_look.px(12), m_look.px(12)), Qt::AlignLeft | Qt::AlignTop, text,
             m_look.color("text.tertiary"), false);
    drawNames(painter, area);
}

void DistributionView::drawNames(QPainter &painter, const QRectF &area) {
    const MeasuredFigures &figures = m_samples.figures();
    std::vector<QRectF> taken;
    const double reach = m_look.px(5);
    for (const PlotStop &stop : stops())
        taken.emplace_back(stop.anchor.x() - reach, stop.anchor.y() - reach, 2 * reach, 2 * reach);
    for (const QString &name : shownArms()) {
        const ArmFigures *arm = figures.arm(name);
        const double median = arm == nullptr ? -1 : plot().yAxis->coordToPixel(arm->medianMicroseconds);
        if (median < area.top() || median > area.bottom())
            continue;
        const QString text = arm->label + QLatin1Char(' ') + figures.times.number(arm->medianMicroseconds);
        const double mark = m_look.px(12);
        const double width = painter.fontMetrics().horizontalAdvance(text) + m_look.px(6) + mark;
        const double height = painter.fontMetrics().height();
        // Near its line, where it hides no sample.
        QRectF best;
        double leastCost = 1e18;
        for (const double x : {area.right() - width - m_look.px(2), area.center().x() - width / 2,
                               area.left() + m_look.px(4)}) {
            for (int step = 0; step < 12; ++step) {
                const double away = m_look.px(2) + m_look.px(5) * (step / 2);
                const double y = step % 2 == 0 ? median - away - height : median + away;
                if (y < area.top() || y + height > area.bottom())
                    continue;
                const QRectF box(x, y, width, height);
                double cost = 3 * away;
                for (const QRectF &other : taken) {
                    const QRectF common = box.intersected(other);
                    cost += 2 * common.width() * common.height();
                }
                if (cost < leastCost) {
                    leastCost = cost;
                    best = box;
                }
            }
        }
        taken.push_back(best);
        painter.fillRect(best, m_look.color("bg.pane"));
        const SeriesStyle style = seriesStyle(m_look, *arm);
        drawMark(painter, style.mark, QPointF(best.left() + m_look.px(7), best.center().y()), m_look.px(7),
                 style.isOpen || isStale() ? m_look.color("bg.pane") : style.fill,
                 isStale() ? m_look.color("text.tertiary") : style.edge, m_look.px(1));
        drawWord(painter, m_look, best.topLeft() + QPointF(m_look.px(3) + mark, 0),
                 Qt::AlignLeft | Qt::AlignTop, text, inkOf("text.primary"), false);
    }
}

std::vector<PlotStop> DistributionView::stops() const {
    std::vector<PlotStop> stops;
    const QStringList arms = shownArms();
    const QRectF area(plot().axisRect()->rect());
    const double reach = m_look.px(10);
    for (int row = 0; row < m_samples.rowCount(); ++row) {
        const BlockFigures &block = m_samples.figures().blocks[static_cast<std::size_t>(row)];
        if (!arms.contains(block.arm))
            continue;
        const double x = plot().xAxis->coordToPixel(block.block + 1);
        const double y =
            std::clamp(plot().yAxis->coordToPixel(block.microseconds), area.top(), area.bottom());
        stops.push_back({QRectF(x - reach, y - reach, 2 * reach, 2 * reach), QPointF(x, y), row});
    }
    return stops;
}

} // namespace warpwright
