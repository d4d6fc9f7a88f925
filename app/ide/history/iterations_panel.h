// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ide/kit/agent_view.h"
#include "app/ide/workbench/iteration_tree.h"

#include <QWidget>

class QLineEdit;
class QSortFilterProxyModel;

namespace warpwright {

class ActionButton;
class Actions;
class EmptyState;
class FactTable;
class IterationModel;
class LongList;
class Look;
class SectionHead;

/// The tree of iterations with a filter above it; below it the picked one's facts and what can be done with
/// it.
class IterationsPanel : public QWidget {
    Q_OBJECT
public:
    IterationsPanel(const Look &look, const Actions &actions, QWidget *parent = nullptr);

    void setTree(SharedTree tree);
    /// The one that all panes show; 0: none.
    void setShown(int number);
    /// The iteration whose check runs; 0: none.
    void setChecked(int number, bool byRun = false);
    /// The one that waits for an answer, as a dashed row; one that is applied is an iteration already.
    void setProposal(const std::optional<ProposalView> &proposal);
    [[nodiscard]] const IterationRecord *recordOf(int number) const;
    /// The two that are selected, the lower number first; none: another number of them is.
    [[nodiscard]] std::optional<std::pair<int, int>> selectedPair() const;

signals:
    /// A person picked it by mouse or keys.
    void picked(int number);
    void selectionChanged();
    /// By the right button or the menu key, on this one.
    void menuAsked(int number, const QPoint &globalPosition);

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    void describeShown();

    const Look &m_look;
    IterationModel *m_model;
    QSortFilterProxyModel *m_filtered;
    QWidget *m_filterRow;
    QLineEdit *m_filter;
    LongList *m_list;
    EmptyState *m_empty;
    SectionHead *m_head;
    FactTable *m_facts;
    QWidget *m_below;
    int m_shown = 0;
    bool m_isSetting = false;
};

} // namespace warpwright
