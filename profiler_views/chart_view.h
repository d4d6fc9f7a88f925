// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/evaluation/measured_figures.h"

#include <QWidget>

class QAbstractItemModel;
class QAction;
class QStackedLayout;

namespace warpwright {

class EmptyState;
class Look;
class Plot;

/// What all charts have in common: an empty state in their place, export, a summary for those who do not see.
class ChartView : public QWidget {
    Q_OBJECT
public:
    /// What an empty place says instead of the chart, until something is shown. `action` may be null.
    void showEmpty(const QString &iconName, const QString &what, const QString &how,
                   QAction *action = nullptr);
    /// With a button for each of several acts.
    void showEmpty(const QString &iconName, const QString &what, const QString &how,
                   const QList<QAction *> &actions);
    [[nodiscard]] bool isEmpty() const;

    /// The text was edited since: numbers turn tertiary, shapes become dashed outlines.
    void setStale(bool isStale);
    [[nodiscard]] bool isStale() const { return m_isStale; }

    /// The chart as it stands, with its origin below it; the PNG has twice the pixels, the CSV is the model.
    [[nodiscard]] Result<void> exportPng(const QString &path);
    [[nodiscard]] Result<void> exportSvg(const QString &path);
    [[nodiscard]] Result<void> exportCsv(const QString &path);

    /// The chart in sentences; also its accessible description.
    [[nodiscard]] const QString &summary() const { return m_summary; }
    [[nodiscard]] Plot &plot() const { return *m_plot; }
    [[nodiscard]] const QAbstractItemModel &model() const { return *m_model; }

    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    /// `name`: of the chart, for messages and screen readers.
    ChartView(const Look &look, const QString &name, QWidget *parent);
    /// The view's own; set once, in its constructor.
    void setModel(const QAbstractItemModel &model) { m_model = &model; }

    /// Each view's destructor calls this first: what the plot draws are the view's own members, and they go
    /// before the base's children do.
    void deletePlot();

    /// The plot's axes for bars that the view draws itself, from zero on: names and numbers stand beside
    /// them, and there is no axis to the left.
    void makeBars();

    /// The plot without axes, to its edges: for what the view draws in pixels.
    void makeCanvas();

    /// Where the view puts its plot and what stands around it.
    [[nodiscard]] QWidget *content() const { return m_content; }
    void showContent(const QString &summary, const QString &origin);
    /// Says why there is no time, from the verdict; `what`: "Speed-up".
    void showWhyNotProfiled(const MeasuredFigures &figures, const QString &iconName, const QString &what);
    virtual void staleChanged();

    void paintEvent(QPaintEvent *event) override;

    /// Of text and numbers that go stale.
    [[nodiscard]] QColor inkOf(const char *token) const;

    const Look &m_look;

private:
    [[nodiscard]] QString nothingToExport() const;

    QString m_name;
    const QAbstractItemModel *m_model = nullptr;
    QStackedLayout *m_pages;
    EmptyState *m_empty;
    QWidget *m_content;
    Plot *m_plot;
    QString m_summary;
    QString m_origin;
    bool m_isStale = false;
};

} // namespace warpwright
