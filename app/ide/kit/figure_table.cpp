// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/kit/figure_table.h"

#include "profiler_views/value_role.h"
#include "widgets/look/house_style.h"
#include "widgets/look/look.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>
#include <QStyledItemDelegate>

#include <utility>

namespace warpwright {
namespace {

constexpr int mostFittedRows = 200;
constexpr int rowsAtLeast = 1;
constexpr int leastName = 150; ///< px at 96 dpi of the column that yields, before a table with heads scrolls
constexpr int shortestName = 60;  ///< the same where there are no heads
constexpr int lettersOfName = 14; ///< that are read before the columns that are to stay in sight go

/// Of those that are shown, also where the table was scrolled sideways.
bool isLeftmost(const QTableView &table, int column) {
    return table.horizontalHeader()->sectionPosition(column) == 0;
}

int lastShown(const QTableView &table) {
    int column = table.model()->columnCount() - 1;
    while (column > 0 && table.isColumnHidden(column))
        --column;
    return column;
}

class FigureDelegate : public QStyledItemDelegate {
public:
    FigureDelegate(const Look &look, QTableView *table)
        : QStyledItemDelegate(table), m_look(look), m_table(table) {}

    void paint(QPainter *painter, const QStyleOptionViewItem &option,
               const QModelIndex &index) const override {
        painter->save();
        const QRect rect = option.rect;
        const bool isSelected = (option.state & QStyle::State_Selected) != 0;
        if (isSelected)
            painter->fillRect(rect, m_look.color("bg.selected"));
        else if ((option.state & QStyle::State_MouseOver) != 0)
            painter->fillRect(rect, m_look.color("bg.hover"));
        const bool isFirst = isLeftmost(*m_table, index.column()); // others may be hidden
        if (isSelected && isFirst)
            painter->fillRect(rect.left(), rect.top(), m_look.px(3), rect.height(),
                              m_look.color("accent.focus"));
        painter->fillRect(rect.left(), rect.bottom(), rect.width(), 1, m_look.color("border.subtle"));
        // Where the keys are while no row was chosen yet.
        if (m_table->hasFocus() && !isSelected && index.row() == m_table->currentIndex().row())
            for (const int edge : {rect.top(), rect.bottom() - 1})
                painter->fillRect(rect.left(), edge, rect.width(), 2, m_look.color("accent.focus"));
        const QString token = index.data(ColorRole).toString();
        const QColor ink = m_look.theme().color(token.isEmpty() ? QStringLiteral("text.primary") : token);
        const bool isLast = index.column() == lastShown(*m_table);
        QRect text = rect.adjusted(m_look.px(isFirst ? 12 : 4), 0, -m_look.px(isLast ? 12 : 4), 0);
        const QString icon = index.data(IconNameRole).toString();
        if (!icon.isEmpty()) {
            const int size = m_look.px(14);
            m_look.icon(icon, ink).paint(painter,
                                         QRect(text.left(), rect.center().y() - size / 2, size, size));
            text.setLeft(text.left() + size + m_look.px(6));
        }
        const bool leads = !isFirst && !index.data(FileRole).toString().isEmpty();
        painter->setFont(fontOf(index));
        painter->setPen(leads             ? m_look.color("accent.text")
                        : !icon.isEmpty() ? m_look.color("text.primary")
                                          : ink);
        const auto alignment = Qt::Alignment(index.data(Qt::TextAlignmentRole).toInt());
        const bool isRight = (alignment & Qt::AlignRight) != 0;
        painter->drawText(
            text, static_cast<int>(Qt::AlignVCenter | (isRight ? Qt::AlignRight : Qt::AlignLeft)),
            painter->fontMetrics().elidedText(
                index.data().toString(),
                index.data(MonospaceRole).toBool() ? Qt::ElideMiddle : Qt::ElideRight, text.width()));
        if (isSelected && m_table->hasFocus() && isFirst)
            painter->fillRect(rect.left(), rect.top(), m_look.px(3), rect.height(),
                              m_look.color("accent.focus"));
        painter->restore();
    }

    QSize sizeHint(const QStyleOptionViewItem &, const QModelIndex &index) const override {
        const QString text = index.data().toString();
        const int icon =
            index.data(IconNameRole).toString().isEmpty() ? 0 : m_look.px(text.isEmpty() ? 14 : 20);
        // The edges have more room beside them, which is not to be taken from their words.
        const bool isEdge = index.column() == 0 || index.column() == lastShown(*m_table);
        return {QFontMetrics(fontOf(index)).horizontalAdvance(text) + icon + m_look.px(isEdge ? 28 : 20),
                m_look.px(24)};
    }

private:
    [[nodiscard]] QFont fontOf(const QModelIndex &index) const {
        if (index.data(MonospaceRole).toBool())
            return m_look.font(TextRole::Log);
        return m_look.font(TextRole::Small,
                           index.data(EmphasisRole).toBool() ? QFont::DemiBold : QFont::Normal);
    }

    const Look &m_look;
    QTableView *m_table;
};

} // namespace

FigureTable::FigureTable(const Look &look, QAbstractItemModel *model, QWidget *parent)
    : QTableView(parent), m_look(look) {
    setModel(model);
    setItemDelegate(new FigureDelegate(look, this));
    setFrameShape(QFrame::NoFrame);
    setShowGrid(false);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::SingleSelection);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setTabKeyNavigation(false);
    setMouseTracking(true);
    setWordWrap(false);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    verticalHeader()->hide();
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setSectionsClickable(false);
    horizontalHeader()->setMinimumSectionSize(8);
    connect(this, &QTableView::clicked, this, &FigureTable::activate);
    connect(model, &QAbstractItemModel::modelReset, this, [this] {
        fitColumns();
        updateGeometry();
    });
    const auto fit = [this](int first, int last) {
        fitRows(first, last);
        updateGeometry();
    };
    connect(model, &QAbstractItemModel::rowsInserted, this,
            [fit](const QModelIndex &, int first, int last) { fit(first, last); });
    connect(model, &QAbstractItemModel::dataChanged, this,
            [fit](const QModelIndex &first, const QModelIndex &last) { fit(first.row(), last.row()); });
    connect(model, &QAbstractItemModel::rowsRemoved, this, [this] { updateGeometry(); });
    connect(&look, &Look::changed, this, &FigureTable::applyLook);
    applyLook();
}

void FigureTable::applyLook() {
    verticalHeader()->setDefaultSectionSize(m_look.px(24));
    verticalHeader()->setMinimumSectionSize(m_look.px(24));
    horizontalHeader()->setFixedHeight(m_look.px(26));
    fitColumns();
    updateGeometry();
}

void FigureTable::setShape(int stretchColumn, int rowsAtMost) {
    m_stretchColumn = stretchColumn;
    m_rowsAtMost = rowsAtMost;
    fitColumns();
}

void FigureTable::setColumnShown(int column, bool isShown) {
    if (isShown)
        m_unshown.erase(column);
    else
        m_unshown.insert(column);
    setColumnHidden(column, !isShown);
    placeColumns();
}

void FigureTable::setKeepsInSight(int lastColumn) {
    m_lastInSight = lastColumn;
    placeColumns();
}

void FigureTable::setYields() {
    m_yields = true;
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Maximum);
    updateGeometry();
}

void FigureTable::fitColumns() {
    if (model() == nullptr)
        return;
    for (const int column : m_unshown) // a reset has forgotten them
        setColumnHidden(column, true);
    const QFontMetrics head(m_look.font(TextRole::Small));
    const bool hasHeads = !horizontalHeader()->isHidden();
    // Without heads there is one column of words, which yields; with them all is whole, and it scrolls.
    setHorizontalScrollBarPolicy(hasHeads ? Qt::ScrollBarAsNeeded : Qt::ScrollBarAlwaysOff);
    m_stretchWanted = 0;
    m_wanted.assign(static_cast<std::size_t>(model()->columnCount()), 0);
    for (int column = 0; hasHeads && column < model()->columnCount(); ++column)
        m_wanted[static_cast<std::size_t>(column)] =
            head.horizontalAdvance(model()->headerData(column, Qt::Horizontal).toString()) + m_look.px(20);
    fitRows(0, model()->rowCount() - 1);
}

void FigureTable::fitRows(int first, int last) {
    last = std::min(last, first + mostFittedRows - 1);
    for (int column = 0; column < model()->columnCount(); ++column)
        for (int row = first; column != m_stretchColumn && row <= last; ++row) {
            int &wanted = m_wanted[static_cast<std::size_t>(column)];
            wanted = std::max(wanted, sizeHintForIndex(model()->index(row, column)).width());
        }
    for (int row = first; row <= last; ++row)
        m_stretchWanted =
            std::max(m_stretchWanted, sizeHintForIndex(model()->index(row, m_stretchColumn)).width());
    placeColumns();
}

int FigureTable::leastOfHead(int column) const {
    if (horizontalHeader()->isHidden())
        return 0;
    return QFontMetrics(m_look.font(TextRole::Small))
               .horizontalAdvance(model()->headerData(column, Qt::Horizontal).toString()) +
           m_look.px(16); // as the style draws it
}

// Of texts that were measured already: a table is resized more often than it is filled.
void FigureTable::placeColumns() {
    if (m_wanted.empty())
        return;
    int used = 0;
    const auto place = [this](int column, int width) {
        if (columnWidth(column) != width)
            setColumnWidth(column, width);
    };
    const bool hasHeads = !horizontalHeader()->isHidden();
    const int most = hasHeads ? QWIDGETSIZE_MAX : viewport()->width() / 2;
    for (int column = 0; column < static_cast<int>(m_wanted.size()); ++column) {
        if (column == m_stretchColumn || isColumnHidden(column))
            continue;
        const int width = std::min(m_wanted[static_cast<std::size_t>(column)], most);
        place(column, width);
        used += width;
    }
    // A name is cut only when the room around the numbers is used up. The outer columns have theirs at the
    // edge of the table, which stays.
    const int missing =
        std::min(m_stretchWanted, viewport()->width()) - std::max(m_look.px(60), viewport()->width() - used);
    int left = missing;
    for (int column = 0; left > 0 && column < static_cast<int>(m_wanted.size()); ++column) {
        const bool isOuter = isLeftmost(*this, column) || column == lastShown(*this);
        const int spare = m_look.px(isOuter ? 4 : 10);
        if (column == m_stretchColumn || isColumnHidden(column) || columnWidth(column) <= 2 * spare)
            continue;
        const int by = std::min({left, spare, columnWidth(column) - leastOfHead(column)});
        if (by <= 0)
            continue;
        place(column, columnWidth(column) - by);
        used -= by;
        left -= by;
    }
    const int head = m_wanted[static_cast<std::size_t>(m_stretchColumn)];
    int least =
        hasHeads ? std::max(head, std::min(m_stretchWanted, m_look.px(leastName))) : m_look.px(shortestName);
    if (m_lastInSight >= 0) {
        int inSight = 0;
        for (int column = 0; column <= m_lastInSight; ++column)
            if (column != m_stretchColumn && !isColumnHidden(column))
                inSight += columnWidth(column);
        const int letters = QFontMetrics(m_look.font(TextRole::Log))
                                .horizontalAdvance(QString(lettersOfName, QLatin1Char('n')));
        const int shortest = std::min(m_stretchWanted, letters + m_look.px(16));
        least = std::min(least, std::max({head, shortest, viewport()->width() - inSight}));
    }
    place(m_stretchColumn, std::max(least, viewport()->width() - used));
    if (std::exchange(m_isWide, used + least > viewport()->width() && hasHeads) != m_isWide)
        updateGeometry(); // the bar below has its own room
}

int FigureTable::barHeight() const {
    return m_isWide ? style()->pixelMetric(QStyle::PM_ScrollBarExtent, nullptr, horizontalScrollBar()) : 0;
}

void FigureTable::resizeEvent(QResizeEvent *event) {
    QTableView::resizeEvent(event);
    placeColumns();
}

QSize FigureTable::sizeHint() const {
    const int rows = std::min(model()->rowCount(), m_rowsAtMost);
    const int head = horizontalHeader()->isHidden() ? 0 : m_look.px(26);
    return {m_look.px(240), head + rows * m_look.px(24) + barHeight()};
}

QSize FigureTable::minimumSizeHint() const {
    const int most = std::min(model()->rowCount(), m_rowsAtMost);
    const int rows = m_yields ? std::min(most, rowsAtLeast) : most;
    const int head = horizontalHeader()->isHidden() ? 0 : m_look.px(26);
    return {m_look.px(120), head + rows * m_look.px(24) + barHeight()};
}

// Half a row looks like the end of the list: in its place stands how many follow.
void FigureTable::paintEvent(QPaintEvent *event) {
    QTableView::paintEvent(event);
    const int last = rowAt(viewport()->height() - 1);
    if (last < 0)
        return;
    const int top = rowViewportPosition(last);
    const bool isCut = top + rowHeight(last) > viewport()->height() + 1;
    if (!isCut || top <= 0)
        return;
    QPainter painter(viewport());
    const QRect strip(0, top, viewport()->width(), viewport()->height() - top);
    painter.fillRect(strip, m_look.color("bg.pane"));
    painter.setFont(m_look.font(TextRole::Axis));
    if (painter.fontMetrics().ascent() > strip.height())
        return;
    painter.setPen(m_look.color("text.tertiary"));
    painter.drawText(strip.adjusted(m_look.px(12), 0, -m_look.px(12), 0), Qt::AlignLeft | Qt::AlignVCenter,
                     tr("%1 more").arg(model()->rowCount() - last));
}

void FigureTable::activate(const QModelIndex &index) {
    for (int column = 0; index.isValid() && column < model()->columnCount(); ++column) {
        const QModelIndex cell = index.siblingAtColumn(column);
        const QString file = cell.data(FileRole).toString();
        if (file.isEmpty())
            continue;
        emit placeActivated(file, cell.data(LineRole).toInt(), cell.data(ColumnRole).toInt());
        return;
    }
}

void FigureTable::keyPressEvent(QKeyEvent *event) {
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
        activate(currentIndex());
        return;
    }
    QTableView::keyPressEvent(event);
}

} // namespace warpwright
