// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ide/workbench/job.h"
#include "toolchain/counters/counters.h"
#include "toolchain/heat/heat.h"

#include <QObject>
#include <QTimer>

namespace warpwright {

class AssemblyPage;
class CounterController;
class Workbench;

/// Where the shown text's time goes, for all who draw it: from its counters and, as soon as it is read, the
/// compiler's listing of the same text. A text without counters keeps the heat of the one before, which is
/// past then; a workspace that was just opened takes that of the newest counters it has. Read and reckoned in
/// the pool.
class HeatController : public QObject {
    Q_OBJECT
public:
    HeatController(Workbench &bench, CounterController &counters, AssemblyPage &assembly,
                   QObject *parent = nullptr);

    /// Null: nothing was sampled.
    [[nodiscard]] const SharedHeat &heat() const { return m_heat; }
    /// It is of another text than the one in the editors.
    [[nodiscard]] bool isPast() const;
    /// The shown text has counters, and where they put its time is still being reckoned. Ends in changed().
    [[nodiscard]] bool isComing() const;

signals:
    /// Another heat, or the text moved away from it.
    void changed();

private:
    void look();
    void reckon(const SharedCounters &counters);
    void takeOlder();
    void take(SharedHeat heat);

    Workbench &m_bench;
    CounterController &m_counters;
    AssemblyPage &m_assembly;
    SharedHeat m_heat;
    QTimer m_soon; ///< several things change at once
    JobNumber m_jobs;
    QString m_workspace;       ///< that the heat is of
    QString m_reckoned;        ///< id of the counters that were looked at last
    bool m_hasListing = false; ///< it was there when they were
    bool m_wasPast = false;
    bool m_isReckoning = false;
};

} // namespace warpwright
