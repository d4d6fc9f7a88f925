// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QListView>

namespace warpwright {

/// A list of rows of one height, each below the other: where one lies is a multiplication, so that a hundred
/// thousand open, change and scroll as quickly as ten.
///
/// QListView lays out every row, also where all are of one size, and does so anew for each change of one
/// (Qt 6.4). The height is what the delegate says of the first row; whoever changes it asks for
/// scheduleDelayedItemsLayout().
class LongList : public QListView {
    Q_OBJECT
public:
    explicit LongList(QWidget *parent = nullptr);

    [[nodiscard]] QRect visualRect(const QModelIndex &index) const override;
    void scrollTo(const QModelIndex &index, ScrollHint hint = EnsureVisible) override;
    [[nodiscard]] QModelIndex indexAt(const QPoint &point) const override;
    void doItemsLayout() override;
    /// Does nothing: typing would go through all rows, and fetch them.
    void keyboardSearch(const QString &) override {}

protected:
    void dataChanged(const QModelIndex &topLeft, const QModelIndex &bottomRight,
                     const QList<int> &roles) override;
    void updateGeometries() override;
    void scrollContentsBy(int dx, int dy) override;
    void resizeEvent(QResizeEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    [[nodiscard]] int horizontalOffset() const override;
    [[nodiscard]] int verticalOffset() const override;
    [[nodiscard]] QModelIndex moveCursor(CursorAction action, Qt::KeyboardModifiers modifiers) override;
    void setSelection(const QRect &rect, QItemSelectionModel::SelectionFlags command) override;
    [[nodiscard]] QRegion visualRegionForSelection(const QItemSelection &selection) const override;

private:
    [[nodiscard]] int rowCount() const;
    [[nodiscard]] int rowHeight() const;
    /// Of those that are there, from an edge of the viewport to another.
    [[nodiscard]] std::pair<int, int> rowsBetween(int top, int bottom) const;

    mutable int m_rowHeight = 0; ///< 0: not asked yet
};

} // namespace warpwright
