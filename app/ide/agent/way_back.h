// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAction>

namespace warpwright {

class Workbench;

/// A run can end on a text that does not build or is wrong, where hunks were rejected that the others need:
/// one act makes the last sound iteration before it the text again. What lies there stays an iteration.
class WayBack : public QAction {
    Q_OBJECT
public:
    /// `branch`: makes the iteration that is shown the text.
    WayBack(Workbench &bench, QAction *branch, QObject *parent);

    /// There is something to go back from, and to.
    [[nodiscard]] bool leads() const { return m_number > 0; }

signals:
    /// It leads elsewhere, or nowhere any more.
    void turned();

private:
    void look();
    void go();

    Workbench &m_bench;
    QAction *m_branch;
    int m_number = 0;
};

} // namespace warpwright
