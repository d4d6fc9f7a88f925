// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "profiler_views/verdict_look.h"
#include "toolchain/base/figures.h"
#include "toolchain/base/verdict.h"
#include "toolchain/evaluation/evaluation_summary.h"

#include <QAbstractTableModel>

namespace warpwright {

/// One iteration, as history shows it.
struct HistoryPoint {
    int number = 0; ///< from 1, rising
    QString author; ///< "you", "playbook", "model", "acp", "mcp", "replay"
    Verdict verdict = Verdict::NotRun;
    std::optional<double> medianMicroseconds; ///< empty: not measured
    std::optional<double> lowMicroseconds;
    std::optional<double> highMicroseconds;
    QString note;
    std::optional<SpeedUp> eager = {}; ///< its speed-up, measured side by side

    QString device = {};   ///< that it was measured on
    QString software = {}; ///< as in EvaluationSummary

    QString textHash = {};                   ///< of what was measured
    std::optional<BesideTiming> beside = {}; ///< the text before, timed in the same run
    QDateTime startedAt = {};                ///< of the check

    bool isUnexercised = false; ///< its times are another iteration's, measured again
    bool isBesideCode = false;  ///< it does not compete: competes()

    bool operator==(const HistoryPoint &) const = default;
    /// Passed and measured: it counts for «best so far».
    [[nodiscard]] bool isTimed() const {
        return verdict == Verdict::Pass && medianMicroseconds.has_value() && !isUnexercised;
    }
    [[nodiscard]] VerdictLook look() const;
    /// As much of its check as decides which is the best.
    [[nodiscard]] EvaluationSummary summary() const;
};

/// What the iterations are held against, in microseconds.
struct HistoryLines {
    std::optional<double> eager, compile, speedOfLight;

    bool operator==(const HistoryLines &) const = default;
};

/// The iterations as rows: who made them, what came out, the best so far.
class HistoryModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Number, Author, VerdictWord, Median, Low, High, Best, Note, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    void setPoints(std::vector<HistoryPoint> points, const HistoryLines &lines);
    [[nodiscard]] const std::vector<HistoryPoint> &points() const { return m_points; }
    [[nodiscard]] const HistoryLines &lines() const { return m_lines; }
    [[nodiscard]] const TimeScale &times() const { return m_times; }
    /// The median of the best iteration up to this row, as BestIteration says it.
    [[nodiscard]] std::optional<double> bestUpTo(int row) const;
    [[nodiscard]] std::optional<int> bestRow() const;
    [[nodiscard]] std::optional<int> bestRowUpTo(int row) const;
    [[nodiscard]] QString summary() const;

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::vector<HistoryPoint> m_points;
    HistoryLines m_lines;
    TimeScale m_times;
    std::vector<int> m_bestRows; ///< the best up to each row; -1: none
    QString m_notToldApart;      ///< which are not told apart from the best
};

} // namespace warpwright
