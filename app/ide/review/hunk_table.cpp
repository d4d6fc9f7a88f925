// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/review/hunk_table.h"

#include "app/ide/review/proposal_figures.h"
#include "widgets/look/look.h"
#include "widgets/review/shown_hunk.h"

#include <QCoreApplication>
#include <QFontMetrics>
#include <QPainter>

#include <algorithm>
#include <array>
#include <set>

namespace warpwright {
namespace {

constexpr int pad = 12;
constexpr int rowHeight = 24;
constexpr int above = 4;
constexpr int gap = 14;        ///< between the columns
constexpr int beside = 8;      ///< between a title and what stands behind it
constexpr int leastTitle = 50; ///< before a reason gets a line of its own

QString words(const char *text) {
    return QCoreApplication::translate("HunkTable", text);
}

/// Neither figure is one, nor becomes one by itself, and both for the same reason.
bool isSaidOnce(const ProposalView::Hunk &hunk) {
    const ShownFigure::State state = hunk.alone.state;
    return hunk.allBut.state == state && tableWords(hunk.alone) == tableWords(hunk.allBut) &&
           (state == ShownFigure::None || state == ShownFigure::Hidden || state == ShownFigure::Unexercised);
}

QString titleOf(const ProposalView::Hunk &hunk) {
    return hunk.together.isEmpty() ? hunk.title : QStringLiteral("%1, %2").arg(hunk.title, hunk.together);
}

HunkLook markOf(const ProposalView::Hunk &hunk) {
    ShownHunk shown;
    shown.state = hunk.mark == ProposalView::Hunk::Accepted   ? ShownHunk::Accepted
                  : hunk.mark == ProposalView::Hunk::Rejected ? ShownHunk::Rejected
                  : hunk.mark == ProposalView::Hunk::Edited   ? ShownHunk::Edited
                                                              : ShownHunk::Open;
    return lookOf(shown, false);
}

} // namespace

QFontMetrics HunkTable::metrics() const {
    return QFontMetrics(m_look.font(TextRole::Small));
}

int HunkTable::right() const {
    return m_width - m_look.px(pad);
}

int HunkTable::aloneRight() const {
    return right() - m_column - m_look.px(gap);
}

void HunkTable::setHunks(const std::vector<ProposalView::Hunk> &hunks, const QString &unit) {
    m_hunks = hunks;
    m_unit = unit;
}

void HunkTable::layOut(int width) {
    m_width = width;
    const QFontMetrics letters = metrics();
    // With the room of a usual figure from the start, so that no row grows when one comes.
    std::set<QString> texts{words("only this"), words("without this"), QStringLiteral("≈ −10.5 ± 10.5")};
    std::set<QString> reasons;
    m_hasFigures = false;
    for (const ProposalView::Hunk &hunk : m_hunks) {
        if (isSaidOnce(hunk)) {
            reasons.insert(reasonOf(hunk));
            continue;
        }
        m_hasFigures = true;
        texts.insert({tableWords(hunk.alone), tableWords(hunk.allBut)});
    }
    m_column = 0;
    for (const QString &text : texts)
        m_column = std::max(m_column, letters.horizontalAdvance(text));
    m_reason = !m_hasFigures && reasons.size() == 1 ? *reasons.begin() : QString();

    const int headEnd =
        aloneRight() - letters.horizontalAdvance(words("only this")) - m_look.px(beside + pad);
    const QString longHead = words("Δ time, %1").arg(m_unit);
    const QString shortHead = QStringLiteral("Δ ") + m_unit;
    const int titleRoom = aloneRight() - m_column - m_look.px(pad + beside + 20); // 20: its number and icon
    m_columns = titleRoom >= m_look.px(90) ? Columns::Beside
                : aloneRight() - m_column >= m_look.px(pad) && letters.horizontalAdvance(shortHead) <= headEnd
                    ? Columns::Below
                    : Columns::Listed;
    const bool isLong = m_columns == Columns::Listed || letters.horizontalAdvance(longHead) <= headEnd;
    m_head = !m_hasFigures ? words("By hunk") : isLong ? longHead : shortHead;

    m_tops.assign(1, m_look.px(above + rowHeight));
    for (const ProposalView::Hunk &hunk : m_hunks)
        m_tops.push_back(m_tops.back() + linesOf(hunk) * m_look.px(rowHeight));
}

int HunkTable::height() const {
    return m_hunks.empty() ? m_look.px(above) : m_tops.back();
}

int HunkTable::hunkAt(int y) const {
    const auto next = std::upper_bound(m_tops.begin(), m_tops.end(), y);
    return next == m_tops.begin() || next == m_tops.end() ? -1 : static_cast<int>(next - m_tops.begin()) - 1;
}

QString HunkTable::reasonOf(const ProposalView::Hunk &hunk) const {
    return hunk.alone.state == ShownFigure::None ? figureWords(hunk.alone) : tableWords(hunk.alone);
}

int HunkTable::titleLeft(const ProposalView::Hunk &hunk) const {
    const QFontMetrics strong(m_look.font(TextRole::Small, QFont::DemiBold));
    return m_look.px(pad) + strong.horizontalAdvance(QString::number(hunk.number)) + m_look.px(5) +
           (*markOf(hunk).icon == 0 ? 0 : m_look.px(12 + 4));
}

int HunkTable::linesOf(const ProposalView::Hunk &hunk) const {
    if (!isSaidOnce(hunk))
        return m_columns == Columns::Beside ? 1 : m_columns == Columns::Below ? 2 : 3;
    if (!m_reason.isEmpty())
        return 1;
    const QFontMetrics letters = metrics();
    const int room =
        right() - letters.horizontalAdvance(reasonOf(hunk)) - m_look.px(beside) - titleLeft(hunk);
    return room < std::min(m_look.px(leastTitle), letters.horizontalAdvance(titleOf(hunk))) ? 2 : 1;
}

std::vector<HunkTablePiece> HunkTable::headPieces() const {
    const int row = m_look.px(rowHeight);
    const int top = m_look.px(above);
    const QFontMetrics letters = metrics();
    std::vector<HunkTablePiece> pieces{
        {{m_look.px(pad), top, letters.horizontalAdvance(m_head), row}, m_head, "text.secondary"}};
    const auto add = [&](const QString &text, int until, const char *ink) {
        const int wide = letters.horizontalAdvance(text);
        pieces.push_back({{until - wide, top, wide, row}, text, ink});
    };
    if (!m_reason.isEmpty())
        add(m_reason, right(), "text.tertiary");
    if (m_hasFigures && m_columns != Columns::Listed) {
        add(words("only this"), aloneRight(), "text.secondary");
        add(words("without this"), right(), "text.secondary");
    }
    return pieces;
}

void HunkTable::addFigure(std::vector<HunkTablePiece> &pieces, const ShownFigure &figure, int until,
                          int y) const {
    const QFontMetrics letters = metrics();
    const QString text = tableWords(figure);
    int x = until - letters.horizontalAdvance(text);
    const auto put = [&](const QString &part, const char *ink) {
        const int wide = letters.horizontalAdvance(part);
        pieces.push_back({{x, y, wide, m_look.px(rowHeight)}, part, ink});
        x += wide;
    };
    const bool isNoise = figure.state == ShownFigure::Noise;
    if (isNoise)
        put(QStringLiteral("≈ "), "verdict.inconclusive");
    if (isNoise || figure.state == ShownFigure::Known) {
        put(figure.value, isNoise ? "text.secondary" : "text.primary");
        put(QStringLiteral(" ") + figure.spread, "text.secondary");
    } else {
        put(text, figure.state == ShownFigure::Measuring ? "accent.text"
                  : figure.state == ShownFigure::Failed  ? "verdict.wrong"
                                                         : "text.tertiary");
    }
}

std::vector<HunkTablePiece> HunkTable::rowPieces(int index) const {
    const ProposalView::Hunk &hunk = m_hunks[static_cast<std::size_t>(index)];
    const QFontMetrics letters = metrics();
    const int row = m_look.px(rowHeight);
    const int top = m_tops[static_cast<std::size_t>(index)];
    const int lines = linesOf(hunk);
    const bool isOnce = isSaidOnce(hunk);
    std::vector<HunkTablePiece> pieces;
    const QString number = QString::number(hunk.number);
    const int numberWide =
        QFontMetrics(m_look.font(TextRole::Small, QFont::DemiBold)).horizontalAdvance(number);
    pieces.push_back({{m_look.px(pad), top, numberWide, row}, number, "text.primary", QFont::DemiBold});

    const int last = top + (lines - 1) * row;
    int titleEnd = right();
    if (isOnce && m_reason.isEmpty()) {
        const QString reason = reasonOf(hunk);
        const int wide = letters.horizontalAdvance(reason);
        pieces.push_back({{right() - wide, last, wide, row}, reason, "text.tertiary"});
        if (lines == 1)
            titleEnd -= wide + m_look.px(beside);
    } else if (!isOnce && m_columns == Columns::Listed) {
        int y = top + row;
        const std::array<std::pair<QString, const ShownFigure *>, 2> both{
            {{words("only this"), &hunk.alone}, {words("without this"), &hunk.allBut}}};
        for (const auto &[label, figure] : both) {
            pieces.push_back(
                {{m_look.px(pad), y, letters.horizontalAdvance(label), row}, label, "text.secondary"});
            addFigure(pieces, *figure, right(), y);
            y += row;
        }
    } else if (!isOnce) {
        addFigure(pieces, hunk.alone, aloneRight(), last);
        addFigure(pieces, hunk.allBut, right(), last);
        if (lines == 1)
            titleEnd = aloneRight() - letters.horizontalAdvance(tableWords(hunk.alone)) - m_look.px(beside);
    }
    const int left = titleLeft(hunk);
    const int room = std::max(0, titleEnd - left);
    pieces.push_back({{left, top, room, row},
                      letters.elidedText(titleOf(hunk), Qt::ElideRight, room),
                      "text.primary",
                      QFont::Normal,
                      true});
    return pieces;
}

void HunkTable::draw(QPainter &painter, int top, int hovered) const {
    if (m_hunks.empty())
        return;
    const auto write = [&](const std::vector<HunkTablePiece> &pieces) {
        for (const HunkTablePiece &piece : pieces) {
            painter.setFont(m_look.font(TextRole::Small, piece.weight));
            painter.setPen(m_look.color(piece.ink));
            painter.drawText(piece.room.translated(0, top),
                             static_cast<int>(Qt::AlignVCenter) | Qt::TextSingleLine | Qt::TextDontClip,
                             piece.text);
        }
    };
    write(headPieces());
    // A proposal may have hundreds of hunks, of which few are in view.
    const QRectF painted =
        painter.hasClipping() ? painter.clipBoundingRect() : QRectF(0, top, m_width, height());
    const int row = m_look.px(rowHeight);
    for (int i = 0; i < static_cast<int>(m_hunks.size()); ++i) {
        const int y = top + m_tops[static_cast<std::size_t>(i)];
        const int end = top + m_tops[static_cast<std::size_t>(i) + 1];
        if (end <= painted.top() || y > painted.bottom())
            continue;
        if (i == hovered)
            painter.fillRect(1, y, m_width - 2, end - y, m_look.color("bg.hover"));
        painter.fillRect(0, y, m_width, 1, m_look.color("border.subtle"));
        const ProposalView::Hunk &hunk = m_hunks[static_cast<std::size_t>(i)];
        if (const HunkLook mark = markOf(hunk); *mark.icon != 0) {
            const int icon = m_look.px(12);
            m_look.icon(QLatin1String(mark.icon), m_look.color(mark.ink))
                .paint(&painter,
                       QRect(titleLeft(hunk) - m_look.px(4) - icon, y + (row - icon) / 2, icon, icon));
        }
        write(rowPieces(i));
    }
}

} // namespace warpwright
