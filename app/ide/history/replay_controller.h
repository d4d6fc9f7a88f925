// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/record/run_index.h"
#include "app/ide/history/replay_frames.h"
#include "app/ide/workbench/job.h"

#include <QElapsedTimer>
#include <QObject>
#include <QThreadPool>
#include <QTimer>

#include <atomic>
#include <memory>
#include <optional>

namespace warpwright {

class CandidatePanel;
class PastRunPanel;
class ReplayBar;

/// The workspace is the copy of a recording that ships: somebody else's run.
[[nodiscard]] bool isRecording(const Workbench &bench);

/// A past run in the window: opens it, plays it, and goes to any of its events and iterations. The text is
/// carried out again in a thread of its own; what is edited in the window is not touched, and is back the
/// moment the replay is left.
class ReplayController : public QObject {
    Q_OBJECT
public:
    struct Places {
        Workbench &bench;
        CandidatePanel &candidate;
        PastRunPanel &panel;
        ReplayBar &bar;
    };
    explicit ReplayController(Places places, QObject *parent = nullptr);
    ~ReplayController() override;

    /// A run of the open workspace; `number`: the event to begin at.
    void open(const IndexedRun &run, qint64 number = 1);
    [[nodiscard]] bool isOpen() const { return m_run.has_value(); }
    [[nodiscard]] const std::optional<IndexedRun> &run() const { return m_run; }
    /// Back to the text being edited.
    void leave();

    void goTo(qint64 number);
    void goToIteration(int iteration);
    /// To the event in which it was made; nothing happens where the run has none of this name.
    void goToProposal(const QString &proposal);
    void step(int by);
    /// The proposal's hunk before or after the one at hand, in whichever file it is.
    void stepHunk(int by);
    /// To the event before (-1) or behind (1) this one that is shown to others; without one to the first or
    /// the last. False: where they are is not known yet.
    bool goToStop(int by);
    /// The event is the proposal of the card, or about one of its hunks.
    [[nodiscard]] bool isAtProposal() const { return m_number > 0 && m_number == m_proposalEvent; }
    [[nodiscard]] bool isAtHunk() const { return isAtProposal() || m_isAtHunk; }
    /// A hunk of the card: where it stands in the text that is shown, else at the event that it was made in.
    void goToHunk(int hunk);
    /// Of the proposal that the card shows; null: its hunks have no place in the text that is shown.
    [[nodiscard]] const ShownReview *review() const { return m_review.get(); }
    void setPlaying(bool isPlaying);
    [[nodiscard]] bool isPlaying() const { return m_isPlaying; }
    /// 1: as it happened, with pauses of at most five seconds; slower, each event can be read; 0: as fast as
    /// possible.
    void setSpeed(double speed);

    [[nodiscard]] qint64 number() const { return m_number; } ///< of the event that is shown; 0: none yet
    [[nodiscard]] qint64 last() const { return m_run ? m_run->events : 0; }
    /// The iterations of the run, for the tree; empty until they are listed.
    [[nodiscard]] const std::vector<IterationRecord> &records() const { return m_tree->records; }
    [[nodiscard]] const SharedTree &tree() const { return m_tree; }

signals:
    void opened();
    void left();
    void recordsChanged();
    /// Another event is shown, or it plays or waits.
    void changed();
    void failed(const QString &title, const QString &text);

private:
    struct Wanted {
        qint64 number = 0;
        int iteration = 0;
        bool isFastest = false;        ///< as many further as a moment allows
        bool stopsAtProposals = false; ///< but no further than the next proposal
    };
    void list();
    void want(const Wanted &wanted);
    void begin(const Wanted &wanted);
    void take(const ReplayFrame &frame, bool isPlayed);
    void show(const ReplayFrame &frame);
    void followHunk(const ReplayFrame &frame);
    void playOn();
    void showHeld();
    void tellPlace();

    Workbench &m_bench;
    CandidatePanel &m_candidate;
    PastRunPanel &m_panel;
    ReplayBar &m_bar;
    QThreadPool m_pool; ///< of one thread: the frames are made one after the other
    std::shared_ptr<std::atomic<int>> m_epoch = std::make_shared<std::atomic<int>>(0);
    std::shared_ptr<ReplayFrames> m_frames; ///< touched in that thread only
    std::optional<IndexedRun> m_run;
    SharedTree m_tree = makeIterationTree({});
    QHash<int, qint64> m_events; ///< of iterations, at which their verdicts are known
    int m_start = 0; ///< the iteration that it began with, where no event tells of it; 0: one does
    std::vector<qint64> m_stops;
    bool m_isAtHunk = false;
    qint64 m_number = 0;
    QDateTime m_at;
    QString m_key;
    QString m_problem;
    std::shared_ptr<const ShownReview> m_review; ///< that is shown
    qint64 m_proposalEvent = 0;
    int m_followed = 0;   ///< the proposal whose hunk was gone to last
    int m_wantedHunk = 0; ///< once the event that is on its way is shown
    bool m_isBusy = false;
    bool m_isPlaying = false;
    std::optional<Wanted> m_wanted;    ///< when what is being made is there
    std::optional<ReplayFrame> m_held; ///< played, and its time has not come
    QTimer m_pause;
    QElapsedTimer m_shownSince;
    double m_speed = 1;
};

} // namespace warpwright
