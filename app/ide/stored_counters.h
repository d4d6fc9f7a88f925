// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ide/job.h"
#include "profiler_views/counters/counters_view.h"

#include <QObject>

namespace warpwright {

/// What Nsight Compute has counted in a workspace: of one text, and of others to hold it against. Reads in
/// the pool; a newer question drops an older answer.
class StoredCounters : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    /// Ends in changed(), at once where nothing is asked for. The same question again is answered only where
    /// `isAnew`: something was stored meanwhile.
    void look(const QString &stateFolder, const QString &textHash, bool isAnew = false);
    /// Null: nothing was collected of this text.
    [[nodiscard]] const std::shared_ptr<const Counters> &counters() const { return m_counters; }
    /// Newest first.
    [[nodiscard]] const std::vector<CounterBaseline> &others() const { return m_others; }

signals:
    void changed();

private:
    JobNumber m_jobs;
    QString m_state;
    QString m_textHash;
    std::shared_ptr<const Counters> m_counters;
    std::vector<CounterBaseline> m_others;
};

} // namespace warpwright
