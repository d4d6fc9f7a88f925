// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace warpwright {

class Actions;
class CandidatePanel;
class ReplayBar;
class ReplayController;

/// What a presenter's keys go through in a pane: hunks of a review, events of a past run.
class PresentedSteps : public QObject {
    Q_OBJECT
public:
    struct Parts {
        const Actions &actions;
        const CandidatePanel &candidate;
        ReplayController &replay;
        ReplayBar &replayBar;
    };
    PresentedSteps(const Parts &parts, QObject *parent);

    /// Whether there is anything to go on to (1) or back to (-1) in this pane, and goes there.
    [[nodiscard]] bool canGo(int pane, int by) const;
    void go(int pane, int by);

private:
    [[nodiscard]] bool hasOtherHunk(int pane, int by) const;

    const Parts m_parts;
};

} // namespace warpwright
