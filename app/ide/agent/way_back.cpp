// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/agent/way_back.h"

#include "app/ide/agent/run_words.h"
#include "app/ide/workbench/workbench.h"

#include <utility>

namespace warpwright {

WayBack::WayBack(Workbench &bench, QAction *branch, QObject *parent)
    : QAction(parent), m_bench(bench), m_branch(branch) {
    setObjectName(QStringLiteral("backToSound"));
    setProperty("iconName", QStringLiteral("branch"));
    connect(&bench, &Workbench::iterationsChanged, this, &WayBack::look);
    connect(&bench, &Workbench::branched, this, &WayBack::look);
    connect(&bench, &Workbench::closed, this, &WayBack::look);
    connect(this, &QAction::triggered, this, &WayBack::go);
}

// A person's own text that fails is theirs to mend.
void WayBack::look() {
    const IterationTree &tree = *m_bench.tree();
    const int live = m_bench.workspace() ? m_bench.liveIteration() : 0;
    const IterationRecord *record = tree.byNumber(live);
    const bool fails = record != nullptr && record->iteration.author.kind != AuthorKind::You &&
                       record->latest && !whyUnsound(record->latest->verdict).isEmpty();
    const int number = fails ? lastSoundBefore(live, tree) : 0;
    if (number > 0)
        setText(tree.byNumber(number)->latest->verdict == Verdict::Pass
                    ? tr("Back to iteration %1, the last that passed").arg(number)
                    : tr("Back to iteration %1, the last that was right").arg(number));
    if (std::exchange(m_number, number) != number)
        emit turned();
}

void WayBack::go() {
    if (m_number == 0)
        return;
    // Once it is shown; whatever else is shown first was asked for later.
    auto *waiting = new QObject(this);
    const auto end = [this, waiting] {
        QObject::disconnect(&m_bench, nullptr, waiting, nullptr);
        waiting->deleteLater();
    };
    connect(&m_bench, &Workbench::failed, waiting, end);
    connect(&m_bench, &Workbench::shownChanged, waiting, [this, end, number = m_number] {
        end();
        if (m_bench.shown().isEarlier && m_bench.shown().replay.isEmpty() &&
            m_bench.shown().iteration == number)
            QMetaObject::invokeMethod(m_branch, &QAction::trigger, Qt::QueuedConnection);
    });
    m_bench.showIteration(m_number);
}

} // namespace warpwright
