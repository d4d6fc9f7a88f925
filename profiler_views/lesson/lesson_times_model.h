// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/figures.h"
#include "toolchain/evaluation/judge_sections.h"

#include <QAbstractTableModel>
#include <QDateTime>

#include <vector>

namespace warpwright {

/// The time that a step of a lesson led to, and what was expected of it.
struct StepTimes {
    int number = 0;                    ///< of the step; 0: the text that the lesson begins with
    QString title;                     ///< "A block for a row"
    std::optional<ArmTiming> measured; ///< empty: not measured, or not to be shown yet
    std::optional<ArmTiming> expected; ///< by the lesson; empty: it promised nothing
    std::optional<ArmTiming> bet;      ///< by the person; empty: none
    /// Of the text before, in the run that timed both side by side: what all of this step is counted from.
    std::optional<double> base;
    QString factor;           ///< that decides: "1.31×"; empty: nothing was compared
    QString outcome;          ///< "kept, faster", "left out: slower"; empty: to come
    bool isUndecided = false; ///< faster or slower cannot be said, or its check was inconclusive
    bool isKept = false;      ///< the text went on with it

    bool operator==(const StepTimes &) const = default;
};

struct LessonTimes {
    QString lesson; ///< "Softmax over rows"
    QString device; ///< that measured
    QDateTime when;
    std::vector<StepTimes> steps;

    bool operator==(const LessonTimes &) const = default;
    [[nodiscard]] bool hasMeasured() const;
    /// "Softmax over rows · NVIDIA H200 · 29 Nov 2026": it stands below an exported chart.
    [[nodiscard]] QString origin() const;
};

/// The steps of a lesson as rows, microseconds in ValueRole.
class LessonTimesModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column {
        Number,
        Title,
        Median,
        Low,
        High,
        Base,
        Expected,
        ExpectedLow,
        ExpectedHigh,
        Bet,
        Outcome,
        Lesson,
        Device,
        Date,
        ColumnCount
    };

    using QAbstractTableModel::QAbstractTableModel;

    void setTimes(const LessonTimes &times);
    [[nodiscard]] const LessonTimes &times() const { return m_times; }
    [[nodiscard]] const TimeScale &scale() const { return m_scale; }
    /// Of the axis of times, in microseconds: all that was measured or expected is on it; of an expectation
    /// the far end need not be. It begins at 0 where it is linear.
    [[nodiscard]] double axisStart() const;
    [[nodiscard]] double axisEnd() const;
    /// The times are too far apart for a linear axis.
    [[nodiscard]] bool isLogarithmic() const;
    /// The chart in sentences.
    [[nodiscard]] QString summary() const;

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    [[nodiscard]] std::vector<double> shownTimes() const;

    LessonTimes m_times;
    TimeScale m_scale;
};

} // namespace warpwright
