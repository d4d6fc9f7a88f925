// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

namespace warpwright {

class IterationModel;
class Look;

/// A row of the tree, 40 px: its lane with the verdict's icon on it, number, speed-up or the verdict's word,
/// «best», reward in three pips (pale where it is kept of a parent), the author's icon; below it the note.
class IterationDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    IterationDelegate(const Look &look, const IterationModel &model, QObject *parent);
    void paint(QPainter *painter, const QStyleOptionViewItem &option,
               const QModelIndex &index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;

private:
    void paintGhost(QPainter *painter, const QRect &rect, const QModelIndex &source) const;
    void paintLane(QPainter *painter, const QRect &rect, int row) const;

    const Look &m_look;
    const IterationModel &m_model;
};

} // namespace warpwright
