// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/record/trajectory_event.h"

#include <functional>
#include <memory>

namespace warpwright {

/// Writes what happens in one run into its trajectory: what append() has acknowledged is kept, whatever
/// happens to the process afterwards, and on the disk (see syncLater()).
///
/// One writer a run: a second one is refused while the first lives (a dead one holds nothing). Where a line
/// cannot be written whole (a full disk), it is cut away again and the error says so; the same append may be
/// tried again later. Not for several threads at once. A move leaves nothing but destruction to the old one.
class TrajectoryWriter {
public:
    ~TrajectoryWriter();
    TrajectoryWriter(TrajectoryWriter &&) noexcept;
    TrajectoryWriter &operator=(TrajectoryWriter &&) noexcept;

    /// Makes <state>/runs/<id>/ and the empty trajectory in it. The id sorts by time.
    [[nodiscard]] static Result<TrajectoryWriter> beginRun(const QString &stateFolder);
    /// Goes on behind the last whole event; a half-written last line is cut away.
    [[nodiscard]] static Result<TrajectoryWriter> continueRun(const QString &runFolder);

    /// From now on append() does not wait for the disk: that is done behind it, in the pool, and a loss of
    /// power may cost the last moment. `tell` hears in the application's thread where the disk refused.
    void syncLater(std::function<void(const QString &message)> tell);

    /// `kind`: of TRAJECTORY.md. `body`: an object with its other fields; `n` and `at` are added. Takes as
    /// long as the disk does (a millisecond or two on an SSD), unless syncLater().
    [[nodiscard]] Result<void> append(const QString &kind, const Json &body);

    [[nodiscard]] QString run() const; ///< the id
    [[nodiscard]] QString folder() const;
    [[nodiscard]] QString file() const;
    [[nodiscard]] qint64 lastNumber() const; ///< 0: nothing has happened yet
    [[nodiscard]] qint64 lastOffset() const; ///< where the last event's line begins
    /// Why the file could not be read to its end when the run was continued: how much was cut away, which
    /// lines were passed over. Empty: it was whole.
    [[nodiscard]] QString notice() const;

private:
    struct File;
    explicit TrajectoryWriter(std::unique_ptr<File> file);

    std::unique_ptr<File> m_file;
};

} // namespace warpwright
