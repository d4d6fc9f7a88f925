// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "profiler_views/chart_view.h"
#include "profiler_views/counters/counter_rows_model.h"
#include "profiler_views/counters/section_cards.h"

class QComboBox;
class QGridLayout;
class QLabel;
class QLineEdit;
class QScrollArea;
class QSortFilterProxyModel;
class QStackedWidget;
class QTableView;

namespace warpwright {

class LaunchesModel;
class MetricsModel;
class TabStrip;

/// Counters of another collection that can be the baseline.
struct CounterBaseline {
    QString name; ///< "iteration 6"
    std::shared_ptr<const Counters> counters;
};

/// What the hardware did in one launch: its sections as cards, and every metric as a table; above them the
/// launch, the baseline, and a filter for launches or metrics.
class CountersView : public ChartView {
    Q_OBJECT
public:
    explicit CountersView(const Look &look, QWidget *parent = nullptr);
    ~CountersView() override { deletePlot(); }

    /// The launch that was chosen stays, where this collection has it, too. Null or without launches: the
    /// empty state; `action` collects counters, and may be null.
    void show(std::shared_ptr<const Counters> counters, const std::vector<CounterBaseline> &baselines,
              QAction *collect = nullptr);
    /// The first launch of this function, for a way here from elsewhere; false: there is none.
    bool showKernel(const QString &function);
    [[nodiscard]] const CounterRowsModel &rows() const { return m_rows; }
    /// What is chosen to hold the launch against; without counters: nothing.
    [[nodiscard]] CountedLaunch baseline() const;

protected:
    void resizeEvent(QResizeEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void staleChanged() override;

private:
    void fillBaselines();
    [[nodiscard]] bool isOfSameOrigin(const Counters *before) const;
    void showLaunch();
    void filter(const QString &text);
    void layOut();
    void placeHead();
    void restyle();
    [[nodiscard]] CountedLaunch chosen() const;

    using QWidget::show;

    CounterRowsModel m_rows;
    SectionCards m_cards;
    std::shared_ptr<const Counters> m_counters;
    std::vector<CounterBaseline> m_offered;
    QWidget *m_head;
    QGridLayout *m_headGrid;
    LaunchesModel *m_launches;
    QSortFilterProxyModel *m_found;
    MetricsModel *m_metrics;
    QSortFilterProxyModel *m_foundMetrics;
    QComboBox *m_launch;
    QComboBox *m_baseline;
    QLineEdit *m_filter;
    TabStrip *m_forms;
    QLabel *m_origin;
    QStackedWidget *m_pages;
    QScrollArea *m_scroll;
    QTableView *m_table;
    QString m_baselineName; ///< chosen by a person; it may come later than the counters
    bool m_isFilling = false;
};

} // namespace warpwright
