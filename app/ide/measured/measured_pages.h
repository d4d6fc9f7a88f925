// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ide/measured/counter_desk.h"

#include <QObject>
#include <QStringList>

namespace warpwright {

class Actions;
class ChartView;
class CountersView;
class Look;
class Pane;
class Workbench;

/// The pages of the profile pane that say why: what the hardware counted in the shown text. It fills the
/// views and decides what an empty one says; the views show.
class MeasuredPages : public QObject {
    Q_OBJECT
public:
    /// Adds the pages to `pane`, which is their owner; names() is the order in which it did.
    MeasuredPages(const Look &look, Workbench &bench, const Actions &actions, CounterDesk &desk, Pane &pane);

    [[nodiscard]] static QStringList names();

private:
    void describe();
    void describeCounters();
    void sayNoCounters(ChartView *view, const QString &icon, const QString &what);

    Workbench &m_bench;
    const Actions &m_actions;
    CounterDesk &m_desk;
    CountersView *m_counters;
    SharedCounters m_parent; ///< of the iteration that the shown one was made from
    int m_parentNumber = 0;
    JobNumber m_jobs;
};

} // namespace warpwright
