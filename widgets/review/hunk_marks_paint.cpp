// SPDX-License-Identifier: GPL-3.0-or-later
// What is seen of hunks; hunk_marks.cpp knows where they are.
#include "widgets/editor/code_editor.h"
#include "widgets/editor/rows_below.h"
#include "widgets/listing/marked_scroll_bar.h"
#include "widgets/review/hunk_head.h"
#include "widgets/review/hunk_marks.h"
#include "widgets/review/hunk_top.h"

#include <QPainter>

#include <algorithm>

namespace warpwright {
namespace {

constexpr int tabWidth = 4;
constexpr int coloredAhead = 200; // lines

/// In a font of one pitch the longest line is the widest one; only letters that are not Latin may be wider.
double widthOf(const QStringList &lines, const QFontMetricsF &metrics) {
    const QString *longest = nullptr;
    double widest = 0;
    for (const QString &line : lines) {
        if (longest == nullptr || line.size() > longest->size())
            longest = &line;
        if (std::any_of(line.begin(), line.end(), [](QChar unit) { return unit.unicode() > 0xff; }))
            widest = std::max(widest, metrics.horizontalAdvance(line));
    }
    if (longest != nullptr)
        widest = std::max(widest, metrics.horizontalAdvance(*longest));
    return widest + metrics.averageCharWidth();
}

/// With tabs as wide as the editor shows them; `places` of the units of the text in the answer.
QString expanded(const QString &text, std::vector<int> &places) {
    QString answer;
    for (const QChar unit : text) {
        places.push_back(static_cast<int>(answer.size()));
        if (unit == u'\t')
            answer += QString(tabWidth - answer.size() % tabWidth, u' ');
        else
            answer += unit;
    }
    places.push_back(static_cast<int>(answer.size()));
    return answer;
}

} // namespace

void HunkTop::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    if (m_painting)
        m_painting(painter);
}

void HunkMarks::applyLook() {
    CodeEditor &text = editor();
    const Look &look = text.look();
    text.setMarkerBackgroundColor(look.color("diff.delBg"), CodeEditor::RemovedMarker);
    text.setMarkerBackgroundColor(look.color("diff.addBg"), CodeEditor::CameMarker);
    text.sci(QsciScintillaBase::SCI_INDICSETSTYLE, CodeEditor::HunkWordIndicator,
             QsciScintillaBase::INDIC_FULLBOX);
    text.sci(QsciScintillaBase::SCI_INDICSETUNDER, CodeEditor::HunkWordIndicator, 1);
    text.sci(QsciScintillaBase::SCI_INDICSETALPHA, CodeEditor::HunkWordIndicator, 255);
    text.sci(QsciScintillaBase::SCI_INDICSETOUTLINEALPHA, CodeEditor::HunkWordIndicator, 255);
    text.setIndicatorForegroundColor(look.color("diff.delWord"), CodeEditor::HunkWordIndicator);
    for (Item &item : m_items) {
        item.colors.clear();
        item.width = -1;
    }
    if (!m_items.empty()) {
        text.sci(QsciScintillaBase::SCI_SETSCROLLWIDTH, 1); // it only grows by itself
        fitScrollWidth();
    }
    markScrollBar();
    placeHeads();
    m_top->update();
}

void HunkMarks::markScrollBar() {
    std::vector<double> left;
    std::vector<double> decided;
    const double lines = std::max(1, editor().lines());
    for (const ShownHunk &hunk : m_present)
        (hunk.isLeft() ? left : decided).push_back((hunk.line - 0.5) / lines);
    editor().scrollMarks().setMarks(MarkedScrollBar::Hunks, left, editor().look().color("accent.focus"));
    editor().scrollMarks().setMarks(MarkedScrollBar::DecidedHunks, decided,
                                    editor().look().color("text.tertiary"));
}

// The line of the caret would hide that a line is to go, or came.
void HunkMarks::fitCaretLine() {
    const int line = editor().cursorPlace().line - 1;
    constexpr unsigned changed = 1U << CodeEditor::RemovedMarker | 1U << CodeEditor::CameMarker;
    editor().setCaretLineVisible((editor().markersAtLine(line) & changed) == 0);
}

// Scintilla knows only the width of the document's own lines.
void HunkMarks::fitScrollWidth() {
    const QFontMetricsF metrics(editor().look().font(TextRole::Code));
    double widest = 0;
    for (Item &item : m_items) {
        if (!item.hunk.isLeft() && !item.hunk.isPast())
            continue;
        if (item.width < 0)
            item.width = widthOf(item.hunk.newLines + item.hunk.goneLines, metrics);
        widest = std::max(widest, item.width);
    }
    if (widest > static_cast<double>(editor().sci(QsciScintillaBase::SCI_GETSCROLLWIDTH)))
        editor().sci(QsciScintillaBase::SCI_SETSCROLLWIDTH, static_cast<long>(widest));
}

// Reading thousands of lines takes longer than a frame, and a screen shows few: of each hunk as far as it was
// in view, and a few screens more.
void HunkMarks::colorLine(const HunkRow &row) {
    Item &item = m_items[static_cast<std::size_t>(row.hunk)];
    if (!item.hunk.isLeft() || static_cast<std::size_t>(row.index) < item.colors.size())
        return;
    // Made when first needed: its editor has marks of its own.
    if (m_colors == nullptr)
        m_colors = std::make_unique<SyntaxColors>(editor().look(), editor().viewport());
    item.colors = m_colors->of(item.hunk.newLines.mid(0, row.index + coloredAhead), editor().language());
}

void HunkMarks::paint(QPainter &painter, const QRect &) {
    if (m_items.empty())
        return;
    const int height = editor().rowHeight();
    for (const CodeEditor::ShownLine &line : editor().shownLines()) {
        for (const CodeEditor::Marker marker : {CodeEditor::RemovedMarker, CodeEditor::CameMarker})
            if ((editor().markersAtLine(line.line) & (1U << marker)) != 0)
                paintMargin(painter, line.line, line.top, marker == CodeEditor::RemovedMarker);
        for (const ShownHunk &hunk : m_present)
            if (line.line >= hunk.line - 1 && line.line < hunk.line - 1 + hunk.oldCount)
                paintBar(painter, hunk, line.top, height);
        if (const auto below = m_rows.find(line.line); below != m_rows.end())
            paintRows(painter, below->second, rowTop(line.line, 0), editor().viewport()->size());
    }
    if (!areHeadsInPlace())
        QMetaObject::invokeMethod(this, &HunkMarks::placeHeads, Qt::QueuedConnection);
}

void HunkMarks::paintBar(QPainter &painter, const ShownHunk &hunk, int top, int height) const {
    const bool isCurrent = hunk.id == m_current;
    const char *ink = isCurrent && hunk.isLeft() ? "accent.focus" : lookOf(hunk, isCurrent).ink;
    painter.fillRect(0, top, editor().look().px(3), height, editor().look().color(ink));
}

void HunkMarks::paintRows(QPainter &painter, const std::vector<HunkRow> &rows, int top, const QSize &size) {
    const int height = editor().rowHeight();
    for (const HunkRow &row : rows) {
        const QRect rect(0, top, size.width(), height);
        if (top >= size.height())
            return;
        if (top + height <= 0) {
            top += height;
            continue;
        }
        if (row.kind == HunkRow::Added)
            colorLine(row);
        if (row.kind == HunkRow::Hidden) {
            paintHidden(painter, row, rect);
        } else {
            const ShownHunk &hunk = m_present[static_cast<std::size_t>(row.hunk)];
            if (row.kind != HunkRow::Head && row.kind != HunkRow::HeadRest)
                paintLine(painter, row, rect);
            else // under the head itself
                painter.fillRect(rect,
                                 editor().look().color(hunk.id == m_current ? "accent.tint" : "bg.card"));
            paintBar(painter, hunk, top, height);
        }
        top += height;
    }
}

// Of a line of the document that would go, or has come.
void HunkMarks::paintMargin(QPainter &painter, int line, int top, bool isRemoved) const {
    const Look &look = editor().look();
    const int height = editor().rowHeight();
    const auto [numberLeft, numberRight] = editor().marginSpan(CodeEditor::NumberColumn);
    const auto [signLeft, signRight] = editor().marginSpan(CodeEditor::SymbolColumn);
    painter.fillRect(0, top, signRight, height, look.color(isRemoved ? "diff.delBg" : "diff.addBg"));
    QFont numbers = look.font(TextRole::Code);
    numbers.setPointSizeF(numbers.pointSizeF() * 12 / 13);
    painter.setFont(numbers);
    painter.setPen(look.color("text.secondary"));
    painter.drawText(QRect(numberLeft, top, numberRight - numberLeft - look.px(3), height),
                     Qt::AlignVCenter | Qt::AlignRight, QString::number(line + 1));
    painter.setFont(look.font(TextRole::Code, QFont::Bold));
    painter.setPen(look.color(isRemoved ? "diff.delMark" : "diff.addMark"));
    painter.drawText(QRect(signLeft + look.px(4), top, signRight - signLeft, height), Qt::AlignVCenter,
                     isRemoved ? QStringLiteral("\u2212") : QStringLiteral("+"));
}

void HunkMarks::paintLine(QPainter &painter, const HunkRow &row, const QRect &rect) const {
    const Look &look = editor().look();
    const Item &item = m_items[static_cast<std::size_t>(row.hunk)];
    const bool isAdded = row.kind == HunkRow::Added;
    const bool isGone = row.kind == HunkRow::Gone;
    const auto [signLeft, textLeft] = editor().marginSpan(CodeEditor::SymbolColumn);
    painter.fillRect(rect, look.color(isAdded ? "diff.addBg" : isGone ? "diff.delBg" : "bg.bar"));
    painter.setFont(look.font(TextRole::Code, QFont::Bold));
    painter.setPen(look.color(isAdded ? "diff.addMark" : isGone ? "diff.delMark" : "text.secondary"));
    painter.drawText(QRect(signLeft + look.px(4), rect.top(), textLeft - signLeft, rect.height()),
                     Qt::AlignVCenter, isGone ? QStringLiteral("\u2212") : QStringLiteral("+"));
    painter.save();
    painter.setClipRect(QRect(textLeft, rect.top(), rect.width() - textLeft, rect.height()),
                        Qt::IntersectClip);
    // As wide as Scintilla's own letters, which it does not place as Qt does at each size.
    QFont font = look.font(TextRole::Code);
    constexpr int letters = 100;
    const QByteArray sample(letters, '0');
    const double letter =
        static_cast<double>(editor().sci(QsciScintillaBase::SCI_TEXTWIDTH, QsciScintillaBase::STYLE_DEFAULT,
                                         reinterpret_cast<long>(sample.constData()))) /
        letters;
    const double own =
        QFontMetricsF(font, painter.device()).horizontalAdvance(QString(letters, u'0')) / letters;
    font.setLetterSpacing(QFont::AbsoluteSpacing, letter - own);
    font.setStrikeOut(row.kind == HunkRow::Refused);
    painter.setFont(font);
    const QFontMetricsF metrics(font, painter.device());
    const double left = textLeft - static_cast<double>(editor().sci(QsciScintillaBase::SCI_GETXOFFSET));
    std::vector<int> places;
    const QString text =
        expanded((isGone ? item.hunk.goneLines : item.hunk.newLines).value(row.index), places);
    const auto placeOf = [&places](int unit) {
        return places[std::min(static_cast<std::size_t>(std::max(0, unit)), places.size() - 1)];
    };
    const auto xOf = [&](int place) {
        return left + metrics.horizontalAdvance(text.left(place));
    };
    for (const ShownHunk::Words &words : item.hunk.newWords) {
        if (words.line != row.index || !isAdded)
            continue;
        const double from = xOf(placeOf(words.start));
        const double to = xOf(placeOf(words.start + words.length));
        painter.fillRect(QRectF(from, rect.top(), to - from, rect.height()), look.color("diff.addWord"));
    }
    const double baseline = rect.top() + look.px(1) + std::floor(metrics.ascent());
    const auto spans = isAdded && static_cast<std::size_t>(row.index) < item.colors.size()
                           ? item.colors[static_cast<std::size_t>(row.index)]
                           : std::vector<ColoredSpan>();
    if (spans.empty()) {
        painter.setPen(look.color(isAdded || isGone ? "syntax.text" : "text.secondary"));
        painter.drawText(QPointF(left, baseline), text);
    }
    for (const ColoredSpan &span : spans) {
        const int from = placeOf(span.start);
        painter.setPen(span.color);
        painter.drawText(QPointF(xOf(from), baseline),
                         text.mid(from, placeOf(span.start + span.length) - from));
    }
    painter.restore();
}

void HunkMarks::paintHidden(QPainter &painter, const HunkRow &row, const QRect &rect) const {
    const Look &look = editor().look();
    const auto [signLeft, textLeft] = editor().marginSpan(CodeEditor::SymbolColumn);
    painter.fillRect(rect, look.color("bg.bar"));
    const int icon = look.px(12);
    look.icon(QStringLiteral("chevron-right"), look.color("text.secondary"))
        .paint(&painter, signLeft + look.px(2), rect.center().y() - icon / 2, icon, icon);
    painter.setFont(look.font(TextRole::Code));
    painter.setPen(look.color("text.secondary"));
    painter.drawText(QRect(textLeft, rect.top(), rect.width() - textLeft, rect.height()), Qt::AlignVCenter,
                     tr("%1 unchanged lines").arg(row.count));
}

} // namespace warpwright
