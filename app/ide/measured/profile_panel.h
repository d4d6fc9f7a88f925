// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ide/workbench/workbench.h"
#include "profiler_views/history_model.h"
#include "widgets/frame/pane.h"

#include <memory>

namespace warpwright {

class Actions;
class AssemblyPage;
class CounterController;
class ChartView;
class DistributionView;
class GroupedPages;
class HeatController;
class HistoryView;
class HunkContributionsView;
class MeasuredPages;
struct HunkContributions;
class SpeedupView;
class SweepView;

/// What was measured of the shown iteration. Its tabs: an overview; the times (speed-up bars call by call and
/// as one CUDA graph, distribution, history, other values of its configs, hunks) as one of them; why, with
/// what hardware and tools tell; and the assembly of the text, that has the cursor's line above it.
class ProfilePanel : public Pane {
    Q_OBJECT
public:
    ProfilePanel(const Look &look, Workbench &bench, const Actions &actions, CounterController &counters,
                 QWidget *parent = nullptr);
    ~ProfilePanel() override;

    /// "speedup", "graph", "history", "distribution", "assembly", "hunks", "configs", and the names of
    /// MeasuredPages; false for any other.
    bool showPage(const QString &name);
    /// The name of the page that is open.
    [[nodiscard]] QString openPage() const;
    /// What openPage() said when the window was closed, or the number that was kept in older windows.
    void restorePage(const QByteArray &kept);
    /// The chart that is open; null: the page is none.
    [[nodiscard]] ChartView *openChart() const;
    [[nodiscard]] MeasuredPages &measured() const { return *m_measured; }
    [[nodiscard]] bool hasNumbers() const;
    /// The iterations that the history shows: the workspace's, or those of the past run that is open.
    void showTree(const SharedTree &tree);
    /// Which hunk of the proposal under review carries the gain; empty: none is measured.
    void showHunks(const HunkContributions &contributions);
    [[nodiscard]] AssemblyPage &assembly() const { return *m_assembly; }
    [[nodiscard]] HeatController &heat() const;
    /// "png", "svg" or "csv"; asks for the file.
    void exportChart(const QString &kind);

signals:
    void iterationPicked(int number);
    void hunkPicked(int id);
    void lineActivated(const QString &file, int line);
    /// Of the text that ran.
    void hotLineActivated(const QString &file, int line);
    /// A page of another pane, by its name: "verify".
    void otherPageAsked(const QString &name);
    void noticed(const QString &title, const QString &text, bool isTrouble);

private:
    struct Page {
        QString name;
        int tab = 0;
        QWidget *widget = nullptr;
    };
    void addPages();
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
    bool m_wasDelayed = false; ///< by others on the device, or by the judge's build
    std::vector<Page> m_known; ///< of the times each by itself
    GroupedPages *m_times;
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
