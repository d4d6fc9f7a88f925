// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/inspect/occupancy.h"

#include <QAbstractTableModel>

#include <array>

namespace warpwright {

/// What a kernel asks for, on what architecture, and what it would be with other numbers.
struct OccupancyQuestion {
    QString kernel; ///< its short name
    MultiprocessorLimits limits;
    BlockNeeds now;
    BlockNeeds wanted; ///< what the sliders say; as `now`: nothing else is asked

    bool operator==(const OccupancyQuestion &) const = default;
};

/// How the occupancy changes with each of a launch's numbers alone, the others as they are asked for.
class OccupancyModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Curve { Registers, Threads, SharedMemory, CurveCount };
    enum Column { What, X, Warps, Share, Blocks, Limiters, ColumnCount };
    struct Sample {
        int x = 0;
        Occupancy occupancy;
    };

    using QAbstractTableModel::QAbstractTableModel;

    void setQuestion(const OccupancyQuestion &question);
    [[nodiscard]] const OccupancyQuestion &question() const { return m_question; }
    [[nodiscard]] const std::vector<Sample> &samples(Curve curve) const { return m_samples[curve]; }
    [[nodiscard]] Occupancy now() const { return occupancyOf(m_question.limits, m_question.now); }
    [[nodiscard]] Occupancy wanted() const { return occupancyOf(m_question.limits, m_question.wanted); }
    /// "registers a thread", "threads of a block", "shared memory of a block"
    [[nodiscard]] static QString curveName(Curve curve);
    [[nodiscard]] static int valueOf(const BlockNeeds &needs, Curve curve);
    static void setValue(BlockNeeds &needs, Curve curve, int value);
    /// "96", "48.0 KiB"
    [[nodiscard]] static QString valueText(Curve curve, int value);
    /// Of one number of a curve: "64 of 64 warps, 100 %", with what limits it.
    [[nodiscard]] static QString sentence(const Occupancy &occupancy);
    /// What the asked for numbers would buy: "25 % → 32 of 64 warps, 50 %, 4 blocks, limited by registers".
    [[nodiscard]] QString verdict() const;

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    OccupancyQuestion m_question;
    std::array<std::vector<Sample>, CurveCount> m_samples;
};

} // namespace warpwright
