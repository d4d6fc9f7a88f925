// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler_views/hunk_contributions_view.h"

#include "profiler_views/series_paint.h"
#include "widgets/look/house_style.h"
#include "widgets/look/look.h"
#include "widgets/plot/plot.h"

#include <QMouseEvent>

#include <algorithm>

namespace warpwright {
namespace {

constexpr int sentenceHeight = 30;

QString nameOf(const HunkContribution &hunk) {
    return QStringLiteral("%1 %2").arg(QString::number(hunk.number), hunk.title);
}

} // namespace

/// Rows of 30 px: what follows, and by how much. Up and Down move, Enter leads to the hunk.
class HunkContributionsView::Sentences : public QWidget {
public:
    Sentences(const Look &look, HunkContributionsView *view)
        : QWidget(view->content()), m_look(look), m_view(view) {
        setObjectName(QStringLiteral("contributionSentences"));
        setFocusPolicy(Qt::StrongFocus);
    }
    void refresh() {
        m_current = 0;
        QStringList words;
        for (const ContributionSentence &sentence : m_view->m_sentences)
            words << sentence.head + QStringLiteral(": ") + sentence.words + QStringLiteral(", ") +
                         sentence.value;
        setAccessibleName(words.join(QStringLiteral("; ")));
        update();
    }

protected:
    void paintEvent(QPaintEvent *) override {
        QPainter painter(this);
        const int row = m_look.px(sentenceHeight);
        const int icon = m_look.px(14);
        int top = 0;
        for (std::size_t i = 0; i < m_view->m_sentences.size(); ++i, top += row) {
            const ContributionSentence &sentence = m_view->m_sentences[i];
            const QRect rect(0, top, width(), row);
            if (hasFocus() && static_cast<int>(i) == m_current)
                painter.fillRect(rect, m_look.color("bg.selected"));
            painter.fillRect(0, top, width(), 1, m_look.color("border.subtle"));
            int x = m_look.px(12);
            m_look.icon(QStringLiteral("finding"), m_look.color("accent.text"))
                .paint(&painter, x, rect.center().y() - icon / 2, icon, icon);
            x += icon + m_look.px(8);
            const QFont strong = m_look.font(TextRole::Small, QFont::DemiBold);
            const int value = QFontMetrics(strong).horizontalAdvance(sentence.value);
            const int right = width() - m_look.px(12) - value;
            painter.setFont(strong);
            painter.setPen(m_view->inkOf("text.primary"));
            painter.drawText(QRect(right, top, value + 2, row), Qt::AlignVCenter, sentence.value);
            const int room = std::max(0, right - m_look.px(8) - x);
            const QString head = painter.fontMetrics().elidedText(sentence.head, Qt::ElideRight, room);
            painter.drawText(QRect(x, top, room, row), Qt::AlignVCenter, head);
            const int used = painter.fontMetrics().horizontalAdvance(head) + m_look.px(8);
            painter.setFont(m_look.font(TextRole::Small));
            painter.setPen(m_look.color("text.secondary"));
            const int rest = std::max(0, room - used);
            painter.drawText(QRect(x + used, top, rest, row), Qt::AlignVCenter,
                             painter.fontMetrics().elidedText(sentence.words, Qt::ElideRight, rest));
        }
    }
    void mousePressEvent(QMouseEvent *event) override { pick(event->pos().y() / m_look.px(sentenceHeight)); }
    void keyPressEvent(QKeyEvent *event) override {
        const int last = static_cast<int>(m_view->m_sentences.size()) - 1;
        if (event->key() == Qt::Key_Down || event->key() == Qt::Key_Up)
            m_current = std::clamp(m_current + (event->key() == Qt::Key_Down ? 1 : -1), 0, std::max(0, last));
        else if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
            pick(m_current);
        else
            return QWidget::keyPressEvent(event);
        update();
    }
    void focusInEvent(QFocusEvent *) override { update(); }
    void focusOutEvent(QFocusEvent *) override { update(); }

private:
    void pick(int row) {
        if (row < 0 || row >= static_cast<int>(m_view->m_sentences.size()))
            return;
        m_current = row;
        update();
        emit m_view->hunkPicked(m_view->m_sentences[static_cast<std::size_t>(row)].hunk);
    }

    const Look &m_look;
    HunkContributionsView *m_view;
    int m_current = 0;
};

HunkContributionsView::HunkContributionsView(const Look &look, QWidget *parent)
    : ChartView(look, QStringLiteral("Hunks"), parent), m_list(new Sentences(look, this)) {
    setModel(m_contributions);
    Plot &chart = plot();
    chart.axisRect()->setAutoMargins(QCP::msNone);
    chart.setCrosshair(Qt::Vertical);
    chart.yAxis->setRangeReversed(true);
    chart.yAxis->setTicks(false);
    chart.yAxis->setTickLabels(false);
    chart.yAxis->grid()->setVisible(false);
    chart.addDrawing(false, [this](QPainter &painter, const QRectF &area) { drawBase(painter, area); });
    chart.addDrawing(true, [this](QPainter &painter, const QRectF &area) {
        drawPoints(painter, area);
        drawWords(painter, area);
    });
    chart.setStops([this] { return stops(); }, [this](int id) { return toolTipOf(id); });
    connect(&chart, &Plot::restyled, this, &HunkContributionsView::layOut);
    connect(&chart, &Plot::stopActivated, this, [this](int id) {
        const auto row = static_cast<std::size_t>(id / 2);
        if (row < m_contributions.contributions().hunks.size())
            emit hunkPicked(m_contributions.contributions().hunks[row].id);
    });
    show({});
}

std::size_t HunkContributionsView::rowCount() const {
    return m_contributions.contributions().hunks.size() + 1;
}

void HunkContributionsView::show(const HunkContributions &contributions) {
    m_contributions.setContributions(contributions);
    m_sentences = contributionSentences(contributions);
    m_list->refresh();
    if (contributions.isEmpty()) {
        showEmpty(QStringLiteral("chart"), QStringLiteral("What each hunk gives appears here"),
                  QStringLiteral("once a proposal under review is measured hunk by hunk"));
        return;
    }
    const TimeScale times = contributions.times;
    plot().setTickText(
        plot().xAxis,
        [times](double tick, double step) {
            const QString text = tickText(tick / times.unitMicroseconds, step / times.unitMicroseconds);
            return tick > 0 ? QLatin1Char('+') + text : text;
        },
        6);
    setHome();
    showContent(m_contributions.summary(),
                QStringLiteral("%1 against %2").arg(contributions.proposal, contributions.base));
    layOut();
}

void HunkContributionsView::setHome() {
    const HunkContributions &shown = m_contributions.contributions();
    double low = -shown.baseSpread;
    double high = shown.baseSpread;
    const auto take = [&](const std::optional<TimeDifference> &difference) {
        if (!difference)
            return;
        low = std::min(low, difference->low);
        high = std::max(high, difference->high);
    };
    take(shown.all);
    for (const HunkContribution &hunk : shown.hunks) {
        take(hunk.alone);
        take(hunk.allBut);
    }
    const double margin = std::max(0.08 * (high - low), 1e-6);
    plot().setHome(QCPRange(low - margin, high + margin), QCPRange(0, static_cast<double>(rowCount())),
                   Qt::Horizontal);
}

void HunkContributionsView::resizeEvent(QResizeEvent *event) {
    ChartView::resizeEvent(event);
    layOut();
}

void HunkContributionsView::layOut() {
    const HunkContributions &shown = m_contributions.contributions();
    if (shown.isEmpty())
        return;
    const QFontMetrics axis(m_look.font(TextRole::Axis));
    const QFontMetricsF names(m_look.font(TextRole::Small, QFont::DemiBold));
    const int row = m_look.px(sentenceHeight);
    const int head = m_look.px(10) + axis.height() + m_look.px(8);
    const int foot = m_look.px(5) + 2 * axis.height() + m_look.px(9);
    const int rows = static_cast<int>(rowCount());
    // The sentences give way, the last ones first, where the rows would be too low to read.
    const int least = head + foot + rows * m_look.px(18);
    const int fit = std::clamp((height() - least) / row, 0, static_cast<int>(m_sentences.size()));
    const int list = fit * row;
    const int most = head + foot + rows * m_look.px(40);
    const int tall = std::min(height() - list, std::max(least, most));
    m_pitch = static_cast<double>(tall - head - foot) / rows;
    plot().setGeometry(0, 0, width(), tall);
    m_list->setGeometry(0, tall, width(), list);
    double widest = names.horizontalAdvance(QStringLiteral("all of them"));
    for (const HunkContribution &hunk : shown.hunks)
        widest = std::max(widest, names.horizontalAdvance(nameOf(hunk)) + m_look.px(3));
    // Names take a third at most; then they are elided.
    m_namesRight = m_look.px(12) + std::min(widest, width() * 0.34);
    const int left = static_cast<int>(m_namesRight) + m_look.px(8);
    Plot &chart = plot();
    chart.axisRect()->setMargins(QMargins(left, head, m_look.px(24), foot));
    const QString unit = shown.times.unit;
    const QString full =
        QStringLiteral("Δ time against %1, %2 (95 % interval; less is better)").arg(shown.base, unit);
    const int room = width() - left - m_look.px(24);
    chart.xAxis->setLabel(
        axis.horizontalAdvance(full) < room + left ? full : QStringLiteral("Δ time, %1").arg(unit));
    chart.xAxis->ticker()->setTickCount(std::clamp(room / m_look.px(56), 2, 7));
    chart.replotLater();
}

double HunkContributionsView::rowCentre(std::size_t row) const {
    return plot().yAxis->coordToPixel(static_cast<double>(row) + 0.5);
}

// Between the lines of the base's own interval nothing can be told apart from it.
void HunkContributionsView::drawBase(QPainter &painter, const QRectF &area) {
    const QCPAxis *x = plot().xAxis;
    const double spread = m_contributions.contributions().baseSpread;
    const QRectF band =
        QRectF(QPointF(x->coordToPixel(-spread), area.top()), QPointF(x->coordToPixel(spread), area.bottom()))
            .intersected(area);
    if (!band.isEmpty())
        painter.fillRect(band, m_look.color("bg.hover"));
    const double zero = x->coordToPixel(0);
    if (zero >= area.left() && zero <= area.right())
        drawSpeedOfLight(painter, m_look, QPointF(zero, area.top() - m_look.px(4)),
                         QPointF(zero, area.bottom()), inkOf("text.primary"));
}

void HunkContributionsView::drawPoint(QPainter &painter, const TimeDifference &difference, double y,
                                      bool isOpen) {
    const QCPAxis *x = plot().xAxis;
    const QRectF area = plot().axisRect()->rect();
    const double low = x->coordToPixel(difference.low);
    const double high = x->coordToPixel(difference.high);
    const double at = x->coordToPixel(difference.value);
    if (high < area.left() || low > area.right())
        return;
    drawErrorBar(painter, m_look, QPointF(std::max(low, area.left()), y),
                 QPointF(std::min(high, area.right()), y), inkOf("text.primary"));
    if (at < area.left() || at > area.right())
        return;
    const QColor ink = isStale() ? m_look.color("text.tertiary") : m_look.color("series.candidate");
    drawMark(painter, PlotMark::Circle, QPointF(at, y), m_look.px(9), isOpen ? m_look.color("bg.pane") : ink,
             ink, m_look.px(2));
}

void HunkContributionsView::drawPoints(QPainter &painter, const QRectF &) {
    const HunkContributions &shown = m_contributions.contributions();
    for (std::size_t row = 0; row < shown.hunks.size(); ++row) {
        if (shown.hunks[row].allBut)
            drawPoint(painter, *shown.hunks[row].allBut, rowCentre(row), true);
        if (shown.hunks[row].alone)
            drawPoint(painter, *shown.hunks[row].alone, rowCentre(row), false);
    }
    if (shown.all)
        drawPoint(painter, *shown.all, rowCentre(shown.hunks.size()), false);
}

void HunkContributionsView::drawWords(QPainter &painter, const QRectF &area) {
    const HunkContributions &shown = m_contributions.contributions();
    const double room = m_namesRight - m_look.px(12);
    for (std::size_t row = 0; row < rowCount(); ++row) {
        const bool isAll = row == shown.hunks.size();
        painter.setFont(m_look.font(TextRole::Small, isAll ? QFont::DemiBold : QFont::Normal));
        // The number apart from the title by its weight: «1 512 threads» are not 1,512.
        const QString number = isAll ? QString() : QString::number(shown.hunks[row].number);
        const QFont strong = m_look.font(TextRole::Small, QFont::DemiBold);
        const double before = isAll ? 0 : QFontMetricsF(strong).horizontalAdvance(number) + m_look.px(5);
        const QString title =
            painter.fontMetrics().elidedText(isAll ? QStringLiteral("all of them") : shown.hunks[row].title,
                                             Qt::ElideRight, static_cast<int>(room - before) + 2);
        const double left = m_look.px(12) + before;
        drawWord(painter, m_look, QPointF(left, rowCentre(row)), Qt::AlignLeft | Qt::AlignVCenter, title,
                 inkOf("text.primary"), false);
        if (!isAll) {
            painter.setFont(strong);
            drawWord(painter, m_look, QPointF(left - m_look.px(5), rowCentre(row)),
                     Qt::AlignRight | Qt::AlignVCenter, number, inkOf("text.primary"), false);
        }
        const bool isMeasured =
            isAll ? shown.all.has_value() : shown.hunks[row].alone || shown.hunks[row].allBut;
        const QString failed = isAll ? QString() : shown.hunks[row].failedWords();
        if (!isMeasured) {
            const QString missing = failed.isEmpty() ? QStringLiteral("not measured yet") : failed;
            painter.setFont(m_look.font(TextRole::Small));
            drawWord(painter, m_look, QPointF(area.left() + m_look.px(8), rowCentre(row)),
                     Qt::AlignLeft | Qt::AlignVCenter, missing, m_look.color("text.tertiary"), true);
        }
    }
    // The two shapes need words; the base's are above its line.
    painter.setFont(m_look.font(TextRole::Axis));
    const double line = area.top() - m_look.px(8) - painter.fontMetrics().height() / 2.0;
    double x = area.left() + m_look.px(5);
    const QColor ink = m_look.color("series.candidate");
    for (const bool isOpen : {false, true}) {
        drawMark(painter, PlotMark::Circle, QPointF(x, line), m_look.px(8),
                 isOpen ? m_look.color("bg.pane") : ink, ink, m_look.px(2));
        const QString word = isOpen ? QStringLiteral("without this hunk") : QStringLiteral("only this hunk");
        drawWord(painter, m_look, QPointF(x + m_look.px(9), line), Qt::AlignLeft | Qt::AlignVCenter, word,
                 m_look.color("text.secondary"), false);
        x += m_look.px(9 + 14) + painter.fontMetrics().horizontalAdvance(word);
    }
    const double zero = plot().xAxis->coordToPixel(0);
    if (zero < area.left() || zero > area.right())
        return;
    const QString base = shown.baseSpread > 0
                             ? QStringLiteral("%1 ± %2").arg(shown.base, shown.times.number(shown.baseSpread))
                             : shown.base;
    const double wide = painter.fontMetrics().horizontalAdvance(base);
    const double least = x;
    const double most = plot().width() - m_look.px(12) - wide;
    if (most >= least)
        drawWord(painter, m_look, QPointF(std::clamp(zero - wide / 2, least, most), line),
                 Qt::AlignLeft | Qt::AlignVCenter, base, inkOf("text.primary"), false);
}

std::vector<PlotStop> HunkContributionsView::stops() const {
    const HunkContributions &shown = m_contributions.contributions();
    std::vector<PlotStop> stops;
    const auto add = [&](const std::optional<TimeDifference> &difference, std::size_t row, int part) {
        if (!difference)
            return;
        const QPointF at(plot().xAxis->coordToPixel(difference->value), rowCentre(row));
        const double reach = m_look.px(10);
        stops.push_back({QRectF(at.x() - reach, at.y() - m_pitch / 2, 2 * reach, m_pitch), at,
                         static_cast<int>(row) * 2 + part});
    };
    for (std::size_t row = 0; row < shown.hunks.size(); ++row) {
        add(shown.hunks[row].alone, row, 0);
        add(shown.hunks[row].allBut, row, 1);
    }
    add(shown.all, shown.hunks.size(), 0);
    return stops;
}

QString HunkContributionsView::toolTipOf(int id) const {
    const HunkContributions &shown = m_contributions.contributions();
    const auto row = static_cast<std::size_t>(id / 2);
    const bool isAll = row >= shown.hunks.size();
    const std::optional<TimeDifference> difference = isAll         ? shown.all
                                                     : id % 2 == 0 ? shown.hunks[row].alone
                                                                   : shown.hunks[row].allBut;
    if (!difference)
        return {};
    const TimeScale &times = shown.times;
    const QString what = isAll         ? QStringLiteral("all hunks together")
                         : id % 2 == 0 ? QStringLiteral("only hunk %1").arg(nameOf(shown.hunks[row]))
                                       : QStringLiteral("without hunk %1").arg(nameOf(shown.hunks[row]));
    return QStringLiteral("%1\n%2 against %3\n95 % interval %4 to %5 %6")
        .arg(what, times.difference(difference->value, difference->low, difference->high), shown.base,
             signedText(difference->low / times.unitMicroseconds, times.decimals),
             signedText(difference->high / times.unitMicroseconds, times.decimals), times.unit);
}

} // namespace warpwright
