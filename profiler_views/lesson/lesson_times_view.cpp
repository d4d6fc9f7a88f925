// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler_views/lesson/lesson_times_view.h"

#include "profiler_views/series_paint.h"
#include "widgets/look/look.h"
#include "widgets/plot/plot.h"

#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <functional>

namespace warpwright {
namespace {

constexpr int headHeight = 30;
constexpr int pitch = 38;
constexpr int measuredThickness = 14;
constexpr int expectedThickness = 8;
constexpr double mostForNames = 0.4; ///< of the width; longer ones are elided

SeriesStyle expectedStyle(const Look &look) {
    return {look.color("text.tertiary"), look.color("text.tertiary"), true, PlotMark::Diamond, true};
}

QString nameOf(const StepTimes &step) {
    return step.number > 0 ? QStringLiteral("%1  %2").arg(step.number).arg(step.title) : step.title;
}

} // namespace

LessonTimesView::LessonTimesView(const Look &look, QWidget *parent)
    : ChartView(look, QStringLiteral("Times of the steps"), parent) {
    auto *column = new QVBoxLayout(content());
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(&plot());
    setModel(m_times);
    Plot &chart = plot();
    makeBars();
    chart.yAxis->setRangeReversed(true);
    chart.addDrawing(false, [this](QPainter &painter, const QRectF &area) { drawBars(painter, area); });
    chart.addDrawing(true, [this](QPainter &painter, const QRectF &area) {
        drawWords(painter, area);
        drawKey(painter, area);
    });
    chart.setStops([this] { return stops(); },
                   [this](int row) { return m_times.index(row, 0).data(Qt::ToolTipRole).toString(); });
    connect(&chart, &Plot::stopActivated, this, [this](int row) {
        if (const int number = m_times.times().steps[static_cast<std::size_t>(row)].number; number > 0)
            emit stepPicked(number);
    });
    connect(&chart, &Plot::restyled, this, &LessonTimesView::layOut);
    show({});
}

void LessonTimesView::show(const LessonTimes &times) {
    m_times.setTimes(times);
    if (!times.hasMeasured()) {
        setMinimumHeight(0);
        showEmpty(QStringLiteral("chart"), QStringLiteral("Times of the steps appear here"),
                  QStringLiteral("once the first text is measured"));
        return;
    }
    const TimeScale scale = m_times.scale();
    const bool isLog = m_times.isLogarithmic();
    plot().setStartsAtZero(!isLog);
    plot().setTimeAxis(plot().xAxis, isLog, [scale](double tick, double step) {
        return tickText(tick / scale.unitMicroseconds, step / scale.unitMicroseconds);
    });
    // It stands on a page that scrolls, and the wheel is the page's: nothing zooms.
    plot().setHome(QCPRange(m_times.axisStart(), m_times.axisEnd()),
                   QCPRange(0, static_cast<double>(times.steps.size())), {});
    showContent(m_times.summary(), times.origin());
    layOut();
}

void LessonTimesView::resizeEvent(QResizeEvent *event) {
    ChartView::resizeEvent(event);
    layOut();
}

std::vector<QStringList> LessonTimesView::measuredWords() const {
    std::vector<QStringList> words;
    for (const StepTimes &step : m_times.times().steps) {
        QStringList figures;
        if (step.measured)
            figures << m_times.scale().withSpread(step.measured->medianMicroseconds,
                                                  step.measured->lowMicroseconds,
                                                  step.measured->highMicroseconds);
        if (!step.factor.isEmpty())
            figures << step.factor;
        QStringList lines;
        for (const QString &line : {figures.join(QStringLiteral(", ")), step.outcome})
            if (!line.isEmpty())
                lines << line;
        words.push_back(lines);
    }
    return words;
}

void LessonTimesView::layOut() {
    const std::vector<StepTimes> &steps = m_times.times().steps;
    if (steps.empty() || isEmpty())
        return;
    const QFontMetricsF names(m_look.font(TextRole::Small));
    const QFontMetricsF strong(m_look.font(TextRole::Small, QFont::DemiBold));
    m_namesWidth = 0;
    for (const StepTimes &step : steps)
        m_namesWidth = std::max(m_namesWidth, names.horizontalAdvance(nameOf(step)));
    m_namesWidth = std::min(m_namesWidth, width() * mostForNames);
    double wordsWidth = 0;
    for (const QStringList &lines : measuredWords())
        for (const QString &line : lines)
            wordsWidth = std::max(wordsWidth, strong.horizontalAdvance(line));
    const QFontMetrics axis(m_look.font(TextRole::Axis));
    const int foot = m_look.px(5) + axis.height() + m_look.px(3) + axis.height() + m_look.px(6);
    const double margin = m_look.px(12);
    const double left = margin + m_namesWidth + m_look.px(8);
    // Where bars and numbers have no room beside each other, the tooltips have the numbers.
    const bool hasWords = width() - left - wordsWidth - 2 * margin >= m_look.px(110);
    const double right = hasWords ? wordsWidth + 2 * margin : margin;
    setMinimumHeight(m_look.px(headHeight) + m_look.px(pitch) * static_cast<int>(steps.size()) + foot);
    plot().axisRect()->setMargins(
        QMargins(static_cast<int>(left), m_look.px(headHeight), static_cast<int>(right), foot));
    plot().xAxis->setLabel(axisTitle(left, right));
    plot().xAxis->ticker()->setTickCount(
        std::clamp(static_cast<int>((width() - left - right) / m_look.px(60)), 2, 6));
    plot().replotLater();
}

// It stands in the middle below the bars, and is cut at the edges of the picture.
QString LessonTimesView::axisTitle(double left, double right) const {
    const double middle = (left + width() - right) / 2;
    const double room = 2 * (std::min(middle, width() - middle) - m_look.px(4));
    const QFontMetricsF metrics(plot().xAxis->labelFont());
    const QString unit = m_times.scale().unit;
    const QString scale = m_times.isLogarithmic() ? QStringLiteral(", logarithmic") : QString();
    const QString title = QStringLiteral("time of one call, %1%2").arg(unit, scale);
    for (const QString &text : {title + QStringLiteral(" (less is better)"), title, unit + scale})
        if (metrics.horizontalAdvance(text) <= room)
            return text;
    return unit;
}

double LessonTimesView::rowTop(std::size_t row) const {
    const double centre = plot().yAxis->coordToPixel(static_cast<double>(row) + 0.5);
    return std::round(centre - m_look.px(measuredThickness + expectedThickness + 2) / 2.0);
}

QRectF LessonTimesView::barOf(std::size_t row, bool isExpected, double microseconds) const {
    const QRectF area = plot().axisRect()->rect();
    const double top = rowTop(row) + (isExpected ? m_look.px(measuredThickness) + m_look.px(2) : 0);
    const double end = std::clamp(plot().xAxis->coordToPixel(microseconds), area.left() + 1, area.right());
    return {area.left(), top, std::round(end) - area.left(),
            static_cast<double>(m_look.px(isExpected ? expectedThickness : measuredThickness))};
}

void LessonTimesView::drawInterval(QPainter &painter, const QRectF &area, const ArmTiming &time,
                                   double centre) const {
    const QCPAxis *x = plot().xAxis;
    if (time.lowMicroseconds >= time.highMicroseconds ||
        x->coordToPixel(time.lowMicroseconds) >= area.right())
        return;
    const double low = std::max(area.left(), x->coordToPixel(time.lowMicroseconds));
    const double high = std::min(area.right(), x->coordToPixel(time.highMicroseconds));
    drawErrorBar(painter, m_look, QPointF(low, centre), QPointF(high, centre), inkOf("text.primary"));
}

// From above the bar to below what was expected: all three are counted from it.
void LessonTimesView::drawBase(QPainter &painter, double x, const QRectF &bar) const {
    QPen pen(inkOf("text.secondary"), 1.5 * m_look.px(4) / 4);
    pen.setDashPattern({2, 1.5});
    painter.setPen(pen);
    painter.drawLine(QPointF(x, bar.top() - m_look.px(3)),
                     QPointF(x, bar.bottom() + m_look.px(2 + expectedThickness) + m_look.px(3)));
}

void LessonTimesView::drawBars(QPainter &painter, const QRectF &area) {
    const std::vector<StepTimes> &steps = m_times.times().steps;
    const QColor ink = m_look.color("series.candidate");
    for (std::size_t row = 0; row < steps.size(); ++row) {
        const StepTimes &step = steps[row];
        if (step.measured) {
            const QRectF bar = barOf(row, false, step.measured->medianMicroseconds);
            drawBar(painter, m_look, bar, {ink, ink, false, PlotMark::Circle, false},
                    step.number > 0 && !step.isKept, isStale());
            drawInterval(painter, area, *step.measured, bar.center().y());
            if (step.base)
                drawBase(painter, plot().xAxis->coordToPixel(*step.base), bar);
        }
        if (step.expected) {
            const QRectF bar = barOf(row, true, step.expected->medianMicroseconds);
            drawBar(painter, m_look, bar, expectedStyle(m_look), false, isStale());
            drawInterval(painter, area, *step.expected, bar.center().y());
        }
        if (step.bet && plot().xAxis->coordToPixel(step.bet->medianMicroseconds) <= area.right()) {
            const double x = plot().xAxis->coordToPixel(step.bet->medianMicroseconds);
            const double y = barOf(row, true, step.bet->medianMicroseconds).center().y();
            drawMark(painter, PlotMark::Square, QPointF(x, y), m_look.px(9), m_look.color("bg.pane"),
                     inkOf("text.primary"), m_look.px(4) * 1.5 / 4);
        }
    }
}

void LessonTimesView::drawWords(QPainter &painter, const QRectF &area) {
    const std::vector<StepTimes> &steps = m_times.times().steps;
    const std::vector<QStringList> words = measuredWords();
    const bool hasWords = plot().width() - area.right() > m_look.px(24);
    for (std::size_t row = 0; row < steps.size(); ++row) {
        const StepTimes &step = steps[row];
        const double centre = plot().yAxis->coordToPixel(static_cast<double>(row) + 0.5);
        painter.setFont(m_look.font(TextRole::Small));
        drawWord(painter, m_look, QPointF(area.left() - m_look.px(8), centre),
                 Qt::AlignRight | Qt::AlignVCenter,
                 painter.fontMetrics().elidedText(nameOf(step), Qt::ElideRight,
                                                  static_cast<int>(std::ceil(m_namesWidth))),
                 inkOf(step.measured ? "text.primary" : "text.tertiary"), false);
        if (!hasWords)
            continue;
        const bool isSure = step.isKept && !step.isUndecided; // else it must not look like a gain
        painter.setFont(m_look.font(TextRole::Small, isSure ? QFont::DemiBold : QFont::Normal));
        const QColor ink = inkOf(step.isUndecided             ? "verdict.inconclusive"
                                 : isSure || step.number == 0 ? "text.primary"
                                                              : "text.secondary");
        const QStringList &lines = words[row];
        const double pitchOfLines = painter.fontMetrics().height();
        double y = centre - pitchOfLines * static_cast<double>(lines.size() - 1) / 2;
        for (const QString &line : lines) {
            drawWord(painter, m_look, QPointF(area.right() + m_look.px(12), y),
                     Qt::AlignLeft | Qt::AlignVCenter, line, ink, false);
            y += pitchOfLines;
        }
    }
}

void LessonTimesView::drawKey(QPainter &painter, const QRectF &area) const {
    const std::vector<StepTimes> &steps = m_times.times().steps;
    const auto isAny = [&steps](const auto &test) {
        return std::any_of(steps.begin(), steps.end(), test);
    };
    const QColor ink = m_look.color("series.candidate");
    const SeriesStyle measured{ink, ink, false, PlotMark::Circle, false};
    const double centre = area.top() - m_look.px(16);
    struct Entry {
        QString text;
        double glyph; ///< its width
        std::function<void(double)> draw;
    };
    std::vector<Entry> entries;
    const auto bar = [&](const SeriesStyle &style, double thickness, bool isHollow, const QString &text) {
        const double box = m_look.px(16);
        entries.push_back(
            {text, box + m_look.px(5), [&painter, this, style, thickness, isHollow, box, centre](double x) {
                 drawBar(painter, m_look, QRectF(x, std::round(centre - thickness / 2), box, thickness),
                         style, isHollow, false);
             }});
    };
    bar(measured, m_look.px(10), false, QStringLiteral("measured"));
    if (isAny([](const StepTimes &step) { return step.number > 0 && step.measured && !step.isKept; }))
        bar(measured, m_look.px(10), true, QStringLiteral("not kept"));
    bar(expectedStyle(m_look), m_look.px(8), false, QStringLiteral("predicted"));
    if (isAny([](const StepTimes &step) { return step.base.has_value(); }))
        entries.push_back(
            {QStringLiteral("text before, same run"), m_look.px(8) * 1.0, [&painter, this, centre](double x) {
                 drawBase(painter, x + m_look.px(2), QRectF(x, centre - m_look.px(8), 0, m_look.px(6)));
             }});
    if (isAny([](const StepTimes &step) { return step.bet.has_value(); }))
        entries.push_back(
            {QStringLiteral("your bet"), m_look.px(15) * 1.0, [&painter, this, centre](double x) {
                 drawMark(painter, PlotMark::Square, QPointF(x + m_look.px(5), centre), m_look.px(9),
                          m_look.color("bg.pane"), m_look.color("text.primary"), m_look.px(4) * 1.5 / 4);
             }});
    const QFont font = m_look.font(TextRole::Axis);
    const auto widthOf = [&, metrics = QFontMetricsF(font)](const Entry &entry) {
        return entry.glyph + metrics.horizontalAdvance(entry.text) + m_look.px(16);
    };
    double whole = 0;
    for (const Entry &entry : entries)
        whole += widthOf(entry);
    // Above the bars, unless it would end beyond the edge there.
    const double margin = m_look.px(12);
    double x = std::max(margin, std::min(area.left(), plot().width() - margin - whole));
    for (const Entry &entry : entries) {
        entry.draw(x);
        painter.setFont(font);
        drawWord(painter, m_look, QPointF(x + entry.glyph, centre), Qt::AlignLeft | Qt::AlignVCenter,
                 entry.text, m_look.color("text.secondary"), false);
        x += widthOf(entry);
    }
}

std::vector<PlotStop> LessonTimesView::stops() const {
    const std::vector<StepTimes> &steps = m_times.times().steps;
    const QRectF area = plot().axisRect()->rect();
    std::vector<PlotStop> stops;
    for (std::size_t row = 0; row < steps.size(); ++row) {
        if (!steps[row].measured && !steps[row].expected)
            continue;
        const double shown = steps[row].measured ? steps[row].measured->medianMicroseconds
                                                 : steps[row].expected->medianMicroseconds;
        stops.push_back({QRectF(area.left(), rowTop(row), area.width(),
                                m_look.px(measuredThickness + expectedThickness + 2)),
                         QPointF(plot().xAxis->coordToPixel(shown), rowTop(row) + m_look.px(7)),
                         static_cast<int>(row)});
    }
    return stops;
}

} // namespace warpwright
