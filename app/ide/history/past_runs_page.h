// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/record/run_index.h"
#include "app/ide/workbench/job.h"

#include <QTimer>
#include <QWidget>

class QLineEdit;
class QStackedWidget;

namespace warpwright {

class EmptyState;
class FigureTable;
class FoundEventsModel;
class Look;
class PastRunsModel;
class SectionHead;
class Words;

/// The runs of the open workspace, newest first, and a search in the words of all their events. Typing
/// filters, Enter or a click opens, Esc closes. Reads the index in the pool.
class PastRunsPage : public QWidget {
    Q_OBJECT
public:
    PastRunsPage(const Look &look, QWidget *parent = nullptr);
    ~PastRunsPage() override;

    /// Ends in listed().
    void open(const QString &stateFolder);
    /// Those that the filter leaves, as they are shown.
    [[nodiscard]] const std::vector<IndexedRun> &shownRuns() const;

signals:
    void listed();
    void found(); ///< the search has answered
    void runPicked(const warpwright::IndexedRun &run, qint64 event);
    void closed();

protected:
    void paintEvent(QPaintEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void fill();
    void search();
    void pick(const QString &run, qint64 event);

    const Look &m_look;
    QString m_state;
    std::vector<IndexedRun> m_all;
    QString m_problem;
    Words *m_count;
    QLineEdit *m_filter;
    QLineEdit *m_search;
    QStackedWidget *m_stack;
    EmptyState *m_empty;
    PastRunsModel *m_runs;
    FigureTable *m_table;
    SectionHead *m_foundHead;
    FoundEventsModel *m_found;
    FigureTable *m_foundTable;
    QTimer m_typed;
    JobNumber m_jobs;
    JobNumber m_searches;
};

} // namespace warpwright
