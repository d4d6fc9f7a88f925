// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/record/sqlite_database.h"
#include "agent/record/trajectory_event.h"
#include "toolchain/history/iteration.h"

#include <QDateTime>
#include <QString>

#include <optional>
#include <vector>

namespace warpwright {

/// A run as a list shows it.
struct IndexedRun {
    QString run; ///< its id, the name of its folder
    QDateTime beganAt;
    QDateTime latestAt; ///< of its last event
    QString agent;      ///< "script"
    QString mode;       ///< the latest: review, step, auto
    QString ending;     ///< «stopped: the person asked for it»; empty: neither stopped nor ended
    qint64 events = 0;  ///< number of the last one
    int iterations = 0;
    int proposals = 0;
    int passedOver = 0; ///< lines of its trajectory that are no events
    /// Of its best iteration, as BestIteration says it; the text that it began with is not its own.
    std::optional<EvaluationSummary> best;
    int bestIteration = 0;                  ///< 0: none is
    std::optional<EvaluationSummary> start; ///< of the text that it began with, measured last
    int startIteration = 0;                 ///< 0: it does not say
    AuthorKind agentKind = AuthorKind::You; ///< of the agent; You: it does not say
    qint64 startMeasured = 0;               ///< number of the event that measured that text first; 0: none

    bool operator==(const IndexedRun &) const = default;
};

struct IndexedEvent {
    QString run;
    qint64 number = 0;
    QString kind;
    QDateTime at;
    QString summary;   ///< one line, eventSummary()
    qint64 offset = 0; ///< of its line, for TrajectoryReader::eventAt()

    bool operator==(const IndexedEvent &) const = default;
};

/// An iteration that a run made.
struct IndexedIteration {
    QString run;
    qint64 event = 0; ///< number of the event that tells of it
    Iteration iteration;
    std::optional<EvaluationSummary> latest;
    bool isBesideCode = false; ///< as IterationMark has it
    qint64 measured = 0;       ///< number of the event that brought `latest`; 0: nothing was measured

    bool operator==(const IndexedIteration &) const = default;
};

/// Where a run may be gone to: a proposal, or a text that was changed on the disk.
struct RunMark {
    qint64 number = 0; ///< of the event
    bool isProposal = false;

    bool operator==(const RunMark &) const = default;
};

/// Which events of a run are looked at: what somebody has decided, with what it was about; or what has
/// failed: wrong, not built, crashed, hung, less work than the task needs, a tool that could not; or what is
/// told of a run: all but what its agent keeps for itself, so that it can go on elsewhere.
/// Stops: where somebody who shows the run to others stops: at a mark, what was measured, what was rejected.
enum class EventFilter { All, Decisions, Failures, Told, Stops };

/// Lists and search over all runs of a workspace without reading their trajectories:
/// <state>/runs/index.sqlite.
///
/// Holds nothing that the trajectories do not: made anew where it is missing, broken, of another version, or
/// tells of lines that are no longer there; taken up to date by refresh(). Where its file cannot be written
/// it is made in memory. One object belongs to one thread; any number of objects and processes may use the
/// file.
class RunIndex {
public:
    /// Up to date when it returns. The first time, that takes about as long as reading the trajectories.
    [[nodiscard]] static Result<RunIndex> open(const QString &stateFolder);
    /// Takes up what was appended since.
    [[nodiscard]] Result<void> refresh();

    /// Oldest first.
    [[nodiscard]] Result<std::vector<IndexedRun>> runs();
    /// Of one run, or of all (empty); by number, `most` of them after the first `skip`.
    [[nodiscard]] Result<std::vector<IndexedIteration>> iterations(const QString &run, int skip, int most);
    [[nodiscard]] Result<int> iterationCount(const QString &run);
    /// The one with this number, of the latest run that has it; none: no run made it.
    [[nodiscard]] Result<std::optional<IndexedIteration>> iteration(int number);
    /// By number: proposals; and the milestones, which are texts that were applied, edited or restored, and
    /// where the run was continued or ended.
    [[nodiscard]] Result<std::vector<RunMark>> marks(const QString &run);
    /// The event in which a proposal («p3») was made, last where it was made anew; 0: the run has none.
    [[nodiscard]] Result<qint64> proposalEvent(const QString &run, const QString &proposal);
    /// The numbers of the events that a filter leaves, in their order.
    [[nodiscard]] Result<std::vector<qint64>> numbers(const QString &run, EventFilter filter);
    /// From event `first` on.
    [[nodiscard]] Result<std::vector<IndexedEvent>> events(const QString &run, qint64 first, int most);
    /// Events that hold each of these words (or a word that begins so), newest first; of one run, or of all.
    [[nodiscard]] Result<std::vector<IndexedEvent>> search(const QString &words, const QString &run,
                                                           int most);

    /// What a person may want to know: why it was made anew, or lies in memory. Mostly empty.
    [[nodiscard]] const QString &notice() const { return m_notice; }
    [[nodiscard]] static QString fileIn(const QString &stateFolder);

private:
    explicit RunIndex(QString stateFolder) : m_state(std::move(stateFolder)) {}

    [[nodiscard]] Result<void> openFile();
    [[nodiscard]] qint64 version();
    [[nodiscard]] Result<void> remake(const QString &why);
    [[nodiscard]] Result<void> takeUp();
    [[nodiscard]] Result<bool> isOfOtherLines(const QStringList &names);
    [[nodiscard]] Result<void> takeUpRun(const QString &run);
    template <typename Rows, typename Ask>
    [[nodiscard]] Result<Rows> answer(const Ask &ask);
    [[nodiscard]] QString cannot(const QString &why) const;

    QString m_state;
    SqliteDatabase m_database;
    bool m_hasWordSearch = false; ///< SQLite has FTS5
    bool m_isInMemory = false;
    QString m_notice;
};

} // namespace warpwright
