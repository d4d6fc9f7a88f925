// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ide/workbench.h"
#include "profiler_views/history_model.h"
#include "widgets/pane.h"

namespace warpwright {

class Actions;
class AssemblyPage;
class ChartView;
class DistributionView;
class HistoryView;
class HunkContributionsView;
struct HunkContributions;
class SpeedupView;
class SweepView;

/// The charts of the shown iteration: speed-up bars call by call and as one CUDA graph, history,
/// distribution, other values of its configs; and the assembly of the text, that has the cursor's line above
/// it.
class ProfilePanel : public Pane {
    Q_OBJECT
public:
    ProfilePanel(const Look &look, Workbench &bench, const Actions &actions, QWidget *parent = nullptr);

    /// "speedup", "graph", "history", "distribution", "assembly", "hunks", "configs"; false for any other
    /// name.
    bool showPage(const QString &name);
    [[nodiscard]] bool hasNumbers() const;
    /// Which hunk of the proposal under review carries the gain; empty: none is measured.
    void showHunks(const HunkContributions &contributions);
    [[nodiscard]] AssemblyPage &assembly() const { return *m_assembly; }
    /// "png", "svg" or "csv"; asks for the file.
    void exportChart(const QString &kind);

signals:
    void iterationPicked(int number);
    void hunkPicked(int id);
    void noticed(const QString &title, const QString &text, bool isTrouble);

private:
    void describe();
    void setStale();
    void sayEmpty();
    void sayEmpty(ChartView *view, const QString &icon, const QString &what);
    void describeGraph();
    void describeSweep();

    Workbench &m_bench;
    const Actions &m_actions;
    bool m_wasRunning = false;
    SpeedupView *m_speedup;
    SpeedupView *m_graph;
    HistoryView *m_history;
    SharedTree m_tree; ///< whose points the history shows
    HistoryLines m_lines;
    DistributionView *m_distribution;
    AssemblyPage *m_assembly;
    HunkContributionsView *m_hunks;
    SweepView *m_sweep;
};

} // namespace warpwright
