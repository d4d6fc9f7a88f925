// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/editor/diagnostic_marks.h"

#include "widgets/editor/code_editor.h"
#include "widgets/editor/rows_below.h"
#include "widgets/listing/marked_scroll_bar.h"
#include "widgets/look/wrap_text.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <array>
#include <tuple>

namespace warpwright {
namespace {

constexpr int kMostRows = 4;     // of one message; the tooltip has the rest
constexpr int kMostMessages = 3; // below one line

constexpr std::array kIndicators{CodeEditor::FindingIndicator, CodeEditor::WarningIndicator,
                                 CodeEditor::ErrorIndicator}; // the worst last, over the others

struct Dress {
    const char *icon;
    const char *ink;
    const char *ground;
    int indicator;
};

const Dress &dressOf(EditorMark::Severity severity) {
    static const std::array<Dress, 4> dresses{{
        {"info", "text.secondary", "bg.card", CodeEditor::FindingIndicator},
        {"finding", "accent.text", "accent.tint", CodeEditor::FindingIndicator},
        {"warning", "verdict.buildFailed", "verdictBg.buildFailed", CodeEditor::WarningIndicator},
        {"error", "verdict.wrong", "verdictBg.wrong", CodeEditor::ErrorIndicator},
    }};
    return dresses[severity];
}

bool hasMessage(const EditorMark &mark) {
    return !mark.isLive && (mark.severity == EditorMark::Error || mark.severity == EditorMark::Finding);
}

} // namespace

DiagnosticMarks::DiagnosticMarks(CodeEditor &editor) : EditorDecorator(editor) {
    editor.markerDefine(QsciScintilla::Invisible, CodeEditor::DiagnosticMarker);
    editor.decorator<RowsBelow>().setSource(RowsBelow::Messages, [this] { return rows(); });
    connect(&editor, &QsciScintilla::linesChanged, this, &DiagnosticMarks::markScrollBar);
    m_linesTimer.setSingleShot(true);
    m_linesTimer.setInterval(0);
    connect(&m_linesTimer, &QTimer::timeout, this, &DiagnosticMarks::checkLines);
    connect(&editor, &QsciScintilla::textChanged, this, [this] {
        if (!m_items.empty())
            m_linesTimer.start();
    });
}

void DiagnosticMarks::setMarks(std::vector<EditorMark> marks) {
    std::vector<Item> items;
    for (EditorMark &mark : marks)
        items.push_back({std::move(mark), -1, {}});
    const std::vector<Item> live = present(true);
    items.insert(items.end(), live.begin(), live.end());
    m_isLiveNewer = false;
    show(std::move(items));
}

void DiagnosticMarks::setLiveMarks(std::vector<EditorMark> marks, bool isNewer) {
    std::vector<Item> items = present(false);
    if (marks.empty() && items.size() == m_items.size())
        return; // mostly there are none, and none were there
    for (EditorMark &mark : marks) {
        mark.isLive = true;
        items.push_back({std::move(mark), -1, {}});
    }
    m_isLiveNewer = isNewer;
    show(std::move(items));
}

std::vector<DiagnosticMarks::Item> DiagnosticMarks::present(bool isLive) const {
    std::vector<Item> items;
    for (const Item &item : m_items)
        if (const int line = editor().markerLine(item.handle); item.mark.isLive == isLive && line >= 0) {
            items.push_back(item);
            items.back().mark.line = line + 1;
        }
    return items;
}

void DiagnosticMarks::hideDoubles() {
    for (Item &item : m_items)
        item.isOutdated = isOutdated(item);
    for (Item &item : m_items)
        item.isHidden =
            item.isOutdated || (item.mark.isLive != m_isLiveNewer &&
                                std::any_of(m_items.begin(), m_items.end(), [&item](const Item &other) {
                                    return other.mark.isLive != item.mark.isLive && !other.isOutdated &&
                                           other.mark.line == item.mark.line &&
                                           other.mark.severity == item.mark.severity;
                                }));
}

// Who types is told by what is live; a finding is of more than its line.
bool DiagnosticMarks::isOutdated(const Item &item) const {
    if (item.mark.isLive || item.mark.severity < EditorMark::Warning)
        return false;
    const int line = editor().markerLine(item.handle);
    return line >= 0 && editor().text(line).trimmed() != item.read;
}

void DiagnosticMarks::checkLines() {
    if (std::none_of(m_items.begin(), m_items.end(),
                     [this](const Item &item) { return isOutdated(item) != item.isOutdated; }))
        return;
    showAgain();
}

void DiagnosticMarks::showAgain() {
    std::vector<Item> items = present(false);
    const std::vector<Item> live = present(true);
    items.insert(items.end(), live.begin(), live.end());
    show(std::move(items));
}

void DiagnosticMarks::show(std::vector<Item> items) {
    CodeEditor &text = editor();
    text.markerDeleteAll(CodeEditor::DiagnosticMarker);
    for (const int indicator : kIndicators) {
        text.sci(QsciScintillaBase::SCI_SETINDICATORCURRENT, indicator);
        text.sci(QsciScintillaBase::SCI_INDICATORCLEARRANGE, 0, text.length());
    }
    m_items.clear();
    std::stable_sort(items.begin(), items.end(), [](const Item &one, const Item &other) {
        const EditorMark &a = one.mark;
        const EditorMark &b = other.mark;
        return std::tie(a.line, b.severity, a.column) < std::tie(b.line, a.severity, b.column);
    });
    for (Item &item : items) {
        // A tool may know lines that a person has deleted since.
        item.mark.line = std::clamp(item.mark.line, 1, text.lines());
        item.handle = text.markerAdd(item.mark.line - 1, CodeEditor::DiagnosticMarker);
        if (!item.read)
            item.read = text.text(item.mark.line - 1).trimmed();
        m_items.push_back(std::move(item));
    }
    hideDoubles();
    for (const Item &item : m_items)
        if (!item.isHidden)
            underline(item.mark);
    m_width = -1;
    editorResized();
    markScrollBar();
    text.viewport()->update();
}

std::vector<EditorMark> DiagnosticMarks::marks() const {
    std::vector<EditorMark> marks;
    for (const Item &item : m_items) {
        const int line = item.isHidden ? -1 : editor().markerLine(item.handle);
        if (line < 0)
            continue;
        marks.push_back(item.mark);
        marks.back().line = line + 1;
    }
    std::stable_sort(marks.begin(), marks.end(), [](const EditorMark &a, const EditorMark &b) {
        return std::tie(a.line, a.column) < std::tie(b.line, b.column);
    });
    return marks;
}

void DiagnosticMarks::underline(const EditorMark &mark) {
    CodeEditor &text = editor();
    const int row = mark.line - 1;
    const long end = text.sci(QsciScintillaBase::SCI_GETLINEENDPOSITION, row);
    long from = text.sci(QsciScintillaBase::SCI_GETLINEINDENTPOSITION, row);
    long to = end;
    if (mark.column > 0) {
        from = std::min<long>(text.positionFromLineIndex(row, mark.column - 1), end);
        to = mark.endColumn > mark.column ? text.positionFromLineIndex(row, mark.endColumn - 1)
                                          : text.sci(QsciScintillaBase::SCI_WORDENDPOSITION, from, 1);
        to = std::min(std::max(to, from + 1), end);
        if (from >= to) // an error at the end of a line is shown at its last character
            from = std::max(to - 1, text.sci(QsciScintillaBase::SCI_POSITIONFROMLINE, row));
    }
    if (!isEnabled() || to <= from)
        return;
    text.sci(QsciScintillaBase::SCI_SETINDICATORCURRENT, dressOf(mark.severity).indicator);
    text.sci(QsciScintillaBase::SCI_INDICATORFILLRANGE, from, to - from);
}

// Scintilla goes through all lines for one mark: it is asked once for each, and not at each line.
QHash<int, std::vector<const DiagnosticMarks::Item *>> DiagnosticMarks::itemsByLine() const {
    QHash<int, std::vector<const Item *>> items;
    for (const Item &item : m_items)
        if (!item.isHidden)
            items[editor().markerLine(item.handle)].push_back(&item);
    return items;
}

void DiagnosticMarks::editorResized() {
    const int left = editor().marginSpan(CodeEditor::SymbolColumn).second;
    const int width = editor().viewport()->width() - left - editor().look().px(12);
    if (width == m_width)
        return;
    m_width = width;
    const QFont font = editor().look().font(TextRole::Small, QFont::DemiBold);
    for (Item &item : m_items)
        item.rows = hasMessage(item.mark) && !item.isHidden
                        ? wrapText(item.mark.text, font, std::max(width, editor().look().px(80)), kMostRows)
                        : QStringList();
    editor().decorator<RowsBelow>().refresh();
}

QHash<int, QStringList> DiagnosticMarks::rows() const {
    QHash<int, QStringList> rows;
    QHash<int, int> messages;
    for (const Item &item : m_items) {
        const int line = isEnabled() ? editor().markerLine(item.handle) : -1;
        if (line >= 0 && !item.rows.isEmpty() && messages[line]++ < kMostMessages)
            rows[line] += item.rows;
    }
    return rows;
}

void DiagnosticMarks::markScrollBar() {
    const std::array<MarkedScrollBar::Layer, 4> layers{MarkedScrollBar::Layers, MarkedScrollBar::Findings,
                                                       MarkedScrollBar::Warnings, MarkedScrollBar::Errors};
    for (const auto severity : {EditorMark::Finding, EditorMark::Warning, EditorMark::Error}) {
        std::vector<double> places;
        for (const Item &item : m_items)
            if (item.mark.severity == severity && isEnabled() && !item.isHidden)
                places.push_back((editor().markerLine(item.handle) + 0.5) / std::max(1, editor().lines()));
        editor().scrollMarks().setMarks(layers[severity], places,
                                        editor().look().color(dressOf(severity).ink));
    }
}

void DiagnosticMarks::applyLook() {
    // Scintilla keeps the places; its own waves are one pixel thin on every screen, so they are drawn here.
    for (const int indicator : kIndicators)
        editor().sci(QsciScintillaBase::SCI_INDICSETSTYLE, indicator, QsciScintillaBase::INDIC_HIDDEN);
    m_width = -1;
    editorResized();
    markScrollBar();
}

void DiagnosticMarks::paintUnderlines(QPainter &painter, int line, int top) const {
    const CodeEditor &text = editor();
    const long end = text.sci(QsciScintillaBase::SCI_GETLINEENDPOSITION, line);
    for (const int indicator : kIndicators) {
        long from = text.sci(QsciScintillaBase::SCI_POSITIONFROMLINE, line);
        while (from < end) {
            const long to = std::min(text.sci(QsciScintillaBase::SCI_INDICATOREND, indicator, from), end);
            if (to <= from)
                break; // none in the whole text
            if (text.sci(QsciScintillaBase::SCI_INDICATORVALUEAT, indicator, from) != 0)
                paintUnderline(painter, indicator,
                               static_cast<int>(text.sci(QsciScintillaBase::SCI_POINTXFROMPOSITION, 0, from)),
                               static_cast<int>(text.sci(QsciScintillaBase::SCI_POINTXFROMPOSITION, 0, to)),
                               top + text.rowHeight() - text.look().px(2));
            from = to;
        }
    }
}

void DiagnosticMarks::paintUnderline(QPainter &painter, int indicator, int left, int right,
                                     int bottom) const {
    const Look &look = editor().look();
    const bool isFinding = indicator == CodeEditor::FindingIndicator;
    const char *ink =
        isFinding
            ? "accent.focus"
            : dressOf(indicator == CodeEditor::ErrorIndicator ? EditorMark::Error : EditorMark::Warning).ink;
    const double step = look.px(2);
    if (isFinding) {
        for (double x = left; x < right; x += 2 * step)
            painter.fillRect(QRectF(x, bottom - step, step, look.px(1.5)), look.color(ink));
        return;
    }
    QPainterPath wave(QPointF(left, bottom));
    for (double x = left; x < right; x += 2 * step) {
        wave.lineTo(x + step, bottom - step);
        wave.lineTo(x + 2 * step, bottom);
    }
    painter.save();
    painter.setClipRect(QRect(left, bottom - look.px(4), right - left, look.px(6)), Qt::IntersectClip);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(look.color(ink), 1.2 * look.px(100) / 100.0));
    painter.drawPath(wave);
    painter.restore();
}

void DiagnosticMarks::enabledChanged() {
    showAgain();
}

void DiagnosticMarks::paint(QPainter &painter, const QRect &) {
    if (m_items.empty())
        return;
    const Look &look = editor().look();
    const int height = editor().rowHeight();
    const int size = look.px(14);
    const int left = editor().marginSpan(CodeEditor::SymbolColumn).second - look.px(19);
    const int textLeft = editor().marginSpan(CodeEditor::SymbolColumn).second;
    const QHash<int, std::vector<const Item *>> byLine = itemsByLine();
    for (const CodeEditor::ShownLine &line : editor().shownLines()) {
        painter.setClipRect(textLeft, 0, editor().viewport()->width() - textLeft,
                            editor().viewport()->height());
        paintUnderlines(painter, line.line, line.top);
        painter.setClipping(false);
        if ((editor().markersAtLine(line.line) & (1U << CodeEditor::DiagnosticMarker)) == 0)
            continue;
        const std::vector<const Item *> items = byLine.value(line.line);
        if (items.empty())
            continue;
        const auto worst = std::max_element(items.begin(), items.end(), [](const Item *a, const Item *b) {
            return a->mark.severity < b->mark.severity;
        });
        const Dress &dress = dressOf((*worst)->mark.severity);
        look.icon(QLatin1String(dress.icon), look.color(dress.ink))
            .paint(&painter, left, line.top + (height - size) / 2, size, size);
        paintMessages(painter, items, line.top + height);
    }
}

// Below the place that is meant; further left where the words would not fit behind it.
int DiagnosticMarks::messageLeft(const Item &item, const QFontMetrics &metrics) const {
    const CodeEditor &text = editor();
    const int left = text.marginSpan(CodeEditor::SymbolColumn).second;
    const int row = text.markerLine(item.handle);
    if (row < 0)
        return left;
    const long position = item.mark.column > 0
                              ? std::min<long>(text.positionFromLineIndex(row, item.mark.column - 1),
                                               text.sci(QsciScintillaBase::SCI_GETLINEENDPOSITION, row))
                              : text.sci(QsciScintillaBase::SCI_GETLINEINDENTPOSITION, row);
    const auto x = static_cast<int>(text.sci(QsciScintillaBase::SCI_POINTXFROMPOSITION, 0, position));
    int widest = 0;
    for (const QString &words : item.rows)
        widest = std::max(widest, metrics.horizontalAdvance(words));
    return std::clamp(x, left, std::max(left, text.viewport()->width() - widest - text.look().px(12)));
}

void DiagnosticMarks::paintMessages(QPainter &painter, const std::vector<const Item *> &items,
                                    int top) const {
    const Look &look = editor().look();
    const int height = editor().rowHeight();
    painter.setFont(look.font(TextRole::Small, QFont::DemiBold));
    int messages = 0;
    for (const Item *item : items) {
        if (item->rows.isEmpty() || ++messages > kMostMessages)
            continue;
        const Dress &dress = dressOf(item->mark.severity);
        painter.fillRect(0, top, editor().viewport()->width(), height * static_cast<int>(item->rows.size()),
                         look.color(dress.ground));
        painter.setPen(look.color(dress.ink));
        const int left = messageLeft(*item, painter.fontMetrics());
        for (const QString &row : item->rows) {
            painter.drawText(QRect(left, top, editor().viewport()->width() - left, height), Qt::AlignVCenter,
                             row);
            top += height;
        }
    }
}

QString DiagnosticMarks::toolTip(const QPoint &point) const {
    const auto [left, right] = editor().marginSpan(CodeEditor::SymbolColumn);
    const long position = editor().sci(QsciScintillaBase::SCI_POSITIONFROMPOINT, point.x(), point.y());
    const int line = static_cast<int>(editor().sci(QsciScintillaBase::SCI_LINEFROMPOSITION, position));
    bool isOver = point.x() >= left && point.x() < right;
    for (const int indicator : kIndicators)
        isOver = isOver || (point.x() >= right &&
                            editor().sci(QsciScintillaBase::SCI_INDICATORVALUEAT, indicator, position) != 0);
    QStringList texts;
    if (isOver)
        for (const Item *item : itemsByLine().value(line))
            texts << item->mark.text;
    return texts.join(QStringLiteral("\n\n"));
}

void DiagnosticMarks::goToNext() {
    const auto all = marks();
    const EditorPlace here = editor().cursorPlace();
    const auto next = std::find_if(all.begin(), all.end(), [&here](const EditorMark &mark) {
        return mark.line > here.line || (mark.line == here.line && mark.column > here.column);
    });
    if (!all.empty())
        editor().goTo((next == all.end() ? all.front() : *next).line,
                      (next == all.end() ? all.front() : *next).column);
}

void DiagnosticMarks::goToPrevious() {
    const auto all = marks();
    const EditorPlace here = editor().cursorPlace();
    const auto previous = std::find_if(all.rbegin(), all.rend(), [&here](const EditorMark &mark) {
        return mark.line < here.line ||
               (mark.line == here.line && mark.column > 0 && mark.column < here.column);
    });
    if (!all.empty())
        editor().goTo((previous == all.rend() ? all.back() : *previous).line,
                      (previous == all.rend() ? all.back() : *previous).column);
}

} // namespace warpwright
