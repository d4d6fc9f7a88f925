// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/shell/panes/compare_actions.h"

#include "app/ide/history/iterations_panel.h"
#include "app/ide/kit/actions.h"
#include "app/ide/measured/profile_panel.h"
#include "app/ide/shell/panes/comparing.h"
#include "app/ide/shell/window_notices.h"
#include "app/ide/workbench/workbench.h"
#include "profiler_views/counters/counters_view.h"

#include <QAction>
#include <QComboBox>

namespace warpwright {

CompareActions::CompareActions(const Parts &parts, QObject *parent) : QObject(parent), m_parts(parts) {
    connect(&m_parts.iterations, &IterationsPanel::selectionChanged, this, &CompareActions::enable);
    const Actions &a = m_parts.actions;
    const auto on = [this](QAction *action, auto what) {
        connect(action, &QAction::triggered, this, what);
    };
    on(a.compareWithParent, [this] {
        const IterationRecord *record = m_parts.iterations.recordOf(m_parts.bench.shown().iteration);
        if (record != nullptr && record->iteration.parent > 0)
            m_parts.comparing.compare(ComparisonChoice::ofIteration(record->iteration.parent),
                                      ComparisonChoice::ofIteration(record->iteration.number));
    });
    on(a.compareWithText, [this] {
        m_parts.comparing.compare(ComparisonChoice::ofIteration(m_parts.bench.shown().iteration), {});
    });
    on(a.compareWithEager, [this] {
        m_parts.comparing.compare(ComparisonChoice::ofArm(QStringLiteral("eager")), shownChoice());
    });
    on(a.compareWithCompile, [this] {
        m_parts.comparing.compare(ComparisonChoice::ofArm(QStringLiteral("compile")), shownChoice());
    });
    on(a.compareSelected, [this] {
        if (const auto pair = m_parts.iterations.selectedPair())
            m_parts.comparing.compare(ComparisonChoice::ofIteration(pair->first),
                                      ComparisonChoice::ofIteration(pair->second));
    });
    on(a.compareWithBaseline, [this] { compareWithBaseline(); });
    if (const auto *picker = m_parts.profile.findChild<QComboBox *>(QStringLiteral("baselinePicker")))
        connect(picker, &QComboBox::currentIndexChanged, this, &CompareActions::enable,
                Qt::QueuedConnection); // the view takes it first
}

// What all panes show: an earlier iteration, or the text.
ComparisonChoice CompareActions::shownChoice() const {
    return m_parts.bench.shown().isEarlier ? ComparisonChoice::ofIteration(m_parts.bench.shown().iteration)
                                           : ComparisonChoice();
}

void CompareActions::compareWithBaseline() {
    const auto *counters = m_parts.profile.findChild<CountersView *>();
    const CountedLaunch baseline = counters == nullptr ? CountedLaunch() : counters->baseline();
    if (!baseline.counters)
        return;
    const KernelCounters *launch = baseline.launch();
    if (baseline.origin.isEmpty() && launch != nullptr && comparableArms().contains(launch->arm))
        return m_parts.comparing.compare(ComparisonChoice::ofArm(launch->arm), shownChoice());
    for (const IterationRecord &record : m_parts.bench.iterations())
        if (record.iteration.textHash == baseline.counters->textHash && !baseline.origin.isEmpty())
            return m_parts.comparing.compare(ComparisonChoice::ofIteration(record.iteration.number),
                                             shownChoice());
    m_parts.notices.sayTrouble(
        tr("The baseline is no iteration"),
        tr("It is a launch of the same text, or counters of a text that is not in the tree."));
}

void CompareActions::enable() {
    const Shown &shown = m_parts.bench.shown();
    const IterationRecord *record = m_parts.iterations.recordOf(shown.iteration);
    Actions::setReason(m_parts.actions.compareWithParent, record == nullptr ? tr("nothing was checked yet")
                                                          : record->iteration.parent == 0
                                                              ? tr("it is the first")
                                                              : QString());
    // Between two iterations a run has texts that are none.
    const QString none =
        shown.isEarlier && record == nullptr ? tr("the text at this event is no iteration") : QString();
    Actions::setReason(m_parts.actions.compareWithText,
                       shown.isEarlier ? none : tr("your own text is shown"));
    const QString noCheck = shown.evaluation ? none : tr("nothing was checked yet");
    for (QAction *action : {m_parts.actions.compareWithEager, m_parts.actions.compareWithCompile})
        Actions::setReason(action, noCheck);
    const auto pair = m_parts.iterations.selectedPair();
    Actions::setReason(m_parts.actions.compareSelected,
                       pair ? QString() : tr("select two iterations in the tree, the second one with Ctrl"));
    const auto *counters = m_parts.profile.findChild<CountersView *>();
    Actions::setReason(m_parts.actions.compareWithBaseline,
                       !m_parts.bench.workspace() ? tr("no workspace is open")
                       : counters != nullptr && counters->baseline().counters
                           ? QString()
                           : tr("no baseline is chosen on the Counters page"));
}

} // namespace warpwright
