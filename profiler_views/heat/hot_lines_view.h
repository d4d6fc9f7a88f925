// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "profiler_views/chart_view.h"
#include "profiler_views/heat/hot_lines_model.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QModelIndex;
class QSortFilterProxyModel;
class QTableView;

namespace warpwright {

/// The hottest lines of a text as a table: share, source, what its warps waited for, executions, sectors over
/// the ideal; all kernels or one, sorted by any column, filtered. A click or Enter leads to the line. The
/// picture of it that is exported holds the first of them as they stand.
class HotLinesView : public ChartView {
    Q_OBJECT
public:
    explicit HotLinesView(const Look &look, QWidget *parent = nullptr);
    ~HotLinesView() override { deletePlot(); }

    /// `isPast`: of another text than the one that is shown; it is said, and drawn without colour. The kernel
    /// that was chosen stays where there is one of its name. Null or without samples: showEmpty() says why.
    void show(SharedHeat heat, bool isPast);
    [[nodiscard]] bool isPast() const { return m_isPast; }
    [[nodiscard]] const HotLinesModel &lines() const { return m_lines; }

signals:
    /// A line of the text that ran, which may be another than the one that is shown.
    void lineActivated(const QString &file, int line);

protected:
    void resizeEvent(QResizeEvent *event) override;
    void staleChanged() override;

private:
    void fillKernels();
    void describe();
    void activate(const QModelIndex &shown);
    void draw(QPainter &painter);
    void restyle();
    void fitColumns();
    [[nodiscard]] int kernel() const;

    using QWidget::show;

    HotLinesModel m_lines;
    SharedHeat m_heat;
    QSortFilterProxyModel *m_found;
    QComboBox *m_kernels;
    QLineEdit *m_filter;
    QLabel *m_origin;
    QTableView *m_table;
    bool m_isPast = false;
    bool m_isFilling = false;
};

} // namespace warpwright
