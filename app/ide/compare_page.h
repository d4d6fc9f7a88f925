// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ide/job.h"
#include "toolchain/compare_metrics.h"
#include "toolchain/text_comparison.h"

#include <QWidget>

class QStackedWidget;

namespace warpwright {

class ActionButton;
class CompareHead;
class CompareView;
class EmptyState;
class Look;
class MetricStrip;
class TabStrip;
class Words;

/// Two states of the candidate beside each other: what each was found to be, what lies between their numbers,
/// and their texts. Alt+Down and Alt+Up go through the changes of all files, Esc closes.
class ComparePage : public QWidget {
    Q_OBJECT
public:
    ComparePage(const Look &look, QWidget *parent = nullptr);

    /// Shows heads and numbers at once and compares the texts in the pool; ends in ready().
    void compare(const ComparedSide &left, const ComparedSide &right);
    /// Across the files; past the last one it stays.
    void nextChange();
    void previousChange();

signals:
    void ready();
    void closed();

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void adopt(const TextComparison &comparison);
    void showFile(int index);
    void step(int direction);
    void showPlace();
    void fitWidth();

    const Look &m_look;
    CompareHead *m_left;
    CompareHead *m_right;
    MetricStrip *m_metrics;
    TabStrip *m_tabs;
    Words *m_place;
    ActionButton *m_fold;
    ActionButton *m_previous;
    ActionButton *m_next;
    QStackedWidget *m_stack;
    CompareView *m_view;
    EmptyState *m_empty;
    JobNumber m_jobs;
    std::vector<ComparedFile> m_files;
    int m_file = -1;
};

} // namespace warpwright
