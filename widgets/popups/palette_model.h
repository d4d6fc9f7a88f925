// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractListModel>
#include <QStyledItemDelegate>

#include <vector>

namespace warpwright {

class Look;

/// What can be chosen: an action, a file, an iteration.
struct PaletteRow {
    QString id; ///< for whoever gave it
    QString name;
    QString otherNames; ///< by which it is found, too
    QString behind;     ///< its group, its folder
    QString iconName;
    QString key;               ///< "Ctrl+K"
    QString whyDisabled;       ///< empty: it can be chosen
    int depth = 0;             ///< steps inwards
    bool isBehindCode = false; ///< `behind` in the code font

    bool operator==(const PaletteRow &) const = default;
};

/// The parts of a key as they are drawn: "Ctrl++" are «Ctrl» and «+».
[[nodiscard]] QStringList keyParts(const QString &key);

/// A row that was found, and the letters of its name by which it was.
struct FoundRow {
    PaletteRow row;
    std::vector<int> letters;
};

/// The rows that fit what is typed, the best first: by their name, then by their other names, in each those
/// that cannot be chosen behind the others.
[[nodiscard]] std::vector<FoundRow> foundRows(const std::vector<PaletteRow> &rows, const QString &typed,
                                              bool isFuzzy);

/// What the palette lists.
class PaletteModel : public QAbstractListModel {
    Q_OBJECT
public:
    using QAbstractListModel::QAbstractListModel;

    void setFound(std::vector<FoundRow> found);
    [[nodiscard]] const FoundRow *at(const QModelIndex &index) const;
    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;

private:
    std::vector<FoundRow> m_found;
};

/// Paints a row: icon, name with what was found in 600, what is behind it, key caps.
class PaletteDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    PaletteDelegate(const Look &look, const PaletteModel &model, int rowHeight, QObject *parent);
    void paint(QPainter *painter, const QStyleOptionViewItem &option,
               const QModelIndex &index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;

private:
    const Look &m_look;
    const PaletteModel &m_model;
    int m_rowHeight;
};

} // namespace warpwright
