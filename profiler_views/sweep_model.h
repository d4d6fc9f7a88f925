// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/evaluation/measured_figures.h"
#include "toolchain/workspace/stated_configs.h"

#include <QAbstractTableModel>

namespace warpwright {

/// One value of one attribute that a sweep has tried.
struct SweptValue {
    QString attribute;
    QString kernel; ///< empty: not known
    int value = 0;
    std::optional<double> microseconds; ///< of a call; empty: it got no time
    std::optional<double> ofStated;     ///< its time over that of the text's own value
    bool isStated = false;              ///< it stands in the text
    bool isBest = false;                ///< another than the text's, and clearly quicker

    bool operator==(const SweptValue &) const = default;
};

/// What follows from a sweep, or became of it.
struct SweepSentence {
    const char *iconName;
    const char *token; ///< of the icon
    QString head;
    QString words;
    QString value;
};

/// A row a value, in the order of attributes: "CONFIG_2" before "CONFIG_10".
class SweepModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Attribute, Kernel, Value, Time, OfStated, Mark, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    void setSweep(const MeasuredFigures &figures, const StatedConfigs &stated);
    [[nodiscard]] const std::vector<SweptValue> &rows() const { return m_rows; }
    [[nodiscard]] const TimeScale &times() const { return m_times; }
    /// "in the text", "quickest", "not tried"; empty: nothing is to be said.
    [[nodiscard]] QString markOf(const SweptValue &row) const;
    [[nodiscard]] const std::vector<SweepSentence> &sentences() const { return m_sentences; }
    /// How it was measured, and what it is worth.
    [[nodiscard]] static QString method();
    /// The chart in sentences.
    [[nodiscard]] QString summary() const;

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    void conclude(const SweepFigures &sweep);

    std::vector<SweptValue> m_rows;
    std::vector<SweepSentence> m_sentences;
    TimeScale m_times;
    bool m_hasEndedEarly = false;
};

} // namespace warpwright
