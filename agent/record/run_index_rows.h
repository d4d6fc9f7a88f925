// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/record/sqlite_database.h"
#include "agent/record/trajectory_event.h"

namespace warpwright {

/// The tables of the index of runs. Another number: the tables changed, and the file is made anew.
inline constexpr int runIndexVersion = 7;

/// Drops whatever is there. `hasWordSearch`: whether SQLite came with FTS5.
[[nodiscard]] Result<void> makeRunIndexTables(SqliteDatabase &database, bool &hasWordSearch);

/// Writes the events of one run into the tables; within a transaction of the caller's.
class RunIndexRows {
public:
    RunIndexRows(SqliteDatabase &database, qint64 runId, bool hasWordSearch);

    void add(const TrajectoryEvent &event);
    /// Which of the run's iterations is the best, once the events that there are were added: all of them are
    /// gone through.
    void writeBest();
    /// In its place, while more events follow at once.
    void leaveBestOpen();

private:
    void addIteration(const TrajectoryEvent &event);
    void addEvaluation(const TrajectoryEvent &event);
    [[nodiscard]] bool isBesideCode(qint64 iteration) const;
    void takeAgent(const TrajectoryEvent &event);
    void changeRun(const char *sql, const QString &value);

    SqliteDatabase &m_database;
    qint64 m_runId;
    bool m_hasWordSearch;
    qint64 m_start = 0;        ///< the iteration that the run began with
    bool m_isBestOpen = false; ///< a check came since the best was written
    SqliteDatabase::Statement m_addEvent;
    SqliteDatabase::Statement m_addWords;
};

} // namespace warpwright
