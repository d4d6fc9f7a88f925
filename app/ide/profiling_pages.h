// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ide/iteration_tree.h"
#include "toolchain/findings/finding.h"

#include <QObject>

#include <vector>

class QAction;

namespace warpwright {

class AssemblyPage;
class CountersView;
class FindingsView;
class Look;
class OccupancyView;
class RooflineView;
class StoredCounters;
class Workbench;

/// The pages of the profile pane that say why: roofline, counters, findings, occupancy. Follows what is shown;
/// counters come from the workspace's store, the occupancy from what the compiler says, on any machine.
class ProfilingPages : public QObject {
    Q_OBJECT
public:
    ProfilingPages(const Look &look, Workbench &bench, AssemblyPage &assembly, QWidget *parent);

    [[nodiscard]] RooflineView &roofline() const { return *m_roofline; }
    [[nodiscard]] CountersView &counters() const { return *m_counters; }
    [[nodiscard]] FindingsView &findings() const { return *m_findings; }
    [[nodiscard]] OccupancyView &occupancy() const { return *m_occupancy; }

    /// «Collect counters», which the empty page of counters offers; null: it offers nothing.
    void setCollect(QAction *collect);
    /// Something was collected or imported.
    void lookForCounters();
    /// Whoever finds, hands over what was found; `note` says what it rests on, or what is missing.
    void showFindings(const std::vector<Finding> &findings, const QString &note);
    /// The iterations whose trail the roofline shows.
    void showTree(const SharedTree &tree);
    /// What is shown is another now.
    void describe();
    /// The text was edited since.
    void setStale(bool isStale);

signals:
    void lineActivated(const QString &file, int line);
    void iterationPicked(int number);

private:
    void look(bool isAnew);
    void describeCounters();
    void describeRoofline();
    void describeOccupancy();
    [[nodiscard]] bool isPast() const;

    Workbench &m_bench;
    AssemblyPage &m_assembly;
    StoredCounters *m_stored;
    RooflineView *m_roofline;
    CountersView *m_counters;
    FindingsView *m_findings;
    OccupancyView *m_occupancy;
    QAction *m_collect = nullptr;
    SharedTree m_tree = makeIterationTree({});
};

} // namespace warpwright
