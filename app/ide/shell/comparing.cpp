// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/shell/comparing.h"

#include "app/ide/compare/compare_controller.h"
#include "app/ide/compare/compare_page.h"
#include "app/ide/history/iterations_panel.h"
#include "app/ide/history/replay_controller.h"
#include "app/ide/kit/actions.h"
#include "app/ide/measured/profile_panel.h"
#include "app/ide/shell/action_reasons.h"
#include "app/ide/shell/window_notices.h"
#include "app/ide/shell/window_pages.h"
#include "app/ide/shell/window_parts.h"
#include "app/ide/workbench/workbench.h"
#include "profiler_views/counters/counters_view.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QMenu>

namespace warpwright {
namespace {

constexpr int offeredAtMost = 20; ///< in the menu; the boxes of the comparison have all of them

} // namespace

Comparing::Comparing(const WindowParts &parts, QObject *parent) : QObject(parent), m_parts(parts) {
    connect(m_parts.compareController, &CompareController::compared, this, [this](const SharedPair &pair) {
        m_parts.comparePage->show(pair, m_parts.compareController->isReadingSass());
    });
    connect(m_parts.compareController, &CompareController::failed, m_parts.comparePage, &ComparePage::fail);
    connect(m_parts.comparePage, &ComparePage::sidesChosen, this, &Comparing::compare);
    connect(m_parts.comparePage, &ComparePage::closed, this, [this] {
        m_parts.compareController->cancel();
        m_parts.pages->backToWork();
    });
    connect(m_parts.bench, &Workbench::iterationsChanged, this,
            [this] { m_parts.comparePage->setTree(shownTree(m_parts)); });
    connect(m_parts.iterations, &IterationsPanel::selectionChanged, this, &Comparing::enable);
    connect(m_parts.iterations, &IterationsPanel::menuAsked, this, &Comparing::openMenu);
    connectActions();
    if (const auto *picker = m_parts.profile->findChild<QComboBox *>(QStringLiteral("baselinePicker")))
        connect(picker, &QComboBox::currentIndexChanged, this, &Comparing::enable,
                Qt::QueuedConnection); // the view takes it first
    connect(m_parts.reasons, &ActionReasons::updated, this, &Comparing::enable);
}

void Comparing::connectActions() {
    const Actions &a = *m_parts.actions;
    const auto on = [this](QAction *action, auto what) {
        connect(action, &QAction::triggered, this, what);
    };
    on(a.compareWithParent, [this] {
        const IterationRecord *record = m_parts.iterations->recordOf(m_parts.bench->shown().iteration);
        if (record != nullptr && record->iteration.parent > 0)
            compare(ComparisonChoice::ofIteration(record->iteration.parent),
                    ComparisonChoice::ofIteration(record->iteration.number));
    });
    on(a.compareWithText,
       [this] { compare(ComparisonChoice::ofIteration(m_parts.bench->shown().iteration), {}); });
    on(a.compareWithEager,
       [this] { compare(ComparisonChoice::ofArm(QStringLiteral("eager")), shownChoice()); });
    on(a.compareWithCompile,
       [this] { compare(ComparisonChoice::ofArm(QStringLiteral("compile")), shownChoice()); });
    on(a.compareSelected, [this] {
        if (const auto pair = m_parts.iterations->selectedPair())
            compare(ComparisonChoice::ofIteration(pair->first), ComparisonChoice::ofIteration(pair->second));
    });
    on(a.compareWithBaseline, [this] { compareWithBaseline(); });
}

// What all panes show: an earlier iteration, or the text.
ComparisonChoice Comparing::shownChoice() const {
    return m_parts.bench->shown().isEarlier ? ComparisonChoice::ofIteration(m_parts.bench->shown().iteration)
                                            : ComparisonChoice();
}

void Comparing::compareWithBaseline() {
    const auto *counters = m_parts.profile->findChild<CountersView *>();
    const CountedLaunch baseline = counters == nullptr ? CountedLaunch() : counters->baseline();
    if (!baseline.counters)
        return;
    const KernelCounters *launch = baseline.launch();
    if (baseline.origin.isEmpty() && launch != nullptr && comparableArms().contains(launch->arm))
        return compare(ComparisonChoice::ofArm(launch->arm), shownChoice());
    for (const IterationRecord &record : m_parts.bench->iterations())
        if (record.iteration.textHash == baseline.counters->textHash && !baseline.origin.isEmpty())
            return compare(ComparisonChoice::ofIteration(record.iteration.number), shownChoice());
    m_parts.notices->sayTrouble(
        tr("The baseline is no iteration"),
        tr("It is a launch of the same text, or counters of a text that is not in the tree."));
}

void Comparing::compare(const ComparisonChoice &left, const ComparisonChoice &right) {
    if (!m_parts.bench->workspace())
        return;
    m_parts.comparePage->setTree(shownTree(m_parts));
    m_parts.comparePage->begin(left, right);
    if (m_parts.replay->isOpen())
        m_parts.compareController->compareInRun(m_parts.replay->run()->run, shownTree(m_parts), left, right);
    else
        m_parts.compareController->compare(left, right);
    m_parts.pages->show(m_parts.comparePage);
}

// The row that it is asked on is the one that all panes show: the actions are about that one.
void Comparing::openMenu(int number, const QPoint &at) {
    const IterationRecord *record = m_parts.iterations->recordOf(number);
    if (record == nullptr)
        return;
    auto *menu = new QMenu(m_parts.window);
    menu->setObjectName(QStringLiteral("iterationMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setToolTipsVisible(true);
    QAction *show = menu->addAction(tr("Show iteration %1").arg(number));
    const bool isShown = m_parts.bench->shown().iteration == number;
    Actions::setReason(show, isShown ? tr("it is shown") : QString());
    connect(show, &QAction::triggered, this, [this, number] { showIteration(m_parts, number); });
    menu->addActions({m_parts.actions->branchHere, m_parts.actions->backToText});
    menu->addSeparator();
    menu->addActions({m_parts.actions->compareSelected, m_parts.actions->compareWithParent});
    QMenu *other = menu->addMenu(tr("Compare iteration %1 with").arg(number));
    other->setObjectName(QStringLiteral("iterationCompareMenu"));
    const auto offer = [this, other, number](const ComparisonChoice &left, const QString &words) {
        connect(other->addAction(words), &QAction::triggered, this,
                [this, left, number] { compare(left, ComparisonChoice::ofIteration(number)); });
    };
    offer({}, tr("Your text"));
    if (record->latest)
        for (const char *arm : {"eager", "compile"})
            offer(ComparisonChoice::ofArm(QLatin1String(arm)),
                  ComparisonChoice::ofArm(QLatin1String(arm)).title());
    other->addSeparator();
    const IterationTree &tree = *shownTree(m_parts);
    int offered = 0;
    for (auto row = tree.records.rbegin(); row != tree.records.rend() && offered < offeredAtMost; ++row) {
        const int left = row->iteration.number;
        if (left == number)
            continue;
        offer(ComparisonChoice::ofIteration(left),
              left == tree.best ? tr("%1, %2 (best)").arg(QString::number(left), headlineOf(*row))
                                : QStringLiteral("%1, %2").arg(QString::number(left), headlineOf(*row)));
        ++offered;
    }
    if (tree.best > 0 && tree.best != number && tree.rows.value(tree.best) + offeredAtMost < tree.rows.size())
        offer(ComparisonChoice::ofIteration(tree.best), tr("%1 (best)").arg(tree.best));
    menu->addSeparator();
    connect(menu->addAction(tr("Copy what is known of it")), &QAction::triggered, this,
            [words = tree.words.at(static_cast<std::size_t>(tree.rows.value(number))),
             hash = record->iteration.textHash] {
                QApplication::clipboard()->setText(words + QLatin1Char('\n') + hash);
            });
    menu->addAction(m_parts.actions->share);
    menu->popup(at);
}

void Comparing::enable() {
    const Shown &shown = m_parts.bench->shown();
    const IterationRecord *record = m_parts.iterations->recordOf(shown.iteration);
    Actions::setReason(m_parts.actions->compareWithParent, record == nullptr ? tr("nothing was checked yet")
                                                           : record->iteration.parent == 0
                                                               ? tr("it is the first")
                                                               : QString());
    // Between two iterations a run has texts that are none.
    const QString none =
        shown.isEarlier && record == nullptr ? tr("the text at this event is no iteration") : QString();
    Actions::setReason(m_parts.actions->compareWithText,
                       shown.isEarlier ? none : tr("your own text is shown"));
    const QString noCheck = shown.evaluation ? none : tr("nothing was checked yet");
    for (QAction *action : {m_parts.actions->compareWithEager, m_parts.actions->compareWithCompile})
        Actions::setReason(action, noCheck);
    const auto pair = m_parts.iterations->selectedPair();
    Actions::setReason(m_parts.actions->compareSelected,
                       pair ? QString() : tr("select two iterations in the tree, the second one with Ctrl"));
    const auto *counters = m_parts.profile->findChild<CountersView *>();
    Actions::setReason(m_parts.actions->compareWithBaseline,
                       !m_parts.bench->workspace() ? tr("no workspace is open")
                       : counters != nullptr && counters->baseline().counters
                           ? QString()
                           : tr("no baseline is chosen on the Counters page"));
}

} // namespace warpwright
