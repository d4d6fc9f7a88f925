// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/timeline/timeline_analysis.h"

#include <QAbstractTableModel>

#include <set>

namespace warpwright {

/// What stands on one line of a timeline: of one arm, the host's operators or its calls of CUDA, one stream,
/// or parallel regions.
struct TimelineLane {
    enum class Kind { Operators, Launches, Stream, Regions };

    std::size_t arm = 0;
    Kind kind = Kind::Stream;
    int stream = 0;
    QString label;
    std::vector<std::size_t> events; ///< places among the arm's, in the order of their starts

    /// Its bars have room for names above them.
    [[nodiscard]] bool hasNames() const { return kind != Kind::Launches; }
    bool operator==(const TimelineLane &) const = default;
};

/// What is drawn in one piece.
struct TimelineSpan {
    double startUs = 0;
    double endUs = 0;
    std::size_t event = 0; ///< the first of them
    std::size_t count = 1; ///< more: each is too short to be told from its neighbours

    bool operator==(const TimelineSpan &) const = default;
};

/// A lane's events between two times; those shorter than a pixel are taken together with their like beside
/// them, so that there are at most about as many as pixels.
[[nodiscard]] std::vector<TimelineSpan> spansOf(const TimelineArm &arm, const TimelineLane &lane,
                                                double fromUs, double toUs, double usPerPixel);

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

    void setTimeline(const Timeline &timeline);
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
    /// Words, and how it was traced.
    [[nodiscard]] QString summary() const;

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    void makeLanes(std::size_t arm);
    [[nodiscard]] QVariant valueOf(std::size_t arm, std::size_t event, int column) const;

    Timeline m_timeline;
    std::vector<TimelineAnalysis> m_analyses;
    std::vector<std::set<std::size_t>> m_onPath;
    std::vector<TimelineLane> m_lanes;
    std::vector<std::pair<std::size_t, std::size_t>> m_rows; ///< arm and event
};

} // namespace warpwright
