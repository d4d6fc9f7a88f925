// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ide/finding/found.h"

#include <QAbstractListModel>
#include <QStyledItemDelegate>

namespace warpwright {

class Look;

/// Hits below the text that they are in, which is a row of its own. Grows at its end.
class FoundRows : public QAbstractListModel {
    Q_OBJECT
public:
    using QAbstractListModel::QAbstractListModel;

    /// None is found yet.
    void begin(std::vector<SearchedText> texts);
    void add(const std::vector<FoundHit> &hits);
    /// The hit of that row, or with its text all of them: they are not replaced.
    void dismiss(int row);

    [[nodiscard]] int hitCount() const { return static_cast<int>(m_hits.size()); }
    [[nodiscard]] int textCount() const; ///< that have hits
    [[nodiscard]] const std::vector<FoundHit> &hits() const { return m_hits; }
    [[nodiscard]] const SearchedText &textOf(const FoundHit &hit) const { return m_texts[hit.text]; }
    [[nodiscard]] const std::vector<SearchedText> &texts() const { return m_texts; }
    /// Null: that row is a text.
    [[nodiscard]] const FoundHit *hitAt(int row) const;
    /// The row of the next hit (`by` 1) or the one before (−1), round and round; -1: there is none.
    [[nodiscard]] int nextHit(int row, int by) const;
    /// Of the text that this row is or belongs to.
    [[nodiscard]] const SearchedText &textAt(int row) const;
    [[nodiscard]] int hitsOf(int row) const;

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;

private:
    struct Row {
        std::size_t text = 0;
        int hit = -1; ///< in m_hits; -1: it is the text itself
    };
    void lay();

    std::vector<SearchedText> m_texts;
    std::vector<FoundHit> m_hits;
    std::vector<int> m_counts; ///< by text
    std::vector<Row> m_rows;
};

/// As much of the end of `left` as fits before a hit, in `room` pixels that are shared with what follows it.
[[nodiscard]] QString wordsBefore(const QString &left, const QString &right, int room,
                                  const QFontMetrics &metrics);

/// Paints them: line number, the line with the match marked, and what would take its place behind it.
class FoundDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    FoundDelegate(const Look &look, const FoundRows &rows, QObject *parent);
    void paint(QPainter *painter, const QStyleOptionViewItem &option,
               const QModelIndex &index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;

private:
    void paintText(QPainter *painter, const QRect &rect, int row) const;
    void paintHit(QPainter *painter, const QRect &rect, const FoundHit &hit) const;

    const Look &m_look;
    const FoundRows &m_rows;
};

} // namespace warpwright
