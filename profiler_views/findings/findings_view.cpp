// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler_views/findings/findings_view.h"

#include "profiler_views/series_paint.h"
#include "profiler_views/value_role.h"
#include "widgets/look/look.h"
#include "widgets/plot/plot.h"

#include <QPainter>
#include <QScrollArea>
#include <QVBoxLayout>

namespace warpwright {

FindingsView::FindingsView(const Look &look, QWidget *parent)
    : ChartView(look, QStringLiteral("Why"), parent), m_scroll(new QScrollArea(content())) {
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->setVerticalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    m_scroll->setFocusPolicy(Qt::NoFocus);
    m_scroll->viewport()->setAutoFillBackground(false);
    m_scroll->setWidget(&plot());
    auto *column = new QVBoxLayout(content());
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_scroll);
    setModel(m_findings);
    Plot &chart = plot();
    makeCanvas();
    chart.setOutlinesStops();
    chart.addDrawing(false, [this](QPainter &painter, const QRectF &) { draw(painter); });
    chart.setStops(
        [this] {
            std::vector<PlotStop> stops;
            for (std::size_t i = 0; i < m_boxes.size(); ++i)
                stops.push_back(
                    {m_boxes[i].rect.adjusted(m_look.px(6), m_look.px(3), -m_look.px(6), -m_look.px(3)),
                     QPointF(m_boxes[i].rect.left() + m_look.px(40), m_boxes[i].rect.bottom()),
                     static_cast<int>(i)});
            return stops;
        },
        [this](int row) { return m_findings.index(row, 0).data(Qt::ToolTipRole).toString(); });
    connect(&chart, &Plot::stopActivated, this, [this](int row) {
        const Finding &finding = m_findings.findings()[static_cast<std::size_t>(row)];
        if (!finding.file.isEmpty() && finding.line > 0)
            emit lineActivated(finding.file, finding.line);
    });
    connect(&chart, &Plot::stopReached, this, [this](const QRectF &area) {
        m_scroll->ensureVisible(0, static_cast<int>(area.center().y()), 0,
                                static_cast<int>(area.height() / 2));
    });
    connect(&chart, &Plot::restyled, this, &FindingsView::layOut);
    show({}, {});
}

void FindingsView::show(std::vector<Finding> findings, const QString &note) {
    m_findings.setFindings(std::move(findings));
    m_boxes.clear();
    m_note = note;
    if (m_findings.findings().empty()) {
        showEmpty(
            QStringLiteral("finding"), tr("What keeps it from being faster appears here"),
            tr("from the compile report, the times of a check, and counters that Nsight Compute collects"));
        return;
    }
    showContent(m_findings.summary(),
                tr("Hints about speed, no part of a verdict; gains overlap. %1").arg(note));
    layOut();
}

void FindingsView::resizeEvent(QResizeEvent *event) {
    ChartView::resizeEvent(event);
    layOut();
}

void FindingsView::layOut() {
    const int width =
        std::max(m_look.px(160), this->width() - style()->pixelMetric(QStyle::PM_ScrollBarExtent));
    const int margin = m_look.px(12);
    const int indent = m_look.px(34);
    const QFontMetrics small(m_look.font(TextRole::Small));
    const auto heightOf = [&small](const QString &text, int room) {
        return small.boundingRect(QRect(0, 0, room, 100000), Qt::TextWordWrap, text).height();
    };
    double top = m_look.px(8);
    m_noteRect = QRectF();
    if (!m_note.isEmpty()) {
        m_noteRect = QRectF(margin, top, width - 2 * margin, heightOf(m_note, width - 2 * margin));
        top = m_noteRect.bottom() + m_look.px(8);
    }
    m_boxes.clear();
    for (const Finding &finding : m_findings.findings()) {
        Box box;
        box.text =
            finding.advice.isEmpty() ? finding.message : finding.message + QLatin1Char(' ') + finding.advice;
        const int room = width - indent - margin;
        box.words = QRectF(indent, top + m_look.px(30), room, heightOf(box.text, room));
        const bool hasFoot = !finding.kernel.isEmpty() || !finding.file.isEmpty() || !finding.isMeasured;
        box.rect = QRectF(0, top, width, box.words.bottom() + m_look.px(hasFoot ? 30 : 10) - top);
        top = box.rect.bottom();
        m_boxes.push_back(box);
    }
    plot().resize(width, std::max(m_look.px(60), static_cast<int>(top)));
    plot().replotLater();
}

void FindingsView::draw(QPainter &painter) {
    if (!m_noteRect.isEmpty()) {
        painter.setFont(m_look.font(TextRole::Small));
        painter.setPen(m_look.color("text.tertiary"));
        painter.drawText(m_noteRect, Qt::AlignLeft | Qt::TextWordWrap, m_note);
    }
    for (std::size_t i = 0; i < m_boxes.size(); ++i)
        drawFinding(painter, m_findings.findings()[i], m_boxes[i]);
}

void FindingsView::drawFinding(QPainter &painter, const Finding &finding, const Box &box) {
    const int margin = m_look.px(12);
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(QPen(m_look.color("border.subtle"), m_look.px(1)));
    painter.drawLine(QPointF(0, box.rect.top()), QPointF(box.rect.right(), box.rect.top()));
    painter.setRenderHint(QPainter::Antialiasing);
    const double line = box.rect.top() + m_look.px(18);
    const int size = m_look.px(14);
    m_look.icon(QStringLiteral("finding"), m_look.color("accent.text"))
        .paint(&painter, QRect(margin, static_cast<int>(line) - size / 2, size, size));
    painter.setFont(m_look.font(TextRole::Small, QFont::DemiBold));
    const QString gain = FindingsModel::gainText(finding);
    const double gainWidth = painter.fontMetrics().horizontalAdvance(gain) + m_look.px(12);
    drawWord(painter, m_look, QPointF(box.words.left(), line), Qt::AlignVCenter,
             painter.fontMetrics().elidedText(finding.title, Qt::ElideRight,
                                              static_cast<int>(box.words.width() - gainWidth)),
             inkOf("text.primary"), false);
    const bool isKnown = finding.gainMicroseconds.value_or(0) > 0;
    drawWord(painter, m_look, QPointF(box.rect.right() - margin, line), Qt::AlignRight | Qt::AlignVCenter,
             gain, inkOf(isKnown ? "text.primary" : "text.tertiary"), false);
    painter.setFont(m_look.font(TextRole::Small));
    painter.setPen(inkOf("text.secondary"));
    painter.drawText(box.words, Qt::AlignLeft | Qt::TextWordWrap, box.text);

    // Where, in what kernel, and that it was not measured.
    const double foot = box.words.bottom() + m_look.px(13);
    double x = box.words.left();
    const auto write = [&](const QString &text, const QFont &font, const char *ink, Qt::TextElideMode elide) {
        if (text.isEmpty() || x >= box.words.right())
            return;
        painter.setFont(font);
        const QString shown =
            painter.fontMetrics().elidedText(text, elide, static_cast<int>(box.words.right() - x));
        drawWord(painter, m_look, QPointF(x, foot), Qt::AlignVCenter, shown, m_look.color(ink), false);
        x += painter.fontMetrics().horizontalAdvance(shown) + m_look.px(12);
    };
    write(FindingsModel::placeText(finding), m_look.font(TextRole::Log),
          finding.line > 0 ? "accent.text" : "text.secondary", Qt::ElideMiddle);
    write(finding.kernel, m_look.font(TextRole::Log), "text.secondary", Qt::ElideRight);
    if (!finding.isMeasured)
        write(tr("not measured"), m_look.font(TextRole::Axis), "text.tertiary", Qt::ElideRight);
}

} // namespace warpwright
