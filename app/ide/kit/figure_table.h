// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTableView>

#include <set>
#include <vector>

namespace warpwright {

class Look;

/// A table of one of our models of measured data: 24 px rows, hairlines, numbers at the right, icons and
/// colours as the model says. As tall as its rows, up to a limit; with heads it scrolls sideways before a
/// head or a number is cut. Enter or a click on a row leads to its place.
class FigureTable : public QTableView {
    Q_OBJECT
public:
    FigureTable(const Look &look, QAbstractItemModel *model, QWidget *parent = nullptr);

    /// The column that takes the room that is left, and how many rows are shown before it scrolls.
    void setShape(int stretchColumn, int rowsAtMost);
    /// The columns up to this one stay in sight: for them the name is cut, down to some letters, before the
    /// table scrolls sideways.
    void setKeepsInSight(int lastColumn);
    /// Stays so when the model has other rows.
    void setColumnShown(int column, bool isShown);
    /// In a page that does not scroll: where it is low fewer rows are shown, down to one.
    void setYields();
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

signals:
    void placeActivated(const QString &file, int line, int column);

protected:
    void keyPressEvent(QKeyEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    void applyLook();
    void fitColumns();
    /// What these rows want; no column gets narrower by it.
    void fitRows(int first, int last);
    void placeColumns();
    [[nodiscard]] int leastOfHead(int column) const; ///< so that its words are whole
    [[nodiscard]] int barHeight() const;             ///< of the bar below, where the columns find no room
    void activate(const QModelIndex &index);

    const Look &m_look;
    std::vector<int> m_wanted; ///< widths of columns; of the one that takes the room that is left its head's
    int m_stretchColumn = 0;
    std::set<int> m_unshown;
    int m_lastInSight = -1;  ///< -1: no column goes before the name
    int m_stretchWanted = 0; ///< what its longest text would take
    int m_rowsAtMost = 6;
    bool m_yields = false;
    bool m_isWide = false; ///< it scrolls sideways
};

} // namespace warpwright
