// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler_views/counters/section_cards.h"

#include "profiler_views/series_paint.h"
#include "toolchain/base/figures.h"
#include "widgets/look/look.h"
#include "widgets/plot/plot.h"

#include <QPainter>
#include <QPainterPath>
#include <QTextOption>

#include <algorithm>

namespace warpwright {
namespace {

// Lengths at 96 dpi.
constexpr double headHeight = 30;
constexpr double rowHeight = 22;
constexpr double padding = 12;
constexpr double gap = 10;
constexpr double leastColumn = 400;
constexpr std::size_t mostRows = 12;

} // namespace

QColor SectionCards::inkOf(const char *token) const {
    return m_look.color(m_isStale ? "text.tertiary" : token);
}

double SectionCards::changeWidth() const {
    return m_hasBaseline ? QFontMetricsF(m_look.font(TextRole::Small))
                                   .horizontalAdvance(QStringLiteral("≈ +888.8\u00a0%")) +
                               m_look.px(8)
                         : 0;
}

std::vector<SectionCards::Card> SectionCards::makeCards() const {
    std::vector<Card> cards;
    for (std::size_t row = 0; row < m_rows->size(); ++row) {
        const CounterRow &one = (*m_rows)[row];
        if (cards.empty() || cards.back().section != one.section) {
            Card card;
            card.section = one.section;
            cards.push_back(card);
        }
        Card &card = cards.back();
        if (card.boxes.size() < mostRows || one.section == CounterSection::Rules)
            card.boxes.push_back({row, {}, {}});
        else
            ++card.leftOut;
    }
    for (Card &card : cards) {
        const bool isAllMissing = std::all_of(card.boxes.begin(), card.boxes.end(), [this](const Box &box) {
            return !rowOf(box).missing.isEmpty();
        });
        if (isAllMissing)
            card.missing = rowOf(card.boxes.front()).missing;
    }
    return cards;
}

double SectionCards::layOut(const std::vector<CounterRow> &rows, double width) {
    m_rows = &rows;
    m_hasBaseline =
        std::any_of(rows.begin(), rows.end(), [](const CounterRow &row) { return row.change.has_value(); });
    m_cards = makeCards();
    const double edge = m_look.px(padding);
    const double between = m_look.px(gap);
    const int columns =
        std::clamp(static_cast<int>((width - 2 * edge + between) / (m_look.px(leastColumn) + between)), 1, 3);
    const double column = (width - 2 * edge - between * (columns - 1)) / columns;
    std::vector<double> bottoms(static_cast<std::size_t>(columns), m_look.px(4));
    for (Card &card : m_cards) {
        const double height = fill(card, column);
        // Each below the shortest column, from the left.
        const auto shortest = std::min_element(bottoms.begin(), bottoms.end());
        const QPointF at(edge + (column + between) * static_cast<double>(shortest - bottoms.begin()),
                         *shortest);
        card.rect = QRectF(at, QSizeF(column, height));
        for (Box &box : card.boxes)
            box.rect.translate(at);
        *shortest += height + between;
    }
    return *std::max_element(bottoms.begin(), bottoms.end()) + m_look.px(2);
}

double SectionCards::fill(Card &card, double width) const {
    const double edge = m_look.px(padding);
    const double inner = width - 2 * edge;
    double bottom = m_look.px(headHeight);
    if (!card.missing.isEmpty()) {
        card.boxes.resize(1);
        card.leftOut = 0;
        card.boxes.front().rect = QRectF(edge, bottom, inner, m_look.px(rowHeight));
        return bottom + m_look.px(rowHeight) + m_look.px(6);
    }
    if (card.section == CounterSection::Memory && inner >= m_look.px(376)) {
        fillMemory(card, width, bottom);
        return bottom + m_look.px(padding);
    }
    if (card.section == CounterSection::Rules) {
        QTextOption wrapped(Qt::AlignLeft);
        wrapped.setWrapMode(QTextOption::WordWrap);
        for (Box &box : card.boxes) {
            box.words.setText(rowOf(box).help);
            box.words.setTextFormat(Qt::PlainText);
            box.words.setTextOption(wrapped);
            box.words.setTextWidth(inner);
            box.words.prepare(QTransform(), m_look.font(TextRole::Small));
            const double height = m_look.px(20) + box.words.size().height() + m_look.px(8);
            box.rect = QRectF(edge, bottom, inner, height);
            bottom += height;
        }
        return bottom + m_look.px(4);
    }
    const QFontMetricsF small(m_look.font(TextRole::Small, QFont::DemiBold));
    for (Box &box : card.boxes) {
        const CounterRow &row = rowOf(box);
        box.rect = QRectF(edge, bottom, inner, m_look.px(rowHeight));
        bottom += m_look.px(rowHeight);
        card.labelWidth = std::max(card.labelWidth, small.horizontalAdvance(row.label) + m_look.px(8));
        card.valueWidth = std::max(card.valueWidth, small.horizontalAdvance(row.text) + m_look.px(8));
    }
    card.labelWidth = std::min(card.labelWidth, inner * 0.56);
    if (card.leftOut > 0)
        bottom += m_look.px(rowHeight);
    return bottom + m_look.px(6);
}

// kernel | L1 over shared | L2 | DRAM, with the links between them.
void SectionCards::fillMemory(Card &card, double width, double &bottom) const {
    const double line = QFontMetricsF(m_look.font(TextRole::Axis)).height();
    const double link = line * (m_hasBaseline ? 3 : 2) + m_look.px(16);
    const double edge = m_look.px(padding);
    const double node = m_look.px(62);
    const double room = (width - 2 * edge - 4 * node) / 3;
    const double top = bottom;
    const double shared = top + 2 * link + m_look.px(10);
    const auto place = [&](std::size_t row, double x, double y, double w, double h) {
        if (row < card.boxes.size())
            card.boxes[row].rect = QRectF(x, y, w, h);
    };
    const auto gapAt = [&](int at) {
        return edge + node * (at + 1) + room * at;
    };
    place(LoadsToL1, gapAt(0), top, room, link);
    place(StoresToL1, gapAt(0), top + link, room, link);
    place(SharedWavefronts, gapAt(0), shared, room, link);
    place(ReadsFromL2, gapAt(1), top, room, link);
    place(WritesToL2, gapAt(1), top + link, room, link);
    place(ReadsFromDram, gapAt(2), top, room, link);
    place(WritesToDram, gapAt(2), top + link, room, link);
    place(HitsInL1, gapAt(0) + room, top, node, 2 * link);
    place(HitsInL2, gapAt(1) + room, top, node, 2 * link);
    place(BankConflicts, gapAt(0) + room, shared, node, link);
    bottom = shared + link;
}

void SectionCards::draw(QPainter &painter, const QColor &value) const {
    for (const Card &card : m_cards)
        drawCard(painter, card, value);
}

void SectionCards::drawCard(QPainter &painter, const Card &card, const QColor &value) const {
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(m_look.color("border.normal"), m_look.px(1)));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(card.rect.adjusted(0.5, 0.5, -0.5, -0.5), m_look.px(6), m_look.px(6));
    const double middle = card.rect.top() + m_look.px(headHeight) / 2;
    const double left = card.rect.left() + m_look.px(padding);
    const QString title = sectionName(card.section);
    painter.setFont(m_look.font(TextRole::Small, QFont::DemiBold));
    const double titleWidth = painter.fontMetrics().horizontalAdvance(title);
    drawWord(painter, m_look, QPointF(left, middle), Qt::AlignVCenter, title, inkOf("text.primary"), false);
    painter.setFont(m_look.font(TextRole::Axis));
    const double rest = card.rect.right() - m_look.px(padding) - left - titleWidth - m_look.px(8);
    drawWord(
        painter, m_look, QPointF(left + titleWidth + m_look.px(8), middle), Qt::AlignVCenter,
        painter.fontMetrics().elidedText(sectionRemark(card.section), Qt::ElideRight, static_cast<int>(rest)),
        m_look.color("text.tertiary"), false);
    if (!card.missing.isEmpty()) {
        painter.setFont(m_look.font(TextRole::Small));
        drawWord(painter, m_look, QPointF(left, card.boxes.front().rect.center().y()), Qt::AlignVCenter,
                 card.missing, inkOf("text.secondary"), false);
        return;
    }
    if (card.section == CounterSection::Memory && card.labelWidth == 0) {
        drawMemory(painter, card, value);
        return;
    }
    for (const Box &box : card.boxes) {
        if (card.section == CounterSection::Rules)
            drawRule(painter, box);
        else
            drawRow(painter, card, box, value);
    }
    if (card.leftOut > 0) {
        painter.setFont(m_look.font(TextRole::Axis));
        drawWord(painter, m_look, QPointF(left, card.boxes.back().rect.bottom() + m_look.px(rowHeight) / 2),
                 Qt::AlignVCenter, QStringLiteral("%1 more, in the CSV").arg(card.leftOut),
                 m_look.color("text.tertiary"), false);
    }
}

void SectionCards::drawRow(QPainter &painter, const Card &card, const Box &box, const QColor &value) const {
    const CounterRow &row = rowOf(box);
    const double middle = box.rect.center().y();
    const QFont font = m_look.font(TextRole::Small, row.isStrong ? QFont::DemiBold : QFont::Normal);
    painter.setFont(font);
    const auto write = [&](double x, Qt::Alignment side, const QString &text, const char *ink) {
        drawWord(painter, m_look, QPointF(x, middle), side | Qt::AlignVCenter, text, inkOf(ink), false);
    };
    write(box.rect.left(), Qt::AlignLeft,
          painter.fontMetrics().elidedText(row.label, Qt::ElideRight,
                                           static_cast<int>(card.labelWidth - m_look.px(4))),
          row.missing.isEmpty() ? "text.primary" : "text.secondary");
    if (!row.missing.isEmpty()) {
        write(box.rect.right(), Qt::AlignRight, row.missing, "text.tertiary");
        return;
    }
    const double valueRight = box.rect.right() - changeWidth();
    painter.setFont(m_look.font(TextRole::Small, QFont::DemiBold));
    write(valueRight, Qt::AlignRight, row.text, "text.primary");
    if (row.change) {
        painter.setFont(m_look.font(TextRole::Small));
        write(box.rect.right(), Qt::AlignRight, row.change->text(), "text.secondary");
    }
    if (!row.share)
        return;
    const double left = box.rect.left() + card.labelWidth;
    const double width = valueRight - card.valueWidth - left;
    if (width < m_look.px(20))
        return;
    const double thickness = m_look.px(row.isStrong ? 12 : 8);
    const QRectF track(left, middle - thickness / 2, width, thickness);
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.fillRect(track, m_look.color("border.subtle"));
    painter.fillRect(QRectF(track.topLeft(), QSizeF(std::max(1.0, width * *row.share), thickness)), value);
    if (row.beforeShare) {
        // The baseline's end: a line across, taller than the bar.
        const double at = left + width * *row.beforeShare;
        painter.fillRect(
            QRectF(at - m_look.px(1), track.top() - m_look.px(3), m_look.px(2), thickness + m_look.px(6)),
            inkOf("text.primary"));
    }
    painter.setRenderHint(QPainter::Antialiasing);
}

void SectionCards::drawRule(QPainter &painter, const Box &box) const {
    const CounterRow &row = rowOf(box);
    const double line = box.rect.top() + m_look.px(10);
    painter.setFont(m_look.font(TextRole::Small, QFont::DemiBold));
    const double gainWidth = painter.fontMetrics().horizontalAdvance(row.text) + m_look.px(12);
    drawWord(painter, m_look, QPointF(box.rect.left(), line), Qt::AlignVCenter,
             painter.fontMetrics().elidedText(row.label, Qt::ElideRight,
                                              static_cast<int>(box.rect.width() - gainWidth)),
             inkOf("text.primary"), false);
    if (row.missing.isEmpty())
        drawWord(painter, m_look, QPointF(box.rect.right(), line), Qt::AlignRight | Qt::AlignVCenter,
                 row.text, inkOf(row.isStrong ? "text.primary" : "text.tertiary"), false);
    painter.setFont(m_look.font(TextRole::Small));
    painter.setPen(inkOf("text.secondary"));
    painter.drawStaticText(box.rect.topLeft() + QPointF(0, m_look.px(20)), box.words);
}

void SectionCards::drawNode(QPainter &painter, const QRectF &rect, const QString &name,
                            const CounterRow *fact) const {
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(m_look.color("border.strong"), m_look.px(1)));
    painter.setBrush(m_look.color("bg.card"));
    painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), m_look.px(4), m_look.px(4));
    const double line = QFontMetricsF(m_look.font(TextRole::Axis)).height();
    QStringList facts;
    if (fact != nullptr && fact->missing.isEmpty()) {
        const bool isHit = fact->unit == QLatin1String("%");
        facts << fact->text << (isHit ? QStringLiteral("hits") : QStringLiteral("conflicts"));
        if (fact->change)
            facts << fact->change->text();
    }
    double y = rect.center().y() - line * static_cast<double>(facts.size()) / 2;
    painter.setFont(m_look.font(TextRole::Small, QFont::DemiBold));
    drawWord(painter, m_look, QPointF(rect.center().x(), y), Qt::AlignHCenter | Qt::AlignVCenter, name,
             inkOf("text.primary"), false);
    painter.setFont(m_look.font(TextRole::Axis));
    for (const QString &text : facts) {
        y += line;
        drawWord(painter, m_look, QPointF(rect.center().x(), y), Qt::AlignHCenter | Qt::AlignVCenter, text,
                 inkOf("text.secondary"), false);
    }
}

// The wider the line, the nearer the link is to its peak; the number stands there, too.
void SectionCards::drawLink(QPainter &painter, const Box &box, bool pointsRight, const QColor &value) const {
    const CounterRow &row = rowOf(box);
    const double line = QFontMetricsF(m_look.font(TextRole::Axis)).height();
    const double centre = box.rect.center().x();
    QStringList words;
    const bool isWide = box.rect.width() >= m_look.px(110);
    if (!row.missing.isEmpty())
        words << QStringLiteral("not") << QStringLiteral("collected");
    else
        words << (isWide || row.unit == QLatin1String("byte") ? row.text
                                                              : row.text.section(QLatin1Char(' '), 0, -2))
              << (row.share ? percentText(*row.share) : QStringLiteral("no peak"));
    if (row.change)
        words << row.change->text();
    double y = box.rect.top() + line / 2 + m_look.px(2);
    for (qsizetype i = 0; i < words.size(); ++i) {
        const bool isValue = i == 0 && row.missing.isEmpty();
        painter.setFont(m_look.font(TextRole::Axis, isValue ? QFont::DemiBold : QFont::Normal));
        drawWord(painter, m_look, QPointF(centre, y), Qt::AlignHCenter | Qt::AlignVCenter, words[i],
                 inkOf(isValue ? "text.primary" : "text.secondary"), false);
        y += line;
    }
    const double at = box.rect.bottom() - m_look.px(7);
    const double margin = m_look.px(3);
    const double head = m_look.px(5);
    const double from = pointsRight ? box.rect.left() + margin : box.rect.right() - margin;
    const double to = pointsRight ? box.rect.right() - margin : box.rect.left() + margin;
    const double direction = pointsRight ? 1 : -1;
    const bool isIdle = row.value.value_or(0) == 0;
    const QColor ink = isIdle ? m_look.color("border.strong") : value;
    const double width = m_look.px(4) / 4.0 * (1 + 5 * row.share.value_or(0));
    QPen pen(ink, width, isIdle ? Qt::DashLine : Qt::SolidLine, Qt::FlatCap);
    painter.setPen(pen);
    painter.drawLine(QPointF(from, at), QPointF(to - direction * head, at));
    QPolygonF arrow;
    arrow << QPointF(to, at) << QPointF(to - direction * head, at - head)
          << QPointF(to - direction * head, at + head);
    painter.setPen(Qt::NoPen);
    painter.setBrush(ink);
    painter.drawPolygon(arrow);
    painter.setBrush(Qt::NoBrush);
}

void SectionCards::drawMemory(QPainter &painter, const Card &card, const QColor &value) const {
    if (card.boxes.size() < MemoryRowCount)
        return;
    const auto rectOf = [&card](MemoryRow row) {
        return card.boxes[row].rect;
    };
    const QRectF l1 = rectOf(HitsInL1);
    const QRectF l2 = rectOf(HitsInL2);
    const QRectF shared = rectOf(BankConflicts);
    const double width = l1.width();
    drawNode(painter, QRectF(rectOf(LoadsToL1).left() - width, l1.top(), width, shared.bottom() - l1.top()),
             QStringLiteral("Kernel"), nullptr);
    drawNode(painter, l1, QStringLiteral("L1"), &rowOf(card.boxes[HitsInL1]));
    drawNode(painter, shared, QStringLiteral("Shared"), &rowOf(card.boxes[BankConflicts]));
    drawNode(painter, l2, QStringLiteral("L2"), &rowOf(card.boxes[HitsInL2]));
    drawNode(painter, QRectF(rectOf(ReadsFromDram).right(), l2.top(), width, l2.height()),
             QStringLiteral("DRAM"), nullptr);
    for (const MemoryRow row : {LoadsToL1, ReadsFromL2, ReadsFromDram})
        drawLink(painter, card.boxes[row], false, value);
    for (const MemoryRow row : {StoresToL1, WritesToL2, WritesToDram})
        drawLink(painter, card.boxes[row], true, value);
    const Box &toShared = card.boxes[SharedWavefronts];
    if (rowOf(toShared).missing != sharedIsNotUsed())
        return drawLink(painter, toShared, true, value);
    painter.setFont(m_look.font(TextRole::Axis)); // no traffic, and so no way there
    drawWord(painter, m_look, toShared.rect.center(), Qt::AlignCenter, QStringLiteral("not used"),
             m_look.color("text.tertiary"), false);
}

std::vector<PlotStop> SectionCards::stops() const {
    std::vector<PlotStop> stops;
    for (const Card &card : m_cards)
        for (const Box &box : card.boxes)
            stops.push_back({box.rect, QPointF(box.rect.left() + m_look.px(40), box.rect.bottom()),
                             static_cast<int>(box.row)});
    return stops;
}

} // namespace warpwright
