// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/json.h"

#include <QByteArray>
#include <QDateTime>
#include <QString>

namespace warpwright {

/// One thing that happened in a run: a line of its trajectory. TRAJECTORY.md tells the kinds and their
/// fields; a kind or a field that is not known here is kept as it is.
struct TrajectoryEvent {
    qint64 number = 0;          ///< from 1, without gaps
    QDateTime at;               ///< UTC, to the millisecond
    QString kind;               ///< "proposal"
    Json body = Json::object(); ///< every other field
    qint64 offset = -1;         ///< where its line begins in the file; -1: it was not read from one
    qint64 bytes = 0;           ///< of that line, with its end

    [[nodiscard]] QString text(const char *field) const { return stringIn(body, field); }
    /// A whole number; `otherwise` where it is absent or something else.
    [[nodiscard]] qint64 integer(const char *field, qint64 otherwise = 0) const;
    bool operator==(const TrajectoryEvent &) const = default;
};

/// With its end of line. `n`, `at` and `kind` stand first; fields of these names in the body are left out.
[[nodiscard]] QByteArray lineOf(const TrajectoryEvent &event);
/// `line` with or without its end. Neither offset nor bytes are set.
[[nodiscard]] Result<TrajectoryEvent> eventFromLine(const QByteArray &line);

/// <state>/runs
[[nodiscard]] QString runsFolder(const QString &stateFolder);
/// <state>/runs/<run>/trajectory.jsonl
[[nodiscard]] QString trajectoryFile(const QString &runFolder);

} // namespace warpwright
