// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ide/workbench.h"
#include "profiler_views/history_model.h"
#include "widgets/pane.h"

#include <memory>

namespace warpwright {

class Actions;
class AssemblyPage;
class CounterDesk;
class ChartView;
class DistributionView;
class HeatDesk;
class HistoryView;
class HunkContributionsView;
class MeasuredPages;
struct HunkContributions;
class SpeedupView;
class SweepView;

/// The charts of the shown iteration: speed-up bars call by call and as one CUDA graph, history,
/// distribution, other values of its configs; and the assembly of the text, that has the cursor's line above
/// it.
class ProfilePanel : public Pane {
    Q_OBJECT
public:
    ProfilePanel(const Look &look, Workbench &bench, const Actions &actions, CounterDesk &counters,
                 QWidget *parent = nullptr);
    ~ProfilePanel() override;

    /// "speedup", "graph", "history", "distribution", "assembly", "hunks", "configs", and the names of
    /// MeasuredPages; false for any other.
    bool showPage(const QString &name);
    [[nodiscard]] bool hasNumbers() const;
    /// The iterations that the history shows: the workspace's, or those of the past run that is open.
    void showTree(const SharedTree &tree);
    /// Which hunk of the proposal under review carries the gain; empty: none is measured.
    void showHunks(const HunkContributions &contributions);
    [[nodiscard]] AssemblyPage &assembly() const { return *m_assembly; }
    [[nodiscard]] HeatDesk &heat() const;
    /// "png", "svg" or "csv"; asks for the file.
    void exportChart(const QString &kind);

signals:
    void iterationPicked(int number);
    void hunkPicked(int id);
    void lineActivated(const QString &file, int line);
    /// Of the text that ran.
    void hotLineActivated(const QString &file, int line);
    void noticed(const QString &title, const QString &text, bool isTrouble);

private:
    void describe();
    void setStale();
    void sayEmpty();
    void sayEmpty(ChartView *view, const QString &icon, const QString &what);
    [[nodiscard]] bool isPast() const; ///< what is shown is an event of a past run
    void sayNotRecorded(ChartView *view, const QString &icon, const QString &why);
    void describeHistory();
    void describeGraph();
    void describeSweep();

    Workbench &m_bench;
    const Actions &m_actions;
    bool m_wasRunning = false;
    SpeedupView *m_speedup;
    SpeedupView *m_graph;
    HistoryView *m_history;
    SharedTree m_tree = makeIterationTree({}); ///< that is to be shown
    SharedTree m_drawnTree;                    ///< whose points the history shows
    HistoryLines m_lines;
    DistributionView *m_distribution;
    AssemblyPage *m_assembly;
    MeasuredPages *m_measured = nullptr;
    HunkContributionsView *m_hunks;
    std::unique_ptr<HunkContributions> m_shownHunks; ///< null: none
    SweepView *m_sweep;
};

} // namespace warpwright
