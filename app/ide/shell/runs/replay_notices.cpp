// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/shell/runs/replay_notices.h"

#include "app/ide/history/replay_controller.h"
#include "app/ide/kit/actions.h"
#include "app/ide/kit/notices.h"
#include "app/ide/shell/window_notices.h"
#include "app/ide/workbench/workbench.h"

#include <QAction>
#include <QShortcut>

namespace warpwright {

ReplayNotices::ReplayNotices(const Parts &parts, QWidget *window)
    : QObject(window), m_parts(parts), m_window(window) {
    silenceReview();
    connect(&m_parts.bench, &Workbench::branched, this, &ReplayNotices::tellBranch);
    connect(&m_parts.replay, &ReplayController::failed, &m_parts.notices, &WindowNotices::sayTrouble);
}

// In place of the keys of a review, which are off meanwhile.
void ReplayNotices::silenceReview() {
    const Actions &a = m_parts.actions;
    for (QAction *answer : {a.acceptHunk, a.rejectHunk, a.editHunk, a.acceptAllHunks, a.rejectAllHunks,
                            a.acceptHunkOnly, a.rejectHunkOnly, a.undoDecision}) {
        auto *key = new QShortcut(m_window);
        key->setEnabled(false);
        connect(key, &QShortcut::activated, this, [this] {
            m_parts.notices.tell(newsNotice(
                tr("This is a recording"),
                tr("Its hunks were answered when it ran, and nothing is answered here. «Branch» goes on from "
                   "the text that is shown.")));
        });
        connect(&m_parts.replay, &ReplayController::opened, key, [key, answer] {
            key->setKey(answer->shortcut());
            key->setEnabled(true);
        });
        connect(&m_parts.replay, &ReplayController::left, key, [key] { key->setEnabled(false); });
    }
}

void ReplayNotices::tellBranch() {
    const Shown &shown = m_parts.bench.shown();
    if (shown.replay.isEmpty())
        return;
    m_parts.notices.tell(newsNotice(
        tr("Branched"),
        tr("The text at %1 is iteration %2 and lies in \"%3\" now. What lay there before is kept among the "
           "iterations. Check it, or let an agent go on from it.")
            .arg(shown.replay)
            .arg(m_parts.bench.liveIteration())
            .arg(m_parts.bench.workspace()->folder)));
}

} // namespace warpwright
