// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/review/hunk_marks.h"

#include "widgets/editor/code_editor.h"
#include "widgets/editor/rows_below.h"
#include "widgets/listing/marked_scroll_bar.h"
#include "widgets/review/hunk_head.h"
#include "widgets/review/hunk_top.h"

#include <QMouseEvent>

#include <algorithm>
#include <set>

namespace warpwright {
namespace {

constexpr int keptAround = 1; // unchanged lines that stay beside a hunk
constexpr int leastHidden = 4;

} // namespace

HunkMarks::HunkMarks(CodeEditor &editor)
    : EditorDecorator(editor), m_folds(new HunkFolds(editor)), m_top(new HunkTop(&editor)) {
    editor.markerDefine(QsciScintilla::Invisible, CodeEditor::HunkMarker);
    editor.markerDefine(QsciScintilla::Background, CodeEditor::RemovedMarker);
    editor.markerDefine(QsciScintilla::Background, CodeEditor::CameMarker);
    editor.viewport()->installEventFilter(this);
    editor.decorator<RowsBelow>().setSource(RowsBelow::Hunks, [this] { return rows(); });
    m_top->setPainting([this](QPainter &painter) {
        if (const auto above = m_rows.find(-1); above != m_rows.end())
            paintRows(painter, above->second, 0, m_top->size());
    });
    connect(&editor.decorator<RowsBelow>(), &RowsBelow::refreshed, this, &HunkMarks::placeHeads);
    connect(m_folds, &HunkFolds::changed, this, [this] { this->editor().decorator<RowsBelow>().refresh(); });
    connect(&editor, &QsciScintilla::cursorPositionChanged, this, &HunkMarks::fitCaretLine);
}

HunkMarks::~HunkMarks() = default;

int HunkMarks::indexOf(int id) const {
    const auto found =
        std::find_if(m_items.begin(), m_items.end(), [id](const Item &item) { return item.hunk.id == id; });
    return found == m_items.end() ? -1 : static_cast<int>(found - m_items.begin());
}

void HunkMarks::setHunks(std::vector<ShownHunk> hunks) {
    std::set<int> before;
    std::set<int> after;
    std::vector<Item> old = std::exchange(m_items, {});
    for (const Item &item : old)
        before.insert(item.hunk.id);
    CodeEditor &text = editor();
    text.markerDeleteAll(CodeEditor::HunkMarker);
    for (ShownHunk &hunk : hunks) {
        after.insert(hunk.id);
        Item item;
        item.isBehindHandle = hunk.oldCount == 0;
        const int line = std::min(hunk.line, text.lines()) - (item.isBehindHandle ? 2 : 1);
        item.handle = line < 0 ? -1 : text.markerAdd(line, CodeEditor::HunkMarker);
        const auto same = std::find_if(old.begin(), old.end(), [&hunk](const Item &known) {
            return known.hunk.id == hunk.id && known.hunk.newLines == hunk.newLines;
        });
        if (same != old.end()) {
            item.colors = std::move(same->colors);
            if (same->hunk.goneLines == hunk.goneLines)
                item.width = same->width;
        }
        item.hunk = std::move(hunk);
        m_items.push_back(std::move(item));
    }
    // A button of the head that is going may have brought us here.
    for (auto head = m_heads.begin(); head != m_heads.end();) {
        if (after.count(head.key()) == 0) {
            head.value()->hide();
            head.value()->deleteLater();
            head = m_heads.erase(head);
        } else {
            ++head;
        }
    }
    if (after.count(m_current) == 0)
        m_current = 0;
    markLines();
    if (before != after)
        fold();
    text.decorator<RowsBelow>().refresh();
    markScrollBar();
    fitCaretLine();
    fitScrollWidth();
    text.viewport()->update();
}

std::vector<ShownHunk> HunkMarks::hunks() const {
    std::vector<ShownHunk> hunks;
    for (const Item &item : m_items) {
        hunks.push_back(item.hunk);
        const int at = item.handle < 0 ? -1 : editor().markerLine(item.handle);
        if (at >= 0)
            hunks.back().line = at + (item.isBehindHandle ? 2 : 1);
    }
    return hunks;
}

void HunkMarks::markLines() {
    CodeEditor &text = editor();
    text.markerDeleteAll(CodeEditor::RemovedMarker);
    text.markerDeleteAll(CodeEditor::CameMarker);
    text.sci(QsciScintillaBase::SCI_SETINDICATORCURRENT, CodeEditor::HunkWordIndicator);
    text.sci(QsciScintillaBase::SCI_INDICATORCLEARRANGE, 0, text.length());
    if (!isEnabled())
        return;
    for (const ShownHunk &hunk : hunks()) {
        for (const int line : removedLines(hunk))
            text.markerAdd(line, CodeEditor::RemovedMarker);
        for (const int line : cameLines(hunk))
            text.markerAdd(line, CodeEditor::CameMarker);
        if (!hunk.isLeft())
            continue;
        for (const ShownHunk::Words &words : hunk.oldWords) {
            const int line = hunk.line - 1 + words.line;
            const long from = text.positionFromLineIndex(line, words.start);
            const long to = text.positionFromLineIndex(line, words.start + words.length);
            if (to > from)
                text.sci(QsciScintillaBase::SCI_INDICATORFILLRANGE, from, to - from);
        }
    }
}

void HunkMarks::fold() {
    if (!isEnabled() || !m_foldsUnchanged || m_items.empty()) {
        m_folds->set({});
        return;
    }
    m_folds->set(unchangedStretches(hunks(), editor().lines(), keptAround, leastHidden));
    m_folds->unfold(editor().cursorPlace().line - 1); // where somebody writes stays in sight
}

QHash<int, QStringList> HunkMarks::rows() {
    m_present = isEnabled() ? hunks() : std::vector<ShownHunk>();
    m_rows = hunkRows(m_present, m_folds->stretches(), editor().length() == 0);
    QHash<int, QStringList> answer;
    for (const auto &[line, below] : m_rows)
        if (line >= 0)
            answer[line] = wordsOf(below);
    return answer;
}

// For screen readers; what is seen is painted over it.
QStringList HunkMarks::wordsOf(const std::vector<HunkRow> &rows) const {
    QStringList words;
    for (const HunkRow &row : rows) {
        const ShownHunk *hunk = row.hunk < 0 ? nullptr : &m_present[static_cast<std::size_t>(row.hunk)];
        if (row.kind == HunkRow::Hidden)
            words << tr("%1 unchanged lines").arg(row.count);
        else if (row.kind == HunkRow::Head)
            words << tr("Hunk %1: %2").arg(hunk->number).arg(hunk->title);
        else if (row.kind == HunkRow::HeadRest)
            words << QStringLiteral("\u2002") + lookOf(*hunk, hunk->id == m_current).word;
        else if (row.kind == HunkRow::Gone)
            words << QStringLiteral("\u2212 ") + hunk->goneLines.value(row.index);
        else if (row.kind == HunkRow::Refused)
            words << tr("refused: %1").arg(hunk->newLines.value(row.index));
        else
            words << QStringLiteral("+ ") + hunk->newLines.value(row.index);
    }
    return words;
}

HunkHead &HunkMarks::headOf(const ShownHunk &hunk) {
    HunkHead *&head = m_heads[hunk.id];
    if (head == nullptr) {
        head = new HunkHead(editor().look(), editor().viewport());
        connect(head, &HunkHead::acceptAsked, this, &HunkMarks::acceptAsked);
        connect(head, &HunkHead::rejectAsked, this, &HunkMarks::rejectAsked);
        connect(head, &HunkHead::editAsked, this, &HunkMarks::editAsked);
        connect(head, &HunkHead::undoAsked, this, &HunkMarks::undoAsked);
        connect(head, &HunkHead::resolveAsked, this, &HunkMarks::resolveAsked);
        connect(head, &HunkHead::pressed, this, &HunkMarks::setCurrent);
    }
    return *head;
}

// Heads exist where they are in view or near it; Scintilla scrolls them with the text.
void HunkMarks::placeHeads() {
    if (m_isPlacing)
        return;
    m_isPlacing = true;
    const long first = editor().sci(QsciScintillaBase::SCI_GETFIRSTVISIBLELINE);
    const auto above = m_rows.find(-1);
    const bool hasTop = above != m_rows.end();
    const int room = hasTop && first == 0 ? static_cast<int>(above->second.size()) * editor().rowHeight() : 0;
    if (room != m_top->height() || m_top->isHidden() != (room == 0)) {
        // Without this a text that just fits could not be scrolled away from its first line.
        editor().sci(QsciScintillaBase::SCI_SETENDATLASTLINE, hasTop ? 0 : 1);
        editor().setRoomAbove(room);
        m_top->setVisible(room > 0);
    }
    m_top->setGeometry(0, 0, editor().viewport()->width(), room);
    for (const auto &[line, below] : m_rows)
        for (std::size_t row = 0; row < below.size(); ++row)
            if (below[row].kind == HunkRow::Head)
                placeHead(m_present[static_cast<std::size_t>(below[row].hunk)], line, static_cast<int>(row));
    m_isPlacing = false;
}

void HunkMarks::placeHead(const ShownHunk &hunk, int line, int row) {
    const int top = rowTop(line, row);
    const int height = editor().viewport()->height();
    const bool isTop = line < 0;
    const bool isNear = isTop ? !m_top->isHidden()
                              : editor().sci(QsciScintillaBase::SCI_GETLINEVISIBLE, line) != 0 &&
                                    top > -height && top < 2 * height;
    if (!isNear) {
        if (HunkHead *head = m_heads.value(hunk.id))
            head->hide();
        return;
    }
    HunkHead &head = headOf(hunk);
    QWidget *parent = isTop ? static_cast<QWidget *>(m_top) : editor().viewport();
    if (head.parentWidget() != parent)
        head.setParent(parent);
    head.setHunk(hunk, hunk.id == m_current, m_keys, m_whyLocked);
    head.setGeometry(0, top, editor().viewport()->width(), 2 * editor().rowHeight());
    head.show();
}

int HunkMarks::rowTop(int line, int row) const {
    if (line < 0)
        return row * editor().rowHeight();
    const long first = editor().sci(QsciScintillaBase::SCI_GETFIRSTVISIBLELINE);
    const long at = editor().sci(QsciScintillaBase::SCI_VISIBLEFROMDOCLINE, line) + 1 +
                    editor().decorator<RowsBelow>().countAbove(RowsBelow::Hunks, line) + row;
    return static_cast<int>(at - first) * editor().rowHeight();
}

bool HunkMarks::areHeadsInPlace() const {
    const int height = editor().viewport()->height();
    for (const auto &[line, below] : m_rows)
        for (std::size_t row = 0; row < below.size(); ++row) {
            if (below[row].kind != HunkRow::Head)
                continue;
            const int top = rowTop(line, static_cast<int>(row));
            const bool isVisible = line < 0
                                       ? editor().sci(QsciScintillaBase::SCI_GETFIRSTVISIBLELINE) == 0
                                       : editor().sci(QsciScintillaBase::SCI_GETLINEVISIBLE, line) != 0 &&
                                             top < height && top > -2 * editor().rowHeight();
            const HunkHead *head = m_heads.value(m_present[static_cast<std::size_t>(below[row].hunk)].id);
            const bool isShown = head != nullptr && !head->isHidden();
            if (isVisible != isShown && (isVisible || (head != nullptr && head->y() < height && line >= 0)))
                return false;
            if (isVisible && (head->y() != top || head->width() != editor().viewport()->width()))
                return false;
        }
    return (m_rows.find(-1) != m_rows.end() &&
            editor().sci(QsciScintillaBase::SCI_GETFIRSTVISIBLELINE) == 0) == !m_top->isHidden();
}

void HunkMarks::setCurrent(int id) {
    const int wanted = indexOf(id) < 0 ? 0 : id;
    if (wanted == m_current)
        return;
    m_current = wanted;
    placeHeads();
    markScrollBar();
    editor().viewport()->update();
    m_top->update();
    emit currentChanged(m_current);
}

void HunkMarks::goTo(int id) {
    const int index = indexOf(id);
    if (index < 0)
        return;
    setCurrent(id);
    const ShownHunk hunk = hunks()[static_cast<std::size_t>(index)];
    const int line = std::min(hunk.line, editor().lines()) - 1;
    editor().sci(QsciScintillaBase::SCI_ENSUREVISIBLE, line);
    editor().sci(QsciScintillaBase::SCI_SETEMPTYSELECTION,
                 editor().sci(QsciScintillaBase::SCI_GETLINEINDENTPOSITION, line));
    editor().sci(QsciScintillaBase::SCI_SETXOFFSET, 0); // its lines are read from their beginning
    long from = 0;
    long count = 0;
    std::set<long> halves; // rows that a head would be cut above
    for (const auto &[below, rows] : m_rows)
        for (std::size_t row = 0; row < rows.size(); ++row) {
            const long at = below < 0
                                ? 0
                                : editor().sci(QsciScintillaBase::SCI_VISIBLEFROMDOCLINE, below) + 1 +
                                      editor().decorator<RowsBelow>().countAbove(RowsBelow::Hunks, below) +
                                      static_cast<long>(row);
            if (below >= 0 && rows[row].kind == HunkRow::HeadRest)
                halves.insert(at);
            if (rows[row].hunk != index)
                continue;
            from = count == 0 ? at : from;
            count = at - from + 1;
        }
    const long before = editor().sci(QsciScintillaBase::SCI_GETFIRSTVISIBLELINE);
    const long shown = editor().sci(QsciScintillaBase::SCI_LINESONSCREEN);
    long first = before;
    // Where it is wholly in view nothing moves; else a few lines stay above its head, and the head of
    // another hunk stands whole or not at all.
    if (from < first || from + count > first + shown)
        first = std::max(0L, from - std::clamp(shown - count, 0L, 3L));
    if (halves.count(first) > 0)
        first += from + count <= first - 1 + shown ? -1 : 1;
    if (first != before)
        editor().sci(QsciScintillaBase::SCI_SETFIRSTVISIBLELINE, first);
    // A text goes no further than its end.
    if (const long now = editor().sci(QsciScintillaBase::SCI_GETFIRSTVISIBLELINE); halves.count(now) > 0)
        editor().sci(QsciScintillaBase::SCI_SETFIRSTVISIBLELINE, now - 1);
    placeHeads();
}

void HunkMarks::step(int by) {
    if (m_items.empty())
        return;
    const int count = static_cast<int>(m_items.size());
    const int at = indexOf(m_current);
    const int next = at < 0 ? (by > 0 ? 0 : count - 1) : (at + by + count) % count;
    goTo(m_items[static_cast<std::size_t>(next)].hunk.id);
}

void HunkMarks::goToNext() {
    step(1);
}

void HunkMarks::goToPrevious() {
    step(-1);
}

void HunkMarks::setKeys(const HunkKeys &keys) {
    m_keys = keys;
    placeHeads();
}

void HunkMarks::setLocked(const QString &why) {
    if (std::exchange(m_whyLocked, why) != why)
        placeHeads();
}

void HunkMarks::setFolds(bool folds) {
    if (m_foldsUnchanged == folds)
        return;
    m_foldsUnchanged = folds;
    fold();
    editor().decorator<RowsBelow>().refresh();
}

void HunkMarks::enabledChanged() {
    markLines();
    fold();
    editor().decorator<RowsBelow>().refresh();
    if (!isEnabled())
        for (HunkHead *head : std::as_const(m_heads))
            head->hide();
    markScrollBar();
    fitCaretLine();
}

bool HunkMarks::eventFilter(QObject *watched, QEvent *event) {
    if (event->type() == QEvent::Resize) {
        placeHeads();
    } else if (event->type() == QEvent::MouseButtonPress && !m_rows.empty()) {
        const auto *mouse = static_cast<QMouseEvent *>(event);
        const HunkRow *row = rowAt(mouse->position().toPoint());
        if (row != nullptr && mouse->button() == Qt::LeftButton) {
            if (row->kind == HunkRow::Hidden)
                m_folds->unfold(row->index);
            else
                setCurrent(m_present[static_cast<std::size_t>(row->hunk)].id);
            return true;
        }
    }
    return EditorDecorator::eventFilter(watched, event);
}

const HunkRow *HunkMarks::rowAt(const QPoint &point) const {
    for (const CodeEditor::ShownLine &line : editor().shownLines()) {
        const auto found = m_rows.find(line.line);
        if (found == m_rows.end())
            continue;
        const int row = (point.y() - rowTop(line.line, 0)) / editor().rowHeight();
        if (point.y() >= rowTop(line.line, 0) && row < static_cast<int>(found->second.size()))
            return &found->second[static_cast<std::size_t>(row)];
    }
    return nullptr;
}

QString HunkMarks::toolTip(const QPoint &point) const {
    const HunkRow *row = m_rows.empty() ? nullptr : rowAt(point);
    return row != nullptr && row->kind == HunkRow::Hidden ? tr("Show these lines") : QString();
}

} // namespace warpwright
