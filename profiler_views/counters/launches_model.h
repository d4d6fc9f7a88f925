// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/counters/counters.h"

#include <QAbstractListModel>

#include <memory>

namespace warpwright {

/// The launches of what was collected, to choose from: "1 · strided · 640 × 256 · 345.6 µs · candidate". What
/// tells them apart comes first: number, name, grid × block, time. The arm is named where there are several.
class LaunchesModel : public QAbstractListModel {
    Q_OBJECT
public:
    /// The launch's place in the collection; −1: of «no baseline».
    static constexpr int KernelRole = Qt::UserRole + 40;

    using QAbstractListModel::QAbstractListModel;

    /// `first`: a row before the launches that chooses none of them; empty: there is none.
    void setCounters(std::shared_ptr<const Counters> counters, const QString &first = {});

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;

private:
    std::shared_ptr<const Counters> m_counters;
    bool m_hasArms = false; ///< several
    QString m_first;
};

} // namespace warpwright
