// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ide/workbench/job.h"
#include "toolchain/workspace/kernelbench_folder.h"

#include <QWidget>

class QLineEdit;
class QListView;
class QStackedWidget;
class QStandardItemModel;

namespace warpwright {

class EmptyState;
class Look;
class Words;

/// The problems of a KernelBench folder by level, to pick one: typing filters, Enter or a double click picks,
/// Esc closes.
class ProblemList : public QWidget {
    Q_OBJECT
public:
    ProblemList(const Look &look, QWidget *parent = nullptr);

    /// Reads the folder in the pool; ends in listed().
    void open(const QString &folder);
    /// How many problems the filter leaves.
    [[nodiscard]] int shownCount() const { return m_shownCount; }

signals:
    void listed();
    void problemPicked(const QString &path);
    /// Another folder is wanted.
    void folderAsked();
    void closed();

protected:
    void paintEvent(QPaintEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void adopt(const Result<KernelBenchFolder> &folder, const QString &asked);
    void fill();
    void pickCurrent();
    void sayCount();

    const Look &m_look;
    Words *m_title;
    Words *m_count;
    QLineEdit *m_filter;
    QStackedWidget *m_stack;
    QListView *m_list;
    QStandardItemModel *m_model;
    EmptyState *m_empty;
    Words *m_problem; ///< why nothing is listed
    KernelBenchFolder m_folder;
    JobNumber m_jobs;
    int m_shownCount = 0;
};

} // namespace warpwright
