// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/timeline/timeline_analysis.h"
#include "toolchain/timeline/timeline_lanes.h"

#include <QAbstractTableModel>

#include <optional>
#include <set>

namespace warpwright {

/// A row an event, arm by arm.
class TimelineModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column {
        Arm,
        What,
        Name,
        Start,
        Duration,
        Low,
        High,
        Stream,
        Grid,
        Block,
        Registers,
        Shared,
        Bytes,
        Threads,
        Path,
        ColumnCount
    };

    using QAbstractTableModel::QAbstractTableModel;

    /// `checkedMicroseconds`: a call of the candidate's in the check of the same text on the same device.
    void setTimeline(const Timeline &timeline, std::optional<double> checkedMicroseconds = {});
    [[nodiscard]] const Timeline &timeline() const { return m_timeline; }
    [[nodiscard]] const TimelineAnalysis &analysis(std::size_t arm) const { return m_analyses[arm]; }
    [[nodiscard]] const std::vector<TimelineLane> &lanes() const { return m_lanes; }
    [[nodiscard]] bool isOnPath(std::size_t arm, std::size_t event) const;
    /// Of the longest call.
    [[nodiscard]] double endUs() const;
    /// "70.0 µs traced, 56.0 µs untraced; 64.3 % busy"; why there is nothing.
    [[nodiscard]] QString titleOf(std::size_t arm) const;
    /// Lines of exact values.
    [[nodiscard]] QString toolTipOf(const TimelineLane &lane, const TimelineSpan &span) const;
    /// What follows, arm by arm; paragraphs of plain text.
    [[nodiscard]] QString words() const;
    /// What matters most of it: of the candidate, how busy its call is, what its end waits for, and
    /// how its times belong together.
    [[nodiscard]] QString shortWords() const;
    /// What a gap of this arm is, with why: "idle 4.2 µs: the host had not launched what follows".
    [[nodiscard]] QString gapText(std::size_t arm, const TimelineGap &gap) const;
    /// "idle", "one thread", "outside": what a gap of this arm is called.
    [[nodiscard]] QString gapWord(std::size_t arm) const;
    /// Words, and how it was traced.
    [[nodiscard]] QString summary() const;

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    [[nodiscard]] QVariant valueOf(std::size_t arm, std::size_t event, int column) const;

    Timeline m_timeline;
    std::optional<double> m_checkedMicroseconds;
    std::vector<TimelineAnalysis> m_analyses;
    std::vector<std::set<std::size_t>> m_onPath;
    std::vector<TimelineLane> m_lanes;
    std::vector<std::pair<std::size_t, std::size_t>> m_rows; ///< arm and event
};

} // namespace warpwright
