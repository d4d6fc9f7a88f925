// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/measured/measured_pages.h"

#include "app/ide/actions.h"
#include "app/ide/workbench.h"
#include "profiler_views/counters/counters_view.h"
#include "widgets/pane.h"

namespace warpwright {

MeasuredPages::MeasuredPages(const Look &look, Workbench &bench, const Actions &actions, CounterDesk &desk,
                             Pane &pane)
    : QObject(&pane),
      m_bench(bench),
      m_actions(actions),
      m_desk(desk),
      m_counters(new CountersView(look, &pane)) {
    m_counters->setObjectName(QStringLiteral("countersView"));
    pane.addPage(m_counters, tr("Counters"));
    connect(&desk, &CounterDesk::countersChanged, this, &MeasuredPages::describe);
    connect(&desk, &CounterDesk::runChanged, this, [this] {
        if (!m_desk.counters())
            describeCounters();
    });
    connect(&bench, &Workbench::runChanged, this,
            [this] { m_counters->setStale(!m_desk.isReport() && m_bench.edits() > 0); });
    describe();
}

QStringList MeasuredPages::names() {
    return {QStringLiteral("counters")};
}

void MeasuredPages::sayNoCounters(ChartView *view, const QString &icon, const QString &what) {
    if (m_desk.isRunning())
        view->showEmpty(QStringLiteral("running"),
                        m_desk.isStopping() ? tr("Stopping") : tr("Counters are being collected"),
                        m_desk.step(), m_actions.stopCounters);
    else if (!m_bench.shown().replay.isEmpty())
        view->showEmpty(icon, tr("Not recorded"), tr("no counters were kept of the text at this event"));
    else
        view->showEmpty(icon, what, tr("Nsight Compute collects them on a GPU, in one call of the candidate"),
                        m_actions.collectCounters);
}

// The parent's counters are the baseline that is offered, as soon as they are read.
void MeasuredPages::describe() {
    const IterationTree &tree = *m_bench.tree();
    const int row = tree.rows.value(m_bench.shown().iteration, -1);
    const int parent = row < 0 ? 0 : tree.records[static_cast<std::size_t>(row)].iteration.parent;
    const int number = m_jobs.next();
    m_parent.reset();
    m_parentNumber = parent;
    describeCounters();
    if (parent == 0 || !m_desk.counters() || m_desk.isReport())
        return;
    m_desk.findOf(parent, [this, number](const SharedCounters &found) {
        if (m_jobs.isStale(number) || !found)
            return;
        m_parent = found;
        describeCounters();
    });
}

void MeasuredPages::describeCounters() {
    std::vector<CounterBaseline> baselines;
    if (m_parent)
        baselines.push_back({tr("iteration %1").arg(m_parentNumber), m_parent});
    m_counters->show(m_desk.counters(), baselines, m_actions.collectCounters);
    if (!m_desk.counters())
        sayNoCounters(m_counters, QStringLiteral("memory"), tr("What the hardware counted appears here"));
    m_counters->setStale(!m_desk.isReport() && m_bench.edits() > 0);
}

} // namespace warpwright
