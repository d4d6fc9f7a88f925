// SPDX-License-Identifier: GPL-3.0-or-later
// The comparison in main_window.h: from the tree, the counters' baseline and the palette to its page.
#include "app/ide/compare/compare_desk.h"
#include "app/ide/compare/compare_page.h"
#include "app/ide/history/iterations_panel.h"
#include "app/ide/history/replay_desk.h"
#include "app/ide/kit/actions.h"
#include "app/ide/measured/profile_panel.h"
#include "app/ide/shell/main_window.h"
#include "app/ide/workbench/workbench.h"
#include "profiler_views/counters/counters_view.h"

#include <QComboBox>
#include <QStackedWidget>

namespace warpwright {

void MainWindow::connectComparing() {
    m_compareDesk = new CompareDesk(*m_bench, this);
    m_comparePage = new ComparePage(m_look, this);
    m_pages->addWidget(m_comparePage);
    connect(m_compareDesk, &CompareDesk::compared, this,
            [this](const SharedPair &pair) { m_comparePage->show(pair, m_compareDesk->isReadingSass()); });
    connect(m_compareDesk, &CompareDesk::failed, m_comparePage, &ComparePage::fail);
    connect(m_comparePage, &ComparePage::sidesChosen, this, &MainWindow::compare);
    connect(m_comparePage, &ComparePage::closed, this, [this] {
        m_compareDesk->cancel();
        backToWork();
    });
    connect(m_bench, &Workbench::iterationsChanged, this, [this] { m_comparePage->setTree(shownTree()); });
    connect(m_iterations, &IterationsPanel::selectionChanged, this, &MainWindow::enableComparing);
    connect(m_iterations, &IterationsPanel::menuAsked, this, &MainWindow::openIterationMenu);
    const auto on = [this](QAction *action, auto what) {
        connect(action, &QAction::triggered, this, what);
    };
    on(m_actions->compareWithParent, [this] {
        const IterationRecord *record = m_iterations->recordOf(m_bench->shown().iteration);
        if (record != nullptr && record->iteration.parent > 0)
            compare(ComparisonChoice::ofIteration(record->iteration.parent),
                    ComparisonChoice::ofIteration(record->iteration.number));
    });
    on(m_actions->compareWithText,
       [this] { compare(ComparisonChoice::ofIteration(m_bench->shown().iteration), {}); });
    on(m_actions->compareWithEager,
       [this] { compare(ComparisonChoice::ofArm(QStringLiteral("eager")), shownChoice()); });
    on(m_actions->compareWithCompile,
       [this] { compare(ComparisonChoice::ofArm(QStringLiteral("compile")), shownChoice()); });
    on(m_actions->compareSelected, [this] {
        if (const auto pair = m_iterations->selectedPair())
            compare(ComparisonChoice::ofIteration(pair->first), ComparisonChoice::ofIteration(pair->second));
    });
    on(m_actions->compareWithBaseline, [this] { compareWithBaseline(); });
    if (const auto *picker = m_profile->findChild<QComboBox *>(QStringLiteral("baselinePicker")))
        connect(picker, &QComboBox::currentIndexChanged, this, &MainWindow::enableComparing,
                Qt::QueuedConnection); // the view takes it first
}

// What all panes show: an earlier iteration, or the text.
ComparisonChoice MainWindow::shownChoice() const {
    return m_bench->shown().isEarlier ? ComparisonChoice::ofIteration(m_bench->shown().iteration)
                                      : ComparisonChoice();
}

void MainWindow::compareWithBaseline() {
    const auto *counters = m_profile->findChild<CountersView *>();
    const CountedLaunch baseline = counters == nullptr ? CountedLaunch() : counters->baseline();
    if (!baseline.counters)
        return;
    const KernelCounters *launch = baseline.launch();
    if (baseline.origin.isEmpty() && launch != nullptr && comparableArms().contains(launch->arm))
        return compare(ComparisonChoice::ofArm(launch->arm), shownChoice());
    for (const IterationRecord &record : m_bench->iterations())
        if (record.iteration.textHash == baseline.counters->textHash && !baseline.origin.isEmpty())
            return compare(ComparisonChoice::ofIteration(record.iteration.number), shownChoice());
    sayTrouble(tr("The baseline is no iteration"),
               tr("It is a launch of the same text, or counters of a text that is not in the tree."));
}

void MainWindow::compare(const ComparisonChoice &left, const ComparisonChoice &right) {
    if (!m_bench->workspace())
        return;
    m_comparePage->setTree(shownTree());
    m_comparePage->begin(left, right);
    if (m_replay->isOpen())
        m_compareDesk->compareInRun(m_replay->run()->run, shownTree(), left, right);
    else
        m_compareDesk->compare(left, right);
    showPage(m_comparePage);
}

void MainWindow::enableComparing() {
    const Shown &shown = m_bench->shown();
    const IterationRecord *record = m_iterations->recordOf(shown.iteration);
    Actions::setReason(m_actions->compareWithParent, record == nullptr ? tr("nothing was checked yet")
                                                     : record->iteration.parent == 0 ? tr("it is the first")
                                                                                     : QString());
    // Between two iterations a run has texts that are none.
    const QString none =
        shown.isEarlier && record == nullptr ? tr("the text at this event is no iteration") : QString();
    Actions::setReason(m_actions->compareWithText, shown.isEarlier ? none : tr("your own text is shown"));
    const QString noCheck = shown.evaluation ? none : tr("nothing was checked yet");
    for (QAction *action : {m_actions->compareWithEager, m_actions->compareWithCompile})
        Actions::setReason(action, noCheck);
    const auto pair = m_iterations->selectedPair();
    Actions::setReason(m_actions->compareSelected,
                       pair ? QString() : tr("select two iterations in the tree, the second one with Ctrl"));
    const auto *counters = m_profile->findChild<CountersView *>();
    Actions::setReason(m_actions->compareWithBaseline,
                       !m_bench->workspace() ? tr("no workspace is open")
                       : counters != nullptr && counters->baseline().counters
                           ? QString()
                           : tr("no baseline is chosen on the Counters page"));
}

} // namespace warpwright
