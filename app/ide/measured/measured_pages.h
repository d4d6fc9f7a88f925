// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ide/iteration_tree.h"
#include "app/ide/measured/counter_desk.h"
#include "toolchain/findings/finding.h"

#include <QObject>
#include <QStringList>

#include <vector>

namespace warpwright {

class Actions;
class AssemblyPage;
class ChartView;
class CountersView;
class FindingsDesk;
class FindingsView;
class HeatDesk;
class HotLinesView;
class Look;
class OccupancyView;
class Pane;
class RooflineView;
class TimelineView;
class Workbench;

/// The pages of the profile pane that say why: the roofline, what the hardware counted in the shown text,
/// when what of a call runs, what is found in it, and how many warps its kernels let run. It fills the views
/// and decides what an empty one says; the views show. What needs no GPU is there without one.
class MeasuredPages : public QObject {
    Q_OBJECT
public:
    /// Adds the pages to `pane`, which is their owner; names() is the order in which it did.
    MeasuredPages(const Look &look, Workbench &bench, const Actions &actions, CounterDesk &desk,
                  AssemblyPage &assembly, Pane &pane);

    [[nodiscard]] static QStringList names();
    [[nodiscard]] HeatDesk &heat() const { return *m_heat; }
    /// The iterations whose trail the roofline shows.
    void showTree(const SharedTree &tree);

signals:
    void lineActivated(const QString &file, int line);
    /// Of the text that ran, which may be another one than the shown.
    void hotLineActivated(const QString &file, int line);
    void iterationPicked(int number);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void describe();
    void describeCounters();
    void describeRoofline();
    void describeOccupancy();
    void describeTimeline();
    void describeHeat();
    void showKernel(const QString &name);
    void find();
    void showFindings(const Findings &findings);
    void setStale();
    void sayNoCounters(ChartView *view, const QString &icon, const QString &what);
    [[nodiscard]] bool isPast() const;

    Workbench &m_bench;
    const Actions &m_actions;
    CounterDesk &m_desk;
    AssemblyPage &m_assembly;
    Pane &m_pane;
    FindingsDesk *m_finder;
    RooflineView *m_roofline;
    TimelineView *m_timeline;
    CountersView *m_counters;
    FindingsView *m_findings;
    OccupancyView *m_occupancy;
    HeatDesk *m_heat;
    HotLinesView *m_hotLines;
    SharedTree m_tree = makeIterationTree({});
    std::vector<SharedCounters> m_others; ///< of other texts: what can be the baseline
    JobNumber m_jobs;
    bool m_isToFind = true; ///< once the page is seen
};

} // namespace warpwright
