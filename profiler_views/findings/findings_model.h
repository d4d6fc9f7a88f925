// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/findings/finding.h"

#include <QAbstractTableModel>

namespace warpwright {

/// What keeps the candidate from being faster, in the order that it comes in: the greatest gain first.
class FindingsModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Title, Gain, Kernel, Place, Message, Advice, Basis, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    void setFindings(std::vector<Finding> findings);
    [[nodiscard]] const std::vector<Finding> &findings() const { return m_findings; }
    /// "up to 2.10 µs", "gain not known", "a note"
    [[nodiscard]] static QString gainText(const Finding &finding);
    /// "rms_norm.cu:56"; empty: no line is known.
    [[nodiscard]] static QString placeText(const Finding &finding);
    /// The list in sentences.
    [[nodiscard]] QString summary() const;

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::vector<Finding> m_findings;
};

} // namespace warpwright
