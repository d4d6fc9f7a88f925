// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/record/trajectory_event.h"
#include "toolchain/evaluation/evaluation_summary.h"

#include <QHash>
#include <QStringList>

#include <optional>
#include <vector>

namespace warpwright {

/// Whether a run's record says of each evaluation what its stored document says: verdict, times, speed-up.
/// The documents lie beside the trajectory of a recording, or in the workspace whose run it is.
class RecordedTimes {
public:
    explicit RecordedTimes(const QString &trajectory);

    /// In their order; kinds that tell of no evaluation are passed over.
    void take(const TrajectoryEvent &event);

    struct Mismatch {
        qint64 number = 0; ///< of the event
        QString message;   ///< a sentence with both numbers
        bool operator==(const Mismatch &) const = default;
    };
    [[nodiscard]] const std::vector<Mismatch> &mismatches() const { return m_mismatches; }
    [[nodiscard]] int told() const { return m_told; }       ///< events of evaluations
    [[nodiscard]] int checked() const { return m_checked; } ///< of those, held against their documents
    /// "times: as stored, 14 evaluations", "times: not checked, no evaluation stored"; empty: none is told
    /// of.
    [[nodiscard]] QString words() const;

private:
    struct Stored {
        std::optional<EvaluationSummary> summary;
        QString why; ///< it is there and cannot be read
    };
    [[nodiscard]] const Stored &stored(const QString &id);

    QStringList m_states; ///< whose evaluations are looked through
    QHash<QString, Stored> m_read;
    std::vector<Mismatch> m_mismatches;
    int m_told = 0;
    int m_checked = 0;
};

} // namespace warpwright
