// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/compare/compare_view.h"

#include "toolchain/base/figures.h"
#include "widgets/listing/marked_scroll_bar.h"
#include "widgets/look/house_style.h"
#include "widgets/look/look.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace warpwright {
namespace {

constexpr int tabColumns = 4;
constexpr int leastHidden = 4;

// Tabs as spaces, for a painter knows no tab stops; `spans` are moved along.
QString expanded(const QString &text, std::vector<TextSpan> &spans) {
    if (!text.contains(QLatin1Char('\t')))
        return text;
    QString answer;
    std::vector<int> columnOf;
    for (const QChar character : text) {
        columnOf.push_back(static_cast<int>(answer.size()));
        if (character == QLatin1Char('\t'))
            answer.append(QString(tabColumns - answer.size() % tabColumns, QLatin1Char(' ')));
        else
            answer.append(character);
    }
    columnOf.push_back(static_cast<int>(answer.size()));
    const int last = static_cast<int>(columnOf.size()) - 1;
    for (TextSpan &span : spans) {
        const int end = columnOf[static_cast<std::size_t>(std::clamp(span.start + span.length, 0, last))];
        span.start = columnOf[static_cast<std::size_t>(std::clamp(span.start, 0, last))];
        span.length = end - span.start;
    }
    return answer;
}

int columnsOf(const QString &text) {
    return static_cast<int>(text.size() + text.count(QLatin1Char('\t')) * (tabColumns - 1));
}

QString foldText(int hidden) {
    return hidden == 1 ? CompareView::tr("1 line alike")
                       : CompareView::tr("%1 lines alike").arg(numberText(hidden));
}

} // namespace

struct CompareView::Side {
    bool isLeft = true;
    int number = 0;
    const QString *text = nullptr;
    const std::vector<TextSpan> *changes = nullptr;
    bool isChosen = false;
};

std::vector<CompareView::Shown> foldedRows(const ComparedFile &file, int context) {
    const int rows = static_cast<int>(file.rows.size());
    std::vector<CompareView::Shown> shown;
    const auto showAll = [&shown](int from, int to) {
        for (int row = from; row < to; ++row)
            shown.push_back({row, 0});
    };
    int done = 0;
    const auto alikeUntil = [&](int end, bool isAfterChange, bool isBeforeChange) {
        const int first = done + (isAfterChange ? context : 0);
        const int last = end - (isBeforeChange ? context : 0);
        if (last - first < leastHidden) {
            showAll(done, end);
        } else {
            showAll(done, first);
            shown.push_back({first, last - first});
            showAll(last, end);
        }
        done = end;
    };
    for (const ComparedHunk &hunk : file.hunks) {
        alikeUntil(hunk.firstRow, done > 0, true);
        showAll(done, hunk.firstRow + hunk.rowCount);
        done = hunk.firstRow + hunk.rowCount;
    }
    alikeUntil(rows, done > 0, false);
    return shown;
}

CompareView::CompareView(const Look &look, QWidget *parent)
    : QAbstractScrollArea(parent),
      m_look(look),
      m_bar(new MarkedScrollBar(look, Qt::Vertical, this)),
      m_syntax(look, this) {
    setObjectName(QStringLiteral("compareView"));
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setVerticalScrollBar(m_bar);
    setHorizontalScrollBar(new MarkedScrollBar(look, Qt::Horizontal, this));
    viewport()->setMouseTracking(true);
    viewport()->setAttribute(Qt::WA_OpaquePaintEvent);
    connect(&look, &Look::changed, this, &CompareView::restyle);
    restyle();
}

void CompareView::colour() {
    QStringList left, right;
    for (const ComparedRow &row : m_file.rows) {
        if (row.leftNumber > 0)
            left << row.left;
        if (row.rightNumber > 0)
            right << row.right;
    }
    const CodeEditor::Language language = CodeEditor::languageOf(m_file.path);
    m_leftColors = m_syntax.of(left, language);
    m_rightColors = m_syntax.of(right, language);
}

void CompareView::restyle() {
    colour();
    placeBars();
    viewport()->update();
}

int CompareView::lineHeight() const {
    return QFontMetrics(m_look.font(TextRole::Code)).height() + m_look.px(2);
}

int CompareView::numberWidth() const {
    const int digits = std::max(3, static_cast<int>(QString::number(m_file.rows.size()).size()));
    return QFontMetrics(m_look.font(TextRole::Log)).horizontalAdvance(QString(digits, QLatin1Char('0'))) +
           m_look.px(16);
}

void CompareView::setFile(const ComparedFile &file) {
    m_file = file;
    m_hunk = -1;
    m_chosenFrom = m_chosenTo = m_hovered = -1;
    m_widestColumns = 0;
    for (const ComparedRow &row : m_file.rows)
        m_widestColumns = std::max({m_widestColumns, columnsOf(row.left), columnsOf(row.right)});
    m_isFolded = true;
    colour();
    setAccessibleName(
        tr("%1, %2, the older text left, the newer right")
            .arg(file.path, countText(static_cast<qsizetype>(file.hunks.size()), tr("change"))));
    layOut();
    verticalScrollBar()->setValue(0);
    horizontalScrollBar()->setValue(0);
    emit foldedChanged(m_isFolded);
}

void CompareView::layOut() {
    m_chosenFrom = m_chosenTo = -1;
    if (m_isFolded) {
        m_shown = foldedRows(m_file);
    } else {
        m_shown.clear();
        for (int row = 0; row < static_cast<int>(m_file.rows.size()); ++row)
            m_shown.push_back({row, 0});
    }
    placeBars();
    viewport()->update();
}

void CompareView::placeBars() {
    const int page = std::max(1, viewport()->height() / lineHeight());
    const int lines = static_cast<int>(m_shown.size());
    verticalScrollBar()->setRange(0, std::max(0, lines - page));
    verticalScrollBar()->setPageStep(page);
    verticalScrollBar()->setSingleStep(1);
    const int room = viewport()->width() / 2 - numberWidth() - m_look.px(28);
    const double column = QFontMetricsF(m_look.font(TextRole::Code)).horizontalAdvance(QLatin1Char('0'));
    horizontalScrollBar()->setRange(
        0, std::max(0, static_cast<int>(std::ceil(m_widestColumns * column)) - room + m_look.px(8)));
    horizontalScrollBar()->setPageStep(std::max(1, room));
    horizontalScrollBar()->setSingleStep(static_cast<int>(column) * 4);
    std::vector<double> gone;
    std::vector<double> come;
    for (int i = 0; i < lines; ++i) {
        const Shown &shown = m_shown[static_cast<std::size_t>(i)];
        if (shown.hidden > 0)
            continue;
        const auto kind = m_file.rows[static_cast<std::size_t>(shown.row)].kind;
        const double place = static_cast<double>(i) / std::max(1, lines - 1);
        if (kind == ComparedRow::Kind::Removed)
            gone.push_back(place);
        else if (kind != ComparedRow::Kind::Same)
            come.push_back(place);
    }
    m_bar->setMarks(MarkedScrollBar::Findings, std::move(gone), m_look.color("diff.delMark"));
    m_bar->setMarks(MarkedScrollBar::Errors, std::move(come), m_look.color("diff.addMark"));
}

void CompareView::setCurrentHunk(int hunk) {
    if (hunk >= static_cast<int>(m_file.hunks.size()))
        return;
    m_hunk = hunk;
    if (hunk >= 0) {
        const int row = m_file.hunks[static_cast<std::size_t>(hunk)].firstRow;
        const auto place = std::find_if(m_shown.begin(), m_shown.end(), [row](const Shown &shown) {
            return shown.row == row && shown.hidden == 0;
        });
        const int index = static_cast<int>(place - m_shown.begin());
        const int page = verticalScrollBar()->pageStep();
        const int top = verticalScrollBar()->value();
        const int rows = m_file.hunks[static_cast<std::size_t>(hunk)].rowCount;
        if (index < top + 2 || index + rows > top + page - 2)
            verticalScrollBar()->setValue(index - page / 4);
    }
    viewport()->update();
    emit hunkChanged(hunk);
}

void CompareView::setFolded(bool isFolded) {
    if (m_isFolded == isFolded)
        return;
    m_isFolded = isFolded;
    layOut();
    if (m_hunk >= 0)
        setCurrentHunk(m_hunk);
    emit foldedChanged(isFolded);
}

void CompareView::unfold(int shownIndex) {
    const Shown fold = m_shown[static_cast<std::size_t>(shownIndex)];
    if (fold.hidden == 0)
        return;
    std::vector<Shown> rows;
    for (int row = fold.row; row < fold.row + fold.hidden; ++row)
        rows.push_back({row, 0});
    m_shown.erase(m_shown.begin() + shownIndex);
    m_shown.insert(m_shown.begin() + shownIndex, rows.begin(), rows.end());
    m_chosenFrom = m_chosenTo = -1;
    placeBars();
    viewport()->update();
}

void CompareView::showRow(int row, bool isLeft) {
    const auto holds = [row](const Shown &shown) {
        return row >= shown.row && row < shown.row + std::max(1, shown.hidden);
    };
    auto place = std::find_if(m_shown.begin(), m_shown.end(), holds);
    if (place == m_shown.end())
        return;
    unfold(static_cast<int>(place - m_shown.begin()));
    place = std::find_if(m_shown.begin(), m_shown.end(), holds);
    const int index = static_cast<int>(place - m_shown.begin());
    m_chosenFrom = m_chosenTo = index;
    m_chosenIsLeft = isLeft;
    const int page = verticalScrollBar()->pageStep();
    const int top = verticalScrollBar()->value();
    if (index < top + 1 || index > top + page - 2)
        verticalScrollBar()->setValue(index - page / 2);
    viewport()->update();
}

int CompareView::chosenRow() const {
    return m_chosenFrom < 0 ? -1 : m_shown[static_cast<std::size_t>(m_chosenFrom)].row;
}

QString CompareView::chosenText() const {
    if (m_chosenFrom < 0)
        return {};
    QStringList lines;
    for (int i = std::min(m_chosenFrom, m_chosenTo); i <= std::max(m_chosenFrom, m_chosenTo); ++i) {
        const Shown &shown = m_shown[static_cast<std::size_t>(i)];
        for (int row = shown.row; row < shown.row + std::max(1, shown.hidden); ++row) {
            const ComparedRow &line = m_file.rows[static_cast<std::size_t>(row)];
            if ((m_chosenIsLeft ? line.leftNumber : line.rightNumber) > 0)
                lines << (m_chosenIsLeft ? line.left : line.right);
        }
    }
    return lines.join(QLatin1Char('\n'));
}

int CompareView::shownAt(int y) const {
    const int index = verticalScrollBar()->value() + y / lineHeight();
    return y >= 0 && index < static_cast<int>(m_shown.size()) ? index : -1;
}

bool CompareView::isLeft(int x) const {
    return x < viewport()->width() / 2;
}

void CompareView::paintEvent(QPaintEvent *event) {
    QPainter painter(viewport());
    painter.fillRect(event->rect(), m_look.color("bg.pane"));
    const int height = lineHeight();
    const int half = viewport()->width() / 2;
    const int top = verticalScrollBar()->value();
    const ComparedHunk hunk = m_hunk >= 0 ? m_file.hunks[static_cast<std::size_t>(m_hunk)] : ComparedHunk{};
    const int chosenFirst = std::min(m_chosenFrom, m_chosenTo);
    const int chosenLast = std::max(m_chosenFrom, m_chosenTo);
    for (int i = top; i < static_cast<int>(m_shown.size()); ++i) {
        const int y = (i - top) * height;
        if (y > event->rect().bottom())
            break;
        if (y + height <= event->rect().top())
            continue;
        const Shown &shown = m_shown[static_cast<std::size_t>(i)];
        if (shown.hidden > 0) {
            paintFold(painter, shown, QRect(0, y, viewport()->width(), height), i == m_hovered);
            continue;
        }
        const ComparedRow &row = m_file.rows[static_cast<std::size_t>(shown.row)];
        const bool isChosen = i >= chosenFirst && i <= chosenLast && m_chosenFrom >= 0;
        paintSide(painter, {true, row.leftNumber, &row.left, &row.leftChanges, isChosen && m_chosenIsLeft},
                  row, QRect(0, y, half, height));
        paintSide(painter,
                  {false, row.rightNumber, &row.right, &row.rightChanges, isChosen && !m_chosenIsLeft}, row,
                  QRect(half + 1, y, viewport()->width() - half - 1, height));
        painter.fillRect(half, y, 1, height, m_look.color("border.normal"));
        if (shown.row >= hunk.firstRow && shown.row < hunk.firstRow + hunk.rowCount)
            painter.fillRect(0, y, m_look.px(3), height, m_look.color("accent.focus"));
    }
    if (hasFocus())
        painter.fillRect(0, 0, viewport()->width(), m_look.px(2), m_look.color("accent.focus"));
}

void CompareView::paintSide(QPainter &painter, const Side &side, const ComparedRow &row,
                            const QRect &rect) const {
    const bool isSame = row.kind == ComparedRow::Kind::Same;
    const bool isThere = side.number > 0;
    if (!isThere) {
        painter.fillRect(rect, m_look.color("bg.bar")); // this side has no such line
        return;
    }
    const char *mark = side.isLeft ? "diff.delMark" : "diff.addMark";
    const char *ground = side.isLeft ? "diff.delBg" : "diff.addBg";
    if (side.isChosen)
        painter.fillRect(rect, m_look.color("bg.selected"));
    else if (!isSame)
        painter.fillRect(rect, m_look.color(ground));
    const int numbers = numberWidth();
    painter.setFont(m_look.font(TextRole::Log));
    painter.setPen(m_look.color(isSame ? "text.tertiary" : "text.secondary"));
    painter.drawText(QRect(rect.left(), rect.top(), numbers - m_look.px(6), rect.height()),
                     Qt::AlignVCenter | Qt::AlignRight, QString::number(side.number));
    painter.setFont(m_look.font(TextRole::Code));
    if (!isSame) {
        painter.setPen(m_look.color(mark));
        painter.drawText(QRect(rect.left() + numbers, rect.top(), m_look.px(16), rect.height()),
                         Qt::AlignCenter, side.isLeft ? QStringLiteral("−") : QStringLiteral("+"));
    }
    const int textLeft = rect.left() + numbers + m_look.px(20);
    painter.save();
    painter.setClipRect(QRect(textLeft, rect.top(), rect.right() - textLeft + 1, rect.height()));
    std::vector<TextSpan> spans = *side.changes;
    const QString text = expanded(*side.text, spans);
    const QFontMetricsF metrics(painter.font());
    const double left = textLeft - horizontalScrollBar()->value();
    if (!side.isChosen) {
        for (const TextSpan &span : spans) {
            const double from = metrics.horizontalAdvance(text.left(span.start));
            const double to = metrics.horizontalAdvance(text.left(span.start + span.length));
            painter.fillRect(QRectF(left + from, rect.top(), to - from, rect.height()),
                             m_look.color(side.isLeft ? "diff.delWord" : "diff.addWord"));
        }
    }
    const double baseline = rect.top() + (rect.height() - metrics.height()) / 2 + metrics.ascent();
    // What lies beyond the right edge is not worth laying out: a line may have 64 K.
    const int visible =
        static_cast<int>((rect.right() - left) / std::max(1.0, metrics.horizontalAdvance('0')));
    const auto &colors = side.isLeft ? m_leftColors : m_rightColors;
    const auto line = static_cast<std::size_t>(side.number - 1);
    std::vector<TextSpan> stretches;
    if (line < colors.size())
        for (const ColoredSpan &span : colors[line])
            stretches.push_back({span.start, span.length});
    (void)expanded(*side.text, stretches);
    if (stretches.empty())
        stretches.push_back({0, static_cast<int>(text.size())});
    for (std::size_t i = 0; i < stretches.size() && stretches[i].start <= visible + 2; ++i) {
        const QString words = text.mid(stretches[i].start, std::min(stretches[i].length, visible + 2));
        painter.setPen(line < colors.size() && i < colors[line].size() ? colors[line][i].color
                                                                       : m_look.color("syntax.text"));
        painter.drawText(QPointF(left + metrics.horizontalAdvance(text.left(stretches[i].start)), baseline),
                         words);
    }
    painter.restore();
}

void CompareView::paintFold(QPainter &painter, const Shown &fold, const QRect &rect, bool isHovered) const {
    painter.fillRect(rect, m_look.color(isHovered ? "bg.hover" : "bg.card"));
    painter.fillRect(rect.left(), rect.top(), rect.width(), 1, m_look.color("border.subtle"));
    painter.fillRect(rect.left(), rect.bottom(), rect.width(), 1, m_look.color("border.subtle"));
    const int icon = m_look.px(12);
    const int x = numberWidth() + m_look.px(2);
    m_look.icon(QStringLiteral("chevron-right"), m_look.color("text.secondary"))
        .paint(&painter, QRect(x, rect.center().y() - icon / 2 + 1, icon, icon));
    painter.setFont(m_look.font(TextRole::Small));
    painter.setPen(m_look.color(isHovered ? "text.primary" : "text.secondary"));
    painter.drawText(rect.adjusted(x + icon + m_look.px(6), 0, 0, 0), Qt::AlignVCenter | Qt::AlignLeft,
                     foldText(fold.hidden));
}

void CompareView::resizeEvent(QResizeEvent *) {
    placeBars();
}

void CompareView::scrollContentsBy(int, int) {
    viewport()->update();
}

void CompareView::mousePressEvent(QMouseEvent *event) {
    const int index = shownAt(event->pos().y());
    if (event->button() != Qt::LeftButton || index < 0)
        return;
    if (m_shown[static_cast<std::size_t>(index)].hidden > 0) {
        unfold(index);
        return;
    }
    if ((event->modifiers() & Qt::ShiftModifier) == 0 || m_chosenFrom < 0) {
        m_chosenFrom = index;
        m_chosenIsLeft = isLeft(event->pos().x());
    }
    m_chosenTo = index;
    viewport()->update();
}

void CompareView::mouseMoveEvent(QMouseEvent *event) {
    const int index = shownAt(event->pos().y());
    const bool isOnFold = index >= 0 && m_shown[static_cast<std::size_t>(index)].hidden > 0;
    viewport()->setCursor(isOnFold ? Qt::PointingHandCursor : Qt::ArrowCursor);
    if ((event->buttons() & Qt::LeftButton) != 0 && m_chosenFrom >= 0 && index >= 0) {
        m_chosenTo = index;
        viewport()->update();
    }
    if (const int hovered = isOnFold ? index : -1; hovered != m_hovered) {
        m_hovered = hovered;
        viewport()->update();
    }
}

void CompareView::mouseReleaseEvent(QMouseEvent *event) {
    event->accept(); // the press began a choice, or unfolded: it is not the page's
}

void CompareView::keyPressEvent(QKeyEvent *event) {
    if (event == QKeySequence::Copy) {
        if (m_chosenFrom >= 0)
            QGuiApplication::clipboard()->setText(chosenText());
        return;
    }
    QScrollBar *bar = verticalScrollBar();
    switch (event->key()) {
    case Qt::Key_Home:
        bar->setValue(bar->minimum());
        return;
    case Qt::Key_End:
        bar->setValue(bar->maximum());
        return;
    default:
        QAbstractScrollArea::keyPressEvent(event);
    }
}

void CompareView::focusInEvent(QFocusEvent *event) {
    QAbstractScrollArea::focusInEvent(event);
    viewport()->update();
}

void CompareView::focusOutEvent(QFocusEvent *event) {
    QAbstractScrollArea::focusOutEvent(event);
    viewport()->update();
}

} // namespace warpwright
