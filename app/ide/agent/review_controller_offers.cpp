// SPDX-License-Identifier: GPL-3.0-or-later
// What a review offers at the moment, and why not.
#include "app/ide/agent/review_controller.h"
#include "app/ide/editing/candidate_panel.h"
#include "app/ide/kit/actions.h"
#include "widgets/editor/code_editor.h"
#include "widgets/review/hunk_marks.h"

#include <QAction>

namespace warpwright {

void ReviewController::lock(const QString &why) {
    for (CodeEditor *editor : m_editors)
        editor->decorator<HunkMarks>().setLocked(why);
    m_actions.setNoReview(why);
}

void ReviewController::sayWhatIsLeft() {
    if (m_candidate.showsEarlier() || review()->count().unanswered() > 0)
        return;
    for (QAction *rest : {m_actions.acceptAllHunks, m_actions.rejectAllHunks})
        Actions::setReason(rest, tr("every hunk is answered"));
}

} // namespace warpwright
