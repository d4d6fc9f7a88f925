// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/command_palette.h"

#include <QAbstractListModel>
#include <QStyledItemDelegate>

namespace warpwright {

/// A row that was found, and the letters of its name by which it was.
struct FoundRow {
    PaletteRow row;
    std::vector<int> letters;
};

/// The rows that fit what is typed, the best first; those that cannot be chosen behind the others.
[[nodiscard]] std::vector<FoundRow> foundRows(const std::vector<PaletteRow> &rows, const QString &typed,
                                              bool isFuzzy);

/// What the palette lists.
class PaletteModel : public QAbstractListModel {
    Q_OBJECT
public:
    using QAbstractListModel::QAbstractListModel;

    void setFound(std::vector<FoundRow> found);
    [[nodiscard]] const FoundRow *at(const QModelIndex &index) const;
    [[nodiscard]] int rowOf(const QString &id) const; ///< -1: it is not listed
    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;

private:
    std::vector<FoundRow> m_found;
};

/// Paints a row: icon, name with what was found in 600, what is behind it, key caps.
class PaletteDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    PaletteDelegate(const Look &look, const PaletteModel &model, QObject *parent);
    void paint(QPainter *painter, const QStyleOptionViewItem &option,
               const QModelIndex &index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;

private:
    const Look &m_look;
    const PaletteModel &m_model;
};

} // namespace warpwright
