// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/record/run_scene.h"
#include "app/ide/kit/agent_view.h"
#include "app/ide/review/past_review_views.h"
#include "app/ide/workbench/workbench.h"

#include <functional>

namespace warpwright {

/// One event of a past run as the window shows it.
struct ReplayFrame {
    qint64 number = 0;
    QDateTime at;
    QString heading; ///< «Event 12, applied»
    QString words;   ///< what the event says at length
    QString problem; ///< why the text is not the recorded one
    QString error;   ///< why there is no such event; the rest is of the nearest one
    Shown shown;
    QString key; ///< of what panes show: equal to that of the frame before where they stay as they are
    AgentView view;
    std::shared_ptr<const ShownReview>
        review;                   ///< of the proposal that the card shows; null: none in this text
    qint64 proposalEvent = 0;     ///< in which that proposal was made; 0: there is none
    bool isAboutProposal = false; ///< this event is
    int hunk = 0;                 ///< the one that it is about; 0: none, or all
};

/// Makes frames of a run. Belongs to one thread at a time: that of the pool in which a replay works.
class ReplayFrames {
public:
    [[nodiscard]] static Result<std::shared_ptr<ReplayFrames>> open(const QString &stateFolder,
                                                                    const QString &run);

    /// Right after event `number`. `iteration`: its text, also where that never lay in the workspace; 0: the
    /// text at the event. `goesOn`: asked now and then; where it says no, the frame is of wherever it is
    /// then.
    [[nodiscard]] ReplayFrame at(qint64 number, int iteration, const std::function<bool()> &goesOn);
    /// As many events further as `milliseconds` allow, one at least; `stopsAtProposals`: no further than the
    /// next one.
    [[nodiscard]] ReplayFrame onwards(int milliseconds, qint64 last, bool stopsAtProposals = false);
    /// Which iterations the run made, by the hash of their text: known once they are listed.
    void setNumbers(QHash<QString, int> numbers) { m_numbers = std::move(numbers); }

private:
    ReplayFrames(QString stateFolder, RunScenes scenes)
        : m_state(std::move(stateFolder)), m_scenes(std::move(scenes)) {}
    [[nodiscard]] ReplayFrame frame(int iteration);
    void addReview(ReplayFrame &frame);

    void learnTask();

    QString m_state;
    RunScenes m_scenes;
    TaskFigures m_task; ///< the same for all iterations; empty: the run keeps no evaluation that counted it
    QHash<QString, int> m_numbers;
    QString m_key;
    Shown m_shown;                               ///< of that key
    std::shared_ptr<const ShownReview> m_review; ///< the last one
};

/// «run of 21 Nov, 23:40»
[[nodiscard]] QString runName(const QDateTime &beganAt);

} // namespace warpwright
