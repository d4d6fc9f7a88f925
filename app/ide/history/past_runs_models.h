// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/record/run_index.h"

#include <QAbstractTableModel>

namespace warpwright {

/// The runs of a workspace, a row each, in the order they are given.
class PastRunsModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Begun, Agent, Mode, Iterations, Start, Best, Ended, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    void setRuns(std::vector<IndexedRun> runs);
    [[nodiscard]] const std::vector<IndexedRun> &runs() const { return m_runs; }
    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::vector<IndexedRun> m_runs;
};

/// What a search in the words of events has found.
class FoundEventsModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { When, Number, What, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    void setEvents(std::vector<IndexedEvent> events);
    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::vector<IndexedEvent> m_events;
};

/// What a filter looks in: begun, agent, mode, ending.
[[nodiscard]] QString filterWords(const IndexedRun &run);
/// It came to its end by itself or by a budget: it does not go on. One that was stopped, or in which
/// something failed, may.
[[nodiscard]] bool hasEnded(const IndexedRun &run);
/// «not ended» where it neither ended nor was stopped: its program died, or it goes on.
[[nodiscard]] QString endingText(const IndexedRun &run);

} // namespace warpwright
