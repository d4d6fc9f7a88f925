// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/record/trajectory_event.h"

#include <vector>

namespace warpwright {

/// Reads the events of a trajectory a page at a time, from any byte on, while another process writes it.
///
/// A value that holds nothing but a path: copy it into the thread pool. A line that is no event (torn by a
/// crash or a bad disk) is passed over and counted; a last line without its end is not there yet.
class TrajectoryReader {
public:
    explicit TrajectoryReader(QString file) : m_file(std::move(file)) {}

    struct Page {
        std::vector<TrajectoryEvent> events;
        qint64 next = 0;    ///< where the next page begins
        int passedOver = 0; ///< lines that are no events
        bool isLast = true; ///< nothing whole stands behind it now
    };
    /// `offset`: 0, an event's, or a page's `next`. At most `most` events, and no more than some megabytes of
    /// lines (but always one event, where there is one).
    [[nodiscard]] Result<Page> page(qint64 offset, int most) const;
    /// The one whose line begins there.
    [[nodiscard]] Result<TrajectoryEvent> eventAt(qint64 offset) const;

    [[nodiscard]] const QString &file() const { return m_file; }

private:
    QString m_file;
};

} // namespace warpwright
