// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ide/measured/bar_contents.h"
#include "app/ide/measured/overview_rows.h"
#include "app/ide/workbench/iteration_tree.h"
#include "toolchain/counters/roofline.h"
#include "toolchain/findings/finding.h"

#include <QObject>
#include <QStringList>

#include <map>
#include <vector>

namespace warpwright {

class Actions;
class AssemblyPage;
class ChartView;
class CountersView;
class FindingsController;
class FindingsView;
class HeatController;
class HotLinesView;
class Look;
class OccupancyView;
class OverviewPage;
class RooflineView;
class SpeedupView;
class TimelineView;
class Workbench;

/// The pages of the profile pane that say why: an overview, the roofline, what the hardware counted in the
/// shown text, when what of a call runs, what is found in it, and how many warps its kernels let run. It
/// fills the views and decides what an empty one and the bar above it say; the views show. What needs no GPU
/// is there without one.
class MeasuredPages : public QObject {
    Q_OBJECT
public:
    /// The pages are children of `parent` until they are put somewhere.
    MeasuredPages(const Look &look, Workbench &bench, const Actions &actions, CounterController &controller,
                  AssemblyPage &assembly, QWidget *parent);

    [[nodiscard]] HeatController &heat() const { return *m_heat; }
    /// "overview", "findings", "roofline", "timeline", "counters", "occupancy", "heat": the view with its
    /// bar.
    [[nodiscard]] QWidget *page(const QString &name) const;
    /// Why no counters can be collected on this machine; empty: they can.
    void setWhyNoGpu(const QString &why);
    /// The iterations whose trail the roofline shows.
    void showTree(const SharedTree &tree);

signals:
    void lineActivated(const QString &file, int line);
    /// Of the text that ran, which may be another one than the shown.
    void hotLineActivated(const QString &file, int line);
    void iterationPicked(int number);
    /// A page of the profile pane, by its name.
    void pageAsked(const QString &name);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    struct Page {
        QWidget *frame = nullptr;
        MeasuredBar *bar = nullptr;
    };
    void add(const Look &look, const QString &name, ChartView *view, QWidget *parent);
    void connectViews();
    void describe();
    void describeBars();
    void describeOverview();
    void describeCharts();
    [[nodiscard]] std::vector<OverviewFact> overviewFacts() const;
    [[nodiscard]] BarNeeds barNeeds() const;
    void describeCounters();
    [[nodiscard]] RooflineInput rooflineInput() const;
    void describeRoofline();
    void describeOccupancy();
    [[nodiscard]] std::optional<double> checkedMicroseconds() const;
    void describeTimeline();
    void describeHeat();
    void showKernel(const QString &name);
    void find();
    void showFindings(const Findings &findings);
    void readFailures();
    void sayReading(ChartView *view);
    void setStale();
    void sayNoCounters(ChartView *view, const QString &icon, const QString &what);
    [[nodiscard]] bool isPast() const;

    Workbench &m_bench;
    const Actions &m_actions;
    CounterController &m_controller;
    AssemblyPage &m_assembly;
    FindingsController *m_finder;
    OverviewPage *m_overview;
    SpeedupView *m_overviewTimes;
    RooflineView *m_overviewRoofline;
    RooflineView *m_roofline;
    TimelineView *m_timeline;
    CountersView *m_counters;
    FindingsView *m_findings;
    OccupancyView *m_occupancy;
    HeatController *m_heat;
    HotLinesView *m_hotLines;
    SharedTree m_tree = makeIterationTree({});
    std::vector<SharedCounters> m_others; ///< of other texts: what can be the baseline
    JobNumber m_jobs;
    std::map<QString, Page> m_framed;
    MeasuredFigures m_charted;       ///< of the overview's bars
    std::optional<Findings> m_found; ///< of the text that is shown
    QString m_foundIn;               ///< workspace and iteration that they are, or will be, of
    std::vector<FailureWords> m_failures;
    QString m_failuresOf; ///< id of their evaluation; empty: nothing is wrong
    JobNumber m_failureJobs;
    QString m_whyNoGpu;
    bool m_isToFind = true; ///< once one of the pages that tell of it is seen
};

} // namespace warpwright
