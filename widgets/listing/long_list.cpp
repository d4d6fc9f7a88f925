// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/listing/long_list.h"

#include <QAbstractItemDelegate>
#include <QPaintEvent>
#include <QPainter>
#include <QScrollBar>

#include <algorithm>

namespace warpwright {

LongList::LongList(QWidget *parent) : QListView(parent) {
    setUniformItemSizes(true);
    setVerticalScrollMode(ScrollPerPixel);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setMouseTracking(true);
}

int LongList::rowCount() const {
    return model() == nullptr ? 0 : model()->rowCount(rootIndex());
}

int LongList::rowHeight() const {
    if (m_rowHeight == 0 && rowCount() > 0) {
        QStyleOptionViewItem option;
        initViewItemOption(&option);
        const QModelIndex first = model()->index(0, modelColumn(), rootIndex());
        m_rowHeight = itemDelegateForIndex(first)->sizeHint(option, first).height();
    }
    return std::max(1, m_rowHeight);
}

std::pair<int, int> LongList::rowsBetween(int top, int bottom) const {
    const int height = rowHeight();
    const int first = std::max(0, (top + verticalOffset()) / height);
    return {first, std::min(rowCount() - 1, (bottom + verticalOffset()) / height)};
}

QRect LongList::visualRect(const QModelIndex &index) const {
    if (!index.isValid() || index.model() != model() || index.column() != modelColumn())
        return {};
    return {0, index.row() * rowHeight() - verticalOffset(), viewport()->width(), rowHeight()};
}

QModelIndex LongList::indexAt(const QPoint &point) const {
    const int y = point.y() + verticalOffset();
    if (y < 0 || point.x() < 0 || point.x() >= viewport()->width() || y / rowHeight() >= rowCount())
        return {};
    return model()->index(y / rowHeight(), modelColumn(), rootIndex());
}

void LongList::scrollTo(const QModelIndex &index, ScrollHint hint) {
    if (!index.isValid() || index.model() != model())
        return;
    executeDelayedItemsLayout();
    const int top = index.row() * rowHeight();
    const int atTop = top;
    const int atBottom = top + rowHeight() - viewport()->height();
    const int now = verticalOffset();
    int to = now;
    if (hint == PositionAtTop || (hint == EnsureVisible && top < now))
        to = atTop;
    else if (hint == PositionAtBottom || (hint == EnsureVisible && atBottom > now))
        to = atBottom;
    else if (hint == PositionAtCenter)
        to = (atTop + atBottom) / 2;
    verticalScrollBar()->setValue(to);
}

// None of the base's: nothing is placed ahead.
void LongList::doItemsLayout() {
    m_rowHeight = 0;
    QAbstractItemView::doItemsLayout();
}

void LongList::dataChanged(const QModelIndex &topLeft, const QModelIndex &bottomRight,
                           const QList<int> &roles) {
    QAbstractItemView::dataChanged(topLeft, bottomRight, roles);
}

void LongList::updateGeometries() {
    const int height = rowHeight();
    verticalScrollBar()->setSingleStep(height);
    verticalScrollBar()->setPageStep(viewport()->height());
    verticalScrollBar()->setRange(0, std::max(0, rowCount() * height - viewport()->height()));
    QAbstractItemView::updateGeometries();
}

void LongList::scrollContentsBy(int dx, int dy) {
    scrollDirtyRegion(dx, dy);
    viewport()->scroll(dx, dy);
}

void LongList::resizeEvent(QResizeEvent *event) {
    const QRect current = visualRect(currentIndex());
    const bool wasInSight =
        current.isValid() && current.top() >= 0 && current.bottom() < event->oldSize().height();
    QAbstractItemView::resizeEvent(event);
    updateGeometries();
    if (wasInSight)
        scrollTo(currentIndex());
}

void LongList::paintEvent(QPaintEvent *event) {
    QPainter painter(viewport());
    QStyleOptionViewItem option;
    initViewItemOption(&option);
    const QStyle::State state = option.state;
    const QModelIndex hovered =
        viewport()->underMouse() ? indexAt(viewport()->mapFromGlobal(QCursor::pos())) : QModelIndex();
    const bool isFocused = hasFocus() || viewport()->hasFocus();
    const auto [first, last] = rowsBetween(event->rect().top(), event->rect().bottom());
    for (int row = first; row <= last; ++row) {
        const QModelIndex index = model()->index(row, modelColumn(), rootIndex());
        option.rect = visualRect(index);
        option.state = state;
        option.state.setFlag(QStyle::State_Selected, selectionModel()->isSelected(index));
        option.state.setFlag(QStyle::State_HasFocus, isFocused && index == currentIndex());
        option.state.setFlag(QStyle::State_MouseOver, index == hovered);
        option.state.setFlag(QStyle::State_Enabled, isEnabled() && (index.flags() & Qt::ItemIsEnabled) != 0);
        itemDelegateForIndex(index)->paint(&painter, option, index);
    }
}

int LongList::horizontalOffset() const {
    return 0;
}

int LongList::verticalOffset() const {
    return verticalScrollBar()->value();
}

QModelIndex LongList::moveCursor(CursorAction action, Qt::KeyboardModifiers) {
    const int rows = rowCount();
    const int page = std::max(1, viewport()->height() / rowHeight() - 1);
    int row = currentIndex().isValid() ? currentIndex().row() : -1;
    int by = 1;
    switch (action) {
    case MoveUp:
    case MovePrevious:
        row -= 1;
        by = -1;
        break;
    case MoveDown:
    case MoveNext:
        row += 1;
        break;
    case MovePageUp:
        row -= page;
        by = -1;
        break;
    case MovePageDown:
        row += page;
        break;
    case MoveHome:
        row = 0;
        break;
    case MoveEnd:
        row = rows - 1;
        by = -1;
        break;
    case MoveLeft:
    case MoveRight:
        return currentIndex();
    }
    // Rows that only stand there are passed over.
    for (row = std::clamp(row, 0, std::max(0, rows - 1)); row >= 0 && row < rows; row += by) {
        const QModelIndex index = model()->index(row, modelColumn(), rootIndex());
        if ((index.flags() & Qt::ItemIsEnabled) != 0)
            return index;
    }
    return currentIndex();
}

void LongList::setSelection(const QRect &rect, QItemSelectionModel::SelectionFlags command) {
    if (selectionModel() == nullptr)
        return;
    const QRect area = rect.normalized();
    const auto [first, last] = rowsBetween(area.top(), area.bottom());
    QItemSelection selection;
    if (first <= last)
        selection.select(model()->index(first, modelColumn(), rootIndex()),
                         model()->index(last, modelColumn(), rootIndex()));
    selectionModel()->select(selection, command);
}

QRegion LongList::visualRegionForSelection(const QItemSelection &selection) const {
    QRegion region;
    for (const QItemSelectionRange &range : selection)
        if (range.isValid() && range.parent() == rootIndex())
            region +=
                visualRect(range.topLeft()).united(visualRect(range.bottomRight())) & viewport()->rect();
    return region;
}

} // namespace warpwright
