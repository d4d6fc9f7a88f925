// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/failure_map/failure_pattern.h"

#include <QAbstractTableModel>

namespace warpwright {

/// The tiles of one result in which something is wrong, by two of its axes: where, how much, and the worst
/// element of each. Rows in the order of the picture.
class FailureMapModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Where, Wrong, NaN, ErrorOverAllowed, Index, Expected, Got, ColumnCount };
    /// What a tile is coloured by: its largest error over what is allowed; a tile of NaN has no colour.
    enum Level { Within, To10, To1000, To100000, Above, NoNumber, LevelCount };

    using QAbstractTableModel::QAbstractTableModel;

    void setFailure(const OutputFailure &output, std::size_t rowAxis, std::size_t columnAxis);
    [[nodiscard]] const OutputFailure &failure() const { return m_output; }
    [[nodiscard]] const FailurePicture &picture() const { return m_picture; }
    [[nodiscard]] const std::vector<FailurePattern> &patterns() const { return m_patterns; }

    [[nodiscard]] static Level levelOf(const FailureCell &cell);
    /// "10 to 10³"; of whole numbers what they are off by.
    [[nodiscard]] QString levelName(Level level) const;
    /// The share of the result's elements.
    [[nodiscard]] double levelShare(Level level) const;
    /// How much of a tile is wrong, 0 to 1.
    [[nodiscard]] double wrongShare(int tile) const;
    /// The tile that holds the worst of all: what is no number before what is one. -1: there is none.
    [[nodiscard]] int worstTile() const;
    /// The tile that an element lies in; -1: it is none of this result's.
    [[nodiscard]] int tileOf(const std::vector<qint64> &index) const;
    /// "rows 0 to 511, columns 64 to 127"
    [[nodiscard]] QString whereText(int tile) const;
    /// Lines of plain text: how much of the tile is wrong, its worst element.
    [[nodiscard]] QString toolTipOf(int tile) const;
    /// "got NaN", "expected −0.41837"
    [[nodiscard]] QStringList worstOf(int tile) const;

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    [[nodiscard]] qint64 elementsOf(int tile) const;
    [[nodiscard]] const FailureCell &cell(int tile) const {
        return m_picture.cells[static_cast<std::size_t>(tile)];
    }
    [[nodiscard]] QString ratioWords(const FailureCell &cell) const;

    OutputFailure m_output;
    FailurePicture m_picture;
    std::vector<FailurePattern> m_patterns;
    std::vector<int> m_tiles; ///< in which something is wrong
};

} // namespace warpwright
