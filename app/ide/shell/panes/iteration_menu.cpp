// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/shell/panes/iteration_menu.h"

#include "app/ide/history/iterations_panel.h"
#include "app/ide/kit/actions.h"
#include "app/ide/shell/displayed_iterations.h"
#include "app/ide/shell/panes/comparing.h"
#include "app/ide/workbench/workbench.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QMenu>

namespace warpwright {
namespace {

constexpr int offeredAtMost = 20; ///< in the menu; the boxes of the comparison have all of them

} // namespace

IterationMenu::IterationMenu(const Parts &parts, QWidget *window)
    : QObject(window), m_parts(parts), m_window(window) {
    connect(&m_parts.iterations, &IterationsPanel::menuAsked, this, &IterationMenu::open);
}

// The row that it is asked on is the one that all panes show: the actions are about that one.
void IterationMenu::open(int number, const QPoint &at) {
    const IterationRecord *record = m_parts.iterations.recordOf(number);
    if (record == nullptr)
        return;
    auto *menu = new QMenu(m_window);
    menu->setObjectName(QStringLiteral("iterationMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setToolTipsVisible(true);
    QAction *show = menu->addAction(tr("Show iteration %1").arg(number));
    const bool isShown = m_parts.bench.shown().iteration == number;
    Actions::setReason(show, isShown ? tr("it is shown") : QString());
    connect(show, &QAction::triggered, this, [this, number] { m_parts.shown.show(number); });
    menu->addActions({m_parts.actions.branchHere, m_parts.actions.backToText});
    menu->addSeparator();
    menu->addActions({m_parts.actions.compareSelected, m_parts.actions.compareWithParent});
    QMenu *other = menu->addMenu(tr("Compare iteration %1 with").arg(number));
    other->setObjectName(QStringLiteral("iterationCompareMenu"));
    const auto offer = [this, other, number](const ComparisonChoice &left, const QString &words) {
        connect(other->addAction(words), &QAction::triggered, this, [this, left, number] {
            m_parts.comparing.compare(left, ComparisonChoice::ofIteration(number));
        });
    };
    offer({}, tr("Your text"));
    if (record->latest)
        for (const char *arm : {"eager", "compile"})
            offer(ComparisonChoice::ofArm(QLatin1String(arm)),
                  ComparisonChoice::ofArm(QLatin1String(arm)).title());
    other->addSeparator();
    const IterationTree &tree = *m_parts.shown.tree();
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
    menu->addAction(m_parts.actions.share);
    menu->popup(at);
}

} // namespace warpwright
