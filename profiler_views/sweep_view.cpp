// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler_views/sweep_view.h"

#include "profiler_views/series_paint.h"
#include "toolchain/evaluation/trust_badge.h"
#include "widgets/look/look.h"
#include "widgets/plot/plot.h"

#include <QCoreApplication>
#include <QLabel>
#include <QPainter>
#include <QScrollArea>

#include <algorithm>

namespace warpwright {
namespace {

constexpr int headingHeight = 28;
constexpr int leastPitch = 20;
constexpr int mostPitch = 26;
constexpr int sentenceHeight = 30;
constexpr std::size_t mostRows = 300; ///< drawn; a picture of more is too tall for some devices
constexpr double farBehind = 4;       ///< times the quickest: its bar is cut off

QString nameOf(const SweptValue &row) {
    return QStringLiteral("= %1").arg(row.value);
}

} // namespace

/// Rows of 30 px: what follows, or what became of it.
class SweepView::Sentences : public QWidget {
public:
    Sentences(const Look &look, SweepView *view) : QWidget(view->content()), m_look(look), m_view(view) {
        setObjectName(QStringLiteral("sweepSentences"));
    }
    void refresh() {
        QStringList words;
        for (const SweepSentence &sentence : m_view->m_sweep.sentences())
            words << sentence.head + QStringLiteral(": ") + sentence.words +
                         (sentence.value.isEmpty() ? QString() : QStringLiteral(", ") + sentence.value);
        setAccessibleName(words.join(QStringLiteral("; ")));
        setToolTip(words.join(QLatin1Char('\n')).toHtmlEscaped().replace(QLatin1Char('\n'), "<br>"));
        update();
    }

protected:
    void paintEvent(QPaintEvent *) override {
        QPainter painter(this);
        const int row = m_look.px(sentenceHeight);
        const int icon = m_look.px(14);
        const QFont strong = m_look.font(TextRole::Small, QFont::DemiBold);
        int top = 0;
        for (const SweepSentence &sentence : m_view->m_sweep.sentences()) {
            painter.fillRect(0, top, width(), 1, m_look.color("border.subtle"));
            int x = m_look.px(12);
            m_look.icon(QLatin1String(sentence.iconName), m_look.color(sentence.token))
                .paint(&painter, x, top + (row - icon) / 2, icon, icon);
            x += icon + m_look.px(8);
            const int value = QFontMetrics(strong).horizontalAdvance(sentence.value);
            const int right = width() - m_look.px(12) - value;
            painter.setFont(strong);
            painter.setPen(m_view->inkOf("text.primary"));
            painter.drawText(QRect(right, top, value + 2, row), Qt::AlignVCenter, sentence.value);
            const int room = std::max(0, right - (value > 0 ? m_look.px(12) : 0) - x);
            const QString head = painter.fontMetrics().elidedText(sentence.head, Qt::ElideRight, room);
            painter.drawText(QRect(x, top, room, row), Qt::AlignVCenter, head);
            const int used = painter.fontMetrics().horizontalAdvance(head) + m_look.px(8);
            painter.setFont(m_look.font(TextRole::Small));
            painter.setPen(m_view->inkOf("text.secondary"));
            const int rest = std::max(0, room - used);
            painter.drawText(QRect(x + used, top, rest, row), Qt::AlignVCenter,
                             painter.fontMetrics().elidedText(sentence.words, Qt::ElideRight, rest));
            top += row;
        }
    }

private:
    const Look &m_look;
    SweepView *m_view;
};

SweepView::SweepView(const Look &look, QWidget *parent)
    : ChartView(look, QStringLiteral("Configs"), parent),
      m_scroll(new QScrollArea(content())),
      m_column(new QWidget),
      m_method(new QLabel(m_column)),
      m_sentences(new Sentences(look, this)) {
    m_method->setObjectName(QStringLiteral("sweepMethod"));
    m_method->setWordWrap(true);
    m_method->setTextFormat(Qt::PlainText);
    m_method->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->setFocusPolicy(Qt::NoFocus);
    m_scroll->setWidget(m_column);
    m_column->setAutoFillBackground(false);
    m_scroll->viewport()->setAutoFillBackground(false);
    plot().setParent(m_column);

    setModel(m_sweep);
    Plot &chart = plot();
    makeBars();
    chart.addDrawing(false, [this](QPainter &painter, const QRectF &area) { drawBars(painter, area); });
    chart.addDrawing(true, [this](QPainter &painter, const QRectF &area) { drawWords(painter, area); });
    chart.setStops([this] { return stops(); }, [this](int id) { return toolTipOf(id); });
    connect(&chart, &Plot::restyled, this, &SweepView::layOut);
    show(MeasuredFigures(), {});
}

void SweepView::show(const MeasuredFigures &figures, const StatedConfigs &stated) {
    m_sweep.setSweep(figures, stated);
    makeGroups();
    m_sentences->refresh();
    if (rows().empty()) {
        showEmpty(QStringLiteral("samples"),
                  QStringLiteral("What other values of CONFIG would take appears here"),
                  QStringLiteral("once a check on a GPU has tried what ModelNew.CHOICES names"));
        return;
    }
    double least = 0;
    for (const SweptValue &row : rows())
        if (row.microseconds && (least <= 0 || *row.microseconds < least))
            least = *row.microseconds;
    double end = least;
    for (const SweptValue &row : rows())
        if (row.microseconds && *row.microseconds <= farBehind * least)
            end = std::max(end, *row.microseconds);
    const TimeScale times = m_sweep.times();
    plot().setTickText(
        plot().xAxis,
        [times](double tick, double step) {
            return tickText(tick / times.unitMicroseconds, step / times.unitMicroseconds);
        },
        5);
    plot().setHome(QCPRange(0, end > 0 ? 1.05 * end : 1), QCPRange(0, 1), Qt::Horizontal);
    QString method = SweepModel::method();
    if (m_drawnRows < rows().size())
        method +=
            QStringLiteral(" %1 more are in the CSV.")
                .arg(countText(static_cast<qsizetype>(rows().size() - m_drawnRows), QStringLiteral("value")));
    m_method->setText(method);
    showContent(m_sweep.summary(), originText(figures) + QStringLiteral(". ") + SweepModel::method());
    layOut();
}

void SweepView::makeGroups() {
    m_groups.clear();
    m_drawnRows = 0;
    for (std::size_t row = 0; row < rows().size();) {
        Group group{row, 0, 0};
        while (row < rows().size() && rows()[row].attribute == rows()[group.first].attribute)
            ++row;
        group.count = row - group.first;
        if (m_drawnRows + group.count > mostRows)
            return;
        m_drawnRows += group.count;
        m_groups.push_back(group);
    }
}

void SweepView::staleChanged() {
    m_sentences->update();
    ChartView::staleChanged();
}

void SweepView::resizeEvent(QResizeEvent *event) {
    ChartView::resizeEvent(event);
    layOut();
}

double SweepView::layOutColumns(double left, double right) {
    const QFontMetricsF head(m_look.font(TextRole::Axis));
    const QFontMetricsF plain(m_look.font(TextRole::Small));
    const QFontMetricsF strong(m_look.font(TextRole::Small, QFont::DemiBold));
    m_time = {head.horizontalAdvance(QStringLiteral("time")), 0};
    m_share = {head.horizontalAdvance(QStringLiteral("of the text's")), 0};
    m_mark = {};
    bool hasShares = false;
    for (const SweptValue &row : rows()) {
        if (row.microseconds)
            m_time.width =
                std::max(m_time.width, strong.horizontalAdvance(m_sweep.times().text(*row.microseconds)));
        if (row.ofStated)
            m_share.width = std::max(m_share.width, plain.horizontalAdvance(percentText(*row.ofStated)));
        hasShares = hasShares || row.ofStated;
        if (row.microseconds)
            m_mark.width = std::max(m_mark.width, strong.horizontalAdvance(m_sweep.markOf(row)));
    }
    const double gap = m_look.px(12);
    const auto place = [&](Column &column) {
        column.right = right;
        right -= column.width + gap;
    };
    if (m_mark.width > 0)
        place(m_mark);
    if (hasShares && right - left - m_time.width - m_share.width - 2 * gap > m_look.px(130))
        place(m_share);
    place(m_time);
    return right;
}

void SweepView::layOut() {
    if (rows().empty())
        return;
    const QFontMetrics axis(m_look.font(TextRole::Axis));
    const QFontMetricsF names(m_look.font(TextRole::Small, QFont::DemiBold));
    const int margin = m_look.px(12);
    const int head = m_look.px(26); // the first attribute's heading, and beside it the columns'
    const int foot = m_look.px(5) + axis.height() + m_look.px(3) + axis.height() + m_look.px(6);
    const int heading = m_look.px(headingHeight);

    // What follows stays in sight; it gives way only where hardly a bar would be left.
    const int sentence = m_look.px(sentenceHeight);
    const int list =
        std::clamp((height() - m_look.px(90)) / sentence, 0, static_cast<int>(m_sweep.sentences().size())) *
        sentence;
    const int scrollHeight = height() - list;
    m_sentences->setGeometry(0, scrollHeight, width(), list);

    m_method->setFont(m_look.font(TextRole::Small));
    QPalette palette = m_method->palette();
    palette.setColor(QPalette::WindowText, m_look.color("text.secondary"));
    m_method->setPalette(palette);

    int width = this->width();
    int words = m_method->heightForWidth(width - 2 * margin) + margin;
    const int headings = heading * (static_cast<int>(m_groups.size()) - 1);
    const int count = std::max(1, static_cast<int>(m_drawnRows));
    const int pitch = std::clamp((scrollHeight - head - headings - foot - words) / count,
                                 m_look.px(leastPitch), m_look.px(mostPitch));
    m_pitch = pitch;
    const int chart = head + headings + pitch * count + foot;
    const bool scrolls = chart + words > scrollHeight;
    m_scroll->setVerticalScrollBarPolicy(scrolls ? Qt::ScrollBarAlwaysOn : Qt::ScrollBarAlwaysOff);
    if (scrolls) { // the scroll bar takes its width from the columns, not over them
        width -= style()->pixelMetric(QStyle::PM_ScrollBarExtent);
        words = m_method->heightForWidth(width - 2 * margin) + margin;
    }
    m_scroll->setGeometry(0, 0, this->width(), scrollHeight);
    m_column->resize(width, chart + words);
    // A page that is laid out before it is seen has its scroll bar when it is.
    QEvent request(QEvent::LayoutRequest);
    QCoreApplication::sendEvent(m_scroll, &request);
    plot().setGeometry(0, 0, width, chart);
    m_method->setGeometry(margin, chart, width - 2 * margin, words - margin);

    double top = -heading;
    double widest = 0;
    for (Group &group : m_groups) {
        group.top = top;
        top += heading + m_pitch * static_cast<double>(group.count);
        for (std::size_t i = 0; i < group.count; ++i)
            widest = std::max(widest, names.horizontalAdvance(nameOf(rows()[group.first + i])));
    }
    m_namesRight = margin + widest;
    const double left = m_namesRight + m_look.px(8);
    const double right = layOutColumns(left, width - margin);
    plot().axisRect()->setMargins(
        QMargins(static_cast<int>(left), head, static_cast<int>(width - right), foot));
    const QString longLabel =
        QStringLiteral("time of one call, %1 (less is better)").arg(m_sweep.times().unit);
    const bool fits =
        axis.horizontalAdvance(longLabel) < right - left + 2 * std::min(left, width - right) - 2 * margin;
    plot().xAxis->setLabel(fits ? longLabel : QStringLiteral("%1 a call").arg(m_sweep.times().unit));
    plot().xAxis->ticker()->setTickCount(std::clamp(static_cast<int>((right - left) / m_look.px(60)), 2, 6));
    plot().replotLater();
}

double SweepView::rowCentre(const Group &group, std::size_t row) const {
    return plot().axisRect()->rect().top() + group.top + m_look.px(headingHeight) +
           m_pitch * (static_cast<double>(row) + 0.5);
}

void SweepView::drawRowBar(QPainter &painter, const QRectF &area, const SweptValue &row, double centre) {
    const double end = plot().xAxis->coordToPixel(*row.microseconds);
    const double thickness = std::round(m_pitch * 16 / 26);
    const QRectF bar(QPointF(area.left(), std::round(centre - thickness / 2)),
                     QPointF(std::round(std::clamp(end, area.left() + 1, area.right())),
                             std::round(centre + thickness / 2)));
    SeriesStyle style;
    style.edge = m_look.color("series.candidate");
    style.fill = m_look.color(row.isStated ? "series.candidate" : "accent.tint");
    drawBar(painter, m_look, bar, style, false, isStale());
    if (end <= area.right())
        return;
    // Out of the chart: a triangle at the edge; its time stands in the column.
    const double size = m_look.px(8);
    QPolygonF triangle;
    triangle << QPointF(area.right() + size / 2, centre)
             << QPointF(area.right() - size / 2, centre - size / 2)
             << QPointF(area.right() - size / 2, centre + size / 2);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(m_look.color("text.primary"));
    painter.drawPolygon(triangle);
    painter.setBrush(Qt::NoBrush);
}

void SweepView::drawBars(QPainter &painter, const QRectF &area) {
    for (const Group &group : m_groups) {
        for (std::size_t i = 0; i < group.count; ++i) {
            const SweptValue &row = rows()[group.first + i];
            if (row.microseconds)
                drawRowBar(painter, area, row, rowCentre(group, i));
        }
    }
}

void SweepView::drawRowWords(QPainter &painter, const QRectF &area, const SweptValue &row, double centre) {
    const bool isStrong = row.isStated || row.isBest;
    const auto middle = [&](double x, Qt::Alignment side, const QString &text, const char *ink) {
        drawWord(painter, m_look, QPointF(x, centre), side | Qt::AlignVCenter, text, inkOf(ink), false);
    };
    painter.setFont(m_look.font(TextRole::Small, isStrong ? QFont::DemiBold : QFont::Normal));
    middle(m_namesRight, Qt::AlignRight, nameOf(row), "text.primary");
    if (!row.microseconds) {
        drawWord(painter, m_look, QPointF(area.left() + m_look.px(6), centre),
                 Qt::AlignLeft | Qt::AlignVCenter, m_sweep.markOf(row), m_look.color("text.tertiary"), true);
        return;
    }
    middle(m_time.right, Qt::AlignRight, m_sweep.times().text(*row.microseconds), "text.primary");
    painter.setFont(m_look.font(TextRole::Small));
    if (m_share.right > 0 && row.ofStated)
        middle(m_share.right, Qt::AlignRight, percentText(*row.ofStated), "text.secondary");
    if (!isStrong)
        return;
    painter.setFont(m_look.font(TextRole::Small, row.isBest ? QFont::DemiBold : QFont::Normal));
    middle(m_mark.right - m_mark.width, Qt::AlignLeft, m_sweep.markOf(row),
           row.isBest ? "verdict.pass" : "text.secondary");
}

void SweepView::drawWords(QPainter &painter, const QRectF &area) {
    painter.setFont(m_look.font(TextRole::Axis));
    const double firstLine = area.top() - m_look.px(leastPitch / 2.0);
    const auto head = [&](const Column &column, const QString &text) {
        if (column.right > 0)
            drawWord(painter, m_look, QPointF(column.right, firstLine), Qt::AlignRight | Qt::AlignVCenter,
                     text, m_look.color("text.tertiary"), false);
    };
    head(m_time, QStringLiteral("time"));
    head(m_share, QStringLiteral("of the text's"));
    const double margin = m_look.px(12);
    for (const Group &group : m_groups) {
        const SweptValue &first = rows()[group.first];
        const QPointF at(margin, firstLine + group.top + m_look.px(headingHeight));
        const double room = group.first == 0 ? area.right() : plot().width() - margin;
        const auto write = [&](double from, QFont::Weight weight, const QString &text, const char *ink) {
            painter.setFont(m_look.font(TextRole::Small, weight));
            const QFontMetricsF metrics = painter.fontMetrics();
            const QString shown = metrics.elidedText(text, Qt::ElideRight, std::max(0.0, room - from));
            drawWord(painter, m_look, QPointF(from, at.y()), Qt::AlignLeft | Qt::AlignVCenter, shown,
                     inkOf(ink), true);
            return from + metrics.horizontalAdvance(shown);
        };
        const double end = write(at.x(), QFont::DemiBold, first.attribute, "text.primary");
        if (!first.kernel.isEmpty())
            write(end + m_look.px(8), QFont::Normal, first.kernel, "text.secondary");
        for (std::size_t i = 0; i < group.count; ++i)
            drawRowWords(painter, area, rows()[group.first + i], rowCentre(group, i));
    }
}

std::vector<PlotStop> SweepView::stops() const {
    std::vector<PlotStop> stops;
    const QRectF area(plot().axisRect()->rect());
    for (const Group &group : m_groups) {
        for (std::size_t i = 0; i < group.count; ++i) {
            const SweptValue &row = rows()[group.first + i];
            const double centre = rowCentre(group, i);
            const double end = plot().xAxis->coordToPixel(row.microseconds.value_or(0));
            stops.push_back({QRectF(0, centre - m_pitch / 2, plot().width(), m_pitch),
                             QPointF(std::clamp(end, area.left(), area.right()), centre),
                             static_cast<int>(group.first + i)});
        }
    }
    return stops;
}

QString SweepView::toolTipOf(int id) const {
    if (id < 0 || static_cast<std::size_t>(id) >= rows().size())
        return {};
    const SweptValue &row = rows()[static_cast<std::size_t>(id)];
    QStringList lines{QStringLiteral("%1 = %2").arg(row.attribute).arg(row.value)};
    if (!row.kernel.isEmpty())
        lines << row.kernel;
    if (row.microseconds)
        lines << QStringLiteral("%1 a call").arg(m_sweep.times().text(*row.microseconds));
    if (row.ofStated && !row.isStated)
        lines << QStringLiteral("%1 of what the text's own value takes").arg(percentText(*row.ofStated));
    if (const QString mark = m_sweep.markOf(row); !mark.isEmpty())
        lines << mark;
    return lines.join(QLatin1Char('\n'));
}

} // namespace warpwright
