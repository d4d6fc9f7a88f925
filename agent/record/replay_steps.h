// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/record/trajectory_event.h"

#include <QString>
#include <QStringList>

#include <vector>

namespace warpwright {

/// What belongs together in a run: how the agent came to a proposal, what was answered, applied and measured.
/// A hand edit between proposals is a step as well, and so is the beginning.
struct ReplayStep {
    qint64 first = 0; ///< number of its first event
    qint64 last = 0;
    QString title;        ///< of the proposal, else what happened first
    QString proposal;     ///< its id; empty: there is none in it
    int iteration = 0;    ///< the last one that it made; 0: none
    QStringList happened; ///< eventSummary() of each event

    bool operator==(const ReplayStep &) const = default;
};

/// Gathers events, in their order, into steps.
class ReplaySteps {
public:
    void add(const TrajectoryEvent &event);
    /// The last one may go on.
    [[nodiscard]] const std::vector<ReplayStep> &steps() const { return m_steps; }

private:
    [[nodiscard]] bool beginsOne(const TrajectoryEvent &event) const;

    std::vector<ReplayStep> m_steps;
    bool m_hasDeed = false;   ///< the step has what it is about: a proposal, an edit
    bool m_isDecided = false; ///< and something was done about it
};

} // namespace warpwright
